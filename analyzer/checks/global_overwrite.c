// SPDX-License-Identifier: Apache-2.0
//
// A place is overwritten that holds a global reference.
//
// Seen at NewGlobalRef, or a helper that comes to it, when the place that its result is stored in
// is known to hold a reference on this path, one that was neither deleted nor saved; or when a
// native method that can be called again (it sets something) stores a reference to its argument
// without a look at the place. Not seen: a result that goes through a local variable first.

#include "analyzer/checks/describe.h"
#include "analyzer/checks/global_places.h"
#include "rules/jni.h"

#include <ctype.h>
#include <string.h>

// Does a name say that the function can be called again and again: "setListener", "native_set_cb"?
static bool is_setter(const char *name)
{
    static const char *const words[] = {"set", "update", "replace", "change", NULL};
    if (strncmp(name, "Java_", 5) == 0) { // the name of the method, without class and signature
        const char *signature = strstr(name, "__");
        const char *end = signature ? signature : name + strlen(name);
        while (end > name && (end[-1] != '_' || *end == '1')) // "_1" is an underscore in the name
            end--;
        name = end;
    }
    for (const char *p = name; *p; p++)
        for (const char *const *w = words; *w; w++) {
            size_t n = strlen(*w);
            bool begins = p == name || p[-1] == '_' || isupper((unsigned char)*p);
            bool ends = strlen(p) >= n && !islower((unsigned char)p[n]);
            if (begins && ends && tolower((unsigned char)*p) == **w &&
                strncmp(p + 1, *w + 1, n - 1) == 0)
                return true;
        }
    return false;
}

// Does the function call one of the project that gets env, and may empty the place?
static bool may_be_emptied(const struct jg_moment *m)
{
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &m->unit->insns.data[i];
        bool other = in->op == JG_OP_CALL && in->sub != JG_CALLEE_JNI && i != m->insn;
        for (uint32_t k = 0; other && k < in->arg_count; k++) {
            const struct jg_insn *arg =
                jg_engine_definition(m->engine, m->unit->args.data[in->first_arg + k]);
            if (arg && arg->type != JG_NONE && m->unit->types.data[arg->type].role == JG_ROLE_ENV)
                return true;
        }
    }
    return false;
}

// A native method that is given another object each time, and keeps it.
static bool keeps_argument(const struct jg_moment *m, uint32_t place, jg_value object)
{
    const struct jg_function *f = &m->unit->functions.data[m->function];
    uint32_t first, end, param = jg_moment_parameter(m, object);
    jg_function_insns(m->unit, f, &first, &end);
    return jg_moment_is_native(m) && param != JG_NONE && param > f->first_var + 1 &&
           is_setter(jg_function_name(m->unit, f)) &&
           jg_look_at(m->unit, place, true, first, end) == JG_LOOK_NONE && !may_be_emptied(m);
}

// Memory that was allocated in this function holds nothing of value yet.
static bool is_new_memory(const struct jg_moment *m, jg_region at)
{
    const struct jg_region_info root =
        *jg_region_info(jg_moment_domain(m), jg_region_info(jg_moment_domain(m), at)->root);
    return root.kind != JG_R_VAR &&
           !(root.kind == JG_R_DEREF && jg_moment_value(m, root.a)->kind == JG_V_INIT);
}

static bool is_lost(const struct jg_moment *m, uint32_t place, jg_region at, jg_value old)
{
    struct jg_seen seen;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    bool object = jg_moment_object(m, old, &seen);
    return object && (seen.kind == JG_KIND_GLOBAL || seen.kind == JG_KIND_WEAK) &&
           seen.states == JG_STATE_LIVE && !seen.escaped && !jg_moment_is_held(m, old, at) &&
           jg_look_at(m->unit, place, false, first, end) < JG_LOOK_GIVEN;
}

// Does the function store a global reference into the place where it is known not to be NULL? Not
// where it makes one when it is needed for the first time.
static bool is_stored_when_set(const struct jg_moment *m, jg_region at)
{
    const struct jg_unit *u = m->unit;
    const struct jg_block *b =
        &u->blocks.data[u->functions.data[m->function].first_block + m->block];
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end && b->term == JG_TERM_BRANCH && b->cond == m->call->dst; i++) {
        uint32_t place = jg_makes_global(&u->insns.data[i]) ? jg_place_of_result(m, i) : JG_NONE;
        uint32_t set = u->succs.data[b->first_succ + (m->call->sub == JG_BIN_EQ)];
        if (place != JG_NONE && jg_moment_target(m, place) == at &&
            jg_engine_reaches(m->engine, set, jg_engine_block_of(m->engine, i)))
            return true;
    }
    return false;
}

// A place is tested for NULL: the paths on which it holds a reference stay apart from the others,
// until it gets another one.
void jg_watch_place_tested(const struct jg_moment *m)
{
    jg_value place = m->args[0] == JG_VALUE_ZERO ? m->args[1] : m->args[0];
    const struct jg_value_info *v = jg_moment_value(m, place);
    if ((m->args[0] != JG_VALUE_ZERO && m->args[1] != JG_VALUE_ZERO) || v->kind != JG_V_INIT)
        return;
    jg_region at = v->a;
    if (jg_region_info(jg_moment_domain(m), at)->outlives && is_stored_when_set(m, at))
        jg_moment_remember(m, jg_key_of_region(at), m->insn, place);
}

// By a helper as well?
static bool makes_global(const struct jg_moment *m)
{
    enum jg_kind kind;
    return m->call && jg_engine_makes(m->engine, m->insn, &kind) &&
           (kind == JG_KIND_GLOBAL || kind == JG_KIND_WEAK);
}

// Is one of the objects that it is made of an argument of the native method?
static bool keeps_some_argument(const struct jg_moment *m, uint32_t place)
{
    for (uint32_t i = 0; i < m->call->arg_count; i++)
        if (keeps_argument(m, place, jg_moment_base(m, m->args[i], NULL)))
            return true;
    return false;
}

void jg_watch_overwritten(const struct jg_moment *m)
{
    if (!makes_global(m))
        return;
    uint32_t place = jg_place_of_result(m, m->insn);
    jg_region at = place == JG_NONE ? 0 : jg_moment_target(m, place);
    const struct jg_region_info *i = at ? jg_region_info(jg_moment_domain(m), at) : NULL;
    if (!i || !i->outlives || i->element || is_new_memory(m, at))
        return;
    jg_value old = jg_moment_holds(m, at);
    jg_moment_forget(m, jg_key_of_region(at));
    if (jg_moment_value(m, old)->kind != JG_V_INIT || jg_moment_value(m, old)->a != at)
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_GLOBAL_REF_OVERWRITE);
    v.all = jg_moment_truth(m, old) == 1;
    v.place = jg_moment_place_name(m, at);
    if (v.all ? !is_lost(m, place, at, old)
              : jg_moment_truth(m, old) == 0 || !keeps_some_argument(m, place))
        return;
    jg_engine_mark(m->engine, m->insn, JG_MARK_OVERWRITES);
    jg_moment_report(m, v, m->insn);
}

bool jg_describe_overwrite(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *made = jg_called(d, v->insn), *place = v->place ? v->place : "the place";
    enum jg_kind kind = JG_KIND_GLOBAL;
    jg_engine_makes(d->engine, v->insn, &kind);
    const char *undo = kind == JG_KIND_WEAK ? "DeleteWeakGlobalRef" : "DeleteGlobalRef";
    if (v->all)
        jg_describe_at(d, v->insn,
                       "the result of %s overwrites '%s' in '%s', which holds a global reference "
                       "on this path; nobody can delete that any more, and its object is never "
                       "collected: call %s on it first",
                       made, place, d->function, undo);
    else
        jg_describe_at(d, v->insn,
                       "the result of %s overwrites '%s' each time Java code calls '%s'; the "
                       "reference from the call before is lost, and its object is never "
                       "collected: call %s on it first",
                       made, place, d->function, undo);
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "overwritten here");
    return true;
}
