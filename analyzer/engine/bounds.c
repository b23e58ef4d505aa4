// SPDX-License-Identifier: Apache-2.0
//
// Which accesses to array elements and regions cannot fail. In: the lengths that the function has
// asked for or given, each with its array, and what the path knows of the index. Out: whether the
// access lies inside.
//
// A length is that of the array for good, so the table is one for all paths. An array that a loop
// makes again keeps its name, and so its length; in doubt the access is taken to be right.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <string.h>

static void note(struct jg_engine *e, jg_value array, jg_value length)
{
    for (uint32_t i = 0; i < e->lengths.count; i++)
        if (e->lengths.data[i].array == array && e->lengths.data[i].length == length)
            return;
    *JG_VEC_PUSH(&e->lengths) = (struct jg_length){.array = array, .length = length};
}

void jg_note_length(struct jg_engine *e, const struct jg_insn *in, const jg_value *args,
                    jg_value result)
{
    const struct jg_jni_function *fn = jg_jni_function(in->a);
    int length = jg_jni_param(fn, JG_PARAM_LENGTH);
    if (in->a == JG_JNI_GetArrayLength || in->a == JG_JNI_GetStringLength)
        note(e, jg_value_root(&e->domain, args[1]), result);
    else if (strncmp(fn->name, "New", 3) == 0 && length > 0 && (uint32_t)length < in->arg_count)
        note(e, result, args[length]);
}

// Is a < b certain? `or_equal`: a <= b.
static bool is_less(struct jg_engine *e, const struct jg_path *s, jg_value a, jg_value b,
                    bool or_equal)
{
    struct jg_domain *d = &e->domain;
    if (a == JG_VALUE_UNKNOWN || b == JG_VALUE_UNKNOWN)
        return false;
    if (or_equal)
        return a == b || jg_path_truth(d, s, jg_value_expr(d, JG_BIN_LT, b, a)) == 0;
    return jg_path_truth(d, s, jg_value_expr(d, JG_BIN_LT, a, b)) == 1;
}

static bool region_fits(struct jg_engine *e, const struct jg_path *s, jg_value start,
                        jg_value count, jg_value length)
{
    struct jg_domain *d = &e->domain;
    jg_value end = jg_value_expr(d, JG_BIN_ADD, start, count);
    jg_value rest = jg_value_expr(d, JG_BIN_SUB, length, start);
    jg_value last = jg_value_expr(d, JG_BIN_SUB, length, count);
    return is_less(e, s, end, length, true) || is_less(e, s, count, rest, true) ||
           is_less(e, s, start, last, true);
}

bool jg_in_bounds(struct jg_engine *e, const struct jg_path *s, const struct jg_insn *in,
                  const jg_value *args)
{
    const struct jg_jni_function *fn = jg_jni_function(in->a);
    int start = jg_jni_param(fn, JG_PARAM_START), count = jg_jni_param(fn, JG_PARAM_LENGTH);
    if (in->arg_count < 3)
        return false;
    jg_value array = jg_value_root(&e->domain, args[1]);
    const struct jg_jni_function *maker = jg_maker(e, jg_value_info(&e->domain, array));
    if (maker && strncmp(maker->name, "New", 3) == 0)
        jg_engine_mark(e, jg_insn_index(e->unit, in), JG_MARK_OWN_ARRAY);
    for (uint32_t i = 0; i < e->lengths.count; i++) {
        struct jg_length known = e->lengths.data[i];
        if (known.array != array)
            continue;
        if (start >= 0 && count >= 0 ? region_fits(e, s, args[start], args[count], known.length)
                                     : is_less(e, s, args[2], known.length, false))
            return true;
    }
    // Nothing is read from or written to a region without elements.
    return count >= 0 && args[count] == JG_VALUE_ZERO;
}
