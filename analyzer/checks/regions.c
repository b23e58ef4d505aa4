// SPDX-License-Identifier: Apache-2.0
//
// Region functions with bounds that cannot be right: negative, beyond the length of an array that
// was made here, or more than the native memory has room for. The virtual machine compares the
// bounds with the array or string and throws; it cannot see how long the native buffer is.
//
// Not seen: bounds that are wrong only for some arguments. Region functions check those.

#include "analyzer/checks/describe.h"
#include "analyzer/checks/sizes.h"

#include <string.h>

// jg_violation.detail
static const char negative_start[] = "start", negative_length[] = "length", too_far[] = "array",
                  longer[] = "longer", no_room[] = "room";

static void report(const struct jg_moment *m, const char *detail, int64_t number, jg_value buffer)
{
    struct jg_violation v = jg_violation_of(JG_RULE_REGION_BOUNDS);
    v.detail = detail;
    v.number = number;
    v.name = jg_moment_name(m, m->args[1]);
    v.other = jg_buffer_name(m, buffer);
    v.origin = jg_moment_made(m, m->args[1]);
    jg_moment_report(m, v, m->insn);
}

void jg_watch_region(const struct jg_moment *m)
{
    jg_value start, length, buffer;
    bool out = jg_moment_argument(m, JG_PARAM_REGION_OUT, &buffer, NULL);
    if ((!out && !jg_moment_argument(m, JG_PARAM_REGION_IN, &buffer, NULL)) ||
        !jg_moment_argument(m, JG_PARAM_START, &start, NULL) ||
        !jg_moment_argument(m, JG_PARAM_LENGTH, &length, NULL))
        return;
    int64_t first, first_most, count, count_most, c;
    jg_moment_range(m, start, &first, &first_most);
    jg_moment_range(m, length, &count, &count_most);
    int64_t most = jg_length_at_most(m, m->insn);
    struct jg_size room = jg_size_behind(m, buffer);
    uint32_t size = jg_element_size(m, m->insn);
    if (first_most < 0)
        report(m, negative_start, first_most, buffer);
    else if (count_most < 0)
        report(m, negative_length, count_most, buffer);
    else if (first >= 0 && count >= 0 && first <= INT32_MAX && count <= INT32_MAX &&
             first + count > most)
        report(m, too_far, most, buffer);
    else if (first >= 0 && first <= INT32_MAX && jg_is_length_of(m, length, m->insn, &c) &&
             first + c > 0)
        report(m, longer, first + c, buffer);
    else if (room.known && room.times == 0 && size && count > room.plus / size &&
             count <= INT32_MAX)
        report(m, no_room, room.plus / size, buffer);
}

static bool is_derived(const bool *derived, uint32_t temp)
{
    return temp != JG_NONE && derived[temp];
}

// The index is compared, or given to somebody who may compare it.
static bool is_looked_at(const struct jg_describe *d, uint32_t var)
{
    const struct jg_unit *u = d->unit;
    const struct jg_function *f = &u->functions.data[d->violation->function];
    bool *derived = jg_bump_alloc(d->arena, (f->temp_count + 1) * sizeof *derived);
    memset(derived, 0, (f->temp_count + 1) * sizeof *derived);
    uint32_t first, end;
    jg_engine_insns(d->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        bool reads =
            (in->op == JG_OP_BIN || in->op == JG_OP_CAST || in->op == JG_OP_UN) &&
            (is_derived(derived, in->a) || (in->op == JG_OP_BIN && is_derived(derived, in->b)));
        if (reads && in->op == JG_OP_BIN && in->sub >= JG_BIN_EQ)
            return true;
        if (in->op == JG_OP_STORE && is_derived(derived, in->b))
            return true;
        for (uint32_t k = 0; in->op == JG_OP_CALL && k < in->arg_count; k++)
            if (is_derived(derived, u->args.data[in->first_arg + k]))
                return true;
        if (in->dst != JG_NONE && in->op != JG_OP_LOAD)
            derived[in->dst] = reads;
        else if (in->dst != JG_NONE)
            derived[in->dst] =
                u->places.data[in->a].base_kind == JG_BASE_VAR && u->places.data[in->a].base == var;
    }
    return false;
}

static bool describe_unchecked_index(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (is_looked_at(d, (uint32_t)v->number))
        return false;
    d->finding->severity = JG_NOTE;
    jg_lower_confidence(d, JG_LOW, "Java code may keep the index in range");
    const char *array = v->other ? jg_bump_format(d->arena, "'%s'", v->other) : "the array";
    jg_describe_at(
        d, v->insn,
        "'%s' comes from Java and indexes the elements of %s in '%s' without a test; only "
        "Java code can keep it in range: compare it with 0 and with GetArrayLength",
        v->name ? v->name : "an index", array, d->function);
    jg_describe_step(d, v->origin, "acquired here");
    jg_describe_step(d, v->insn, "indexed here");
    return true;
}

bool jg_describe_region(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (!v->detail)
        return describe_unchecked_index(d);
    const char *called = jg_called(d, v->insn);
    bool string = strncmp(called, "GetString", 9) == 0;
    const char *object = v->name  ? jg_bump_format(d->arena, "'%s'", v->name)
                         : string ? "the string"
                                  : "the array";
    const char *thrown =
        string ? "StringIndexOutOfBoundsException" : "ArrayIndexOutOfBoundsException";
    const char *buffer = v->other ? jg_bump_format(d->arena, "'%s'", v->other) : "the buffer";
    if (v->detail == negative_start || v->detail == negative_length)
        jg_describe_at(d, v->insn,
                       "%s is given the negative %s %lld in '%s'; it throws %s and copies nothing: "
                       "pass 0 or more",
                       called, v->detail == negative_start ? "start index" : "length",
                       (long long)v->number, d->function, thrown);
    else if (v->detail == too_far)
        jg_describe_at(d, v->insn,
                       "%s in '%s' goes past the end of %s, which has at most %lld elements here; "
                       "it throws %s and copies nothing: pass a start and a length that fit",
                       called, d->function, object, (long long)v->number, thrown);
    else if (v->detail == longer)
        jg_describe_at(d, v->insn,
                       "%s in '%s' goes %lld past the end of %s; it throws %s and copies nothing: "
                       "let the start "
                       "and the length add up to at most %s",
                       called, d->function, (long long)v->number, object, thrown,
                       string ? "GetStringLength" : "GetArrayLength");
    else
        jg_describe_at(d, v->insn,
                       "%s in '%s' copies more elements than the %lld that %s has room for; it "
                       "cannot know that, and memory behind %s is %s: pass a number of elements, "
                       "not of bytes, of at most %lld",
                       called, d->function, (long long)v->number, buffer, buffer,
                       *called == 'G' ? "overwritten" : "read", (long long)v->number);
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "called here");
    return true;
}
