// SPDX-License-Identifier: Apache-2.0
//
// Conditions: expressions that become control flow.
//
// cond() lowers an expression for its truth and ends the current block with a branch to one of two
// blocks. `!` swaps them, `&&`, `||`, `?:` and `,` become blocks, __builtin_expect(x, k) is x, and
// what is constant becomes a jump. The temporary of a BRANCH is the condition as written, so that
// both edges can be refined: a pointer itself, `x == NULL`, `t < 0`.
//
// Where the value of `a && b` is wanted, each outcome gets a block of its own with a constant,
// joined by a PHI: later tests of the value then still know what it stood for.

#include "analyzer/frontend/frontend_internal.h"

#include <string.h>

static CXCursor expected(struct fn *f, CXCursor c)
{
    CXCursor target = clang_getCursorReferenced(c);
    if (target.kind != CXCursor_FunctionDecl)
        return clang_getNullCursor();
    uint32_t symbol = symbol_of(f->t, target, clang_getNullLocation());
    if (f->t->symbol_info.data[symbol].builtin != BUILTIN_EXPECT)
        return clang_getNullCursor();
    return clang_Cursor_getArgument(c, 0);
}

static void cond_value(struct fn *f, CXCursor c, uint32_t yes, uint32_t no)
{
    f->loc = loc_of(f->t, c);
    uint32_t temp = value(f, c);
    if (f->block == JG_NONE)
        return; // the expression does not return
    branch(f, temp, yes, no, def_of(f, temp)->loc);
}

static void cond_conditional(struct fn *f, struct kids k, uint32_t yes, uint32_t no)
{
    uint32_t a = new_block(f), b = new_block(f);
    cond(f, k.at[0], a, b);
    use_block(f, a);
    cond(f, k.at[1], yes, no);
    use_block(f, b);
    cond(f, k.at[2], yes, no);
}

// One level of `c`; true when *c is now what remains to be lowered.
static bool step(struct fn *f, CXCursor *c, uint32_t *yes, uint32_t *no)
{
    struct kids k;
    switch (c->kind) {
    case CXCursor_UnaryOperator: {
        enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(*c);
        if (op != CXUnaryOperator_LNot && op != CXUnaryOperator_Extension)
            break;
        *c = last_expression(f->t, *c);
        if (op == CXUnaryOperator_LNot) {
            uint32_t swap = *yes;
            *yes = *no;
            *no = swap;
        }
        return true;
    }
    case CXCursor_BinaryOperator: {
        enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(*c);
        if (op != CXBinaryOperator_LAnd && op != CXBinaryOperator_LOr &&
            op != CXBinaryOperator_Comma)
            break;
        k = kids_of(f->t, *c);
        if (op == CXBinaryOperator_Comma) {
            discard(f, k.at[0]);
        } else {
            uint32_t second = new_block(f);
            bool and = op == CXBinaryOperator_LAnd;
            cond(f, k.at[0], and? second : *yes, and? *no : second);
            use_block(f, second);
        }
        *c = k.at[1];
        return true;
    }
    case CXCursor_CallExpr: {
        CXCursor inner = expected(f, *c);
        if (clang_Cursor_isNull(inner))
            break;
        *c = inner;
        return true;
    }
    default:
        break;
    }
    return false;
}

void cond(struct fn *f, CXCursor c, uint32_t yes, uint32_t no)
{
    struct kids k;
    do
        c = strip(f->t, c); // conversions in a condition keep zero and non-zero apart
    while (step(f, &c, &yes, &no));
    if (c.kind == CXCursor_ConditionalOperator) {
        k = kids_of(f->t, c);
        if (k.count == 3) {
            cond_conditional(f, k, yes, no);
            return;
        }
    }
    if (c.kind == CXCursor_UnexposedExpr) {
        k = kids_of(f->t, c);
        if (is_gnu_conditional(f->t, k)) {
            uint32_t other = new_block(f);
            cond(f, k.at[0], yes, other);
            use_block(f, other);
            cond(f, k.at[3], yes, no);
            return;
        }
    }
    cond_value(f, c, yes, no);
}

// ---- the value of a condition ------------------------------------------------------------------

static bool is_logical(struct fn *f, CXCursor c)
{
    for (;;) {
        c = strip(f->t, c);
        if (c.kind == CXCursor_BinaryOperator) {
            enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(c);
            return op == CXBinaryOperator_LAnd || op == CXBinaryOperator_LOr;
        }
        if (c.kind != CXCursor_UnaryOperator ||
            clang_getCursorUnaryOperatorKind(c) != CXUnaryOperator_LNot)
            return false;
        c = last_expression(f->t, c);
    }
}

uint32_t logical_value(struct fn *f, CXCursor c)
{
    uint32_t type = cursor_type(f->t, c);
    if (c.kind == CXCursor_UnaryOperator && !is_logical(f, c)) {
        bool odd = false; // a row of `!` at once: looking below each would take quadratic time
        CXCursor operand = c;
        do {
            operand = strip(f->t, last_expression(f->t, operand));
            odd = !odd;
        } while (operand.kind == CXCursor_UnaryOperator &&
                 clang_getCursorUnaryOperatorKind(operand) == CXUnaryOperator_LNot);
        uint32_t temp = make_un(f, JG_UN_NOT, value(f, operand), type);
        return odd ? temp : make_un(f, JG_UN_NOT, temp, type);
    }
    uint32_t yes = new_block(f), no = new_block(f), after = new_block(f);
    cond(f, c, yes, no);
    use_block(f, yes);
    uint32_t one = make_const(f, 1, type);
    jump(f, after);
    use_block(f, no);
    uint32_t zero = make_const(f, 0, type);
    enter(f, after);
    uint32_t temp = make_phi(f, yes, one, no, zero, type);
    def_of(f, temp)->flags |= JG_INSN_LOGICAL;
    return temp;
}

// ---- conditional operators ---------------------------------------------------------------------

// Ends one arm; `end` is the block it ended in, JG_NONE when it does not come back.
static void end_arm(struct fn *f, uint32_t after, uint32_t *end)
{
    *end = f->block;
    jump(f, after);
}

static uint32_t join(struct fn *f, uint32_t after, uint32_t end1, uint32_t v1, uint32_t end2,
                     uint32_t v2, uint32_t type)
{
    if (end1 == JG_NONE && end2 == JG_NONE)
        return JG_NONE;
    use_block(f, after);
    if (end1 == JG_NONE || end2 == JG_NONE)
        return end1 == JG_NONE ? v2 : v1;
    if (v1 == JG_NONE || v2 == JG_NONE)
        return JG_NONE;
    return make_phi(f, end1, v1, end2, v2, type);
}

static uint32_t arm(struct fn *f, CXCursor c, uint32_t type, bool want_value)
{
    if (!want_value) {
        discard(f, c);
        return JG_NONE;
    }
    uint32_t temp = expr(f, c);
    return temp == JG_NONE ? temp : convert(f, temp, type);
}

uint32_t conditional(struct fn *f, CXCursor c, bool want_value)
{
    struct kids k = kids_of(f->t, c);
    uint32_t type = value_type(f->t, c);
    if (k.count != 3)
        return unmodelled(f, c, NULL);
    want_value = want_value && type_at(f->t, type)->kind != JG_TYPE_VOID;
    uint32_t a = new_block(f), b = new_block(f), after = new_block(f), end_a, end_b;
    cond(f, k.at[0], a, b);
    use_block(f, a);
    uint32_t va = arm(f, k.at[1], type, want_value);
    end_arm(f, after, &end_a);
    use_block(f, b);
    uint32_t vb = arm(f, k.at[2], type, want_value);
    end_arm(f, after, &end_b);
    return join(f, after, end_a, va, end_b, vb, type);
}

bool is_gnu_conditional(struct tu *t, struct kids k)
{
    if (k.count != 4 || !is_expression(k.at[0]) || !is_expression(k.at[1]))
        return false;
    CXCursor a = strip(t, k.at[0]), b = strip(t, k.at[1]);
    return a.kind == b.kind && a.data[1] == b.data[1];
}

// The children are the common expression, the condition, the same again as result, and the other
// arm.
uint32_t gnu_conditional(struct fn *f, struct kids k, uint32_t type, bool want_value)
{
    uint32_t other = new_block(f), after = new_block(f), end_a, end_b;
    uint32_t common = value(f, k.at[0]);
    if (f->block == JG_NONE)
        return JG_NONE;
    uint32_t va = want_value ? convert(f, common, type) : JG_NONE;
    end_a = f->block;
    branch(f, common, after, other, def_of(f, common)->loc);
    use_block(f, other);
    uint32_t vb = arm(f, k.at[3], type, want_value);
    end_arm(f, after, &end_b);
    return join(f, after, end_a, va, end_b, vb, type);
}
