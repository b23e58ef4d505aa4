// SPDX-License-Identifier: Apache-2.0
//
// What JNI_OnLoad returns: the JNI version that the library needs, or JNI_ERR.
//
// Not seen here: values that are not constant on the path, such as the status of GetEnv.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <string.h>

static bool is_onload(const struct jg_moment *m)
{
    const char *name = jg_function_name(m->unit, &m->unit->functions.data[m->function]);
    return strncmp(name, "JNI_OnLoad", 10) == 0 && (name[10] == '\0' || name[10] == '_');
}

static bool is_version(int64_t value)
{
    static const int64_t known[] = {0x00010001, 0x00010002, 0x00010004, 0x00010006,
                                    0x00010008, 0x00090000, 0x000a0000, 0x00130000,
                                    0x00140000, 0x00150000, 0x00180000};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (value == known[i])
            return true;
    return false;
}

void jg_watch_onload_return(const struct jg_moment *m)
{
    int64_t value;
    if (!is_onload(m) || !jg_moment_constant(m, m->value, &value))
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_ONLOAD_BAD_VERSION);
    v.number = value;
    uint32_t origin;
    enum jg_state exception = jg_moment_exception(m, &origin);
    if (!is_version(value)) {
        if (value != -1) // JNI_ERR
            jg_moment_report(m, v, m->block);
    } else if (exception == JG_STATE_PENDING && origin != JG_NONE) {
        v.origin = origin;
        v.since = jg_moment_exception_since(m);
        jg_moment_report(m, v, origin);
    }
}

bool jg_describe_onload(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (v->origin != JG_NONE) {
        const char *origin = jg_called(d, v->origin);
        bool checked = strncmp(origin, "Exception", 9) == 0;
        jg_describe_at(d, JG_NONE,
                       "'%s' returns a version while an exception is pending%s; System.load "
                       "then throws that: return JNI_ERR to say so, or call ExceptionClear if the "
                       "library works without what failed",
                       d->function, jg_whence(d));
        jg_describe_path_past(d, 1, v->origin,
                              checked ? "exception found here"
                                      : jg_bump_format(d->arena, "%s threw here", origin));
        jg_describe_step(d, JG_NONE, "'%s' returns here as if all were well", d->function);
        return true;
    }
    // An error code of JNI has the library refused as intended, if with the wrong words.
    d->finding->severity = v->number < 0 ? JG_NOTE : JG_ERROR;
    const char *value =
        jg_bump_format(d->arena, v->number > 0xffff ? "0x%llx" : "%lld", (long long)v->number);
    jg_describe_at(d, JG_NONE,
                   "'%s' returns %s, which is no JNI version; System.load then refuses the "
                   "library with an UnsatisfiedLinkError about an unsupported version: return the "
                   "version that the library needs, such as JNI_VERSION_1_8, or JNI_ERR when it "
                   "cannot be used",
                   d->function, value);
    jg_describe_path(d, 1);
    jg_describe_step(d, JG_NONE, "returns %s", value);
    return true;
}
