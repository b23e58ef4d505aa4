// SPDX-License-Identifier: Apache-2.0
//
// Values: expression cursor -> temporary.
//
// How to read it: expr() is one switch over the kinds of cursors; each case lowers its operands, in
// the order they are evaluated (right side of an assignment first), and adds instructions to the
// current block. What becomes control flow is in cond.c, lvalues are in place.c, calls in callee.c.
//
// libclang shows all implicit casts, and a good deal else, as one kind of cursor, UnexposedExpr:
// with one child it is looked through, by type; with several it is told apart in unexposed(). What
// is not understood becomes a HAVOC after its sub-expressions were lowered for their calls.

#include "analyzer/frontend/frontend_internal.h"

#include <string.h>

bool is_expression(CXCursor c)
{
    return c.kind >= CXCursor_FirstExpr && c.kind <= CXCursor_LastExpr;
}

CXCursor last_expression(struct tu *t, CXCursor c)
{
    struct kids k = kids_of(t, c);
    for (uint32_t i = k.count; i--;)
        if (is_expression(k.at[i]))
            return k.at[i];
    return clang_getNullCursor();
}

// va_arg(ap, T) has the shape of an implicit cast of `ap`.
static bool is_va_arg(struct tu *t, CXCursor c, CXCursor kid)
{
    return t->has_va_list && is_va_list(t, cursor_type(t, kid)) &&
           !is_va_list(t, cursor_type(t, c));
}

// Is an UnexposedExpr with the only child `kid` a conversion of it? Type traits have operands of
// __typeof__ as children, which are not evaluated. A conversion refers to what its child does, and
// begins where its child begins.
static bool is_conversion(struct tu *t, CXCursor c, CXCursor kid)
{
    if ((kid.kind == CXCursor_DeclRefExpr || kid.kind == CXCursor_MemberRefExpr) &&
        clang_Cursor_isNull(clang_getCursorReferenced(c)))
        return false;
    if (kid.kind == CXCursor_ParenExpr &&
        !clang_equalLocations(clang_getCursorLocation(c), clang_getCursorLocation(kid)))
        return false;
    return !is_va_arg(t, c, kid);
}

static bool look_through(struct tu *t, CXCursor c, CXCursor *inner)
{
    if (c.kind != CXCursor_ParenExpr && c.kind != CXCursor_UnexposedExpr)
        return false;
    struct kids k = kids_of(t, c);
    if (k.count != 1 || !is_expression(k.at[0]) ||
        (c.kind == CXCursor_UnexposedExpr && !is_conversion(t, c, k.at[0])))
        return false;
    *inner = k.at[0];
    return true;
}

CXCursor strip(struct tu *t, CXCursor c)
{
    while (look_through(t, c, &c))
        ;
    return c;
}

CXCursor strip_casts(struct tu *t, CXCursor c)
{
    for (;;) {
        c = strip(t, c);
        if (c.kind != CXCursor_CStyleCastExpr && c.kind != CXCursor_CXXStaticCastExpr &&
            c.kind != CXCursor_CXXReinterpretCastExpr && c.kind != CXCursor_CXXConstCastExpr)
            return c;
        CXCursor inner = last_expression(t, c);
        if (clang_Cursor_isNull(inner))
            return c;
        c = inner;
    }
}

bool evaluate(CXCursor c, int64_t *number)
{
    CXEvalResult r = clang_Cursor_Evaluate(c);
    if (!r)
        return false;
    bool is_int = clang_EvalResult_getKind(r) == CXEval_Int;
    if (is_int)
        *number = clang_EvalResult_isUnsignedInt(r) ? (int64_t)clang_EvalResult_getAsUnsigned(r)
                                                    : (int64_t)clang_EvalResult_getAsLongLong(r);
    clang_EvalResult_dispose(r);
    return is_int;
}

void lower_kids(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    for (uint32_t i = 0; i < k.count; i++)
        if (is_expression(k.at[i]))
            discard(f, k.at[i]);
}

uint32_t unmodelled(struct fn *f, CXCursor c, const char *what)
{
    lower_kids(f, c);
    f->loc = loc_of(f->t, c);
    char *spelled = NULL;
    if (!what) {
        CXString s = clang_getCursorKindSpelling(c.kind);
        what = spelled = jg_bump_strdup(&f->t->arena, clang_getCString(s));
        clang_disposeString(s);
    }
    return make_havoc(f, value_type(f->t, c), what);
}

// ---- leaves ------------------------------------------------------------------------------------

uint32_t read_place(struct fn *f, uint32_t place, uint32_t loc)
{
    struct jg_place p = f->places.data[place];
    const struct jg_type *type = type_at(f->t, p.type);
    if (type->kind == JG_TYPE_ARRAY) {
        uint32_t pointer =
            pointer_to(f->t, type->pointee == JG_NONE ? f->t->type_void : type->pointee);
        if (p.base_kind == JG_BASE_DEREF && !p.elem_count)
            return p.base; // *p for a pointer to an array: the same address
        return make_addr(f, place, pointer);
    }
    if (type->kind == JG_TYPE_FUNCTION && p.base_kind == JG_BASE_DEREF && !p.elem_count)
        return p.base;
    return make_load(f, place, loc);
}

static uint32_t number(struct fn *f, CXCursor c)
{
    int64_t n;
    uint32_t type = cursor_type(f->t, c);
    return evaluate(c, &n) ? make_const(f, n, type) : make_havoc(f, type, NULL);
}

static uint32_t string(struct fn *f, CXCursor c)
{
    jg_str text;
    size_t length;
    string_literal(f->t, c, &text, &length);
    uint32_t array = cursor_type(f->t, c);
    uint32_t element = type_at(f->t, array)->pointee;
    return add_value(f, (struct jg_insn){.op = JG_OP_STR,
                                         .a = text,
                                         .b = JG_NONE,
                                         .type = element == JG_NONE ? f->t->type_char_pointer
                                                                    : pointer_to(f->t, element),
                                         .loc = loc_of(f->t, c),
                                         .imm = (int64_t)length});
}

static uint32_t reference(struct fn *f, CXCursor c)
{
    CXCursor target = clang_getCursorReferenced(c);
    switch (target.kind) {
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl: {
        uint32_t place = place_of(f, c);
        return read_place(f, place, f->loc);
    }
    case CXCursor_EnumConstantDecl:
        return make_const(f, clang_getEnumConstantDeclValue(target), cursor_type(f->t, c));
    case CXCursor_FunctionDecl:
    case CXCursor_CXXMethod: {
        f->loc = loc_of(f->t, c);
        uint32_t symbol = symbol_of(f->t, target, clang_getNullLocation());
        f->t->u->symbols.data[symbol].flags |= JG_SYM_ADDRESS_GIVEN;
        queue_symbol(f->t, symbol);
        return make_fnaddr(f, symbol, pointer_to(f->t, cursor_type(f->t, target)));
    }
    default:
        return unmodelled(f, c, "reference to a declaration");
    }
}

// ---- operators ---------------------------------------------------------------------------------

static bool arithmetic(enum CXBinaryOperatorKind kind, enum jg_bin *op)
{
    switch (kind) {
    case CXBinaryOperator_Mul:
    case CXBinaryOperator_MulAssign:
        *op = JG_BIN_MUL;
        return true;
    case CXBinaryOperator_Div:
    case CXBinaryOperator_DivAssign:
        *op = JG_BIN_DIV;
        return true;
    case CXBinaryOperator_Rem:
    case CXBinaryOperator_RemAssign:
        *op = JG_BIN_REM;
        return true;
    case CXBinaryOperator_Add:
    case CXBinaryOperator_AddAssign:
        *op = JG_BIN_ADD;
        return true;
    case CXBinaryOperator_Sub:
    case CXBinaryOperator_SubAssign:
        *op = JG_BIN_SUB;
        return true;
    case CXBinaryOperator_Shl:
    case CXBinaryOperator_ShlAssign:
        *op = JG_BIN_SHL;
        return true;
    case CXBinaryOperator_Shr:
    case CXBinaryOperator_ShrAssign:
        *op = JG_BIN_SHR;
        return true;
    case CXBinaryOperator_And:
    case CXBinaryOperator_AndAssign:
        *op = JG_BIN_AND;
        return true;
    case CXBinaryOperator_Xor:
    case CXBinaryOperator_XorAssign:
        *op = JG_BIN_XOR;
        return true;
    case CXBinaryOperator_Or:
    case CXBinaryOperator_OrAssign:
        *op = JG_BIN_OR;
        return true;
    case CXBinaryOperator_LT:
        *op = JG_BIN_LT;
        return true;
    case CXBinaryOperator_GT:
        *op = JG_BIN_GT;
        return true;
    case CXBinaryOperator_LE:
        *op = JG_BIN_LE;
        return true;
    case CXBinaryOperator_GE:
        *op = JG_BIN_GE;
        return true;
    case CXBinaryOperator_EQ:
        *op = JG_BIN_EQ;
        return true;
    case CXBinaryOperator_NE:
        *op = JG_BIN_NE;
        return true;
    default:
        return false;
    }
}

static bool is_record(struct fn *f, uint32_t type)
{
    return type_at(f->t, type)->kind == JG_TYPE_RECORD;
}

// Returns the temporary that was stored, JG_NONE after a COPY.
static uint32_t assign(struct fn *f, CXCursor c, struct kids k)
{
    uint32_t type = cursor_type(f->t, k.at[0]);
    if (is_record(f, type) && is_place(f, k.at[1])) {
        uint32_t from = place_of(f, k.at[1]), to = place_of(f, k.at[0]);
        make_copy(f, to, from, 0, loc_of(f->t, c));
        return JG_NONE;
    }
    uint32_t temp = value(f, k.at[1]);
    uint32_t place = place_of(f, k.at[0]);
    // The location of an assignment is where its left side begins; asking clang descends to it.
    make_store(f, place, temp, 0, loc_of(f->t, c));
    return temp;
}

static uint32_t compound_assign(struct fn *f, CXCursor c, struct kids k)
{
    enum jg_bin op = JG_BIN_ADD;
    arithmetic(clang_getCursorBinaryOperatorKind(c), &op);
    uint32_t right = value(f, k.at[1]);
    uint32_t place = place_of(f, k.at[0]);
    uint32_t loc = loc_of(f->t, c);
    uint32_t old = make_load(f, place, loc);
    uint32_t left_type = temp_type(f, old), type = left_type;
    const struct jg_type *l = type_at(f->t, left_type), *r = type_at(f->t, temp_type(f, right));
    bool shift = op == JG_BIN_SHL || op == JG_BIN_SHR;
    if (!shift && r->kind == JG_TYPE_FLOAT && l->kind != JG_TYPE_FLOAT)
        type = temp_type(f, right);
    else if (!shift && l->kind == JG_TYPE_INT && r->kind == JG_TYPE_INT && r->size > l->size)
        type = temp_type(f, right);
    else if (l->kind == JG_TYPE_BOOL || (l->kind == JG_TYPE_INT && l->size < 4))
        type = f->t->type_int;
    uint32_t left = convert(f, old, type);
    uint32_t result = convert(f, make_bin(f, op, left, right, type, loc), left_type);
    make_store(f, place, result, 0, loc);
    return result;
}

static uint32_t increment(struct fn *f, CXCursor c, enum CXUnaryOperatorKind kind)
{
    uint32_t place = place_of(f, last_expression(f->t, c));
    uint32_t loc = loc_of(f->t, c);
    f->loc = loc;
    uint32_t old = make_load(f, place, loc), type = temp_type(f, old);
    bool up = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc;
    bool post = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec;
    uint32_t one = make_const(f, 1, f->t->type_int);
    uint32_t result = make_bin(f, up ? JG_BIN_ADD : JG_BIN_SUB, old, one, type, loc);
    make_store(f, place, result, 0, loc);
    return post ? old : result;
}

static uint32_t binary(struct fn *f, CXCursor c)
{
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(c);
    struct kids k = kids_of(f->t, c);
    enum jg_bin op;
    if (k.count != 2)
        return unmodelled(f, c, NULL);
    switch (kind) {
    case CXBinaryOperator_LAnd:
    case CXBinaryOperator_LOr:
        return logical_value(f, c);
    case CXBinaryOperator_Comma:
        discard(f, k.at[0]);
        return expr(f, k.at[1]);
    case CXBinaryOperator_Assign: {
        uint32_t temp = assign(f, c, k);
        return temp != JG_NONE ? temp : read_place(f, place_of(f, k.at[0]), f->loc);
    }
    default:
        break;
    }
    if (!arithmetic(kind, &op))
        return unmodelled(f, c, "operator");
    uint32_t a = value(f, k.at[0]);
    uint32_t b = value(f, k.at[1]);
    // The location is that of the left operand, as clang has it; asking would walk down long
    // chains.
    return make_bin(f, op, a, b, value_type(f->t, c), def_of(f, a)->loc);
}

static uint32_t address_of(struct fn *f, CXCursor c, CXCursor operand)
{
    CXCursor object = strip(f->t, operand);
    uint32_t type = cursor_type(f->t, c);
    if (type_at(f->t, cursor_type(f->t, object))->kind == JG_TYPE_FUNCTION)
        return value(f, object);
    if (object.kind == CXCursor_StringLiteral)
        return string(f, object);
    uint32_t place = place_of(f, object);
    const struct jg_place *p = &f->places.data[place];
    if (p->base_kind == JG_BASE_DEREF && !p->elem_count)
        return p->base; // &*p
    f->loc = loc_of(f->t, c);
    return make_addr(f, place, type);
}

static uint32_t unary(struct fn *f, CXCursor c)
{
    CXCursor operand = last_expression(f->t, c);
    enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(c);
    if (clang_Cursor_isNull(operand))
        return unmodelled(f, c, NULL);
    switch (kind) {
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        return increment(f, c, kind);
    case CXUnaryOperator_AddrOf:
        return address_of(f, c, operand);
    case CXUnaryOperator_Deref: {
        if (type_at(f->t, cursor_type(f->t, c))->kind == JG_TYPE_FUNCTION)
            return value(f, operand);
        uint32_t place = place_of(f, c);
        return read_place(f, place, f->loc);
    }
    case CXUnaryOperator_Plus:
    case CXUnaryOperator_Extension:
        return expr(f, operand);
    case CXUnaryOperator_Minus:
        return make_un(f, JG_UN_NEG, value(f, operand), cursor_type(f->t, c));
    case CXUnaryOperator_Not:
        return make_un(f, JG_UN_BITNOT, value(f, operand), cursor_type(f->t, c));
    case CXUnaryOperator_LNot:
        return logical_value(f, c);
    case CXUnaryOperator_Real:
    case CXUnaryOperator_Imag: {
        uint32_t place = place_of(f, c);
        return make_load(f, place, f->loc);
    }
    default:
        return unmodelled(f, c, "operator");
    }
}

static uint32_t cast(struct fn *f, CXCursor c)
{
    CXCursor operand = last_expression(f->t, c);
    uint32_t type = cursor_type(f->t, c);
    if (clang_Cursor_isNull(operand))
        return unmodelled(f, c, NULL);
    if (type_at(f->t, type)->kind == JG_TYPE_VOID) {
        discard(f, operand);
        return JG_NONE;
    }
    if (type_at(f->t, type)->kind == JG_TYPE_RECORD &&
        type_at(f->t, cursor_type(f->t, operand))->kind != JG_TYPE_RECORD) {
        discard(f, operand);
        return make_havoc(f, type, NULL); // GNU: a value cast to a union
    }
    return convert(f, value(f, operand), type);
}

// The chosen association is not marked: by its type, then by clang's value.
static uint32_t generic_selection(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    CXType type = clang_getCanonicalType(clang_getCursorType(c));
    uint32_t matches = 0, match = 0;
    int64_t n;
    for (uint32_t i = 1; i < k.count; i++)
        if (is_expression(k.at[i]) &&
            clang_equalTypes(clang_getCanonicalType(clang_getCursorType(k.at[i])), type)) {
            match = i;
            matches++;
        }
    if (matches == 1)
        return expr(f, k.at[match]);
    if (evaluate(c, &n))
        return make_const(f, n, cursor_type(f->t, c));
    f->loc = loc_of(f->t, c);
    return make_havoc(f, cursor_type(f->t, c), "GenericSelectionExpr");
}

// ---- UnexposedExpr -----------------------------------------------------------------------------

static uint32_t unexposed_many(struct fn *f, CXCursor c, struct kids k)
{
    uint32_t type = value_type(f->t, c), result;
    int64_t n;
    uint32_t expressions = 0;
    for (uint32_t i = 0; i < k.count; i++)
        expressions += is_expression(k.at[i]);
    if (is_gnu_conditional(f->t, k))
        return gnu_conditional(f, k, type, true);
    if (expressions == k.count && atomic(f, c, k, &result))
        return result;
    if (k.count == 3 && expressions == 3 && evaluate(k.at[0], &n)) // __builtin_choose_expr
        return expr(f, k.at[n ? 1 : 2]);
    if (evaluate(c, &n)) // offsetof
        return make_const(f, n, type);
    if (!expressions || k.at[0].kind == CXCursor_TypeRef) { // offsetof with a variable index
        f->loc = loc_of(f->t, c);
        return make_havoc(f, type, k.count ? NULL : "UnexposedExpr");
    }
    return unmodelled(f, c, NULL);
}

static uint32_t unexposed(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    if (k.count == 1 && is_va_arg(f->t, c, k.at[0])) {
        f->loc = loc_of(f->t, c);
        return make_havoc(f, cursor_type(f->t, c), NULL);
    }
    if (k.count != 1 || !is_expression(k.at[0]) || !is_conversion(f->t, c, k.at[0]))
        return unexposed_many(f, c, k);
    uint32_t temp = expr(f, k.at[0]);
    if (temp == JG_NONE)
        return temp;
    uint32_t type = cursor_type(f->t, c);
    // What clang calls an lvalue of array or function type decayed already.
    enum jg_type_kind kind = (enum jg_type_kind)type_at(f->t, type)->kind;
    return kind == JG_TYPE_ARRAY || kind == JG_TYPE_FUNCTION ? temp : convert(f, temp, type);
}

// ---- the switch --------------------------------------------------------------------------------

static uint32_t this_pointer(struct fn *f, CXCursor c)
{
    if (f->this_var == JG_NONE)
        return unmodelled(f, c, NULL);
    return make_load(f, place_var(f, f->this_var), loc_of(f->t, c));
}

static uint32_t label_address(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    if (k.count && k.at[0].kind == CXCursor_LabelRef) {
        uint32_t label = label_of(f, clang_getCursorReferenced(k.at[0]));
        f->labels.data[label].address_taken = true;
    }
    return make_havoc(f, cursor_type(f->t, c), NULL);
}

uint32_t expr(struct fn *f, CXCursor c)
{
    switch (c.kind) {
    case CXCursor_ParenExpr:
        return expr(f, last_expression(f->t, c));
    case CXCursor_UnexposedExpr:
        return unexposed(f, c);
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_CXXBoolLiteralExpr:
    case CXCursor_UnaryExpr:
        return number(f, c); // sizeof and the like: operands are not evaluated
    case CXCursor_FloatingLiteral:
        return add_value(f, (struct jg_insn){.op = JG_OP_FLOAT,
                                             .a = JG_NONE,
                                             .b = JG_NONE,
                                             .type = cursor_type(f->t, c),
                                             .loc = f->loc});
    case CXCursor_ImaginaryLiteral:
        return make_havoc(f, cursor_type(f->t, c), NULL);
    case CXCursor_StringLiteral:
        return string(f, c);
    case CXCursor_GNUNullExpr:
    case CXCursor_CXXNullPtrLiteralExpr:
        return make_null(f, f->t->type_void_pointer);
    case CXCursor_DeclRefExpr:
        return reference(f, c);
    case CXCursor_MemberRefExpr: {
        enum CXCursorKind kind = clang_getCursorReferenced(c).kind;
        if (kind != CXCursor_FieldDecl && kind != CXCursor_VarDecl)
            return reference(f, c);
        uint32_t place = place_of(f, c);
        return read_place(f, place, f->loc);
    }
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_CompoundLiteralExpr: {
        uint32_t place = place_of(f, c);
        return read_place(f, place, loc_of(f->t, c));
    }
    case CXCursor_UnaryOperator:
        return unary(f, c);
    case CXCursor_BinaryOperator:
        return binary(f, c);
    case CXCursor_CompoundAssignOperator:
        return compound_assign(f, c, kids_of(f->t, c));
    case CXCursor_ConditionalOperator:
        return conditional(f, c, true);
    case CXCursor_CallExpr:
        return call(f, c, 0);
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        return cast(f, c);
    case CXCursor_InitListExpr: { // `int x = {3}`
        CXCursor only = last_expression(f->t, c);
        if (clang_Cursor_isNull(only))
            return make_const(f, 0, cursor_type(f->t, c));
        return kids_of(f->t, c).count == 1 ? expr(f, only) : unmodelled(f, c, NULL);
    }
    case CXCursor_AddrLabelExpr:
        return label_address(f, c);
    case CXCursor_StmtExpr:
        return statement_expression(f, c, true);
    case CXCursor_GenericSelectionExpr:
        return generic_selection(f, c);
    case CXCursor_CXXThisExpr:
        return this_pointer(f, c);
    case CXCursor_CXXThrowExpr:
        lower_kids(f, c);
        f->loc = loc_of(f->t, c);
        if (f->block != JG_NONE)
            leave_scopes(f, f->handlers == JG_NONE ? NULL : f->handler_scope);
        if (f->handlers == JG_NONE)
            end_block(f, JG_TERM_THROW, JG_NONE, f->loc);
        else
            jump(f, f->handlers);
        return JG_NONE;
    case CXCursor_LambdaExpr: // its body is a function of its own
        f->loc = loc_of(f->t, c);
        return make_havoc(f, cursor_type(f->t, c), "LambdaExpr");
    default:
        return unmodelled(f, c, NULL);
    }
}

uint32_t value(struct fn *f, CXCursor c)
{
    uint32_t temp = expr(f, c);
    return temp != JG_NONE ? temp : make_havoc(f, value_type(f->t, c), NULL);
}

// ---- for effects only --------------------------------------------------------------------------

// Reading a variable, or a field of one, can be left out when nobody wants the value.
static bool is_idle(struct fn *f, CXCursor c)
{
    for (;;) {
        c = strip(f->t, c);
        if (c.kind == CXCursor_DeclRefExpr)
            return true;
        if (c.kind != CXCursor_MemberRefExpr)
            return c.kind == CXCursor_IntegerLiteral || c.kind == CXCursor_StringLiteral;
        CXCursor object = last_expression(f->t, c);
        if (clang_Cursor_isNull(object) ||
            type_at(f->t, value_type(f->t, object))->kind == JG_TYPE_POINTER)
            return false;
        c = object;
    }
}

static void discard_logical(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    uint32_t second = new_block(f), after = new_block(f);
    bool and = clang_getCursorBinaryOperatorKind(c) == CXBinaryOperator_LAnd;
    cond(f, k.at[0], and? second : after, and? after : second);
    use_block(f, second);
    discard(f, k.at[1]);
    enter(f, after);
}

static void discard_binary(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(c);
    if (k.count == 2 && kind == CXBinaryOperator_Comma) {
        discard(f, k.at[0]);
        discard(f, k.at[1]);
    } else if (k.count == 2 && kind == CXBinaryOperator_Assign) {
        assign(f, c, k);
    } else if (k.count == 2 && (kind == CXBinaryOperator_LAnd || kind == CXBinaryOperator_LOr)) {
        discard_logical(f, c);
    } else {
        expr(f, c);
    }
}

void discard(struct fn *f, CXCursor c)
{
    uint16_t flags = JG_INSN_UNUSED;
    for (;;) {
        c = strip(f->t, c);
        bool to_void =
            c.kind == CXCursor_CXXStaticCastExpr || c.kind == CXCursor_CXXFunctionalCastExpr;
        if (c.kind != CXCursor_CStyleCastExpr &&
            !(to_void && clang_getCursorType(c).kind == CXType_Void))
            break;
        if (clang_getCursorType(c).kind == CXType_Void)
            flags |= JG_INSN_VOID_CAST;
        CXCursor operand = last_expression(f->t, c);
        if (clang_Cursor_isNull(operand))
            return;
        c = operand;
    }
    if (is_idle(f, c))
        return;
    struct kids k;
    switch (c.kind) {
    case CXCursor_CallExpr:
        call(f, c, flags);
        break;
    case CXCursor_BinaryOperator:
        discard_binary(f, c);
        break;
    case CXCursor_ConditionalOperator:
        conditional(f, c, false);
        break;
    case CXCursor_StmtExpr:
        statement_expression(f, c, false);
        break;
    case CXCursor_UnexposedExpr:
        k = kids_of(f->t, c);
        if (is_gnu_conditional(f->t, k))
            gnu_conditional(f, k, f->t->type_void, false);
        else
            expr(f, c);
        break;
    default:
        expr(f, c);
        break;
    }
}
