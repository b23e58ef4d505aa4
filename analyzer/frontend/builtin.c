// SPDX-License-Identifier: Apache-2.0
//
// Builtins of the compiler that are not ordinary calls, and atomics.
//
// __sync_* are calls of a function to libclang; __atomic_* and the functions of <stdatomic.h> are
// an UnexposedExpr with the children pointer, memory order, value. A plain load or store of one is
// a LOAD or STORE; whatever else they do to memory, the place becomes unknown.

#include "analyzer/frontend/frontend_internal.h"

#include <string.h>

enum builtin builtin_of(const char *name)
{
    static const struct {
        const char *name;
        enum builtin what;
    } table[] = {
        {"__builtin_expect", BUILTIN_EXPECT},
        {"__builtin_expect_with_probability", BUILTIN_EXPECT},
        {"__builtin_assume_aligned", BUILTIN_EXPECT},
        {"__builtin_launder", BUILTIN_EXPECT},
        {"__builtin_unpredictable", BUILTIN_EXPECT},
        {"__builtin_unreachable", BUILTIN_UNREACHABLE},
        {"__builtin_trap", BUILTIN_UNREACHABLE},
        {"__builtin_constant_p", BUILTIN_CONSTANT_P},
        {"__builtin_object_size", BUILTIN_CONSTANT},
        {"__builtin_dynamic_object_size", BUILTIN_CONSTANT},
        {"__builtin_classify_type", BUILTIN_CONSTANT},
        {"__builtin_is_constant_evaluated", BUILTIN_CONSTANT_P},
        {"__builtin_va_start", BUILTIN_VA_START},
        {"__builtin_va_copy", BUILTIN_VA_START},
        {"__builtin_va_end", BUILTIN_VA_END},
        {"__builtin_prefetch", BUILTIN_VA_END},
        {"__builtin_assume", BUILTIN_VA_END},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i].name) == 0)
            return table[i].what;
    return strncmp(name, "__sync_", 7) == 0 ? BUILTIN_SYNC : BUILTIN_NONE;
}

static uint32_t pointee_of(struct fn *f, uint32_t pointer)
{
    uint32_t pointee = type_at(f->t, temp_type(f, pointer))->pointee;
    return pointee == JG_NONE ? f->t->type_void : pointee;
}

static void havoc_pointee(struct fn *f, uint32_t pointer)
{
    havoc_place(f, place_deref(f, pointer, pointee_of(f, pointer)));
}

static bool same_value_type(struct fn *f, uint32_t a, uint32_t b)
{
    const struct jg_type *x = type_at(f->t, a), *y = type_at(f->t, b);
    return x->kind == y->kind && x->size == y->size;
}

// Each operand may be what is there afterwards: it is stored, before nothing is known any more.
static void exchange(struct fn *f, const uint32_t *temps, uint32_t count)
{
    uint32_t pointee = pointee_of(f, temps[0]);
    for (uint32_t i = 1; i < count; i++)
        if (type_at(f->t, temp_type(f, temps[i]))->kind == JG_TYPE_POINTER &&
            same_value_type(f, temp_type(f, temps[i]), pointee))
            make_store(f, place_deref(f, temps[0], pointee), temps[i], 0, f->loc);
    havoc_pointee(f, temps[0]);
}

// The list itself: an array on some machines, whose decay strip() undoes.
static void havoc_list(struct fn *f, CXCursor list)
{
    CXCursor c = strip(f->t, list);
    if (is_place(f, c))
        havoc_place(f, place_of(f, c));
    else
        discard(f, c);
}

bool builtin_call(struct fn *f, CXCursor c, struct kids k, uint8_t which, uint32_t *result)
{
    uint32_t type = cursor_type(f->t, c);
    int64_t number;
    *result = JG_NONE;
    switch ((enum builtin)which) {
    case BUILTIN_EXPECT:
        if (k.count < 2)
            return false;
        *result = convert(f, value(f, k.at[1]), type);
        return true;
    case BUILTIN_UNREACHABLE:
        return false;        // a call that does not return
    case BUILTIN_CONSTANT_P: // of what is not constant it is 0, as without optimisation
        f->loc = loc_of(f->t, c);
        *result = make_const(f, evaluate(c, &number) ? number : 0, type);
        return true;
    case BUILTIN_CONSTANT:
        f->loc = loc_of(f->t, c);
        *result = evaluate(c, &number) ? make_const(f, number, type) : make_havoc(f, type, NULL);
        return true;
    case BUILTIN_VA_START:
        f->loc = loc_of(f->t, c);
        if (k.count >= 2)
            havoc_list(f, k.at[1]);
        return true;
    case BUILTIN_VA_END:
        return true;
    case BUILTIN_SYNC: {
        uint32_t temps[4], count = 0;
        for (uint32_t i = 1; i < k.count; i++) {
            uint32_t temp = value(f, k.at[i]);
            if (count < 4)
                temps[count++] = temp;
        }
        f->loc = loc_of(f->t, c);
        if (count && type_at(f->t, temp_type(f, temps[0]))->kind == JG_TYPE_POINTER)
            exchange(f, temps, count);
        if (type_at(f->t, type)->kind != JG_TYPE_VOID)
            *result = make_havoc(f, type, NULL);
        return true;
    }
    case BUILTIN_NONE:
        break;
    }
    return false;
}

// Pointer to a value, memory order, values. A call with an error has the same shape but for what is
// called, which comes first and is a function or no type at all.
static bool looks_atomic(struct fn *f, struct kids k)
{
    if (k.count < 2 || k.count > 6)
        return false;
    const struct jg_type *first = type_at(f->t, cursor_type(f->t, k.at[0]));
    if (first->kind != JG_TYPE_POINTER ||
        (first->pointee != JG_NONE && type_at(f->t, first->pointee)->kind == JG_TYPE_FUNCTION))
        return false;
    return type_at(f->t, cursor_type(f->t, k.at[1]))->kind == JG_TYPE_INT;
}

bool atomic(struct fn *f, CXCursor c, struct kids k, uint32_t *result)
{
    if (!looks_atomic(f, k))
        return false;
    uint32_t type = cursor_type(f->t, c);
    uint32_t temps[6];
    for (uint32_t i = 0; i < k.count; i++)
        temps[i] = value(f, k.at[i]);
    f->loc = loc_of(f->t, c);
    bool returns = type_at(f->t, type)->kind != JG_TYPE_VOID;
    uint32_t pointee = pointee_of(f, temps[0]);
    *result = JG_NONE;
    if (k.count == 2 && returns && same_value_type(f, type, pointee)) {
        *result = make_load(f, place_deref(f, temps[0], pointee), f->loc);
    } else if (k.count == 3 && !returns && same_value_type(f, temp_type(f, temps[2]), pointee)) {
        make_store(f, place_deref(f, temps[0], pointee), temps[2], 0, f->loc);
    } else {
        exchange(f, temps, k.count);
        // Some write through their other pointers as well.
        for (uint32_t i = 1; i < k.count; i++)
            if (type_at(f->t, temp_type(f, temps[i]))->kind == JG_TYPE_POINTER)
                havoc_pointee(f, temps[i]);
        if (returns)
            *result = make_havoc(f, type, NULL);
    }
    return true;
}
