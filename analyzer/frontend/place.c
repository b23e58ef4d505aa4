// SPDX-License-Identifier: Apache-2.0
//
// Lvalues: cursor -> place.
//
// A place is a variable or what a temporary points to, and a path of fields and elements. The shape
// of the source is normalised: `*p`, `p[0]` and `p->f` start at the temporary, `a[i].f` at the
// array,
// `*(p + 3)` is `p[3]`, `*&x` is x, and levels of anonymous structs are left out (libclang does
// so). An expression that yields no object that exists already, the result of a call for one, is
// stored into a variable without a name first.

#include "analyzer/frontend/frontend_internal.h"

#include <string.h>

static uint32_t push_place(struct fn *f, uint32_t kind, uint32_t base, uint32_t type)
{
    *JG_VEC_PUSH(&f->places) = (struct jg_place){kind, base, f->elems.count, 0, type};
    return f->places.count - 1;
}

static uint32_t type_of_var(struct fn *f, uint32_t var)
{
    return var >= LOCAL_VAR ? f->vars.data[var - LOCAL_VAR].type : f->t->u->vars.data[var].type;
}

uint32_t place_var(struct fn *f, uint32_t var)
{
    uint32_t known = map_get(&f->var_places, (uint64_t)var + 1);
    if (known != JG_NONE)
        return known;
    uint32_t place = push_place(f, JG_BASE_VAR, var, type_of_var(f, var));
    map_put(&f->var_places, (uint64_t)var + 1, place);
    return place;
}

uint32_t place_deref(struct fn *f, uint32_t temp, uint32_t type)
{
    // What an address points to is the place it was taken of.
    const struct jg_insn *n = def_of(f, temp);
    if (n->op == JG_OP_ADDR && f->places.data[n->a].type == type)
        return n->a;
    return push_place(f, JG_BASE_DEREF, temp, type);
}

uint32_t place_elem(struct fn *f, uint32_t place, uint32_t kind, uint32_t index, uint32_t type)
{
    struct jg_place p = f->places.data[place];
    uint32_t first = f->elems.count;
    for (uint32_t i = 0; i < p.elem_count; i++) {
        struct jg_elem e = f->elems.data[p.first_elem + i];
        *JG_VEC_PUSH(&f->elems) = e;
    }
    *JG_VEC_PUSH(&f->elems) = (struct jg_elem){kind, index};
    *JG_VEC_PUSH(&f->places) =
        (struct jg_place){p.base_kind, p.base, first, p.elem_count + 1, type};
    return f->places.count - 1;
}

void take_address(struct fn *f, uint32_t place)
{
    const struct jg_place *p = &f->places.data[place];
    if (p->base_kind != JG_BASE_VAR)
        return;
    if (p->base >= LOCAL_VAR)
        f->vars.data[p->base - LOCAL_VAR].address_taken = true;
    else
        f->t->u->vars.data[p->base].address_taken = true;
}

// ---- variables ---------------------------------------------------------------------------------

static uint32_t push_local(struct fn *f, struct jg_var v)
{
    *JG_VEC_PUSH(&f->vars) = v;
    return LOCAL_VAR + f->vars.count - 1;
}

uint32_t new_temporary_var(struct fn *f, uint32_t type)
{
    return push_local(f, (struct jg_var){.type = type, .loc = f->loc, .kind = JG_VAR_LOCAL});
}

uint32_t local_var(struct fn *f, CXCursor decl, enum jg_var_kind kind)
{
    CXType type = clang_getCursorType(decl);
    struct jg_var v = {.kind = (uint8_t)kind};
    v.name = intern_cx(f->t, clang_getCursorSpelling(decl));
    v.type = type_of(f->t, type);
    if (decl.kind == CXCursor_ParmDecl)
        v.type = decayed(f->t, v.type);
    v.loc = loc_of(f->t, decl);
    v.is_volatile = clang_isVolatileQualifiedType(type) != 0;
    uint32_t var = push_local(f, v);
    map_put(&f->t->decls, key_of(decl.data[0]), var);
    return var;
}

uint32_t var_of(struct fn *f, CXCursor decl)
{
    if (has_static_storage(decl)) {
        uint32_t var = map_get(&f->t->decls, key_of(decl.data[0]));
        return var != JG_NONE ? var : static_var_of(f->t, decl);
    }
    uint32_t known = map_get(&f->t->decls, key_of(decl.data[0]));
    // A number of another function's local: a variable captured by a lambda, say.
    if (known != JG_NONE && known >= LOCAL_VAR && known - LOCAL_VAR < f->vars.count)
        return known;
    return local_var(f, decl, JG_VAR_LOCAL);
}

// ---- lvalues -----------------------------------------------------------------------------------

static uint32_t through_reference(struct fn *f, uint32_t place, uint32_t loc)
{
    uint32_t type = f->places.data[place].type;
    if (!f->t->cxx || !is_reference(f->t, type))
        return place;
    uint32_t temp = make_load(f, place, loc);
    return place_deref(f, temp, type_at(f->t, type)->pointee);
}

static uint32_t in_temporary(struct fn *f, CXCursor c)
{
    uint32_t temp = value(f, c);
    uint32_t type = cursor_type(f->t, c);
    if (type_at(f->t, type)->kind == JG_TYPE_VOID)
        type = temp_type(f, temp);
    if (type_at(f->t, type)->kind == JG_TYPE_ARRAY &&
        type_at(f->t, temp_type(f, temp))->kind == JG_TYPE_POINTER)
        return place_deref(f, temp, type); // it decayed
    uint32_t place = place_var(f, new_temporary_var(f, type));
    make_store(f, place, temp, 0, f->loc);
    return place;
}

static uint32_t declared(struct fn *f, CXCursor c)
{
    CXCursor target = clang_getCursorReferenced(c);
    if (target.kind != CXCursor_VarDecl && target.kind != CXCursor_ParmDecl)
        return in_temporary(f, c);
    return through_reference(f, place_var(f, var_of(f, target)), f->loc);
}

// `object->f` or `object.f`? In the first the object is a pointer, or an array parameter.
static bool is_arrow(struct fn *f, CXCursor object)
{
    uint8_t kind = type_at(f->t, cursor_type(f->t, object))->kind;
    return kind == JG_TYPE_POINTER || kind == JG_TYPE_ARRAY;
}

static uint32_t member(struct fn *f, CXCursor c)
{
    CXCursor field = clang_getCursorReferenced(c);
    if (field.kind == CXCursor_VarDecl) // static member of a class
        return place_var(f, var_of(f, field));
    if (field.kind != CXCursor_FieldDecl)
        return in_temporary(f, c);
    uint32_t index = field_of(f->t, field);
    CXCursor object = last_expression(f->t, c);
    uint32_t base, loc = loc_of(f->t, c);
    if (clang_Cursor_isNull(object)) { // implicit `this`
        if (f->this_var == JG_NONE)
            return in_temporary(f, c);
        uint32_t self = make_load(f, place_var(f, f->this_var), loc);
        base = place_deref(f, self, type_at(f->t, temp_type(f, self))->pointee);
    } else if (is_arrow(f, object)) {
        uint32_t pointer = value(f, object);
        uint32_t pointee = type_at(f->t, cursor_type(f->t, object))->pointee;
        base = place_deref(f, pointer, pointee == JG_NONE ? f->t->type_void : pointee);
    } else {
        base = place_of(f, object);
    }
    f->loc = loc;
    uint32_t type = f->t->u->fields.data[index].type;
    return through_reference(f, place_elem(f, base, JG_ELEM_FIELD, index, type), loc);
}

// An array as an object, not a parameter that was declared as one.
static bool is_array_object(struct fn *f, CXCursor c)
{
    return type_at(f->t, cursor_type(f->t, c))->kind == JG_TYPE_ARRAY && is_place(f, c) &&
           (c.kind != CXCursor_DeclRefExpr ||
            clang_getCursorReferenced(c).kind != CXCursor_ParmDecl);
}

// Element `index` of what `base` is: an array that exists, or a pointer.
static uint32_t element(struct fn *f, CXCursor base, CXCursor index, uint32_t type)
{
    CXCursor array = strip(f->t, base);
    bool is_array = is_array_object(f, array);
    uint32_t at = is_array ? place_of(f, array) : JG_NONE;
    uint32_t pointer = is_array ? JG_NONE : value(f, base);
    uint32_t loc = f->loc;
    uint32_t i = value(f, index);
    f->loc = loc;
    int64_t number;
    bool constant = const_value(f, i, &number) && number >= 0 && number < JG_NONE;
    if (!is_array) {
        // `p[0]` is `*p`, but for rows of a matrix: there the index keeps `m[0][2]` and `m[2]`
        // apart.
        if (constant && number == 0 && type_at(f->t, type)->kind != JG_TYPE_ARRAY)
            return place_deref(f, pointer, type);
        at = push_place(f, JG_BASE_DEREF, pointer, type);
    }
    return constant ? place_elem(f, at, JG_ELEM_INDEX, (uint32_t)number, type)
                    : place_elem(f, at, JG_ELEM_ANY, i, type);
}

static uint32_t subscript(struct fn *f, CXCursor c)
{
    struct kids k = kids_of(f->t, c);
    if (k.count != 2)
        return in_temporary(f, c);
    bool swapped = type_at(f->t, cursor_type(f->t, k.at[0]))->kind == JG_TYPE_INT; // 3[a]
    return element(f, k.at[swapped], k.at[!swapped], cursor_type(f->t, c));
}

static uint32_t dereference(struct fn *f, CXCursor c)
{
    CXCursor pointer = last_expression(f->t, c), inner = strip(f->t, pointer);
    uint32_t type = cursor_type(f->t, c), loc = loc_of(f->t, c);
    if (inner.kind == CXCursor_UnaryOperator &&
        clang_getCursorUnaryOperatorKind(inner) == CXUnaryOperator_AddrOf) {
        CXCursor object = last_expression(f->t, inner);
        if (is_place(f, object))
            return place_of(f, object);
    }
    if (inner.kind == CXCursor_BinaryOperator &&
        clang_getCursorBinaryOperatorKind(inner) == CXBinaryOperator_Add) {
        struct kids k = kids_of(f->t, inner);
        bool swapped = type_at(f->t, cursor_type(f->t, k.at[0]))->kind == JG_TYPE_INT;
        return element(f, k.at[swapped], k.at[!swapped], type);
    }
    if (is_array_object(f, inner))
        return place_elem(f, place_of(f, inner), JG_ELEM_INDEX, 0, type);
    uint32_t temp = value(f, pointer);
    f->loc = loc;
    return place_deref(f, temp, type);
}

static uint32_t compound_literal(struct fn *f, CXCursor c)
{
    CXType type = clang_getCursorType(c);
    f->loc = loc_of(f->t, c);
    uint32_t index = type_of(f->t, type);
    CXCursor init = last_expression(f->t, c);
    if (type_at(f->t, index)->role == JG_ROLE_NATIVE_METHOD)
        native_methods(f->t, init);
    uint32_t place = place_var(f, new_temporary_var(f, index));
    if (!clang_Cursor_isNull(init))
        initialise(f, place, type, init, 0);
    return place;
}

bool is_place(struct fn *f, CXCursor c)
{
    c = strip(f->t, c);
    switch (c.kind) {
    case CXCursor_DeclRefExpr: {
        enum CXCursorKind kind = clang_getCursorReferenced(c).kind;
        return kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl;
    }
    case CXCursor_MemberRefExpr: {
        CXCursor object = last_expression(f->t, c);
        return clang_getCursorReferenced(c).kind == CXCursor_FieldDecl &&
               (clang_Cursor_isNull(object) || is_arrow(f, object) || is_place(f, object));
    }
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_CompoundLiteralExpr:
        return true;
    case CXCursor_UnaryOperator: {
        enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(c);
        if (op == CXUnaryOperator_Extension)
            return is_place(f, last_expression(f->t, c));
        return op == CXUnaryOperator_Deref &&
               type_at(f->t, cursor_type(f->t, c))->kind != JG_TYPE_FUNCTION;
    }
    default:
        return false;
    }
}

static uint32_t unary(struct fn *f, CXCursor c)
{
    CXCursor object = last_expression(f->t, c);
    switch (clang_getCursorUnaryOperatorKind(c)) {
    case CXUnaryOperator_Deref:
        return dereference(f, c);
    case CXUnaryOperator_Extension:
        return place_of(f, object);
    case CXUnaryOperator_Real:
    case CXUnaryOperator_Imag: // a part of a complex number, which is opaque
        return place_elem(f, place_of(f, object), JG_ELEM_ANY, JG_NONE, cursor_type(f->t, c));
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec: // lvalues in C++
        if (f->t->cxx) {
            value(f, c);
            return place_of(f, object);
        }
        return in_temporary(f, c);
    default:
        return in_temporary(f, c);
    }
}

uint32_t place_of(struct fn *f, CXCursor c)
{
    c = strip(f->t, c);
    switch (c.kind) {
    case CXCursor_DeclRefExpr:
        return declared(f, c);
    case CXCursor_MemberRefExpr:
        return member(f, c);
    case CXCursor_ArraySubscriptExpr:
        return subscript(f, c);
    case CXCursor_UnaryOperator:
        return unary(f, c);
    case CXCursor_CompoundLiteralExpr:
        return compound_literal(f, c);
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        if (f->t->cxx && clang_getCursorBinaryOperatorKind(c) >= CXBinaryOperator_Assign &&
            clang_getCursorBinaryOperatorKind(c) < CXBinaryOperator_Comma) {
            discard(f, c);
            return place_of(f, kids_of(f->t, c).at[0]);
        }
        return in_temporary(f, c);
    default:
        return in_temporary(f, c);
    }
}
