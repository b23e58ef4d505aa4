// SPDX-License-Identifier: Apache-2.0
//
// A function's control-flow graph as text, for people and for tests.
//
//   function Java_A_f (params 3, temps 9)
//   b0:                                        ; -> b1 b2
//     t0 = load env                            ; jobject  a.c:7:9
//     t1 = call jni FindClass(t0, t2)
//     branch t1 b1 b2
//
// Columns after `;` are comments. Places read as C does: `ctx->cls` is `(*t4).cls`, an unknown
// index is `[*]` or `[t3]`. One line per instruction; nothing is left out.

#include "analyzer/ir/ir.h"
#include "rules/jni.h"

#include <stdlib.h>

static const char *const op_name[JG_OP_COUNT] = {
    [JG_OP_CONST] = "const",   [JG_OP_FLOAT] = "float",
    [JG_OP_NULL] = "null",     [JG_OP_STR] = "str",
    [JG_OP_FNADDR] = "fnaddr", [JG_OP_LOAD] = "load",
    [JG_OP_STORE] = "store",   [JG_OP_COPY] = "copy",
    [JG_OP_ADDR] = "addr",     [JG_OP_BIN] = "bin",
    [JG_OP_UN] = "un",         [JG_OP_CAST] = "cast",
    [JG_OP_CALL] = "call",     [JG_OP_PHI] = "phi",
    [JG_OP_HAVOC] = "havoc",   [JG_OP_SCOPE_EXIT] = "scope_exit",
};
static const char *const bin_name[] = {"+", "-", "*",  "/",  "%", "<<", ">>", "&",
                                       "|", "^", "==", "!=", "<", "<=", ">",  ">="};
static const char *const un_name[] = {"-", "~", "!"};

static void put_escaped(FILE *out, const char *s, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < ' ' || c == 127)
            fprintf(out, "\\%03o", c);
        else
            fputc(c, out);
    }
}

static void put_var(const struct jg_unit *u, uint32_t var, FILE *out)
{
    const char *name = jg_unit_str(u, u->vars.data[var].name);
    if (*name)
        fputs(name, out);
    else
        fprintf(out, "v%u", var);
}

static void put_place(const struct jg_unit *u, uint32_t place, FILE *out)
{
    const struct jg_place *p = &u->places.data[place];
    if (p->base_kind == JG_BASE_VAR)
        put_var(u, p->base, out);
    else
        fprintf(out, p->elem_count ? "(*t%u)" : "*t%u", p->base);
    for (uint32_t i = 0; i < p->elem_count; i++) {
        const struct jg_elem *e = &u->elems.data[p->first_elem + i];
        if (e->kind == JG_ELEM_FIELD)
            fprintf(out, ".%s", jg_unit_str(u, u->fields.data[e->value].name));
        else if (e->kind == JG_ELEM_INDEX)
            fprintf(out, "[%u]", e->value);
        else if (e->value == JG_NONE)
            fputs("[*]", out);
        else
            fprintf(out, "[t%u]", e->value);
    }
}

static void put_symbol(const struct jg_unit *u, uint32_t symbol, FILE *out)
{
    fputs(jg_unit_str(u, u->symbols.data[symbol].name), out);
}

static void put_call(const struct jg_unit *u, const struct jg_insn *n, FILE *out)
{
    switch (n->sub) {
    case JG_CALLEE_JNI:
        fprintf(out, "jni %s", jg_jni_function(n->a)->name);
        break;
    case JG_CALLEE_INVOKE:
        fprintf(out, "invoke %s", jg_invoke_function(n->a)->name);
        break;
    case JG_CALLEE_SYMBOL:
        put_symbol(u, n->a, out);
        break;
    case JG_CALLEE_FIELD: {
        const struct jg_field *f = &u->fields.data[n->a];
        fprintf(out, "field %s::%s t%u", jg_unit_str(u, f->record), jg_unit_str(u, f->name), n->b);
        break;
    }
    default:
        fprintf(out, "temp t%u", n->a);
        break;
    }
    fputc('(', out);
    for (uint32_t i = 0; i < n->arg_count; i++)
        fprintf(out, "%st%u", i ? ", " : "", u->args.data[n->first_arg + i]);
    fputc(')', out);
}

static void put_operands(const struct jg_unit *u, const struct jg_insn *n, FILE *out)
{
    switch ((enum jg_op)n->op) {
    case JG_OP_CONST:
        fprintf(out, " %lld", (long long)n->imm);
        break;
    case JG_OP_STR:
        fputs(" \"", out);
        put_escaped(out, jg_unit_str(u, n->a), (size_t)n->imm);
        fputc('"', out);
        break;
    case JG_OP_FNADDR:
        fputc(' ', out);
        put_symbol(u, n->a, out);
        break;
    case JG_OP_LOAD:
    case JG_OP_ADDR:
        fputc(' ', out);
        put_place(u, n->a, out);
        break;
    case JG_OP_STORE:
        fputc(' ', out);
        put_place(u, n->a, out);
        fprintf(out, ", t%u", n->b);
        break;
    case JG_OP_COPY:
        fputc(' ', out);
        put_place(u, n->a, out);
        fputs(", ", out);
        put_place(u, n->b, out);
        break;
    case JG_OP_BIN:
        fprintf(out, " t%u %s t%u", n->a, bin_name[n->sub], n->b);
        break;
    case JG_OP_UN:
        fprintf(out, " %st%u", un_name[n->sub], n->a);
        break;
    case JG_OP_CAST:
        fprintf(out, " t%u", n->a);
        break;
    case JG_OP_CALL:
        fputc(' ', out);
        put_call(u, n, out);
        break;
    case JG_OP_PHI:
        for (uint32_t i = 0; i < n->arg_count; i += 2)
            fprintf(out, "%s b%u:t%u", i ? "," : "", u->args.data[n->first_arg + i],
                    u->args.data[n->first_arg + i + 1]);
        break;
    case JG_OP_HAVOC:
        if (n->dst == JG_NONE) {
            fputc(' ', out);
            put_place(u, n->a, out);
        }
        break;
    case JG_OP_SCOPE_EXIT:
        fputc(' ', out);
        put_var(u, n->a, out);
        if (n->b != JG_NONE) {
            fputs(" cleanup ", out);
            put_symbol(u, n->b, out);
        }
        break;
    case JG_OP_FLOAT:
    case JG_OP_NULL:
    case JG_OP_COUNT:
        break;
    }
}

static void put_loc(const struct jg_unit *u, uint32_t loc, FILE *out)
{
    if (loc == JG_NONE)
        return;
    const struct jg_loc *l = &u->locs.data[loc];
    fprintf(out, " %u:%u", l->line, l->column);
    if (l->end_line)
        fprintf(out, "-%u:%u", l->end_line, l->end_column);
    if (l->expansion != JG_NONE)
        fprintf(out, " in %s", jg_unit_str(u, u->expansions.data[l->expansion].macro));
}

static void put_insn(const struct jg_unit *u, const struct jg_insn *n, FILE *out)
{
    if (n->dst != JG_NONE)
        fprintf(out, "t%u = ", n->dst);
    fputs(op_name[n->op], out);
    put_operands(u, n, out);
    if (n->flags & JG_INSN_UNUSED)
        fputs(" unused", out);
    if (n->flags & JG_INSN_VOID_CAST)
        fputs(" void_cast", out);
    if (n->flags & JG_INSN_UNMODELLED)
        fputs(" unmodelled", out);
    if (n->flags & JG_INSN_DECL)
        fputs(" decl", out);
    if (n->flags & JG_INSN_LOGICAL)
        fputs(" logical", out);
}

static void put_switch(const struct jg_unit *u, const struct jg_block *b, FILE *out)
{
    const uint32_t *succ = u->succs.data + b->first_succ;
    for (uint32_t i = 0; i < b->case_count; i++) {
        const struct jg_case *c = &u->cases.data[b->first_case + i];
        fprintf(out, " %lld", (long long)c->low);
        if (c->high != c->low)
            fprintf(out, "..%lld", (long long)c->high);
        fprintf(out, ":b%u", succ[i]);
    }
    fprintf(out, " default:b%u", succ[b->case_count]);
}

static void put_term(const struct jg_unit *u, const struct jg_block *b, FILE *out)
{
    static const char *const name[] = {"jump",   "branch", "switch",     "indirect",
                                       "return", "throw",  "unreachable"};
    fputs(name[b->term], out);
    if (b->cond != JG_NONE)
        fprintf(out, " t%u", b->cond);
    if (b->term == JG_TERM_SWITCH) {
        put_switch(u, b, out);
        return;
    }
    for (uint32_t i = 0; i < b->succ_count; i++)
        fprintf(out, " b%u", u->succs.data[b->first_succ + i]);
}

void jg_dump_function(const struct jg_unit *u, uint32_t function, FILE *out)
{
    const struct jg_function *f = &u->functions.data[function];
    fprintf(out, "function %s (params %u, vars %u, temps %u)%s%s%s\n", jg_function_name(u, f),
            f->param_count, f->var_count, f->temp_count,
            f->flags & JG_FN_DEGRADED ? " degraded" : "", f->flags & JG_FN_HEADER ? " header" : "",
            f->flags & JG_FN_UNMODELLED ? " unmodelled" : "");
    for (uint32_t i = 0; i < f->block_count; i++) {
        const struct jg_block *b = &u->blocks.data[f->first_block + i];
        fprintf(out, "b%u:%s\n", i, b->loop_header ? " loop" : "");
        for (uint32_t j = 0; j < b->insn_count; j++) {
            const struct jg_insn *n = &u->insns.data[b->first_insn + j];
            fputs("    ", out);
            put_insn(u, n, out);
            fprintf(out, "  ; %s", jg_unit_str(u, u->types.data[n->type].name));
            put_loc(u, n->loc, out);
            fputc('\n', out);
        }
        fputs("    ", out);
        put_term(u, b, out);
        fputs("  ;", out);
        put_loc(u, b->loc, out);
        fputc('\n', out);
    }
}

// ---- DOT ---------------------------------------------------------------------------------------

// Text for a DOT label: quotes escaped, one line left-aligned.
static void put_label_line(const struct jg_unit *u, const struct jg_insn *n,
                           const struct jg_block *b, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *line = open_memstream(&text, &size);
    if (!line)
        jg_out_of_memory();
    if (n)
        put_insn(u, n, line);
    else
        put_term(u, b, line);
    fclose(line);
    put_escaped(out, text, size);
    fputs("\\l", out);
    free(text);
}

void jg_dump_dot(const struct jg_unit *u, uint32_t function, FILE *out)
{
    const struct jg_function *f = &u->functions.data[function];
    fprintf(out, "digraph \"%s\" {\n  node [shape=box, fontname=monospace];\n",
            jg_function_name(u, f));
    for (uint32_t i = 0; i < f->block_count; i++) {
        const struct jg_block *b = &u->blocks.data[f->first_block + i];
        fprintf(out, "  b%u [label=\"b%u\\l", i, i);
        for (uint32_t j = 0; j < b->insn_count; j++)
            put_label_line(u, &u->insns.data[b->first_insn + j], NULL, out);
        put_label_line(u, NULL, b, out);
        fputs("\"];\n", out);
        for (uint32_t j = 0; j < b->succ_count; j++) {
            const char *edge = b->term == JG_TERM_BRANCH ? (j ? "0" : "1") : "";
            fprintf(out, "  b%u -> b%u [label=\"%s\"];\n", i, u->succs.data[b->first_succ + j],
                    edge);
        }
    }
    fputs("}\n", out);
}
