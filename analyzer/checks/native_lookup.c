// SPDX-License-Identifier: Apache-2.0
//
// FindClass on a thread that native code has started: without a Java caller it asks the system
// class loader.
//
// Such a thread is one that this function attaches, or that a function runs on which runs nowhere
// else (contexts.h). Classes of the platform are found by any loader. Not seen here: names that are
// no literals.

#include "analyzer/checks/describe.h"
#include "analyzer/checks/threads.h"
#include "rules/jni.h"

#include <string.h>

// Of the platform: any class loader finds it.
static bool is_platform_class(const char *name)
{
    static const char *const begins[] = {"java/",    "javax/",   "jdk/",    "sun/",
                                         "com/sun/", "android/", "dalvik/", NULL};
    while (*name == '[')
        name++;
    if (name[0] && !name[1])
        return true; // an array of a primitive type
    name += *name == 'L' && strchr(name, ';') ? 1 : 0;
    for (const char *const *b = begins; *b; b++)
        if (strncmp(name, *b, strlen(*b)) == 0)
            return true;
    return false;
}

void jg_watch_native_lookup(const struct jg_moment *m)
{
    struct jg_recalled attached = {.insn = JG_NONE};
    if (!jg_moment_calls(m, JG_JNI_FindClass))
        return;
    const char *name = jg_moment_string(m, m->args[1]);
    if (!name || is_platform_class(name) ||
        (!jg_is_attached(m, &attached) && jg_moment_contexts(m) != JG_CONTEXT_THREAD))
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_CLASS_LOOKUP_ON_NATIVE_THREAD);
    v.detail = name;
    v.origin = attached.insn;
    jg_moment_report(m, v, m->insn);
}

bool jg_describe_native_lookup(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    jg_describe_at(d, v->insn,
                   "FindClass looks for \"%s\" in '%s' on a thread that native code has started; "
                   "without a Java caller it asks the system class loader, which does not see "
                   "classes of other loaders: look the class up in JNI_OnLoad and keep a global "
                   "reference",
                   v->detail, d->function);
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "attached here");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "looked up here");
    return true;
}
