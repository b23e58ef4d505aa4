// SPDX-License-Identifier: Apache-2.0
//
// Initialisers of variables that are not static, and of compound literals.
//
// A list becomes one STORE per element given. libclang shows lists as written: braces may be left
// out, designators jump about, `[0 ... 3]` gives a range. The list is therefore read as C does,
// with a position in a flat row of elements. What is not given is zero: NULL is stored into
// pointers, 0 into the other scalars of small records; arrays that are not given whole become
// unknown first.

#include "analyzer/frontend/frontend_internal.h"

#include <string.h>

enum { LARGE_ARRAY = 64, LARGE_RECORD = 48 };

struct list {
    const CXCursor *at;
    uint32_t count, next;
};

static void aggregate(struct fn *f, uint32_t place, CXType type, struct list *l, uint16_t flags);

static bool is_aggregate(CXType canonical)
{
    return canonical.kind == CXType_Record || canonical.kind == CXType_ConstantArray ||
           canonical.kind == CXType_IncompleteArray || canonical.kind == CXType_VariableArray;
}

static bool is_union(CXType canonical)
{
    return clang_getTypeDeclaration(canonical).kind == CXCursor_UnionDecl;
}

// ---- what is not given -------------------------------------------------------------------------

static void zero(struct fn *f, uint32_t place, CXType type, uint32_t *budget, uint16_t flags)
{
    CXType canonical = clang_getCanonicalType(type);
    uint32_t index = type_of(f->t, type);
    const struct jg_type *n = type_at(f->t, index);
    if (canonical.kind == CXType_Record) {
        struct kids fields = record_fields(f->t, canonical);
        uint32_t count = is_union(canonical) && fields.count ? 1 : fields.count;
        for (uint32_t i = 0; i < count && *budget; i++) {
            CXCursor field = fields.at[i];
            CXType field_type = clang_getCursorType(field);
            uint32_t inner = is_anonymous_level(field)
                                 ? place
                                 : place_elem(f, place, JG_ELEM_FIELD, field_of(f->t, field),
                                              type_of(f->t, field_type));
            zero(f, inner, field_type, budget, flags);
        }
        return;
    }
    if (n->kind == JG_TYPE_ARRAY) {
        CXType element = clang_getArrayElementType(canonical);
        uint32_t element_type = type_of(f->t, element);
        n = type_at(f->t, index);
        bool pointers = type_at(f->t, element_type)->kind == JG_TYPE_POINTER;
        if (!pointers || !n->array_count || n->array_count > *budget) {
            havoc_place(f, place);
            return;
        }
        for (uint32_t i = 0, count = n->array_count; i < count; i++)
            zero(f, place_elem(f, place, JG_ELEM_INDEX, i, element_type), element, budget, flags);
        return;
    }
    if (!*budget)
        return;
    --*budget;
    if (n->kind == JG_TYPE_POINTER)
        make_store(f, place, make_null(f, index), flags, f->loc);
    else if (n->kind == JG_TYPE_INT || n->kind == JG_TYPE_BOOL)
        make_store(f, place, make_const(f, 0, index), flags, f->loc);
    else
        havoc_place(f, place);
}

// ---- designators -------------------------------------------------------------------------------

struct designation {
    CXCursor parts[16]; // MemberRef or index
    uint32_t count;
    CXCursor value;
};

static bool read_designation(struct fn *f, CXCursor c, struct designation *d)
{
    d->count = 0;
    if (c.kind != CXCursor_UnexposedExpr || clang_getCursorType(c).kind != CXType_Void)
        return false;
    struct kids k = kids_of(f->t, c);
    if (k.count < 2)
        return false;
    for (uint32_t i = 0; i + 1 < k.count && d->count < 16; i++)
        d->parts[d->count++] = k.at[i];
    d->value = k.at[k.count - 1];
    return true;
}

static bool index_of(CXCursor c, uint32_t *index)
{
    int64_t n;
    if (!evaluate(c, &n) || n < 0 || n >= JG_NONE)
        return false;
    *index = (uint32_t)n;
    return true;
}

// `[a ... b]` shows two indices, as `[a][b]` does: it is a range where the element is no array.
static bool is_range(const struct designation *d, uint32_t part, CXType element)
{
    return part + 1 < d->count && d->parts[part + 1].kind != CXCursor_MemberRef &&
           !is_aggregate(element);
}

static uint32_t index_after(const struct designation *d, CXType element, uint32_t otherwise)
{
    uint32_t index;
    return index_of(d->parts[is_range(d, 0, element) ? 1 : 0], &index) ? index + 1 : otherwise;
}

static void store_designated(struct fn *f, uint32_t place, CXType type, const struct designation *d,
                             uint32_t part, uint16_t flags)
{
    CXType canonical = clang_getCanonicalType(type);
    if (part == d->count) {
        initialise(f, place, type, d->value, flags);
        return;
    }
    CXCursor c = d->parts[part];
    if (c.kind == CXCursor_MemberRef) {
        CXCursor field = clang_getCursorReferenced(c);
        if (field.kind != CXCursor_FieldDecl) {
            discard(f, d->value);
            return;
        }
        CXType inner = clang_getCursorType(field);
        uint32_t at =
            is_anonymous_level(field)
                ? place
                : place_elem(f, place, JG_ELEM_FIELD, field_of(f->t, field), type_of(f->t, inner));
        store_designated(f, at, inner, d, part + 1, flags);
        return;
    }
    CXType element = clang_getArrayElementType(canonical);
    uint32_t first = 0, last;
    bool known = index_of(c, &first);
    last = first;
    if (is_range(d, part, clang_getCanonicalType(element))) {
        known = known && index_of(d->parts[part + 1], &last);
        part++;
    }
    uint32_t element_type = type_of(f->t, element);
    if (!known || last < first || last - first > LARGE_ARRAY) {
        discard(f, d->value);
        havoc_place(f, place);
        return;
    }
    for (uint32_t i = first; i <= last; i++)
        store_designated(f, place_elem(f, place, JG_ELEM_INDEX, i, element_type), element, d,
                         part + 1, flags);
}

// ---- lists -------------------------------------------------------------------------------------

// One element from the list: a braced or whole value, or the beginning of a flat row.
static void element(struct fn *f, uint32_t place, CXType type, struct list *l, uint16_t flags)
{
    CXType canonical = clang_getCanonicalType(type);
    CXCursor c = l->at[l->next], inner = strip(f->t, c);
    bool whole = inner.kind == CXCursor_InitListExpr || inner.kind == CXCursor_StringLiteral ||
                 clang_equalTypes(
                     clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(inner))),
                     clang_getUnqualifiedType(canonical));
    if (is_aggregate(canonical) && !whole) {
        aggregate(f, place, type, l, flags);
        return;
    }
    l->next++;
    f->loc = loc_of(f->t, c);
    initialise(f, place, type, c, flags);
}

// A designator belongs to the innermost list with braces: it ends a row that has none.
static void record(struct fn *f, uint32_t place, CXType type, struct list *l, uint16_t flags,
                   bool braced)
{
    CXType canonical = clang_getCanonicalType(type);
    struct kids fields = record_fields(f->t, canonical);
    bool *given = jg_bump_alloc(&f->t->arena, fields.count + 1);
    uint32_t at = 0;
    struct designation d;
    uint32_t limit = is_union(canonical) && fields.count ? 1 : fields.count;
    while (l->next < l->count) {
        if (read_designation(f, l->at[l->next], &d)) {
            if (!braced)
                break;
            CXCursor field = clang_getNullCursor();
            if (d.parts[0].kind == CXCursor_MemberRef)
                field = clang_getCursorReferenced(d.parts[0]);
            for (uint32_t i = 0; i < fields.count; i++)
                if (fields.at[i].data[0] == field.data[0]) {
                    given[i] = true;
                    at = i + 1;
                }
            l->next++;
            store_designated(f, place, type, &d, 0, flags);
            continue;
        }
        if (at >= limit)
            break;
        given[at] = true;
        CXCursor field = fields.at[at++];
        CXType inner = clang_getCursorType(field);
        uint32_t to =
            is_anonymous_level(field)
                ? place
                : place_elem(f, place, JG_ELEM_FIELD, field_of(f->t, field), type_of(f->t, inner));
        element(f, to, inner, l, flags);
    }
    if (is_union(canonical))
        return;
    uint32_t budget = LARGE_RECORD;
    for (uint32_t i = 0; i < fields.count; i++) {
        if (given[i])
            continue;
        CXType inner = clang_getCursorType(fields.at[i]);
        uint32_t to = is_anonymous_level(fields.at[i])
                          ? place
                          : place_elem(f, place, JG_ELEM_FIELD, field_of(f->t, fields.at[i]),
                                       type_of(f->t, inner));
        zero(f, to, inner, &budget, flags);
    }
}

static void array(struct fn *f, uint32_t place, CXType type, struct list *l, uint16_t flags,
                  bool braced)
{
    CXType canonical = clang_getCanonicalType(type),
           element_type = clang_getArrayElementType(canonical);
    uint32_t index = type_of(f->t, element_type),
             count = type_at(f->t, type_of(f->t, type))->array_count;
    bool pointers = type_at(f->t, index)->kind == JG_TYPE_POINTER;
    bool large = count > LARGE_ARRAY || (!count && l->count > LARGE_ARRAY);
    uint32_t given = l->count - l->next, at = 0;
    struct designation d;
    bool designated = given && read_designation(f, l->at[l->next], &d);
    if (large || (braced && given < count && !pointers) || designated)
        havoc_place(f, place);
    while (l->next < l->count && (!count || at < count || designated)) {
        if (read_designation(f, l->at[l->next], &d)) {
            if (!braced)
                break;
            at = index_after(&d, clang_getCanonicalType(element_type), at);
            l->next++;
            store_designated(f, place, type, &d, 0, flags);
            continue;
        }
        if (at >= count && count)
            break;
        if (large && !pointers && !is_aggregate(clang_getCanonicalType(element_type))) {
            discard(f, l->at[l->next++]); // the place is unknown already
            at++;
            continue;
        }
        element(f, place_elem(f, place, JG_ELEM_INDEX, at++, index), element_type, l, flags);
    }
    uint32_t budget = LARGE_ARRAY;
    if (pointers && !large && !designated && braced)
        for (; at < count; at++)
            zero(f, place_elem(f, place, JG_ELEM_INDEX, at, index), element_type, &budget, flags);
}

// A row without braces of its own: takes what it needs from the list around it.
static void aggregate(struct fn *f, uint32_t place, CXType type, struct list *l, uint16_t flags)
{
    uint32_t before = l->next;
    if (clang_getCanonicalType(type).kind == CXType_Record)
        record(f, place, type, l, flags, false);
    else
        array(f, place, type, l, flags, false);
    if (l->next == before && l->next < l->count)
        l->next++; // an empty record takes nothing; do not stand still
}

static void braced_list(struct fn *f, uint32_t place, CXType type, CXCursor init, uint16_t flags)
{
    CXType canonical = clang_getCanonicalType(type);
    struct kids k = kids_of(f->t, init);
    struct list l = {k.at, k.count, 0};
    if (canonical.kind == CXType_Record) {
        record(f, place, type, &l, flags, true);
    } else if (is_aggregate(canonical)) {
        // `char s[] = {"text"}`
        if (k.count == 1 && strip(f->t, k.at[0]).kind == CXCursor_StringLiteral &&
            clang_getArrayElementType(canonical).kind != CXType_Pointer) {
            initialise(f, place, type, k.at[0], flags);
            return;
        }
        array(f, place, type, &l, flags, true);
    } else if (k.count) {
        initialise(f, place, type, k.at[0], flags);
    } else {
        uint32_t budget = 1;
        zero(f, place, type, &budget, flags);
    }
    for (; l.next < l.count; l.next++)
        lower_kids(f, l.at[l.next]); // excess elements
}

void initialise(struct fn *f, uint32_t place, CXType type, CXCursor init, uint16_t flags)
{
    CXCursor c = strip(f->t, init);
    uint32_t index = type_of(f->t, type);
    enum jg_type_kind kind = (enum jg_type_kind)type_at(f->t, index)->kind;
    if (c.kind == CXCursor_InitListExpr) {
        braced_list(f, place, type, c, flags);
        return;
    }
    uint32_t loc = f->loc;
    if (is_reference(f->t, index)) {
        uint32_t of = place_of(f, c);
        make_store(f, place, make_addr(f, of, index), flags, loc);
        return;
    }
    if ((kind == JG_TYPE_RECORD || kind == JG_TYPE_ARRAY) && is_place(f, c)) {
        uint32_t from = place_of(f, c);
        make_copy(f, place, from, flags, loc);
        return;
    }
    uint32_t temp = value(f, init);
    if (kind == JG_TYPE_ARRAY) { // a string literal
        make_copy(f, place, place_deref(f, temp, index), flags, loc);
        return;
    }
    make_store(f, place, convert(f, temp, index), flags, loc);
}
