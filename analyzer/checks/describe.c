// SPDX-License-Identifier: Apache-2.0
//
// Helpers of the check files; see describe.h.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *vformat(struct jg_bump *arena, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    char *s = jg_bump_alloc(arena, (size_t)(n < 0 ? 0 : n) + 1);
    vsnprintf(s, (size_t)(n < 0 ? 0 : n) + 1, fmt, again);
    va_end(again);
    return s;
}

static struct jg_position position(struct jg_describe *d, uint32_t loc)
{
    struct jg_position p = {.path = "", .line = 1, .column = 1};
    if (loc == JG_NONE)
        return p;
    const struct jg_loc *l = &d->unit->locs.data[loc];
    p.path = jg_bump_strdup(d->arena, jg_unit_str(d->unit, d->unit->files.data[l->file].path));
    p.line = l->line;
    p.column = l->column;
    p.end_line = l->end_line;
    p.end_column = l->end_column;
    return p;
}

static uint32_t loc_of(struct jg_describe *d, uint32_t insn)
{
    if (insn != JG_NONE)
        return d->unit->insns.data[insn].loc;
    const struct jg_function *f = &d->unit->functions.data[d->violation->function];
    return d->unit->blocks.data[f->first_block + d->violation->block].loc;
}

static void place_at(struct jg_describe *d, uint32_t loc, const char *message)
{
    d->finding->message = message;
    d->finding->at = position(d, loc);
    if (loc == JG_NONE || d->unit->locs.data[loc].expansion == JG_NONE)
        return;
    const struct jg_expansion *x = &d->unit->expansions.data[d->unit->locs.data[loc].expansion];
    struct jg_step *note = &d->finding->notes[d->finding->note_count++];
    note->at = (struct jg_position){
        .path = jg_bump_strdup(d->arena, jg_unit_str(d->unit, d->unit->files.data[x->file].path)),
        .line = x->line,
        .column = x->column};
    note->message =
        jg_bump_format(d->arena, "expanded from macro '%s'", jg_unit_str(d->unit, x->macro));
}

void jg_describe_at(struct jg_describe *d, uint32_t insn, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    place_at(d, loc_of(d, insn), vformat(d->arena, fmt, args));
    va_end(args);
}

void jg_describe_at_loc(struct jg_describe *d, uint32_t loc, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    place_at(d, loc, vformat(d->arena, fmt, args));
    va_end(args);
}

static void add_step(struct jg_describe *d, uint32_t loc, const char *message)
{
    struct jg_finding *f = d->finding;
    if (f->step_count < JG_MAX_STEPS)
        f->steps[f->step_count++] = (struct jg_step){.at = position(d, loc), .message = message};
}

void jg_describe_step(struct jg_describe *d, uint32_t insn, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const char *message = vformat(d->arena, fmt, args);
    va_end(args);
    add_step(d, loc_of(d, insn), message);
}

void jg_describe_step_loc(struct jg_describe *d, uint32_t loc, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const char *message = vformat(d->arena, fmt, args);
    va_end(args);
    add_step(d, loc, message);
}

void jg_describe_note(struct jg_describe *d, uint32_t loc, const char *fmt, ...)
{
    struct jg_finding *f = d->finding;
    if (f->note_count == JG_MAX_NOTES)
        return;
    va_list args;
    va_start(args, fmt);
    f->notes[f->note_count].message = vformat(d->arena, fmt, args);
    va_end(args);
    f->notes[f->note_count++].at = position(d, loc);
}

static void trace_step(struct jg_describe *d, const struct jg_trace *t)
{
    const struct jg_unit *u = d->unit;
    const struct jg_function *f = &u->functions.data[d->violation->function];
    if (t->kind != JG_TRACE_BRANCH && t->kind != JG_TRACE_SWITCH) {
        const char *outcome = t->kind == JG_TRACE_NULL    ? "fails"
                              : t->kind == JG_TRACE_FOUND ? "finds an exception"
                                                          : "finds no exception";
        add_step(d, u->insns.data[t->at].loc,
                 jg_bump_format(d->arena, "assuming %s %s", jg_called(d, t->at), outcome));
        return;
    }
    uint32_t loc = u->blocks.data[f->first_block + t->at].loc;
    if (t->kind == JG_TRACE_SWITCH) {
        add_step(d, loc, "taking this case of the switch");
        return;
    }
    const char *condition = jg_engine_condition(d->engine, d->violation->function, t->at, t->taken);
    add_step(d, loc,
             condition  ? jg_bump_format(d->arena, "assuming %s", condition)
             : t->taken ? "assuming the condition is false"
                        : "assuming the condition is true");
}

// Does the step bear on the object, or on the exception? Such steps are kept when there are too
// many.
static bool matters(struct jg_describe *d, const struct jg_trace *t)
{
    if (t->kind != JG_TRACE_BRANCH)
        return t->kind != JG_TRACE_SWITCH;
    const struct jg_violation *v = d->violation;
    const char *text = jg_engine_condition(d->engine, v->function, t->at, t->taken);
    return text && v->name && strstr(text, v->name);
}

// Branches written inside a macro, such as logging in the table of functions, tell nothing unless
// they concern the object.
static bool is_noise(struct jg_describe *d, const struct jg_trace *t)
{
    if (t->kind != JG_TRACE_BRANCH)
        return false;
    const struct jg_function *f = &d->unit->functions.data[d->violation->function];
    uint32_t loc = d->unit->blocks.data[f->first_block + t->at].loc;
    return loc != JG_NONE && d->unit->locs.data[loc].expansion != JG_NONE && !matters(d, t) &&
           !jg_engine_condition(d->engine, d->violation->function, t->at, t->taken);
}

// Was the step taken after the path had come as far as `point`?
static bool comes_after(const struct jg_trace *step, const struct jg_trace *point)
{
    for (const struct jg_trace *t = step->before; t; t = t->before)
        if (t == point)
            return true;
    return point == NULL;
}

// Blocks are numbered in reverse post-order: but for loops, a path visits them in rising order.
static bool lies_behind(const struct jg_describe *d, const struct jg_trace *step, uint32_t insn)
{
    bool branch = step->kind == JG_TRACE_BRANCH || step->kind == JG_TRACE_SWITCH;
    return branch ? step->at >= jg_engine_block_of(d->engine, insn) : step->at > insn;
}

// Where paths have met, the trace is that of one of them, perhaps not of the one that made the
// object.
static bool knows_beginning(const struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_trace *t = v->trace;
    while (t && t != v->since)
        t = t->before;
    return t || v->origin == JG_NONE;
}

#define MAX_NODES 64

// `text`: of the step at `insn`; NULL: none. `placed`: only its place in the code says when.
static void path(struct jg_describe *d, unsigned reserve, uint32_t insn, const char *text,
                 bool placed)
{
    const struct jg_trace *nodes[MAX_NODES];
    bool keep[MAX_NODES] = {false};
    unsigned count = 0;
    uint32_t last = JG_NONE;
    for (const struct jg_trace *t = d->violation->trace;
         t && t != d->violation->since && count < MAX_NODES; t = t->before) {
        bool again = t->at == last && t->kind == JG_TRACE_BRANCH; // another turn of the same loop
        bool said = t->kind != JG_TRACE_BRANCH && t->at == d->violation->origin &&
                    (t->kind == JG_TRACE_NULL || d->violation->kind == JG_KIND_EXCEPTION);
        if (again || said || is_noise(d, t))
            continue;
        last = t->at;
        nodes[count++] = t;
    }
    if (!placed && !knows_beginning(d))
        while (count > 0 && !lies_behind(d, nodes[count - 1], d->violation->origin))
            count--;
    reserve += text != NULL;
    unsigned room = JG_MAX_STEPS - d->finding->step_count;
    room = room > reserve ? room - reserve : 0;
    unsigned kept = 0;
    for (unsigned i = count; i-- > 0 && kept < room;) // what matters, from the origin on
        if (count <= room || matters(d, nodes[i]))
            keep[i] = true, kept++;
    for (unsigned i = 0; i < count && kept < room; i++) // then what is nearest to the end
        if (!keep[i])
            keep[i] = true, kept++;
    bool pending = text != NULL;
    for (unsigned i = count; i-- > 0;) {
        if (pending && (placed ? lies_behind(d, nodes[i], insn)
                               : comes_after(nodes[i], d->violation->ended))) {
            jg_describe_step(d, insn, "%s", text);
            pending = false;
        }
        if (keep[i])
            trace_step(d, nodes[i]);
    }
    if (pending)
        jg_describe_step(d, insn, "%s", text);
}

void jg_describe_path_with(struct jg_describe *d, unsigned reserve, const char *ended)
{
    path(d, reserve, d->violation->cause, ended, false);
}

void jg_describe_path_past(struct jg_describe *d, unsigned reserve, uint32_t insn, const char *text)
{
    path(d, reserve, insn, text, true);
}

void jg_describe_path(struct jg_describe *d, unsigned reserve)
{
    path(d, reserve, JG_NONE, NULL, false);
}

void jg_describe_exits(struct jg_describe *d, const char *message)
{
    for (unsigned i = 0; i < d->violation->exit_count; i++)
        jg_describe_note(d, d->violation->exits[i], "%s", message);
}

void jg_describe_owed(struct jg_describe *d, const char *what, const char *harm,
                      const char *release)
{
    const struct jg_violation *v = d->violation;
    bool loop = v->event == JG_EVENT_NEXT_TURN;
    bool ends = jg_engine_ends_elsewhere(d->engine, v->origin);
    jg_describe_at(d, v->origin, "%s is %s '%s'%s: call %s%s", what,
                   loop   ? "not released before the next iteration in"
                   : ends ? "not released on a path that leaves"
                          : "never released in",
                   d->function, harm, release,
                   loop   ? " before the iteration ends"
                   : ends ? " there too"
                          : "");
    uint16_t slot = jg_engine_acquirer(d->engine, v->origin);
    if (slot != UINT16_MAX && jg_is_helper_call(d, v->origin))
        jg_describe_step(d, v->origin, "acquired here, with %s", jg_jni_function(slot)->name);
    else
        jg_describe_step(d, v->origin, "acquired here");
    jg_describe_path(d, 1);
    if (loop)
        jg_describe_step(d, v->insn, "acquired again with the previous one still held");
    else
        jg_describe_step(d, JG_NONE, "'%s' returns here without releasing it", d->function);
    jg_describe_exits(d, "not released here either");
}

bool jg_describe_assumed(struct jg_describe *d, const char *text)
{
    const struct jg_violation *v = d->violation;
    for (const struct jg_trace *t = v->trace; t && t != v->since; t = t->before) {
        if (t->kind != JG_TRACE_BRANCH)
            continue;
        const char *condition = jg_engine_condition(d->engine, v->function, t->at, t->taken);
        if (condition && strstr(condition, text))
            return true;
    }
    return false;
}

static bool block_exits(const struct jg_unit *u, const struct jg_block *b, uint32_t until)
{
    for (uint32_t i = b->first_insn; i < b->first_insn + b->insn_count && i != until; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        const char *name = jg_insn_callee(u, in);
        if (name && jg_name_hints(name, JG_HINT_EXIT))
            return true;
    }
    return false;
}

bool jg_describe_may_exit(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_unit *u = d->unit;
    uint32_t first = u->functions.data[v->function].first_block;
    for (const struct jg_trace *t = v->trace; t && t != v->since; t = t->before) {
        if (t->kind != JG_TRACE_BRANCH)
            continue;
        uint32_t at = u->succs.data[u->blocks.data[first + t->at].first_succ + t->taken];
        for (unsigned steps = 0; steps < 8; steps++) { // and where control goes from there
            const struct jg_block *b = &u->blocks.data[first + at];
            if (block_exits(u, b, v->insn))
                return true;
            if (b->term != JG_TERM_JUMP || at == v->block)
                break;
            at = u->succs.data[b->first_succ];
        }
    }
    return false;
}

void jg_lower_confidence(struct jg_describe *d, enum jg_confidence most, const char *why)
{
    struct jg_finding *f = d->finding;
    bool known = most >= jg_rule_info(f->rule)->confidence; // bounds nothing
    for (unsigned i = 0; i < f->doubt_count; i++)
        known |= strcmp(f->doubts[i], why) == 0;
    if (!known && f->doubt_count < JG_MAX_DOUBTS)
        f->doubts[f->doubt_count++] = why;
    if (f->confidence > most)
        f->confidence = most;
}

// The first call behind the origin of a function without body and model.
static const char *unknown_callee(const struct jg_describe *d)
{
    uint32_t first, end, origin = d->violation->origin;
    jg_engine_insns(d->engine, &first, &end);
    for (uint32_t i = origin == JG_NONE ? first : origin + 1; i < end; i++) {
        const char *name =
            jg_engine_knows(d->engine, i) ? NULL : jg_insn_callee(d->unit, &d->unit->insns.data[i]);
        if (name)
            return name;
    }
    return NULL;
}

void jg_doubt_callee(struct jg_describe *d)
{
    const char *name = unknown_callee(d);
    const char *why = "a function is called on the way whose body is not known";
    if (name)
        why = jg_bump_format(d->arena, "%s: '%s', for one", why, name);
    jg_lower_confidence(d, JG_MEDIUM, why);
}

void jg_describe_become(struct jg_describe *d, enum jg_rule rule)
{
    const struct jg_rule_info *info = jg_rule_info(rule);
    d->finding->rule = rule;
    d->finding->severity = info->severity;
    if (d->finding->confidence > info->confidence)
        d->finding->confidence = info->confidence;
}

// A function of the project that is called here and gives back by the JNI function `release`.
static const char *find_twin(struct jg_describe *d, const char *release)
{
    uint32_t first, end;
    jg_engine_insns(d->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        uint16_t slot = jg_is_helper_call(d, i) ? jg_engine_releaser(d->engine, i) : UINT16_MAX;
        if (slot != UINT16_MAX && strcmp(jg_jni_function(slot)->name, release) == 0)
            return jg_called(d, i);
    }
    return NULL;
}

const char *jg_release_name(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    uint16_t slot = v->origin == JG_NONE ? UINT16_MAX : jg_engine_acquirer(d->engine, v->origin);
    const struct jg_jni_function *fn = slot == UINT16_MAX ? NULL : jg_jni_function(slot);
    if (fn && strncmp(fn->name, "Get", 3) == 0) {
        const char *name = jg_bump_format(d->arena, "Release%s", fn->name + 3);
        const char *twin = jg_is_helper_call(d, v->origin) ? find_twin(d, name) : NULL;
        return twin ? twin : name;
    }
    switch (v->kind) { // a function of the project has acquired it
    case JG_KIND_CHARS:
        return "ReleaseStringChars";
    case JG_KIND_UTF_CHARS:
        return "ReleaseStringUTFChars";
    case JG_KIND_CRITICAL:
        return "ReleasePrimitiveArrayCritical";
    case JG_KIND_STRING_CRITICAL:
        return "ReleaseStringCritical";
    case JG_KIND_ELEMENTS:
        return "the Release function for arrays of its type";
    default:
        return "its release";
    }
}

const char *jg_library_name(struct jg_describe *d, const char *name)
{
    static const char builtin[] = "__builtin_", checked[] = "_chk";
    if (strncmp(name, builtin, strlen(builtin)) == 0)
        name += strlen(builtin);
    name += strspn(name, "_");
    size_t n = strlen(name), end = strlen(checked);
    bool is_checked = n > end && strcmp(name + n - end, checked) == 0;
    return jg_bump_format(d->arena, "%.*s", (int)(is_checked ? n - end : n), name);
}

const char *jg_called(struct jg_describe *d, uint32_t insn)
{
    if (insn == JG_NONE)
        return "";
    const struct jg_insn *in = &d->unit->insns.data[insn];
    const struct jg_jni_function *fn = jg_insn_jni(in);
    const char *name = jg_insn_callee(d->unit, in);
    if (fn)
        return fn->name;
    if (!name) { // through a pointer
        uint32_t pointer = in->op != JG_OP_CALL         ? JG_NONE
                           : in->sub == JG_CALLEE_FIELD ? in->b
                           : in->sub == JG_CALLEE_TEMP  ? in->a
                                                        : JG_NONE;
        name = pointer == JG_NONE ? NULL : jg_engine_expression(d->engine, pointer);
        return name ? jg_bump_format(d->arena, "'%s'", name) : "";
    }
    return jg_bump_format(d->arena, "'%s'",
                          jg_models_shipped(name) ? jg_library_name(d, name) : name);
}

bool jg_is_helper_call(const struct jg_describe *d, uint32_t insn)
{
    const struct jg_insn *in = insn == JG_NONE ? NULL : &d->unit->insns.data[insn];
    return in && in->op == JG_OP_CALL && in->sub >= JG_CALLEE_SYMBOL;
}

static const struct jg_chain *note_chain(struct jg_describe *d, uint32_t insn,
                                         enum jg_chain_kind kind)
{
    const struct jg_chain *chain = insn == JG_NONE ? NULL : jg_engine_chain(d->engine, insn, kind);
    for (uint32_t i = 0; chain && i < chain->count; i++) {
        const struct jg_link *link = &chain->links[i];
        struct jg_finding *f = d->finding;
        if (f->note_count == JG_MAX_NOTES || !link->line)
            break;
        f->notes[f->note_count++] =
            (struct jg_step){.at = {.path = jg_bump_strdup(d->arena, link->path),
                                    .line = link->line,
                                    .column = link->column},
                             .message = jg_bump_format(d->arena, "'%s' calls %s here",
                                                       link->function, link->callee)};
    }
    return chain;
}

void jg_describe_throws(struct jg_describe *d, uint32_t insn)
{
    note_chain(d, insn, JG_CHAIN_THROWS);
}

const char *jg_called_through(struct jg_describe *d, uint32_t insn, enum jg_chain_kind kind)
{
    const struct jg_chain *chain = note_chain(d, insn, kind);
    const char *called = jg_called(d, insn);
    if (!chain)
        return called;
    return jg_bump_format(d->arena, "%s, which %s %s,", called,
                          chain->count > 1 ? "comes to call" : "calls",
                          chain->links[chain->count - 1].callee);
}

// What is returned, released or deleted, as written there; NULL for whatever else happens.
static const char *named_here(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_unit *u = d->unit;
    if (v->event == JG_EVENT_RETURN) {
        const struct jg_function *f = &u->functions.data[v->function];
        const struct jg_block *b = &u->blocks.data[f->first_block + v->block];
        return b->term == JG_TERM_RETURN ? jg_engine_expression(d->engine, b->cond) : NULL;
    }
    bool reference =
        v->kind == JG_KIND_LOCAL || v->kind == JG_KIND_GLOBAL || v->kind == JG_KIND_WEAK;
    const struct jg_insn *in = v->insn != JG_NONE ? &u->insns.data[v->insn] : NULL;
    if (!reference && in && (in->op == JG_OP_LOAD || in->op == JG_OP_STORE))
        return jg_engine_place(d->engine, in->a);
    const struct jg_jni_function *fn = in ? jg_insn_jni(in) : NULL;
    for (uint32_t i = 1; fn && i < fn->param_count && i < in->arg_count; i++) {
        unsigned role = fn->params[i].role;
        bool deletes = role >= JG_PARAM_DELETE_LOCAL && role <= JG_PARAM_DELETE_WEAK;
        if (reference ? deletes : role == JG_PARAM_RELEASE)
            return jg_engine_expression(d->engine, u->args.data[in->first_arg + i]);
    }
    return NULL;
}

const char *jg_alias(struct jg_describe *d)
{
    const char *name = d->violation->name, *here = name ? named_here(d) : NULL;
    bool other = here && strstr(here, name) == NULL && strchr(here, '(') == NULL;
    return other ? jg_bump_format(d->arena, " (here '%s')", here) : "";
}

const char *jg_subject(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *kind = jg_kind_title(v->kind), *made = jg_called(d, v->origin);
    if (v->name)
        return jg_bump_format(d->arena, "%s '%s'%s", kind, v->name,
                              v->parameter ? ", a parameter," : jg_alias(d));
    return *made ? jg_bump_format(d->arena, "the %s returned by %s", kind, made) : kind;
}

const char *jg_object_text(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *made = jg_called(d, v->origin);
    if (v->name)
        return jg_bump_format(d->arena, "'%s'", v->name);
    return *made ? jg_bump_format(d->arena, "the result of %s", jg_called(d, v->origin)) : "it";
}

const char *jg_whence(struct jg_describe *d)
{
    const char *origin = jg_called(d, d->violation->origin);
    if (!*origin)
        return "";
    return jg_bump_format(d->arena,
                          strncmp(origin, "Throw", 5) == 0       ? ", thrown by %s"
                          : strncmp(origin, "Exception", 9) == 0 ? ", as %s has just said"
                          : strncmp(origin, "Call", 4) == 0
                              ? ", thrown by the Java method that %s called"
                          : *origin == '\'' ? ", thrown in %s"
                                            : ", thrown by a failed %s",
                          origin);
}
