// SPDX-License-Identifier: Apache-2.0
//
// Collects violations of one function: one for each (rule, primary instruction), further exits as
// notes. Also the engine object itself and the names that checks put into messages.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <stdlib.h>
#include <string.h>

void jg_report(struct jg_engine *e, const struct jg_path *s, struct jg_violation v,
               uint32_t primary)
{
    if (v.rule == JG_RULE_NONE || !jg_rule_info(v.rule)->analyzer)
        return;
    v.function = e->function;
    v.trace = s ? s->trace : NULL;
    uint32_t at = v.insn == JG_NONE ? e->unit->blocks.data[e->fn->first_block + v.block].loc
                                    : e->unit->insns.data[v.insn].loc;
    for (uint32_t i = 0; i < e->pending.count; i++) {
        struct jg_pending *p = &e->pending.data[i];
        bool same_call =
            v.kind == JG_KIND_EXCEPTION && v.insn != JG_NONE && p->violation.insn == v.insn;
        if (p->violation.rule != v.rule ||
            (p->primary != primary && !(same_call && v.from == JG_STATE_PENDING)))
            continue;
        bool known = false;
        for (unsigned k = 0; k < p->violation.exit_count; k++)
            known |= p->violation.exits[k] == at;
        uint32_t first = p->violation.insn == JG_NONE
                             ? e->unit->blocks.data[e->fn->first_block + p->violation.block].loc
                             : e->unit->insns.data[p->violation.insn].loc;
        if (!known && at != first && p->violation.exit_count < JG_MAX_EXITS)
            p->violation.exits[p->violation.exit_count++] = at;
        return;
    }
    *JG_VEC_PUSH(&e->pending) = (struct jg_pending){.violation = v, .primary = primary};
}

// ---- names --------------------------------------------------------------------------------------

static const char *place_name(struct jg_engine *e, uint32_t place, int depth);

static const char *temp_name(struct jg_engine *e, uint32_t temp, int depth)
{
    const struct jg_unit *u = e->unit;
    if (temp == JG_NONE || e->temp_def[temp] == JG_NONE || depth > 6)
        return NULL;
    const struct jg_insn *in = &u->insns.data[e->temp_def[temp]];
    switch (in->op) {
    case JG_OP_LOAD:
        return place_name(e, in->a, depth + 1);
    case JG_OP_CAST:
        return temp_name(e, in->a, depth + 1);
    case JG_OP_ADDR: {
        const char *name = place_name(e, in->a, depth + 1);
        uint32_t type = u->places.data[in->a].type;
        bool array = type != JG_NONE && u->types.data[type].kind == JG_TYPE_ARRAY;
        return !name ? NULL : array ? name : jg_bump_format(&e->arena, "&%s", name);
    }
    case JG_OP_CONST:
        return jg_bump_format(&e->arena, "%lld", (long long)in->imm);
    case JG_OP_NULL:
        return "NULL";
    case JG_OP_CALL: {
        const char *stored = depth == 0 ? jg_object_name(e, e->temp_def[temp]) : NULL;
        if (stored) // `(x = f()) == NULL`
            return stored;
        if (in->sub == JG_CALLEE_JNI)
            return jg_bump_format(&e->arena, "%s(...)", jg_jni_function(in->a)->name);
        if (in->sub == JG_CALLEE_INVOKE)
            return jg_bump_format(&e->arena, "%s(...)", jg_invoke_function(in->a)->name);
        if (in->sub == JG_CALLEE_SYMBOL)
            return jg_bump_format(&e->arena, "%s(...)",
                                  jg_unit_str(u, u->symbols.data[in->a].name));
        return NULL;
    }
    case JG_OP_BIN: {
        static const char *const ops[] = {"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"};
        if (in->sub >= JG_BIN_EQ)
            return NULL;
        const char *a = temp_name(e, in->a, depth + 1), *b = temp_name(e, in->b, depth + 1);
        return a && b ? jg_bump_format(&e->arena, "%s %s %s", a, ops[in->sub], b) : NULL;
    }
    default:
        return NULL;
    }
}

// Fields of anonymous records carry the place of the record behind an @.
static const char *field_name(struct jg_engine *e, uint32_t field)
{
    const struct jg_field *known = jg_unit_field(e->unit, field);
    const char *record, *name;
    if (known)
        name = jg_unit_str(e->unit, known->name);
    else
        jg_program_field_name(e->analysis->program, jg_field_id(e, field), &record, &name);
    size_t n = strcspn(name, "@");
    return name[n] ? jg_bump_format(&e->arena, "%.*s", (int)n, name) : name;
}

static const char *place_name(struct jg_engine *e, uint32_t place, int depth)
{
    const struct jg_unit *u = e->unit;
    const struct jg_place *p = &u->places.data[place];
    const char *name = NULL;
    bool arrow = false;
    if (p->base_kind == JG_BASE_VAR) {
        name = jg_unit_str(u, u->vars.data[p->base].name);
        if (!*name)
            return NULL;
    } else {
        name = temp_name(e, p->base, depth + 1);
        arrow = true;
        if (name && p->elem_count && (*name == '*' || *name == '&' || strchr(name, ' ')))
            name = jg_bump_format(&e->arena, "(%s)", name);
    }
    for (uint32_t i = 0; name && i < p->elem_count; i++) {
        const struct jg_elem *elem = &u->elems.data[p->first_elem + i];
        if (elem->kind == JG_ELEM_FIELD) {
            name = jg_bump_format(&e->arena, "%s%s%s", name, arrow ? "->" : ".",
                                  field_name(e, elem->value));
        } else if (elem->kind == JG_ELEM_INDEX) {
            name = jg_bump_format(&e->arena, "%s[%d]", name, (int32_t)elem->value);
        } else {
            const char *index = temp_name(e, elem->value, depth + 1);
            name = jg_bump_format(&e->arena, "%s[%s]", name, index ? index : "...");
        }
        arrow = false;
    }
    return name && arrow ? jg_bump_format(&e->arena, "*%s", name) : name;
}

static const struct jg_insn *storing(struct jg_engine *e, uint32_t temp)
{
    const struct jg_unit *u = e->unit;
    for (uint32_t hops = 0; hops < 4; hops++) {
        uint32_t next = JG_NONE;
        uint32_t first, end;
        jg_function_insns(u, e->fn, &first, &end);
        for (uint32_t i = first; i < end; i++) {
            const struct jg_insn *in = &u->insns.data[i];
            if (in->op == JG_OP_STORE && in->b == temp)
                return in;
            if (in->op == JG_OP_CAST && in->a == temp)
                next = in->dst;
            for (uint32_t k = 1; in->op == JG_OP_PHI && k < in->arg_count; k += 2)
                if (u->args.data[in->first_arg + k] == temp)
                    next = in->dst;
        }
        if (next == JG_NONE)
            return NULL;
        temp = next;
    }
    return NULL;
}

const char *jg_object_name(struct jg_engine *e, uint32_t origin)
{
    if (origin == JG_NONE || e->unit->insns.data[origin].dst == JG_NONE)
        return NULL;
    const struct jg_insn *in = storing(e, e->unit->insns.data[origin].dst);
    return in ? place_name(e, in->a, 0) : NULL;
}

uint32_t jg_object_variable(struct jg_engine *e, uint32_t origin)
{
    if (origin == JG_NONE || e->unit->insns.data[origin].dst == JG_NONE)
        return JG_NONE;
    const struct jg_insn *in = storing(e, e->unit->insns.data[origin].dst);
    return in ? jg_place_variable(e->unit, in->a) : JG_NONE;
}

// A handle that came in as a number is known by the pointer it is cast to: `h = (struct h
// *)handle`.
static const char *pointer_name(struct jg_engine *e, uint32_t param)
{
    const struct jg_unit *u = e->unit;
    if (u->types.data[u->vars.data[param].type].kind != JG_TYPE_INT)
        return NULL;
    uint32_t first, end;
    jg_function_insns(u, e->fn, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op != JG_OP_LOAD || u->places.data[in->a].base_kind != JG_BASE_VAR ||
            u->places.data[in->a].base != param)
            continue;
        const struct jg_insn *to = storing(e, in->dst);
        return to ? place_name(e, to->a, 0) : NULL;
    }
    return NULL;
}

const char *jg_region_name(struct jg_engine *e, jg_region r)
{
    const struct jg_region_info i = *jg_region_info(&e->domain, r);
    const struct jg_unit *u = e->unit;
    if (!r)
        return NULL;
    if (i.kind == JG_R_VAR)
        return jg_unit_str(u, u->vars.data[i.a].name);
    if (i.kind == JG_R_DEREF) {
        const struct jg_value_info p = *jg_value_info(&e->domain, jg_value_root(&e->domain, i.a));
        uint32_t param = jg_parameter_of(e, &p);
        const char *pointer = param == JG_NONE ? NULL : pointer_name(e, param);
        if (p.kind == JG_V_INIT)
            return pointer ? pointer : jg_region_name(e, p.a);
        return p.kind == JG_V_MADE && !p.b ? jg_object_name(e, p.a) : NULL;
    }
    const char *parent = jg_region_name(e, i.parent);
    if (!parent)
        return i.kind == JG_R_FIELD ? field_name(e, i.a) : NULL;
    bool deref = jg_region_info(&e->domain, i.parent)->kind == JG_R_DEREF;
    if (i.kind == JG_R_FIELD)
        return jg_bump_format(&e->arena, "%s%s%s", parent, deref ? "->" : ".", field_name(e, i.a));
    if (i.kind == JG_R_INDEX)
        return jg_bump_format(&e->arena, "%s[%d]", parent, (int32_t)i.a);
    return jg_bump_format(&e->arena, "%s[...]", parent);
}

static const char *condition_text(struct jg_engine *e, uint32_t temp, bool truth, int depth)
{
    if (temp == JG_NONE || e->temp_def[temp] == JG_NONE || depth > 4)
        return NULL;
    const struct jg_unit *u = e->unit;
    const struct jg_insn *in = &u->insns.data[e->temp_def[temp]];
    if (in->op == JG_OP_UN && in->sub == JG_UN_NOT)
        return condition_text(e, in->a, !truth, depth + 1);
    if (in->op == JG_OP_CAST)
        return condition_text(e, in->a, truth, depth + 1);
    if (in->op == JG_OP_BIN && in->sub >= JG_BIN_EQ) {
        static const char *const yes[] = {"==", "!=", "<", "<=", ">", ">="};
        static const char *const no[] = {"!=", "==", ">=", ">", "<=", "<"};
        const char *a = temp_name(e, in->a, 0), *b = temp_name(e, in->b, 0);
        if (!a || !b)
            return NULL;
        const char *op = truth ? yes[in->sub - JG_BIN_EQ] : no[in->sub - JG_BIN_EQ];
        if (strcmp(b, "NULL") == 0 && (in->sub == JG_BIN_EQ || in->sub == JG_BIN_NE))
            return jg_bump_format(&e->arena, "'%s' is %sNULL", a, *op == '=' ? "" : "not ");
        return jg_bump_format(&e->arena, "'%s %s %s'", a, op, b);
    }
    const char *name = temp_name(e, temp, 0);
    if (!name)
        return NULL;
    uint32_t type = in->type;
    if (type != JG_NONE && u->types.data[type].kind == JG_TYPE_POINTER)
        return jg_bump_format(&e->arena, "'%s' is %sNULL", name, truth ? "not " : "");
    return jg_bump_format(&e->arena, "'%s' is %s", name, truth ? "true" : "false");
}

const char *jg_engine_expression(struct jg_engine *e, uint32_t temp)
{
    return temp_name(e, temp, 0);
}

const char *jg_engine_place(struct jg_engine *e, uint32_t place)
{
    return place_name(e, place, 0);
}

const char *jg_engine_condition(struct jg_engine *e, uint32_t function, uint32_t block,
                                unsigned taken)
{
    (void)function;
    return condition_text(e, e->unit->blocks.data[e->fn->first_block + block].cond, taken == 0, 0);
}

bool jg_engine_ends_elsewhere(const struct jg_engine *e, uint32_t origin)
{
    for (uint32_t i = 0; i < e->ended.count; i++)
        if (e->ended.data[i] == origin)
            return true;
    return false;
}

bool jg_engine_is_native(const struct jg_engine *e, uint32_t function)
{
    const struct jg_function *f = &e->unit->functions.data[function];
    return (e->unit->symbols.data[f->symbol].flags & (JG_SYM_NATIVE_METHOD | JG_SYM_ONLOAD)) != 0;
}

uint32_t jg_engine_trips(struct jg_engine *e, uint32_t function, uint32_t insn)
{
    (void)function;
    return e->trips[jg_engine_block_of(e, insn)];
}

// ---- the engine object --------------------------------------------------------------------------

struct jg_engine *jg_engine_new(struct jg_analysis *analysis)
{
    struct jg_engine *e = jg_calloc(1, sizeof *e);
    e->analysis = analysis;
    jg_domain_init(&e->domain, NULL);
    return e;
}

void jg_engine_free(struct jg_engine *e)
{
    if (!e)
        return;
    jg_domain_fini(&e->domain);
    jg_bump_fini(&e->arena);
    jg_bump_fini(&e->paths);
    JG_VEC_FREE(&e->pending);
    JG_VEC_FREE(&e->cases);
    JG_VEC_FREE(&e->leaks);
    JG_VEC_FREE(&e->ended);
    JG_VEC_FREE(&e->marks);
    JG_VEC_FREE(&e->lengths);
    free(e);
}

void jg_engine_stop_when(struct jg_engine *e, const atomic_bool *stop)
{
    e->stop = stop;
}

const struct jg_engine_stats *jg_engine_stats(const struct jg_engine *e)
{
    return &e->stats;
}

static uint32_t count_calls(const struct jg_unit *u, const struct jg_function *f,
                            enum jg_callee_kind callee)
{
    uint32_t n = 0;
    uint32_t first, end;
    jg_function_insns(u, f, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        n += in->op == JG_OP_CALL && in->sub == callee;
    }
    return n;
}

// A function without a JNI call can still keep an argument of its native method, or its JNIEnv, or
// take an argument for a pointer, or give either to another thread.
static bool handles_something(const struct jg_unit *u, const struct jg_function *f)
{
    bool native = (u->symbols.data[f->symbol].flags & JG_SYM_NATIVE_METHOD) != 0;
    uint32_t first, end;
    jg_function_insns(u, f, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op == JG_OP_LOAD && in->type != JG_NONE) {
            uint8_t role = u->types.data[in->type].role;
            if (role == JG_ROLE_ENV || (native && jg_role_is_ref(role)))
                return true;
        }
        if (in->op != JG_OP_STORE || in->type == JG_NONE)
            continue;
        const struct jg_place *p = &u->places.data[in->a];
        const struct jg_type *t = &u->types.data[in->type];
        bool outlives =
            p->base_kind == JG_BASE_DEREF || u->vars.data[p->base].kind == JG_VAR_STATIC;
        if (outlives && (t->role == JG_ROLE_ENV || (native && t->kind == JG_TYPE_POINTER)))
            return true;
    }
    return false;
}

bool jg_analysis_is_explored(const struct jg_analysis *a, uint32_t id)
{
    struct jg_function_ref ref = jg_program_function(a->program, id);
    const struct jg_function *f = &ref.unit->functions.data[ref.index];
    bool onload = (ref.unit->symbols.data[f->symbol].flags & JG_SYM_ONLOAD) != 0;
    // Nothing of JNI below it, nor of a pair.
    bool inert = !(a->effects[id].what & (JG_EFFECT_GETS_ENV | JG_EFFECT_ACQUIRES |
                                          JG_EFFECT_INVOKES | JG_EFFECT_ATTACHES));
    return f->block_count &&
           (onload || !inert || count_calls(ref.unit, f, JG_CALLEE_JNI) ||
            count_calls(ref.unit, f, JG_CALLEE_INVOKE) || handles_something(ref.unit, f));
}

static bool prepare(struct jg_engine *e, uint32_t unit, uint32_t function)
{
    e->unit_index = unit;
    e->unit = e->domain.unit = jg_program_unit(e->analysis->program, unit);
    if (!jg_analysis_is_explored(e->analysis, jg_program_id(e->analysis->program, unit, function)))
        return false;
    uint32_t calls = count_calls(e->unit, &e->unit->functions.data[function], JG_CALLEE_JNI);
    jg_bump_reset(&e->arena);
    jg_domain_reset(&e->domain);
    e->pending.count = e->ended.count = e->marks.count = e->lengths.count = 0;
    e->temp_reads = NULL;
    e->dominator = NULL;
    e->local_number = NULL;
    e->stats.explored++;
    e->stats.jni_calls += calls;
    jg_function_facts(e, function);
    return true;
}

void jg_engine_explore(struct jg_engine *e, uint32_t unit, uint32_t function,
                       jg_violation_sink *sink, void *context)
{
    if (!prepare(e, unit, function))
        return;
    jg_explore_function(e);
    jg_watch(e, JG_MOMENT_FUNCTION, (struct jg_moment){.insn = JG_NONE});
    for (uint32_t i = 0; i < e->pending.count; i++)
        sink(context, &e->pending.data[i].violation);
}

static unsigned print_state(struct jg_engine *e, uint32_t block, const struct jg_path *s,
                            uint32_t site, FILE *out)
{
    unsigned lines = 0;
    const struct jg_loc *loc =
        &e->unit->locs.data[e->unit->blocks.data[e->fn->first_block + block].loc];
    jg_value symbol = jg_value_make(&e->domain, JG_V_MADE, site, 0);
    jg_value both[2] = {symbol, jg_value_older(&e->domain, symbol)};
    for (int i = 0; i < 2; i++) {
        const struct jg_object *o = jg_path_object(s, both[i]);
        int truth = jg_path_truth(&e->domain, s, both[i]);
        if (!o && truth != 0)
            continue;
        lines++;
        fprintf(out, "  block %u (line %u): %s", block, loc->line, i ? "earlier ones" : "newest");
        if (o)
            for (unsigned k = 0; k < JG_STATE_COUNT; k++)
                if (o->states & 1u << k)
                    fprintf(out, " %s", jg_state_title((enum jg_state)(1u << k)));
        fprintf(out, "%s%s%s%s\n",
                truth == 0   ? " is NULL"
                : truth == 1 ? ", not NULL"
                             : "",
                o && o->flags & (JG_OBJ_ESCAPED | JG_OBJ_KEPT) ? ", may be released by others" : "",
                o && o->flags & JG_OBJ_LENT ? ", lent to an unknown function" : "",
                o && !jg_path_holds(&e->domain, s, both[i]) ? ", held by nobody" : "");
    }
    return lines;
}

// The exploration whose states tell of one object: the one that the findings come from.
static void explore_for(struct jg_engine *e, uint32_t site)
{
    static const struct jg_focus all = {.kind = JG_FOCUS_ALL};
    const struct jg_focus alone = {.kind = JG_FOCUS_SITE, .site = site, .last = site};
    e->visits = 0;
    e->state_bytes = 0;
    jg_explore_once(e, all);
    if (e->hit_cap)
        jg_explore_once(e, alone);
}

unsigned jg_engine_debug(struct jg_engine *e, uint32_t unit, uint32_t function, uint32_t file,
                         uint32_t line, FILE *out)
{
    const struct jg_unit *u = jg_program_unit(e->analysis->program, unit);
    if (!prepare(e, unit, function))
        return 0;
    unsigned found = 0;
    e->blocks = jg_bump_alloc(&e->arena, e->fn->block_count * sizeof *e->blocks);
    for (uint32_t b = 0; b < e->fn->block_count; b++) {
        const struct jg_block *block = &u->blocks.data[e->fn->first_block + b];
        for (uint32_t i = 0; i < block->insn_count; i++) {
            uint32_t insn = block->first_insn + i;
            const struct jg_insn *in = &u->insns.data[insn];
            if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_JNI || in->loc == JG_NONE ||
                u->locs.data[in->loc].file != file || u->locs.data[in->loc].line != line)
                continue;
            const char *name = jg_object_name(e, insn);
            fprintf(out, "%s%s%s in '%s', made by %s:\n", name ? "'" : "",
                    name ? name : "the result", name ? "'" : "", jg_function_name(u, e->fn),
                    jg_jni_function(in->a)->name);
            explore_for(e, insn);
            unsigned lines = 0;
            for (uint32_t k = 0; k < e->fn->block_count; k++)
                for (uint32_t n = 0; n < e->blocks[k].count; n++)
                    lines += print_state(e, k, e->blocks[k].state[n], insn, out);
            if (lines == 0)
                fprintf(out, "  no block begins with it: it ends where it is made\n");
            found++;
        }
    }
    return found;
}
