// SPDX-License-Identifier: Apache-2.0
//
// The characters of a Java string: they must not be written to, and those of GetStringChars and
// GetStringCritical end in no 0.
//
// Written: by a store, by a function of the C library, or by a JNI function that fills memory. Read
// as if terminated: by a function of the C library, a %s of printf without precision among them.
// Not seen: functions of the project, and loops that look for the 0 by themselves.

#include "analyzer/checks/describe.h"

#include <string.h>

// Does the value point into characters that are held?
static bool points_to_chars(const struct jg_moment *m, jg_value v, struct jg_seen *out)
{
    return jg_moment_object(m, v, out) && !(out->states & JG_STATE_RELEASED) &&
           jg_kind_is_chars(out->kind);
}

static void report(const struct jg_moment *m, enum jg_rule rule, jg_value pointer,
                   const struct jg_seen *o, const char *by, uint32_t primary)
{
    struct jg_violation v = jg_violation_of(rule);
    v.kind = o->kind;
    v.origin = o->origin;
    v.since = o->since;
    v.name = jg_moment_name(m, jg_moment_base(m, pointer, NULL));
    v.detail = by;
    jg_moment_report(m, v, primary);
}

// ---- written ------------------------------------------------------------------------------------

static void written(const struct jg_moment *m, jg_value pointer, const char *by)
{
    struct jg_seen o;
    if (points_to_chars(m, pointer, &o)) // one finding for all stores into one string
        report(m, JG_RULE_STRING_WRITE_TO_CONST, pointer, &o, by, o.origin);
}

void jg_watch_string_store(const struct jg_moment *m)
{
    written(m, m->pointer, NULL);
}

static void written_by_call(const struct jg_moment *m)
{
    const struct jg_model *model = jg_moment_model(m);
    const struct jg_jni_function *jni = jg_moment_jni(m);
    jg_value target;
    for (uint32_t i = 0; model && i < m->call->arg_count; i++)
        if (jg_model_param(model, i)->uses & JG_USE_OUT)
            written(m, m->args[i], jg_moment_callee(m));
    if (jni && jg_moment_argument(m, JG_PARAM_REGION_OUT, &target, NULL))
        written(m, target, jni->name);
}

bool jg_describe_string_write(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *acquire = jg_called(d, v->origin);
    const char *by = v->detail ? jg_bump_format(d->arena, " by %s", jg_called(d, v->insn)) : "";
    jg_describe_at(d, v->insn,
                   "%s from %s is written to%s in '%s'; the characters of a Java string must not "
                   "change, and these may be the string's own: copy them first and change the copy",
                   jg_object_text(d), acquire, by, d->function);
    jg_describe_step(d, v->origin, "characters acquired here");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "written%s here", by);
    jg_describe_exits(d, "written here too");
    return true;
}

// ---- read as a C string -------------------------------------------------------------------------

// The conversion that takes argument `wanted` (0: the first after the format) reads up to a 0: %s,
// %ls or %S without a precision. A `*` takes an argument of its own.
static bool reads_to_terminator(const char *format, uint32_t wanted)
{
    uint32_t argument = 0;
    for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
        if (*++at == '%') {
            at++;
            continue;
        }
        bool precision = false;
        for (; *at && strchr("-+ #0123456789.*'hlLqjzt", *at); at++) {
            precision |= *at == '.';
            argument += *at == '*';
        }
        if (argument == wanted)
            return (*at == 's' || *at == 'S') && !precision;
        argument++;
    }
    return false;
}

// Is argument `index` printed by a conversion that needs a terminator?
static bool is_printed_as_string(const struct jg_moment *m, const struct jg_model *model,
                                 uint32_t index)
{
    uint32_t format = 0;
    while (format < index && !(jg_model_param(model, format)->uses & JG_USE_STRING &&
                               jg_model_param(model, format + 1)->uses & JG_USE_PRINTED))
        format++;
    const char *text = format < index ? jg_moment_string(m, m->args[format]) : NULL;
    return text && reads_to_terminator(text, index - format - 1);
}

static void read_by_call(const struct jg_moment *m)
{
    const struct jg_model *model = jg_moment_model(m);
    struct jg_seen o;
    for (uint32_t i = 0; model && i < m->call->arg_count; i++) {
        unsigned uses = jg_model_param(model, i)->uses;
        bool terminated =
            uses & JG_USE_STRING || (uses & JG_USE_PRINTED && is_printed_as_string(m, model, i));
        if (terminated && points_to_chars(m, m->args[i], &o) && o.kind != JG_KIND_UTF_CHARS)
            report(m, JG_RULE_STRING_NOT_TERMINATED, m->args[i], &o, jg_moment_callee(m), m->insn);
    }
}

void jg_watch_string_call(const struct jg_moment *m)
{
    written_by_call(m);
    read_by_call(m);
}

bool jg_describe_not_terminated(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *acquire = jg_called(d, v->origin), *call = jg_called(d, v->insn);
    jg_describe_at(d, v->insn,
                   "%s from %s is passed in '%s' to %s, which reads up to a terminating 0; nothing "
                   "promises that these characters end in one: pass their number from "
                   "GetStringLength, or use GetStringUTFChars where a C string is needed",
                   jg_object_text(d), acquire, d->function, call);
    jg_describe_step(d, v->origin, "characters acquired here");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "%s looks for their end here", call);
    return true;
}
