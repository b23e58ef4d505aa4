// SPDX-License-Identifier: Apache-2.0
//
// Initialisers of static storage: data, not code.
//
// Two things in them matter. A JNINativeMethod table names native methods of this unit; its rows
// may be nested lists, designated, or flat. And every function whose address lies in an initialiser
// may be called through the field that holds it. Both also make the function's body reachable.
//
// Misses: tables filled at run time (those are STOREs in some function), and which element of an
// array holds a function.

#include "analyzer/frontend/frontend_internal.h"

#include <stdlib.h>
#include <string.h>

// ---- string literals ---------------------------------------------------------------------------

static unsigned digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    return (unsigned)((c | 32) - 'a') + 10;
}

// Decodes what clang's printer wrote: `"a\000b\n"`, in place; returns the length.
static size_t unescape(char *s, size_t length)
{
    size_t out = 0;
    for (size_t i = 0; i < length;) {
        char c = s[i++];
        if (c != '\\' || i == length) {
            s[out++] = c;
            continue;
        }
        c = s[i++];
        if (c >= '0' && c <= '7') {
            unsigned code = digit(c);
            for (int n = 1; n < 3 && i < length && s[i] >= '0' && s[i] <= '7'; n++)
                code = code * 8 + digit(s[i++]);
            s[out++] = (char)code;
            continue;
        }
        static const char names[] = "abfnrtv", codes[] = "\a\b\f\n\r\t\v";
        const char *known = strchr(names, c);
        s[out++] = known ? codes[known - names] : c;
    }
    return out;
}

bool string_literal(struct tu *t, CXCursor c, jg_str *text, size_t *length)
{
    if (c.kind != CXCursor_StringLiteral)
        return false;
    CXString spelling = clang_getCursorSpelling(c);
    const char *spelled = clang_getCString(spelling);
    const char *open = spelled ? strchr(spelled, '"') : NULL;
    size_t size = open ? strlen(open + 1) : 0;
    char *copy = jg_strdup(open ? open + 1 : "");
    if (size && copy[size - 1] == '"')
        copy[--size] = '\0';
    *length = unescape(copy, size);
    *text = intern(t, copy, *length);
    free(copy);
    clang_disposeString(spelling);
    return true;
}

// ---- native method tables ----------------------------------------------------------------------

static uint32_t function_in(struct tu *t, CXCursor value)
{
    CXCursor c = strip_casts(t, value);
    while (c.kind == CXCursor_UnaryOperator)
        c = strip_casts(t, last_expression(t, c));
    CXCursor target =
        c.kind == CXCursor_DeclRefExpr ? clang_getCursorReferenced(c) : clang_getNullCursor();
    if (target.kind != CXCursor_FunctionDecl && target.kind != CXCursor_CXXMethod)
        return JG_NONE;
    uint32_t symbol = symbol_of(t, target, clang_getNullLocation());
    t->u->symbols.data[symbol].flags |= JG_SYM_ADDRESS_GIVEN;
    queue_symbol(t, symbol);
    return symbol;
}

// Value of a `.name = value` element and the name of the field; otherwise the element itself.
static CXCursor designated(struct tu *t, CXCursor c, CXCursor *field)
{
    *field = clang_getNullCursor();
    if (c.kind != CXCursor_UnexposedExpr)
        return c;
    struct kids k = kids_of(t, c);
    if (k.count < 2 ||
        (k.at[0].kind != CXCursor_MemberRef && k.at[0].kind != CXCursor_IntegerLiteral &&
         clang_getCursorType(c).kind != CXType_Void))
        return c;
    for (uint32_t i = 0; i + 1 < k.count; i++)
        if (k.at[i].kind == CXCursor_MemberRef)
            *field = clang_getCursorReferenced(k.at[i]);
    return k.at[k.count - 1];
}

static jg_str text_in(struct tu *t, CXCursor value)
{
    jg_str text = 0;
    size_t length;
    string_literal(t, strip_casts(t, value), &text, &length);
    return text;
}

static int method_slot(struct tu *t, CXCursor field)
{
    if (clang_Cursor_isNull(field))
        return -1;
    uint32_t index = field_of(t, field);
    const char *name = jg_unit_str(t->u, t->u->fields.data[index].name);
    return strcmp(name, "name") == 0 ? 0 : strcmp(name, "signature") == 0 ? 1 : 2;
}

// One row from `count` elements that start at `at`.
static void add_row(struct tu *t, const CXCursor *at, uint32_t count, CXCursor row)
{
    struct jg_native_method m = {.symbol = JG_NONE};
    int slot = 0;
    for (uint32_t i = 0; i < count; i++, slot++) {
        CXCursor field, v = designated(t, at[i], &field);
        int named = method_slot(t, field);
        if (named >= 0)
            slot = named;
        if (slot == 0)
            m.name = text_in(t, v);
        else if (slot == 1)
            m.signature = text_in(t, v);
        else
            m.symbol = function_in(t, v);
    }
    if (!m.name && m.symbol == JG_NONE)
        return; // { NULL, NULL, NULL }
    m.loc = loc_of(t, row);
    if (m.symbol != JG_NONE)
        t->u->symbols.data[m.symbol].flags |= JG_SYM_NATIVE_METHOD;
    *JG_VEC_PUSH(&t->u->native_methods) = m;
}

void native_methods(struct tu *t, CXCursor initialiser)
{
    CXCursor list = strip_casts(t, initialiser), field;
    if (list.kind == CXCursor_CompoundLiteralExpr)
        list = last_expression(t, list);
    if (list.kind != CXCursor_InitListExpr)
        return;
    bool array = type_at(t, cursor_type(t, list))->kind == JG_TYPE_ARRAY;
    struct kids k = kids_of(t, list);
    if (!array) {
        add_row(t, k.at, k.count, list);
        return;
    }
    for (uint32_t i = 0; i < k.count;) {
        CXCursor row = strip(t, designated(t, k.at[i], &field));
        if (row.kind == CXCursor_CompoundLiteralExpr)
            row = last_expression(t, row);
        if (row.kind == CXCursor_InitListExpr) {
            struct kids r = kids_of(t, row);
            add_row(t, r.at, r.count, row);
            i++;
        } else { // braces left out
            uint32_t count = k.count - i < 3 ? k.count - i : 3;
            add_row(t, k.at + i, count, row);
            i += count;
        }
    }
}

// ---- function addresses ------------------------------------------------------------------------

struct context {
    struct tu *t;
    uint32_t var;
};

static void collect_functions(struct context *x, CXCursor c, CXType type, uint32_t field);

static void collect_list(struct context *x, CXCursor list, CXType type, uint32_t field)
{
    struct tu *t = x->t;
    CXType canonical = clang_getCanonicalType(type);
    struct kids k = kids_of(t, list);
    struct kids fields = {0};
    if (canonical.kind == CXType_Record)
        fields = record_fields(t, canonical);
    uint32_t next = 0;
    for (uint32_t i = 0; i < k.count; i++) {
        CXCursor named, v = designated(t, k.at[i], &named);
        if (fields.count) {
            for (uint32_t j = 0; !clang_Cursor_isNull(named) && j < fields.count; j++)
                if (fields.at[j].data[0] == named.data[0])
                    next = j;
            CXCursor f = !clang_Cursor_isNull(named) ? named
                         : next < fields.count       ? fields.at[next]
                                                     : clang_getNullCursor();
            next++;
            if (clang_Cursor_isNull(f))
                continue;
            collect_functions(x, v, clang_getCursorType(f), field_of(t, f));
        } else {
            collect_functions(x, v, clang_getArrayElementType(canonical), field);
        }
    }
}

static void collect_functions(struct context *x, CXCursor c, CXType type, uint32_t field)
{
    struct tu *t = x->t;
    CXCursor v = strip_casts(t, c);
    if (v.kind == CXCursor_CompoundLiteralExpr)
        v = last_expression(t, v);
    if (v.kind == CXCursor_InitListExpr) {
        collect_list(x, v, type.kind == CXType_Invalid ? clang_getCursorType(v) : type, field);
        return;
    }
    if (v.kind == CXCursor_UnaryOperator || v.kind == CXCursor_ConditionalOperator) {
        struct kids k = kids_of(t, v);
        for (uint32_t i = 0; i < k.count; i++)
            collect_functions(x, k.at[i], type, field);
        return;
    }
    if (v.kind != CXCursor_DeclRefExpr)
        return;
    uint32_t symbol = function_in(t, v);
    if (symbol == JG_NONE)
        return;
    struct jg_static_function *s = JG_VEC_PUSH(&t->u->static_functions);
    *s = (struct jg_static_function){x->var, field, symbol, JG_NONE};
    uint32_t loc = loc_of(t, v);
    t->u->static_functions.data[t->u->static_functions.count - 1].loc = loc;
}

// Can a value of this type hold a function's address at all? Large tables of numbers are skipped.
static bool may_hold_pointers(CXType type)
{
    CXType c = clang_getCanonicalType(type);
    while (c.kind == CXType_ConstantArray || c.kind == CXType_IncompleteArray)
        c = clang_getCanonicalType(clang_getArrayElementType(c));
    if (c.kind == CXType_Pointer) {
        CXType to = clang_getCanonicalType(clang_getPointeeType(c));
        return to.kind != CXType_Char_S && to.kind != CXType_Char_U;
    }
    return c.kind == CXType_Record;
}

void static_initialiser(struct tu *t, CXCursor var, uint32_t var_index)
{
    CXCursor init = clang_Cursor_getVarDeclInitializer(var);
    if (clang_Cursor_isNull(init))
        return;
    CXType type = clang_getCursorType(var);
    if (!may_hold_pointers(type))
        return;
    if (type_at(t, type_of(t, type))->role == JG_ROLE_NATIVE_METHOD) {
        native_methods(t, init);
        return;
    }
    if (var_index == JG_NONE)
        var_index = static_var_of(t, var);
    struct context x = {t, var_index};
    collect_functions(&x, init, type, JG_NONE);
}
