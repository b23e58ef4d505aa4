// SPDX-License-Identifier: Apache-2.0
//
// References: leaks, escapes, deletions by the wrong function or twice, uses after deletion.
//
// Not seen here: deletions inside functions whose body is not known (such references count as
// lent), references kept in Java objects, places whose kind is stored inconsistently.

#include "analyzer/checks/describe.h"
#include "analyzer/checks/freed_holders.h"
#include "analyzer/checks/groups.h"

#include <string.h>

// Fewer turns than the 16 local references a native frame guarantees (JNI specification, chapter 4,
// Local References) cannot overflow it.
#define HARMLESS_TRIPS 16

// `x = NewGlobalRef(env, x)`: the variable names another reference from then on.
static bool is_overwritten(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    uint32_t first, end;
    jg_engine_insns(d->engine, &first, &end);
    for (uint32_t i = first; v->name && i < end; i++) {
        const struct jg_insn *in = &d->unit->insns.data[i];
        if (!jg_insn_calls(in, JG_JNI_NewGlobalRef) || in->arg_count < 2)
            continue;
        const char *made = jg_engine_expression(d->engine, in->dst);
        const char *from = jg_engine_expression(d->engine, d->unit->args.data[in->first_arg + 1]);
        if (made && from && strcmp(made, v->name) == 0 && strcmp(from, v->name) == 0)
            return true;
    }
    return false;
}

// Does the loop that makes the reference detach the thread in each turn, and so free it?
static bool detaches_in_loop(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    uint32_t first, end, loop = jg_engine_block_of(d->engine, v->origin);
    jg_engine_insns(d->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &d->unit->insns.data[i];
        uint32_t at = jg_engine_block_of(d->engine, i);
        if (in->op == JG_OP_CALL && in->sub == JG_CALLEE_INVOKE &&
            in->a == JG_INVOKE_DetachCurrentThread && jg_engine_reaches(d->engine, loop, at) &&
            jg_engine_reaches(d->engine, at, loop))
            return true;
    }
    return false;
}

// The reference is made in a function that is called in the loop, and stays there.
static bool describe_left_behind(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *called = jg_called(d, v->origin);
    const struct jg_chain *chain = jg_engine_chain(d->engine, v->origin, JG_CHAIN_LEAK);
    const struct jg_link *last = chain ? &chain->links[chain->count - 1] : NULL;
    const char *made = last ? last->callee : "a JNI function";
    const char *there = last ? jg_bump_format(d->arena, "'%s'", last->function) : called;
    if (chain && chain->leak_rule != JG_RULE_LOCAL_REF_LEAK_IN_HELPER)
        return false; // reported where it is made
    jg_called_through(d, v->origin, JG_CHAIN_LEAK);
    jg_lower_confidence(d, JG_MEDIUM, "it is the function called that leaves it behind");
    jg_describe_at(
        d, v->origin,
        "%s, called in a loop of '%s', leaves the local reference that %s makes behind; each "
        "iteration leaves one more alive, until %s: delete it in %s with DeleteLocalRef before "
        "it returns",
        called, d->function, made,
        v->framed ? "the local frame is popped" : "control returns to Java", there);
    jg_describe_step(d, v->origin, "%s leaves a local reference behind", called);
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "the next iteration begins with it still alive");
    return true;
}

bool jg_describe_leak_in_loop(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (jg_engine_trips(d->engine, v->function, v->origin) <= HARMLESS_TRIPS || detaches_in_loop(d))
        return false;
    jg_engine_mark(d->engine, v->origin, JG_MARK_LEAKS);
    if (v->number == JG_LEAK_OF_GROUP)
        return jg_describe_group(d);
    if (v->left_behind)
        return describe_left_behind(d);
    if (v->unknown_callee)
        jg_doubt_callee(d);
    // Where another path deletes or keeps it, "never" would be wrong.
    bool overwritten = is_overwritten(d);
    bool occurred = strcmp(jg_called(d, v->origin), "ExceptionOccurred") == 0;
    const char *what = overwritten ? "is lost when the result of NewGlobalRef overwrites it"
                       : jg_engine_ends_elsewhere(d->engine, v->origin)
                           ? "is not deleted on a path to the next iteration"
                           : "is never deleted";
    const char *fix =
        overwritten ? "keep it in a variable of its own and delete it after the call"
        : occurred  ? "delete it with DeleteLocalRef, or test with ExceptionCheck, which makes none"
        : v->name   ? "call DeleteLocalRef on it before the iteration ends"
                    : "keep it in a variable and call DeleteLocalRef on that before the iteration "
                      "ends";
    jg_describe_at(
        d, v->origin,
        "%s, made in a loop of '%s', %s; each iteration leaves one more alive, until %s: %s",
        jg_subject(d), d->function, what,
        v->framed ? "the local frame is popped"
        : jg_engine_is_native(d->engine, v->function)
            ? "control returns to Java"
            : "control returns to Java or the thread detaches",
        fix);
    jg_describe_step(d, v->origin, "made by %s", jg_called(d, v->origin));
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "the next iteration begins with it still alive");
    return true;
}

bool jg_describe_escape(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (v->insn != JG_NONE && jg_engine_marks(d->engine, v->insn) & JG_MARK_HANDED_OVER)
        return false; // local-ref-cross-thread
    if (!jg_engine_is_native(d->engine, v->function) || v->unknown_callee)
        jg_lower_confidence(d, JG_MEDIUM,
                            "it may not outlive the native method, or a function may take it over");
    // `static jclass cls; cls = FindClass(...)`: the place is the only name there is.
    bool same = v->origin != JG_NONE && v->name && v->place && strcmp(v->name, v->place) == 0;
    jg_describe_at(
        d, v->insn,
        "%s is kept in '%s', which outlives the call of '%s'; it is invalid once the native "
        "method returns: store %s instead, and delete that in the end",
        same ? jg_bump_format(d->arena, "the local reference returned by %s",
                              jg_called(d, v->origin))
             : jg_subject(d),
        v->place ? v->place : "a place", d->function,
        v->name && !same ? jg_bump_format(d->arena, "NewGlobalRef(env, %s)", v->name)
                         : "the result of NewGlobalRef");
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "local reference made by %s", jg_called(d, v->origin));
    jg_describe_step(d, v->insn, "stored here");
    jg_describe_path(d, 1);
    jg_describe_step(d, JG_NONE, "'%s' returns with it still there", d->function);
    return true;
}

bool jg_describe_wrong_kind(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *right = v->kind == JG_KIND_LOCAL    ? "DeleteLocalRef"
                        : v->kind == JG_KIND_GLOBAL ? "DeleteGlobalRef"
                                                    : "DeleteWeakGlobalRef";
    if (v->inferred)
        jg_lower_confidence(d, JG_MEDIUM, JG_DOUBT_KIND);
    jg_describe_at(
        d, v->insn,
        "%s is deleted in '%s' with %s, which does not free it and can corrupt the virtual "
        "machine's tables of references: use %s%s",
        jg_subject(d), d->function, jg_called(d, v->insn), right,
        v->parameter ? ", or delete the global reference that was meant" : "");
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "%s made by %s", jg_kind_title(v->kind),
                         jg_called(d, v->origin));
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "deleted as another kind here");
    return true;
}

// A function that uses its parameter as a reference, on some path.
static void doubt_use(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (v->event == JG_EVENT_USE && jg_is_helper_call(d, v->insn))
        jg_lower_confidence(d, JG_MEDIUM, "the function may use it on other paths only");
}

bool jg_describe_use_after_delete(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (jg_describe_borrowed(d))
        return true;
    if (v->inferred)
        jg_lower_confidence(d, JG_MEDIUM, JG_DOUBT_KIND);
    doubt_use(d);
    jg_describe_at(
        d, v->insn,
        "%s is passed to %s in '%s' after it was deleted; the handle may name another object by "
        "now: delete it after its last use",
        jg_subject(d), jg_called(d, v->insn), d->function);
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "made by %s", jg_called(d, v->origin));
    jg_describe_path_with(d, 1, "deleted here");
    jg_describe_step(d, v->insn, "used here");
    return true;
}

bool jg_describe_double_delete(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (jg_describe_borrowed(d))
        return true;
    if (v->inferred)
        jg_lower_confidence(d, JG_MEDIUM, JG_DOUBT_KIND);
    jg_describe_at(d, v->insn,
                   "%s is deleted a second time by %s in '%s'; by now the handle may name another "
                   "object, which is deleted in its place: delete it once, or set it to NULL after "
                   "the first time",
                   jg_subject(d), jg_called(d, v->insn), d->function);
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "made by %s", jg_called(d, v->origin));
    jg_describe_path_with(d, 1, "deleted here");
    jg_describe_step(d, v->insn, "deleted again here");
    return true;
}

bool jg_describe_use_after_frame(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *made = jg_called(d, v->origin);
    doubt_use(d);
    if (v->event == JG_EVENT_RETURN)
        jg_describe_at(d, v->insn,
                       "'%s' returns %s, which is invalid since PopLocalFrame: pass it to "
                       "PopLocalFrame and return what that returns",
                       d->function, jg_subject(d));
    else if (v->event == JG_EVENT_DELETE_LOCAL)
        jg_describe_at(d, v->insn,
                       "%s is deleted in '%s' after PopLocalFrame has freed it with its frame; by "
                       "now the handle may name another object, which is deleted in its place: "
                       "remove this DeleteLocalRef, or delete before the frame is popped",
                       jg_subject(d), d->function);
    else
        jg_describe_at(d, v->insn,
                       "%s is passed to %s in '%s' after the local frame that it was made in was "
                       "popped; the handle is invalid from then on: keep what "
                       "PopLocalFrame(env, %s) returns, or pop the frame later",
                       jg_subject(d), jg_called(d, v->insn), d->function,
                       v->name ? v->name : "ref");
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "made by %s inside the frame", made);
    jg_describe_path_with(d, 1, "the frame is popped here, and its references with it");
    jg_describe_step(d, v->insn, v->event == JG_EVENT_RETURN ? "returned here" : "used here");
    return true;
}

bool jg_describe_return_deleted(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (jg_describe_borrowed(d))
        return true;
    if (v->inferred)
        jg_lower_confidence(d, JG_MEDIUM, JG_DOUBT_KIND);
    jg_describe_at(
        d, v->insn,
        "'%s' returns %s after deleting it; the caller gets a handle that names nothing, "
        "or another object: %s",
        d->function, jg_subject(d),
        v->kind == JG_KIND_LOCAL ? "do not delete what is returned"
                                 : "return what NewLocalRef made of it before the deletion");
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "made by %s", jg_called(d, v->origin));
    jg_describe_path_with(d, 1, "deleted here");
    jg_describe_step(d, v->insn, "returned here");
    return true;
}

// How the last handle goes: overwritten, with the turn of a loop, or with the function.
static void describe_lost(struct jg_describe *d, bool loop)
{
    const struct jg_violation *v = d->violation;
    const char *subject = jg_subject(d);
    const char *kept = v->kind == JG_KIND_WEAK
                           ? "its entry in the table of weak references is never freed"
                           : "its object can never be collected";
    const char *release = v->kind == JG_KIND_WEAK ? "DeleteWeakGlobalRef" : "DeleteGlobalRef";
    if (v->cause != JG_NONE)
        jg_describe_at(d, v->origin,
                       "%s is overwritten in '%s' while nothing else holds it, so %s: call %s "
                       "on it before the variable gets another value",
                       subject, d->function, kept, release);
    else if (loop)
        jg_describe_at(d, v->origin,
                       "%s, made in a loop of '%s', is lost when the next one is made, so %s: call "
                       "%s before the next iteration",
                       subject, d->function, kept, release);
    else
        jg_describe_at(
            d, v->origin,
            "%s is lost %s '%s' returns; nothing holds it any more and nothing deletes "
            "it, so %s: call %s %s",
            subject, jg_engine_ends_elsewhere(d->engine, v->origin) ? "on a path on which" : "when",
            d->function, kept, release,
            jg_engine_ends_elsewhere(d->engine, v->origin) ? "there too" : "first");
}

bool jg_describe_global_leak(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    bool loop = v->event == JG_EVENT_NEXT_TURN;
    if (v->event == JG_EVENT_FREE)
        return jg_describe_freed_holder(d);
    if (v->unknown_callee)
        jg_doubt_callee(d);
    describe_lost(d, loop);
    jg_describe_step(d, v->origin, "made by %s", jg_called(d, v->origin));
    if (v->cause != JG_NONE)
        jg_describe_path_with(d, 1, "overwritten here, and lost");
    else
        jg_describe_path(d, 1);
    if (loop)
        jg_describe_step(d, v->insn, "made again with the previous one lost");
    else
        jg_describe_step(d, JG_NONE, "'%s' returns here without having deleted it", d->function);
    jg_describe_exits(d, "not deleted here either");
    return true;
}
