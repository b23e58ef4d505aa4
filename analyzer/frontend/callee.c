// SPDX-License-Identifier: Apache-2.0
//
// Calls, and who is called.
//
// A JNI call is known by the field of the function table it goes through, whatever the source looks
// like: `(*env)->F`, `(**env).F`, a cached or copied table, a macro, a typedef of the user's own.
// In C++ it is known by the method of JNIEnv, and `env` becomes the first argument as it is in C.
// libclang names the callee of most calls. For `(*w->cb)(x)`, `(&f)(x)`, `((T)w->cb)(x)` it does
// not, so the expression is walked down; what is left is a value, and the callee a temporary,
// unless that temporary turns out to be the address of a function.

#include "analyzer/frontend/frontend_internal.h"

#include "rules/jni.h"

#include <stdlib.h>
#include <string.h>

// Does evaluating the object of `x->F` do anything? Mostly it is `*env`.
static bool is_simple(struct fn *f, CXCursor c)
{
    for (;;) {
        c = strip_casts(f->t, c);
        if (c.kind == CXCursor_DeclRefExpr || c.kind == CXCursor_CXXThisExpr)
            return true;
        bool step = c.kind == CXCursor_MemberRefExpr;
        if (c.kind == CXCursor_UnaryOperator) {
            enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(c);
            step = op == CXUnaryOperator_Deref || op == CXUnaryOperator_AddrOf ||
                   op == CXUnaryOperator_Extension;
        }
        if (c.kind == CXCursor_ArraySubscriptExpr) {
            struct kids k = kids_of(f->t, c);
            if (k.count != 2 || strip(f->t, k.at[1]).kind != CXCursor_IntegerLiteral)
                return false;
            c = k.at[0];
            continue;
        }
        if (!step)
            return false;
        c = last_expression(f->t, c);
        if (clang_Cursor_isNull(c))
            return true; // implicit `this`
    }
}

static CXCursor strip_callee(struct fn *f, CXCursor c)
{
    for (;;) {
        c = strip_casts(f->t, c);
        if (c.kind != CXCursor_UnaryOperator)
            return c;
        enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(c);
        if (op != CXUnaryOperator_Deref && op != CXUnaryOperator_AddrOf &&
            op != CXUnaryOperator_Extension)
            return c;
        CXCursor inner = last_expression(f->t, c);
        if (clang_Cursor_isNull(inner))
            return c;
        c = inner;
    }
}

static void call_symbol(struct fn *f, struct jg_insn *n, CXCursor function, CXSourceLocation use)
{
    n->sub = JG_CALLEE_SYMBOL;
    n->a = symbol_of(f->t, function, use);
    queue_symbol(f->t, n->a);
}

static void call_value(struct fn *f, struct jg_insn *n, CXCursor callee)
{
    uint32_t temp = value(f, callee);
    const struct jg_insn *def = def_of(f, temp);
    n->sub = def->op == JG_OP_FNADDR ? JG_CALLEE_SYMBOL : JG_CALLEE_TEMP;
    n->a = def->op == JG_OP_FNADDR ? def->a : temp;
}

static void call_field(struct fn *f, struct jg_insn *n, CXCursor member, CXCursor field)
{
    uint32_t index = field_of(f->t, field);
    struct field_info info = f->t->field_info.data[index];
    if (info.jni < 0 && info.invoke < 0) {
        n->sub = JG_CALLEE_FIELD;
        n->a = index;
        n->b = value(f, member);
        return;
    }
    CXCursor object = last_expression(f->t, member);
    if (!clang_Cursor_isNull(object) && !is_simple(f, object))
        discard(f, object);
    n->sub = info.jni >= 0 ? JG_CALLEE_JNI : JG_CALLEE_INVOKE;
    n->a = (uint32_t)(info.jni >= 0 ? info.jni : info.invoke);
}

// The methods of JNIEnv and JavaVM in C++; false for any other method.
static bool call_jni_method(struct jg_insn *n, CXCursor method)
{
    CXString parent = clang_getCursorSpelling(clang_getCursorSemanticParent(method));
    CXString name = clang_getCursorSpelling(method);
    const char *p = clang_getCString(parent);
    int slot = -1;
    if (p && (strcmp(p, "JNIEnv_") == 0 || strcmp(p, "_JNIEnv") == 0)) {
        slot = jg_jni_find(clang_getCString(name));
        n->sub = JG_CALLEE_JNI;
    } else if (p && (strcmp(p, "JavaVM_") == 0 || strcmp(p, "_JavaVM") == 0)) {
        slot = jg_invoke_find(clang_getCString(name));
        n->sub = JG_CALLEE_INVOKE;
    }
    n->a = slot < 0 ? JG_NONE : (uint32_t)slot;
    clang_disposeString(parent);
    clang_disposeString(name);
    return slot >= 0;
}

static bool is_method(enum CXCursorKind kind)
{
    return kind == CXCursor_CXXMethod || kind == CXCursor_Destructor ||
           kind == CXCursor_ConversionFunction;
}

// ---- arguments ---------------------------------------------------------------------------------

struct arguments {
    uint32_t at[64];
    uint32_t count;
    struct JG_VEC(uint32_t) more; // beyond 64: only generated code
};

static void push_argument(struct arguments *a, uint32_t temp)
{
    if (a->count < 64)
        a->at[a->count] = temp;
    else
        *JG_VEC_PUSH(&a->more) = temp;
    a->count++;
}

static uint32_t address(struct fn *f, CXCursor object)
{
    uint32_t place = place_of(f, object);
    return make_addr(f, place, pointer_to(f->t, f->places.data[place].type));
}

// The pointer a method is called on.
static uint32_t receiver(struct fn *f, CXCursor callee)
{
    CXCursor member = strip(f->t, callee);
    CXCursor object = member.kind == CXCursor_MemberRefExpr ? last_expression(f->t, member)
                                                            : clang_getNullCursor();
    if (clang_Cursor_isNull(object))
        return f->this_var != JG_NONE
                   ? make_load(f, place_var(f, f->this_var), loc_of(f->t, callee))
                   : make_havoc(f, f->t->type_void_pointer, NULL);
    return type_at(f->t, cursor_type(f->t, object))->kind == JG_TYPE_POINTER ? value(f, object)
                                                                             : address(f, object);
}

static uint32_t argument(struct fn *f, const struct jg_insn *n, uint32_t index, CXCursor c)
{
    if (f->t->cxx && n->sub == JG_CALLEE_SYMBOL) {
        const struct jg_symbol *s = &f->t->u->symbols.data[n->a];
        uint32_t type = index < s->param_count ? f->t->u->param_types.data[s->first_param + index]
                                               : f->t->type_void;
        if (is_reference(f->t, type)) {
            uint32_t place = place_of(f, c);
            return make_addr(f, place, type);
        }
    }
    return value(f, c);
}

static void lower_arguments(struct fn *f, CXCursor c, struct kids k, struct jg_insn *n,
                            CXCursor target)
{
    struct arguments a = {0};
    if (f->t->cxx) { // children of an overloaded operator are in the order of the text
        int count = clang_Cursor_getNumArguments(c), first = 0;
        if (is_method(target.kind) && !clang_CXXMethod_isStatic(target)) {
            // In `a + b` the receiver counts as an argument.
            bool is_operator = count > 0 && strip(f->t, k.at[0]).kind != CXCursor_MemberRefExpr;
            push_argument(&a, is_operator ? address(f, clang_Cursor_getArgument(c, 0))
                                          : receiver(f, k.at[0]));
            first = is_operator;
        }
        for (int i = first; i < count; i++)
            push_argument(&a, argument(f, n, a.count, clang_Cursor_getArgument(c, (unsigned)i)));
    } else {
        for (uint32_t i = 1; i < k.count; i++)
            if (is_expression(k.at[i]))
                push_argument(&a, value(f, k.at[i]));
    }
    n->first_arg = f->args.count;
    n->arg_count = a.count;
    for (uint32_t i = 0; i < a.count; i++)
        *JG_VEC_PUSH(&f->args) = i < 64 ? a.at[i] : a.more.data[i - 64];
    if (a.more.data)
        JG_VEC_FREE(&a.more);
}

// ---- the call ----------------------------------------------------------------------------------

static bool does_not_return(struct fn *f, const struct jg_insn *n)
{
    if (n->sub == JG_CALLEE_SYMBOL)
        return (f->t->u->symbols.data[n->a].flags & JG_SYM_NORETURN) != 0;
    return n->sub == JG_CALLEE_JNI && (jg_jni_function(n->a)->flags & JG_JNI_NORETURN);
}

// A call through a cast of the function's type may pass less than the function takes.
static bool lacks_arguments(const struct jg_insn *n)
{
    if (n->sub != JG_CALLEE_JNI && n->sub != JG_CALLEE_INVOKE)
        return false;
    const struct jg_jni_function *fn =
        n->sub == JG_CALLEE_JNI ? jg_jni_function(n->a) : jg_invoke_function(n->a);
    return n->arg_count + ((fn->flags & JG_JNI_VARARGS) != 0) < fn->param_count;
}

static uint32_t construct(struct fn *f, CXCursor c)
{
    int count = clang_Cursor_getNumArguments(c);
    for (int i = 0; i < count; i++)
        discard(f, clang_Cursor_getArgument(c, (unsigned)i));
    f->loc = loc_of(f->t, c);
    return make_havoc(f, cursor_type(f->t, c), "constructor");
}

static void find_callee(struct fn *f, struct jg_insn *n, CXCursor c, CXCursor callee,
                        CXCursor *target)
{
    *target = clang_getCursorReferenced(c);
    CXCursor inner = callee;
    if (clang_Cursor_isNull(*target) || target->kind == CXCursor_FieldDecl) {
        inner = strip_callee(f, callee);
        if (clang_Cursor_isNull(*target) &&
            (inner.kind == CXCursor_DeclRefExpr || inner.kind == CXCursor_MemberRefExpr))
            *target = clang_getCursorReferenced(inner);
    }
    if (target->kind == CXCursor_FunctionDecl)
        call_symbol(f, n, *target, clang_getCursorLocation(callee));
    else if (target->kind == CXCursor_FieldDecl && inner.kind == CXCursor_MemberRefExpr)
        call_field(f, n, inner, *target);
    else if (is_method(target->kind) && !call_jni_method(n, *target))
        call_symbol(f, n, *target, clang_getNullLocation());
    else if (!is_method(target->kind))
        call_value(f, n, callee);
}

uint32_t call(struct fn *f, CXCursor c, uint16_t flags)
{
    struct tu *t = f->t;
    struct kids k = kids_of(t, c);
    struct jg_insn n = {
        .op = JG_OP_CALL, .flags = flags, .dst = JG_NONE, .a = JG_NONE, .b = JG_NONE};
    CXCursor target = clang_getNullCursor();
    if (t->cxx && clang_getCursorReferenced(c).kind == CXCursor_Constructor)
        return construct(f, c);
    if (!k.count || !is_expression(k.at[0]))
        return unmodelled(f, c, NULL);
    n.loc = f->loc = loc_with_end(t, c);
    find_callee(f, &n, c, k.at[0], &target);

    uint32_t result;
    if (n.sub == JG_CALLEE_SYMBOL && t->symbol_info.data[n.a].builtin != BUILTIN_NONE &&
        builtin_call(f, c, k, t->symbol_info.data[n.a].builtin, &result))
        return result;
    lower_arguments(f, c, k, &n, target);
    if (lacks_arguments(&n))
        return unmodelled(f, c, "JNI call without all its arguments");

    n.type = cursor_type(t, c);
    f->loc = n.loc;
    uint32_t temp = JG_NONE;
    if (type_at(t, n.type)->kind == JG_TYPE_VOID)
        add_insn(f, &n);
    else
        temp = add_value(f, n);
    if (does_not_return(f, &n))
        end_block(f, JG_TERM_UNREACHABLE, JG_NONE, n.loc);
    return temp;
}
