// SPDX-License-Identifier: Apache-2.0
//
// Statements.
//
// How to read it: statement() at the end is one switch over the kinds of cursors. A loop is a
// header that tests, a body, for `for` an increment, and what comes after; `break` and `continue`
// find them on f->targets. Case labels register with the nearest switch whatever statement they are
// nested in, so Duff's device needs no special care.
//
// A statement with a compile error inside has vanished from libclang's tree; the function is
// marked.

#include "analyzer/frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

// ---- declarations ------------------------------------------------------------------------------

// The function of __attribute__((cleanup(f))): attributes have no name in libclang, only in print.
static uint32_t cleanup_of(struct fn *f, CXCursor var, struct kids k)
{
    bool attribute = false;
    for (uint32_t i = 0; i < k.count; i++)
        attribute |= k.at[i].kind == CXCursor_UnexposedAttr;
    if (!attribute)
        return JG_NONE;
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(var);
    CXString s = clang_getCursorPrettyPrinted(var, policy);
    const char *text = clang_getCString(s), *at = text ? strstr(text, "cleanup(") : NULL;
    uint32_t symbol = JG_NONE;
    if (at) {
        at += strlen("cleanup(");
        char *name = jg_format("%.*s", (int)strcspn(at, ")"), at);
        symbol = symbol_named(f->t, name);
        free(name);
    }
    clang_disposeString(s);
    clang_PrintingPolicy_dispose(policy);
    return symbol;
}

// Labels in a static table are the targets of computed gotos.
static enum CXChildVisitResult find_label_address(CXCursor c, CXCursor parent, CXClientData data)
{
    struct fn *f = data;
    if (parent.kind == CXCursor_AddrLabelExpr && c.kind == CXCursor_LabelRef) {
        uint32_t label = label_of(f, clang_getCursorReferenced(c));
        f->labels.data[label].address_taken = true;
    }
    return CXChildVisit_Recurse;
}

static void static_variable(struct fn *f, CXCursor c)
{
    uint32_t var = static_var_of(f->t, c);
    const struct jg_type *type = type_at(f->t, f->t->u->vars.data[var].type);
    if (type->kind == JG_TYPE_ARRAY || type->kind == JG_TYPE_POINTER ||
        type->kind == JG_TYPE_RECORD) {
        static_initialiser(f->t, c, var);
        clang_visitChildren(c, find_label_address, f);
    }
}

static void variable(struct fn *f, CXCursor c)
{
    if (has_static_storage(c)) {
        static_variable(f, c);
        return;
    }
    struct kids k = kids_of(f->t, c);
    CXCursor init = clang_Cursor_getVarDeclInitializer(c);
    uint32_t var = local_var(f, c, JG_VAR_LOCAL);
    CXType type = clang_getCursorType(c);
    const struct jg_type *n = type_at(f->t, type_of(f->t, type));
    if (n->kind == JG_TYPE_ARRAY && !n->array_count) // the size of a VLA
        for (uint32_t i = 0; i < k.count; i++)
            if (is_expression(k.at[i]) && k.at[i].data[1] != init.data[1])
                discard(f, k.at[i]);
    if (type_at(f->t, type_of(f->t, type))->role == JG_ROLE_NATIVE_METHOD &&
        !clang_Cursor_isNull(init))
        native_methods(f->t, init);
    uint32_t loc = f->loc = loc_of(f->t, c);
    if (!clang_Cursor_isNull(init))
        initialise(f, place_var(f, var), type, init, JG_INSN_DECL);
    open_var(f, var, cleanup_of(f, c, k), loc);
}

static void declaration(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    for (uint32_t i = 0; i < k.count; i++)
        if (k.at[i].kind == CXCursor_VarDecl)
            variable(f, k.at[i]);
}

// ---- branches ----------------------------------------------------------------------------------

// Declarations in front of a C++ condition; returns the index of the condition.
static uint32_t leading_declarations(struct fn *f, struct kids k)
{
    uint32_t i = 0;
    for (; i < k.count && (k.at[i].kind == CXCursor_DeclStmt || k.at[i].kind == CXCursor_VarDecl);
         i++) {
        if (k.at[i].kind == CXCursor_VarDecl)
            variable(f, k.at[i]);
        else
            declaration(f, k.at[i]);
    }
    return i;
}

// Chains of `else if` are walked, not recursed into.
static void if_statement(struct fn *f, CXCursor c)
{
    uint32_t after = new_block(f);
    struct scope *scope = f->scope;
    for (;;) {
        struct kids k = kids_of(f->t, c);
        uint32_t i = leading_declarations(f, k);
        if (i >= k.count)
            break;
        uint32_t yes = new_block(f), no = i + 2 < k.count ? new_block(f) : after;
        f->loc = loc_of(f->t, c);
        cond(f, k.at[i], yes, no);
        use_block(f, yes);
        if (i + 1 < k.count)
            statement(f, k.at[i + 1]);
        jump(f, after);
        if (no == after)
            break;
        use_block(f, no);
        c = k.at[i + 2];
        if (c.kind != CXCursor_IfStmt) {
            statement(f, c);
            break;
        }
    }
    enter(f, after);
    close_scope(f, scope);
}

static void push_target(struct fn *f, struct target *t, uint32_t break_to, uint32_t continue_to)
{
    *t = (struct target){f->targets, break_to, continue_to, f->scope, NULL};
    f->targets = t;
}

static enum CXChildVisitResult find_uncovered(CXCursor c, CXCursor parent, CXClientData data)
{
    struct switch_draft *s = data;
    (void)parent;
    if (c.kind != CXCursor_EnumConstantDecl)
        return CXChildVisit_Continue;
    int64_t number = clang_getEnumConstantDeclValue(c);
    for (uint32_t i = 0; i < s->ranges.count; i++)
        if (number >= s->ranges.data[i].low && number <= s->ranges.data[i].high)
            return CXChildVisit_Continue;
    return CXChildVisit_Break;
}

// Is there a case for every enumerator? Then the way past all of them is taken for impossible.
static bool covers_enum(struct fn *f, CXCursor condition, struct switch_draft *s)
{
    CXType type = clang_getCanonicalType(clang_getCursorType(strip(f->t, condition)));
    return type.kind == CXType_Enum &&
           !clang_visitChildren(clang_getTypeDeclaration(type), find_uncovered, s);
}

static void switch_statement(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    struct scope *scope = f->scope;
    f->loc = loc_of(f->t, c);
    uint32_t i = leading_declarations(f, k);
    if (i >= k.count)
        return;
    uint32_t temp = value(f, k.at[i]);
    struct switch_draft s = {.default_to = JG_NONE, .type = temp_type(f, temp)};
    uint32_t after = new_block(f), loc = def_of(f, temp)->loc;
    if (f->block == JG_NONE)
        f->block = new_block(f); // dead, but its labels may not be
    uint32_t head = f->block;
    f->block = JG_NONE;
    struct target target;
    push_target(f, &target, after, JG_NONE);
    target.cases = &s;
    if (i + 1 < k.count)
        statement(f, k.at[i + 1]);
    f->targets = target.outer;
    jump(f, after);

    uint32_t fallback = s.default_to != JG_NONE ? s.default_to : after;
    if (s.default_to == JG_NONE && s.ranges.count && covers_enum(f, k.at[i], &s)) {
        use_block(f, fallback = new_block(f));
        end_block(f, JG_TERM_UNREACHABLE, JG_NONE, loc);
    }
    use_block(f, head);
    int64_t number;
    if (const_value(f, temp, &number)) {
        for (uint32_t j = 0; j < s.ranges.count; j++)
            if (number >= s.ranges.data[j].low && number <= s.ranges.data[j].high)
                fallback = s.blocks.data[j];
        jump(f, fallback);
    } else if (!s.ranges.count) {
        jump(f, fallback);
    } else {
        struct draft_block *b = &f->blocks.data[head];
        b->first_case = f->cases.count;
        b->case_count = s.ranges.count;
        b->first_succ = f->succs.count;
        b->succ_count = s.ranges.count + 1;
        for (uint32_t j = 0; j < s.ranges.count; j++) {
            *JG_VEC_PUSH(&f->cases) = s.ranges.data[j];
            *JG_VEC_PUSH(&f->succs) = s.blocks.data[j];
        }
        *JG_VEC_PUSH(&f->succs) = fallback;
        end_block(f, JG_TERM_SWITCH, temp, loc);
    }
    JG_VEC_FREE(&s.ranges);
    JG_VEC_FREE(&s.blocks);
    use_block(f, after);
    close_scope(f, scope);
}

static struct switch_draft *nearest_switch(struct fn *f)
{
    for (struct target *t = f->targets; t; t = t->outer)
        if (t->cases)
            return t->cases;
    return NULL;
}

static int64_t case_value(struct fn *f, CXCursor c, const struct switch_draft *s, bool *known)
{
    int64_t number = 0;
    CXCursor inner = strip(f->t, c);
    CXCursor target = inner.kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(inner)
                                                         : clang_getNullCursor();
    if (target.kind == CXCursor_EnumConstantDecl)
        number = clang_getEnumConstantDeclValue(target);
    else
        *known &= evaluate(c, &number);
    return wrap(type_at(f->t, s->type), number);
}

// Adjacent labels nest: `case 1: case 2: x` is walked down to x.
static void case_statement(struct fn *f, CXCursor c)
{
    struct switch_draft *s = nearest_switch(f);
    uint32_t block = new_block(f);
    enter(f, block);
    for (;;) {
        struct kids k = kids_of(f->t, c);
        if (!k.count)
            return;
        if (c.kind == CXCursor_DefaultStmt && s) {
            s->default_to = block;
        } else if (s && k.count >= 2) {
            bool known = true;
            struct jg_case range;
            range.low = case_value(f, k.at[0], s, &known);
            range.high = k.count > 2 ? case_value(f, k.at[1], s, &known) : range.low;
            if (!known) { // still reachable
                range.low = INT64_MIN;
                range.high = INT64_MAX;
            }
            *JG_VEC_PUSH(&s->ranges) = range;
            *JG_VEC_PUSH(&s->blocks) = block;
        }
        c = k.at[k.count - 1];
        if (c.kind != CXCursor_CaseStmt && c.kind != CXCursor_DefaultStmt)
            break;
    }
    statement(f, c);
}

// ---- loops -------------------------------------------------------------------------------------

static void loop_body(struct fn *f, CXCursor body, uint32_t break_to, uint32_t continue_to)
{
    struct target target;
    push_target(f, &target, break_to, continue_to);
    if (!clang_Cursor_isNull(body))
        statement(f, body);
    f->targets = target.outer;
}

static void while_statement(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    uint32_t head = new_block(f), body = new_block(f), leave = new_block(f), after = new_block(f);
    struct scope *scope = f->scope;
    enter(f, head);
    uint32_t i = leading_declarations(f, k);
    if (i < k.count)
        cond(f, k.at[i], body, leave);
    struct scope *inner = f->scope;
    use_block(f, body);
    if (i + 1 < k.count)
        loop_body(f, k.at[i + 1], leave, head);
    f->scope = inner;
    close_scope(f, scope);
    jump(f, head);
    use_block(f, leave);
    f->scope = inner;
    close_scope(f, scope);
    enter(f, after);
}

static void do_statement(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    uint32_t body = new_block(f), test = new_block(f), after = new_block(f);
    enter(f, body);
    if (k.count)
        loop_body(f, k.at[0], after, test);
    enter(f, test);
    if (k.count > 1)
        cond(f, k.at[1], body, after);
    use_block(f, after);
}

static void for_statement(struct fn *f, CXCursor c)
{
    struct for_parts p = for_parts(f, c);
    struct scope *scope = f->scope;
    uint32_t head = new_block(f), body = new_block(f), next = new_block(f), after = new_block(f);
    if (!clang_Cursor_isNull(p.init))
        statement(f, p.init);
    f->loc = loc_of(f->t, c);
    enter(f, head);
    if (!clang_Cursor_isNull(p.var))
        variable(f, p.var);
    if (!clang_Cursor_isNull(p.cond))
        cond(f, p.cond, body, after);
    else
        jump(f, body);
    use_block(f, body);
    loop_body(f, p.body, after, next);
    enter(f, next);
    if (!clang_Cursor_isNull(p.inc))
        discard(f, p.inc);
    jump(f, head);
    use_block(f, after);
    close_scope(f, scope);
}

// begin() and end() are hidden: a loop that runs any number of times.
static void range_for(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    struct scope *scope = f->scope;
    uint32_t head = new_block(f), body = new_block(f), after = new_block(f);
    CXCursor var = clang_getNullCursor();
    for (uint32_t i = 0; i + 1 < k.count; i++) {
        if (k.at[i].kind == CXCursor_VarDecl)
            var = k.at[i];
        else if (is_expression(k.at[i]))
            discard(f, k.at[i]);
    }
    f->loc = loc_of(f->t, c);
    enter(f, head);
    uint32_t more = make_havoc(f, f->t->type_int, NULL);
    branch(f, more, body, after, f->loc);
    use_block(f, body);
    if (!clang_Cursor_isNull(var)) {
        uint32_t local = local_var(f, var, JG_VAR_LOCAL);
        havoc_place(f, place_var(f, local));
        open_var(f, local, JG_NONE, f->loc);
    }
    struct scope *inner = f->scope;
    f->scope = scope;
    struct target target;
    push_target(f, &target, after, head);
    f->scope = inner;
    if (k.count)
        statement(f, k.at[k.count - 1]);
    f->targets = target.outer;
    close_scope(f, scope);
    jump(f, head);
    use_block(f, after);
}

// ---- jumps -------------------------------------------------------------------------------------

static void leave_to(struct fn *f, bool is_break)
{
    for (struct target *t = f->targets; t; t = t->outer) {
        uint32_t to = is_break ? t->break_to : t->continue_to;
        if (to == JG_NONE)
            continue;
        leave_scopes(f, t->scope);
        jump(f, to);
        return;
    }
    f->block = JG_NONE; // a statement that clang took for an error
}

static void goto_statement(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    CXCursor label = k.count ? clang_getCursorReferenced(k.at[0]) : clang_getNullCursor();
    f->loc = loc_of(f->t, c);
    if (label.kind == CXCursor_LabelStmt)
        jump_to_label(f, label_of(f, label));
    else
        end_block(f, JG_TERM_UNREACHABLE, JG_NONE, f->loc);
}

static void computed_goto(struct fn *f, CXCursor c)
{
    CXCursor target = last_expression(f->t, c);
    uint32_t temp = clang_Cursor_isNull(target) ? make_havoc(f, f->t->type_void_pointer, NULL)
                                                : value(f, target);
    if (f->block == JG_NONE)
        return;
    *JG_VEC_PUSH(&f->indirect) = (struct indirect_jump){f->block, JG_NONE, 0};
    end_block(f, JG_TERM_INDIRECT, temp, loc_of(f->t, c));
}

static void return_statement(struct fn *f, CXCursor c)
{
    CXCursor result = last_expression(f->t, c);
    uint32_t temp = JG_NONE, loc = loc_with_end(f->t, c);
    f->loc = loc;
    if (!clang_Cursor_isNull(result)) {
        if (type_at(f->t, f->return_type)->kind == JG_TYPE_VOID) {
            discard(f, result);
        } else {
            temp = expr(f, result);
            if (temp != JG_NONE)
                temp = convert(f, temp, f->return_type);
        }
    }
    if (f->block == JG_NONE)
        return;
    f->loc = loc;
    leave_scopes(f, NULL);
    end_block(f, JG_TERM_RETURN, temp, loc);
}

static void label_statement(struct fn *f, CXCursor c)
{
    place_label(f, label_of(f, c));
    struct kids k = kids_of(f->t, c);
    if (k.count)
        statement(f, k.at[k.count - 1]);
}

// ---- exceptions of C++ -------------------------------------------------------------------------

static void handler(struct fn *f, CXCursor c)
{
    struct scope *scope = f->scope;
    struct kids k = kids_of(f->t, c);
    for (uint32_t i = 0; i < k.count; i++) {
        if (k.at[i].kind == CXCursor_VarDecl) {
            uint32_t var = local_var(f, k.at[i], JG_VAR_LOCAL);
            havoc_place(f, place_var(f, var));
            open_var(f, var, JG_NONE, f->loc);
        } else if (k.at[i].kind == CXCursor_CompoundStmt) {
            statement(f, k.at[i]);
        }
    }
    close_scope(f, scope);
}

// The handlers can be reached from a throw inside, and, since any call may throw, from the start.
// Which handler takes it, and what a call in the middle did before it threw, is not modelled.
static void try_statement(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    uint32_t body = new_block(f), dispatch = new_block(f), after = new_block(f);
    uint32_t outer = f->handlers;
    struct scope *outer_scope = f->handler_scope;
    f->loc = loc_of(f->t, c);
    branch(f, make_havoc(f, f->t->type_int, "CXXTryStmt"), body, dispatch, f->loc);
    use_block(f, body);
    f->handlers = dispatch;
    f->handler_scope = f->scope;
    if (k.count)
        statement(f, k.at[0]);
    f->handlers = outer;
    f->handler_scope = outer_scope;
    jump(f, after);
    use_block(f, dispatch);
    for (uint32_t i = 1; i < k.count; i++) {
        uint32_t this_one = new_block(f), others = new_block(f);
        if (i + 1 < k.count)
            branch(f, make_havoc(f, f->t->type_int, NULL), this_one, others, f->loc);
        else
            jump(f, this_one);
        use_block(f, this_one);
        handler(f, k.at[i]);
        jump(f, after);
        use_block(f, others);
    }
    f->block = JG_NONE;
    use_block(f, after);
}

// ---- the switch --------------------------------------------------------------------------------

static void compound(struct fn *f, CXCursor c)
{
    struct scope *scope = f->scope;
    struct kids k = kids_of(f->t, c);
    for (uint32_t i = 0; i < k.count; i++)
        statement(f, k.at[i]);
    close_scope(f, scope);
}

uint32_t statement_expression(struct fn *f, CXCursor c, bool want_value)
{
    struct scope *scope = f->scope;
    struct kids outer = kids_of(f->t, c);
    uint32_t temp = JG_NONE;
    if (!outer.count || outer.at[0].kind != CXCursor_CompoundStmt)
        return temp;
    struct kids k = kids_of(f->t, outer.at[0]);
    for (uint32_t i = 0; i + 1 < k.count; i++)
        statement(f, k.at[i]);
    if (k.count) {
        CXCursor last = k.at[k.count - 1];
        while (last.kind == CXCursor_LabelStmt || last.kind == CXCursor_UnexposedStmt) {
            if (last.kind == CXCursor_LabelStmt)
                place_label(f, label_of(f, last));
            struct kids inner = kids_of(f->t, last);
            if (!inner.count)
                break;
            last = inner.at[inner.count - 1];
        }
        if (want_value && is_expression(last))
            temp = expr(f, last);
        else
            statement(f, last);
    }
    close_scope(f, scope);
    return temp;
}

static void unknown_statement(struct fn *f, CXCursor c)
{
    CXString s = clang_getCursorKindSpelling(c.kind);
    const char *kind = jg_bump_strdup(&f->t->arena, clang_getCString(s));
    clang_disposeString(s);
    lower_kids(f, c);
    f->loc = loc_of(f->t, c);
    make_havoc(f, f->t->type_void, kind);
}

void statement(struct fn *f, CXCursor c)
{
    struct kids k;
    if (f->full) {
        f->flags |= JG_FN_UNMODELLED;
        return;
    }
    switch (c.kind) {
    case CXCursor_CompoundStmt:
        compound(f, c);
        break;
    case CXCursor_DeclStmt:
        declaration(f, c);
        break;
    case CXCursor_NullStmt:
        break;
    case CXCursor_IfStmt:
        if_statement(f, c);
        break;
    case CXCursor_SwitchStmt:
        switch_statement(f, c);
        break;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        case_statement(f, c);
        break;
    case CXCursor_WhileStmt:
        while_statement(f, c);
        break;
    case CXCursor_DoStmt:
        do_statement(f, c);
        break;
    case CXCursor_ForStmt:
        for_statement(f, c);
        break;
    case CXCursor_CXXForRangeStmt:
        range_for(f, c);
        break;
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
        f->loc = loc_of(f->t, c);
        if (f->block != JG_NONE)
            leave_to(f, c.kind == CXCursor_BreakStmt);
        break;
    case CXCursor_GotoStmt:
        goto_statement(f, c);
        break;
    case CXCursor_IndirectGotoStmt:
        computed_goto(f, c);
        break;
    case CXCursor_LabelStmt:
        label_statement(f, c);
        break;
    case CXCursor_ReturnStmt:
        return_statement(f, c);
        break;
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        asm_statement(f, c);
        break;
    case CXCursor_UnexposedStmt: // a statement with attributes
        k = kids_of(f->t, c);
        for (uint32_t i = 0; i < k.count; i++)
            if (is_expression(k.at[i]) ||
                (k.at[i].kind >= CXCursor_FirstStmt && k.at[i].kind <= CXCursor_LastStmt))
                statement(f, k.at[i]);
        break;
    case CXCursor_CXXTryStmt:
        try_statement(f, c);
        break;
    default:
        if (is_expression(c)) {
            f->loc = loc_of(f->t, c);
            discard(f, c);
        } else if (c.kind == CXCursor_VarDecl)
            variable(f, c);
        else if (c.kind >= CXCursor_FirstStmt && c.kind <= CXCursor_LastStmt)
            unknown_statement(f, c);
        break;
    }
}
