// SPDX-License-Identifier: Apache-2.0
//
// Buffers for the characters of a string that are sized by the wrong length: UTF-16 units where
// bytes of modified UTF-8 are stored (up to three for a unit), no room for the terminator that
// GetStringUTFRegion and strcpy write, or a fixed size and no look at the length at all.
//
// Not seen: variable-length arrays, sizes computed elsewhere, sprintf.

#include "analyzer/checks/describe.h"
#include "analyzer/checks/sizes.h"

#include <string.h>

// jg_violation.detail
static const char by_units[] = "units", no_terminator[] = "terminator", fixed[] = "fixed",
                  bounded[] = "bounded", too_small[] = "halves";

static void report(const struct jg_moment *m, const char *detail, jg_value buffer, int64_t number,
                   bool inferred)
{
    uint32_t made = jg_moment_made(m, jg_moment_base(m, buffer, NULL));
    struct jg_violation v = jg_violation_of(JG_RULE_STRING_LENGTH_MISMATCH);
    v.detail = detail;
    v.name = jg_buffer_name(m, buffer);
    v.origin = made;
    v.number = number;
    v.inferred = inferred;
    jg_moment_report(m, v, made != JG_NONE ? made : m->insn);
}

static bool is_utf_length(const struct jg_moment *m, const struct jg_size *s)
{
    return jg_size_is_from(m, s, JG_JNI_GetStringUTFLength) ||
           jg_size_is_from(m, s, JG_JNI_GetStringUTFLengthAsLong);
}

// A buffer for modified UTF-8 with its terminator, of `room` bytes, sized by some length.
static bool check_computed(const struct jg_moment *m, const struct jg_size *room, jg_value buffer)
{
    if (jg_size_is_from(m, room, JG_JNI_GetStringLength) && room->times < 3)
        report(m, by_units, buffer, room->times, false);
    else if (is_utf_length(m, room) && room->times == 1 && room->plus < 1)
        report(m, no_terminator, buffer, 0, false);
    return room->times != 0;
}

struct known {
    const struct jg_moment *m;
    int64_t most;
    bool any; // the length of any string will do
};

// The least upper bound of a length in bytes that the path knows.
static void known_bytes(void *context, jg_value v, int64_t low, int64_t high)
{
    struct known *k = context;
    uint32_t made = jg_moment_made(k->m, v);
    (void)low;
    if (made == JG_NONE || high >= k->most)
        return;
    const struct jg_insn *in = &k->m->unit->insns.data[made];
    const char *name = jg_insn_callee(k->m->unit, in);
    const struct jg_model *model = name ? jg_engine_model(k->m->engine, made) : NULL;
    if (name ? (model && model->length_of >= 0) || strcmp(name, "strnlen") == 0
             : jg_insn_calls(in, JG_JNI_GetStringUTFLength) ||
                   jg_insn_calls(in, JG_JNI_GetStringUTFLengthAsLong) ||
                   (k->any && jg_insn_calls(in, JG_JNI_GetStringLength)))
        k->most = high;
}

static int64_t bytes_at_most(const struct jg_moment *m, bool any)
{
    struct known k = {.m = m, .most = INT64_MAX, .any = any};
    jg_moment_facts(m, known_bytes, &k);
    return k.most;
}

static void check_utf_region(const struct jg_moment *m)
{
    jg_value buffer = m->args[4];
    int64_t low, high;
    struct jg_size room = jg_size_behind(m, buffer);
    if (!room.known || check_computed(m, &room, buffer) || bytes_at_most(m, false) < room.plus)
        return;
    jg_moment_range(m, m->args[3], &low, &high);
    if (low > room.plus)
        return; // region-bounds
    struct jg_size length = jg_size_of(m, m->unit->args.data[m->call->first_arg + 3]);
    bool from_string =
        jg_size_is_from(m, &length, JG_JNI_GetStringLength) || is_utf_length(m, &length);
    if (high > INT32_MAX / 3)
        report(m, fixed, buffer, room.plus, !from_string);
    else if (high + 1 > room.plus && low == high)
        report(m, no_terminator, buffer, room.plus, false);
    else if (3 * high + 1 > room.plus && low != high &&
             jg_size_is_from(m, &length, JG_JNI_GetStringLength))
        report(m, bounded, buffer, room.plus, false);
}

static void check_region(const struct jg_moment *m)
{
    jg_value buffer = m->args[4];
    int64_t low, high;
    struct jg_size room = jg_size_behind(m, buffer);
    if (!room.known)
        return;
    jg_moment_range(m, m->args[3], &low, &high);
    if (room.times) {
        bool length = jg_size_is_from(m, &room, JG_JNI_GetStringLength);
        if (length && room.times < 2)
            report(m, too_small, buffer, 0, false);
        return;
    }
    struct jg_size length = jg_size_of(m, m->unit->args.data[m->call->first_arg + 3]);
    if (low <= room.plus / 2 && high > INT32_MAX / 2)
        report(m, fixed, buffer, room.plus / 2,
               !jg_size_is_from(m, &length, JG_JNI_GetStringLength));
    else if (low != high && high > room.plus / 2 && low <= room.plus / 2 &&
             jg_size_is_from(m, &length, JG_JNI_GetStringLength))
        report(m, bounded, buffer, room.plus / 2, false);
}

static void check_copy(const struct jg_moment *m)
{
    struct jg_seen chars;
    jg_value offset;
    jg_moment_base(m, m->args[1], &offset);
    if (!jg_moment_object(m, m->args[1], &chars) || chars.kind != JG_KIND_UTF_CHARS)
        return;
    struct jg_size room = jg_size_behind(m, m->args[0]);
    if (!room.known || (offset == JG_VALUE_ZERO && check_computed(m, &room, m->args[0])))
        return;
    if (room.times == 0 && bytes_at_most(m, true) == INT64_MAX)
        report(m, fixed, m->args[0], room.plus, chars.lent);
}

void jg_watch_string_copy(const struct jg_moment *m)
{
    const struct jg_model *model = jg_moment_model(m);
    if (jg_moment_calls(m, JG_JNI_GetStringUTFRegion))
        check_utf_region(m);
    else if (jg_moment_calls(m, JG_JNI_GetStringRegion))
        check_region(m);
    else if (model && m->call->arg_count == 2 &&
             (strcmp(model->name, "strcpy") == 0 || strcmp(model->name, "strcat") == 0))
        check_copy(m);
}

// buffer[length] = 0 in a buffer that has `length` elements.
void jg_watch_terminator(const struct jg_moment *m)
{
    const struct jg_unit *u = m->unit;
    uint32_t type = u->places.data[m->place].type;
    jg_value index, base, by;
    jg_value buffer = jg_moment_base(m, m->pointer, &index);
    if (m->value != JG_VALUE_ZERO || type == JG_NONE || jg_moment_made(m, buffer) == JG_NONE ||
        index == JG_VALUE_UNKNOWN || !jg_value_split(jg_moment_domain(m), index, &base, &by))
        return;
    struct jg_size room = jg_size_behind(m, buffer);
    int64_t size = u->types.data[type].size, more;
    if (!room.known || room.times != size || !jg_moment_constant(m, by, &more) ||
        room.call == JG_NONE || room.call != jg_moment_made(m, base) ||
        !(is_utf_length(m, &room) || jg_size_is_from(m, &room, JG_JNI_GetStringLength)))
        return;
    if ((more + 1) * size > room.plus)
        report(m, no_terminator, buffer, 0, false);
}

bool jg_describe_string_size(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *called = jg_called(d, v->insn);
    const struct jg_insn *in = &d->unit->insns.data[v->insn];
    bool wide = strcmp(called, "GetStringRegion") == 0;
    if (in->op == JG_OP_CALL && in->sub == JG_CALLEE_SYMBOL)
        called = jg_called(d, v->insn);
    const char *buffer = v->name ? jg_bump_format(d->arena, "'%s'", v->name) : "the buffer";
    uint32_t at = v->origin != JG_NONE ? v->origin : v->insn;
    if (v->inferred)
        jg_lower_confidence(d, JG_MEDIUM, "the size was inferred from another call");
    if (v->detail == by_units)
        jg_describe_at(
            d, at,
            "%s is sized in '%s' by GetStringLength, which counts UTF-16 units, but %s stores "
            "modified UTF-8 with up to three bytes for each and a terminator: use "
            "GetStringUTFLength + 1",
            buffer, d->function, called);
    else if (v->detail == too_small)
        jg_describe_at(
            d, at,
            "%s has one byte for each character in '%s', but %s stores jchar values of two "
            "bytes: multiply the length by sizeof(jchar)",
            buffer, d->function, called);
    else if (v->detail == no_terminator)
        jg_describe_at(
            d, at,
            "%s has no room for the terminator that %s in '%s'; the length of a string does "
            "not count it: make the buffer one larger",
            buffer,
            in->op == JG_OP_STORE ? "is stored" : jg_bump_format(d->arena, "%s writes", called),
            d->function);
    else if (v->detail == fixed)
        jg_describe_at(d, at,
                       "%s in '%s' copies a string of any length into %s, which has room for %lld "
                       "%s: compare %s with that first",
                       called, d->function, buffer, (long long)v->number,
                       wide ? "characters" : "bytes, the terminator included",
                       wide ? "GetStringLength" : "GetStringUTFLength");
    else
        jg_describe_at(
            d, at,
            "the length that '%s' lets pass is too large for %s, which has room for %lld "
            "%s%s",
            d->function, buffer, (long long)v->number,
            wide ? "characters" : "bytes, the terminator included",
            wide ? ": compare GetStringLength with that"
                 : "; GetStringLength counts UTF-16 units: compare GetStringUTFLength with that");
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "allocated here");
    else
        jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "filled here");
    return true;
}
