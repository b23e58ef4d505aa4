// SPDX-License-Identifier: Apache-2.0
//
// Exceptions: JNI calls made while one is, or may be, pending.
//
// Not seen here: exceptions thrown or checked by functions whose body is not known; after a call to
// one that gets env nothing is reported until the state is known again.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <string.h>

// Does a branch between the call and the violation ask about `name`? The path does not say so where
// the callee's outcome decides.
static bool is_asked(struct jg_describe *d, const char *name)
{
    const struct jg_violation *v = d->violation;
    for (uint32_t b = jg_engine_block_of(d->engine, v->origin); b < v->block; b++) {
        const char *condition = jg_engine_condition(d->engine, v->function, b, 0);
        if (condition && strstr(condition, name))
            return true;
    }
    return jg_describe_assumed(d, name);
}

// A function of the project that may throw is called, and nothing on the path looks at what it says
// about that.
static bool is_unchecked_helper(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (!jg_is_helper_call(d, v->origin) || jg_engine_always_throws(d->engine, v->origin))
        return false;
    const char *name = jg_called(d, v->origin);
    size_t n = strlen(name);
    if (v->name && is_asked(d, v->name))
        return false;
    return n < 3 || !is_asked(d, jg_bump_format(d->arena, "%.*s", (int)n - 2, name + 1));
}

static void describe_unchecked(struct jg_describe *d, bool helper)
{
    const struct jg_violation *v = d->violation;
    // Instructions stand in the order of execution, but for the way back to the head of a loop.
    const char *next = v->insn == v->origin
                           ? "the same call in the next iteration"
                           : jg_bump_format(d->arena, "the call of %s%s", jg_called(d, v->insn),
                                            v->insn < v->origin ? " in the next iteration" : "");
    jg_describe_at(d, v->origin,
                   "no exception check follows %s%s in '%s'; if %s threw, %s is illegal: test "
                   "with ExceptionCheck and return, or call ExceptionClear",
                   jg_called(d, v->origin), helper ? ", which may throw," : "", d->function,
                   helper ? "it" : "the Java method", next);
    jg_describe_step(d, v->origin, helper ? "may throw" : "Java method called here");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "%s called without a check in between", jg_called(d, v->insn));
    jg_describe_throws(d, v->origin);
}

bool jg_describe_pending_call(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *origin = jg_called(d, v->origin);
    bool thrown = strncmp(origin, "Throw", 5) == 0;
    bool checked = strncmp(origin, "Exception", 9) == 0;
    if (thrown && jg_engine_marks(d->engine, v->origin) & JG_MARK_THROW_SAID)
        return false; // the same missing return
    if (is_unchecked_helper(d)) {
        jg_describe_become(d, JG_RULE_EXCEPTION_UNCHECKED_CALL);
        jg_lower_confidence(d, JG_MEDIUM, "the helper may have looked whether it threw");
        describe_unchecked(d, true);
        return true;
    }
    const char *call = jg_called_through(d, v->insn, JG_CHAIN_PENDING);
    if (jg_is_helper_call(d, v->insn))
        jg_lower_confidence(d, JG_MEDIUM,
                            "on some path of the function called"); // on some path of it
    jg_describe_at(
        d, v->insn,
        "%s is called in '%s' while an exception is pending%s; only the exception functions and "
        "those that clean up are legal then: return, or call ExceptionClear first",
        call, d->function, jg_whence(d));
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin,
                         thrown    ? "exception thrown here"
                         : checked ? "exception found here"
                                   : "%s threw here",
                         origin);
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "%s called with the exception pending", jg_called(d, v->insn));
    jg_describe_throws(d, v->origin);
    return true;
}

bool jg_describe_unchecked_call(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    bool helper = jg_is_helper_call(d, v->origin);
    if (helper || jg_is_helper_call(d, v->insn))
        jg_lower_confidence(d, JG_MEDIUM, "it depends on what a helper does");
    if (v->event == JG_EVENT_USE) {
        jg_describe_at(
            d, v->origin,
            "%s may throw, and its result is used in '%s' without an exception check; the "
            "result of a call that threw is undefined: test with ExceptionCheck and "
            "return, or call ExceptionClear",
            jg_called(d, v->origin), d->function);
        jg_describe_step(d, v->origin, helper ? "may throw" : "Java method called here");
        jg_describe_path(d, 1);
        jg_describe_step(d, v->insn, "result used here");
        jg_describe_throws(d, v->origin);
        return true;
    }
    // HotSpot returns NULL from a call that threw; elsewhere the result proves nothing.
    if (v->name && jg_describe_assumed(d, jg_bump_format(d->arena, "'%s' is not NULL", v->name)))
        jg_lower_confidence(d, JG_MEDIUM,
                            "its result was tested, which tells of the exception on HotSpot");
    describe_unchecked(d, helper);
    return true;
}

// An allocation fails only when memory is short; a lookup fails on every typing error and version
// skew.
static bool is_allocation(const char *name)
{
    return strncmp(name, "New", 3) == 0 || strncmp(name, "Alloc", 5) == 0;
}

bool jg_describe_unchecked_null(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *made = jg_called(d, v->origin);
    const struct jg_jni_function *fn = jg_insn_jni(&d->unit->insns.data[v->origin]);
    if (!fn || is_allocation(made) || fn->null_class == JG_NULL_UNSPECIFIED || v->unknown_callee ||
        jg_is_helper_call(d, v->insn))
        jg_lower_confidence(d, JG_MEDIUM,
                            "it fails when memory is short, or depends on what a helper does");
    const char *object = v->name
                             ? jg_bump_format(d->arena, "'%s', the result of %s,", v->name, made)
                             : jg_bump_format(d->arena, "the result of %s", made);
    if (v->event == JG_EVENT_USE) {
        const char *callee = jg_called(d, v->insn);
        // Tested, but not where it is released: the rule about NULL has the path.
        if (strncmp(callee, "Release", strlen("Release")) == 0 &&
            jg_engine_marks(d->engine, v->origin) & JG_MARK_TESTED)
            return false;
        const char *how = *callee ? jg_bump_format(d->arena, "passed to %s", jg_called(d, v->insn))
                                  : "dereferenced";
        jg_describe_at(d, v->origin,
                       "%s is %s in '%s' without a test for NULL, which %s returns when memory is "
                       "short: test it and return",
                       object, how, d->function, made);
        jg_describe_step(d, v->origin, "may return NULL");
        jg_describe_path(d, 1);
        jg_describe_step(d, v->insn, "%s here", how);
        return true;
    }
    jg_describe_at(d, v->origin,
                   "%s is not tested for NULL in '%s' before %s is called; when it is NULL, an "
                   "exception is pending and the call is illegal: %s",
                   object, d->function, jg_called(d, v->insn),
                   v->name ? "test it and return" : "keep it in a variable, test that and return");
    jg_describe_step(d, v->origin, "%s may throw and return NULL", made);
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "%s called without a test in between", jg_called(d, v->insn));
    return true;
}

bool jg_describe_unchecked_access(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *access = jg_called(d, v->origin);
    if (jg_engine_marks(d->engine, v->origin) & JG_MARK_OWN_ARRAY) // as long as it needs to be
        jg_lower_confidence(d, JG_LOW, "the array was made as long as it needs to be");
    // An element that is NULL when the access threw, and that is tested.
    if (v->name && jg_describe_assumed(d, jg_bump_format(d->arena, "'%s' is not NULL", v->name)))
        jg_lower_confidence(d, JG_LOW, "the element was tested, and is NULL when the access threw");
    bool store = strcmp(access, "SetObjectArrayElement") == 0;
    const char *next = v->insn == v->origin
                           ? "the same call in the next iteration"
                           : jg_bump_format(d->arena, "the call of %s", jg_called(d, v->insn));
    jg_describe_at(d, v->origin,
                   "%s throws when the %s, and no exception check follows in '%s' before %s, which "
                   "is then illegal: test with ExceptionCheck, or compare with the length first",
                   access,
                   store                         ? "index or the element does not fit the array"
                   : strstr(access, "GetString") ? "range lies outside the string"
                   : strstr(access, "Region")    ? "range lies outside the array"
                                                 : "index lies outside the array",
                   d->function, next);
    jg_describe_step(d, v->origin, "may throw");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "%s called without a check in between", jg_called(d, v->insn));
    return true;
}
