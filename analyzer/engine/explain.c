// SPDX-License-Identifier: Apache-2.0
//
// Summaries in words; see explain.h.

#include "analyzer/engine/explain.h"

#include "analyzer/engine/analysis.h"
#include "analyzer/engine/engine.h"
#include "analyzer/engine/unite.h"
#include "rules/jni.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct explanation {
    struct jg_analysis *a;
    const struct jg_unit *u; // of the function explained; NULL: a model
    const struct jg_function *f;
    void (*show)(const void *context, const char *path, FILE *out);
    const void *context;
    FILE *out;
};

// ---- parts --------------------------------------------------------------------------------------

static void put_param(const struct explanation *x, uint32_t param)
{
    const char *name = x->f && param < x->f->param_count
                           ? jg_unit_str(x->u, x->u->vars.data[x->f->first_var + param].name)
                           : "";
    if (*name)
        fprintf(x->out, "'%s'", name);
    else
        fprintf(x->out, "parameter %u", param);
}

static const char *field_name(const struct explanation *x, uint32_t id)
{
    const struct jg_program *p = x->a->program;
    for (uint32_t u = 0; u < jg_program_unit_count(p); u++) {
        const struct jg_unit *unit = jg_program_unit(p, u);
        for (uint32_t i = 0; i < unit->fields.count; i++)
            if (jg_program_field(p, u, i) == id)
                return jg_unit_str(unit, unit->fields.data[i].name);
    }
    return "?";
}

static void put_access(const struct explanation *x, const struct jg_access *at)
{
    bool star = at->count && at->steps[at->count - 1] == JG_NONE;
    fputs(star ? "*" : "", x->out);
    if (at->param == JG_PARAM_RESULT)
        fputs("result", x->out);
    else
        put_param(x, at->param);
    for (uint32_t i = 0; i < at->count; i++)
        if (at->steps[i] != JG_NONE)
            fprintf(x->out, "%s%s", i && at->steps[i - 1] == JG_NONE ? "->" : ".",
                    field_name(x, at->steps[i]));
}

static void put_range(const struct explanation *x, bool nonzero, int64_t low, int64_t high)
{
    if (low == high)
        fprintf(x->out, "is %" PRId64, low);
    else if (low == INT64_MIN && high == INT64_MAX)
        fputs(nonzero ? "is not 0 or NULL" : "is anything", x->out);
    else if (high == INT64_MAX)
        fprintf(x->out, "is at least %" PRId64, low);
    else if (low == INT64_MIN)
        fprintf(x->out, "is at most %" PRId64, high);
    else
        fprintf(x->out, "is from %" PRId64 " to %" PRId64 "%s", low, high,
                nonzero ? ", but not 0" : "");
}

static void put_chain(const struct explanation *x, const char *title, const struct jg_chain *chain)
{
    if (!chain->count)
        return;
    fprintf(x->out, "  %s:\n", title);
    for (uint32_t i = 0; i < chain->count; i++) {
        const struct jg_link *link = &chain->links[i];
        fprintf(x->out, "    '%s' calls %s", link->function, link->callee);
        if (link->line) {
            fputs(" at ", x->out);
            x->show(x->context, link->path, x->out);
            fprintf(x->out, ":%u:%u", link->line, link->column);
        }
        fputc('\n', x->out);
    }
}

// ---- a case -------------------------------------------------------------------------------------

static void put_conditions(const struct explanation *x, const struct jg_summary_case *c)
{
    static const char *const entries[] = {[JG_ENTRY_PENDING] = "an exception is pending",
                                          [JG_ENTRY_CLEAN] = "no exception is pending"};
    const char *before = "when ";
    if (c->entry != JG_ENTRY_ANY) {
        fprintf(x->out, "%s%s", before, entries[c->entry]);
        before = " and ";
    }
    for (uint32_t i = 0; i < c->condition_count; i++) {
        const struct jg_condition *k = &c->conditions[i];
        fputs(before, x->out);
        put_access(x, &k->at);
        fputc(' ', x->out);
        put_range(x, k->nonzero, k->low, k->high);
        before = " and ";
    }
    fputs(*before == 'w' ? "always possible" : "", x->out);
}

static void put_mode(const struct explanation *x, const struct jg_deed *d)
{
    static const char *const modes[] = {"", " with JNI_COMMIT", " with JNI_ABORT"};
    if (d->mode <= JG_MODE_ABORT)
        fputs(modes[d->mode], x->out);
    if (d->mode != JG_MODE_PARAM)
        return;
    fputs(" with the mode ", x->out);
    put_param(x, d->mode_param);
}

static void put_deed(const struct explanation *x, const struct jg_deed *d)
{
    bool releases = d->event == JG_EVENT_RELEASE || d->event == JG_EVENT_COMMIT;
    fputs("     ", x->out);
    put_access(x, &d->at);
    fprintf(x->out, " is %s", jg_event_title((enum jg_event)d->event));
    if (releases && d->slot != JG_ANY_SLOT)
        fprintf(x->out, " by %s", jg_jni_function(d->slot)->name);
    put_mode(x, d);
    if (d->owner != JG_NONE) {
        fputs(", with ", x->out);
        put_param(x, d->owner);
    }
    fputc('\n', x->out);
}

static void put_made(const struct explanation *x, const struct jg_made *m)
{
    const char *what = m->kind == JG_KIND_PAIR ? jg_models_pair(jg_models_current(), m->pair)->what
                                               : jg_kind_title((enum jg_kind)m->kind);
    fprintf(x->out, "     a new %s ", what);
    if (m->result)
        fputs(m->stored ? "is the result, and it " : "is the result", x->out);
    if (m->stored) {
        fputs("is stored in ", x->out);
        put_access(x, &m->at);
    }
    if (m->shared)
        fputs(", and kept elsewhere", x->out);
    if (m->owner != JG_NONE) {
        fputs(", of ", x->out);
        put_param(x, m->owner);
    }
    fputc('\n', x->out);
}

static void put_monitor(const struct explanation *x, const struct jg_monitor *m)
{
    fputs("     the monitor of ", x->out);
    if (m->at_known)
        put_access(x, &m->at);
    else if (m->variable)
        fprintf(x->out, "'%s'", m->variable);
    else
        fputs("an object that the caller does not know", x->out);
    fputs(m->exits ? " is exited\n" : " is entered\n", x->out);
}

static void put_case(const struct explanation *x, const struct jg_summary_case *c, uint32_t number)
{
    static const char *const exits[] = {
        [JG_EXIT_SAME] = "an exception is pending if one was before",
        [JG_EXIT_CLEAN] = "no exception is pending",
        [JG_EXIT_PENDING] = "an exception is pending, thrown here",
        [JG_EXIT_AFTER_CALL] = "a Java method may have thrown, nobody has looked",
        [JG_EXIT_UNKNOWN] = "whether an exception is pending is not known",
    };
    static const char *const threads[] = {
        [JG_THREAD_FOUND] = "was attached before",
        [JG_THREAD_ATTACHED] = "is attached, and stays so",
        [JG_THREAD_DETACHED] = "is detached",
        [JG_THREAD_UNKNOWN] = "may be detached, now or by somebody else later",
    };
    static const char *const kinds[] = {[JG_BORROWED_SOME] = "",
                                        [JG_BORROWED_GLOBAL] = "global ",
                                        [JG_BORROWED_WEAK] = "weak global "};
    fprintf(x->out, "  %u. ", number);
    put_conditions(x, c);
    bool same = c->exit == JG_EXIT_SAME;
    fprintf(x->out, "\n     afterwards %s\n",
            same && c->entry == JG_ENTRY_CLEAN     ? exits[JG_EXIT_CLEAN]
            : same && c->entry == JG_ENTRY_PENDING ? "it still is"
                                                   : exits[c->exit]);
    if (c->alias != JG_NONE) {
        fputs("     the result is ", x->out);
        put_param(x, c->alias);
        fputc('\n', x->out);
    } else if (c->nonzero || c->low != INT64_MIN || c->high != INT64_MAX) {
        fputs("     the result ", x->out);
        put_range(x, c->nonzero, c->low, c->high);
        fputc('\n', x->out);
    }
    for (uint32_t i = 0; i < c->deed_count; i++)
        put_deed(x, &c->deeds[i]);
    for (uint32_t i = 0; i < c->made_count; i++)
        put_made(x, &c->made[i]);
    for (uint32_t i = 0; i < c->monitor_count; i++)
        put_monitor(x, &c->monitors[i]);
    for (uint32_t i = 0; i < c->out_count; i++) {
        fputs("     ", x->out);
        put_access(x, &c->outs[i].at);
        fputc(' ', x->out);
        put_range(x, c->outs[i].nonzero, c->outs[i].low, c->outs[i].high);
        fputc('\n', x->out);
    }
    if (c->frames_unknown)
        fputs("     how many local frames there are is not known\n", x->out);
    if (c->pops)
        fprintf(x->out, "     %u local frame%s of the caller popped\n", c->pops,
                c->pops == 1 ? " is" : "s are");
    if (c->pushes)
        fprintf(x->out, "     %u local frame%s pushed and still there\n", c->pushes,
                c->pushes == 1 ? " is" : "s are");
    if (c->env)
        fputs("     the result is the JNIEnv of the thread\n", x->out);
    if (c->borrowed)
        fprintf(x->out, "     the result is a %sreference that stays the function's\n",
                kinds[c->borrowed]);
    if (c->thread)
        fprintf(x->out, "     the thread %s\n", threads[c->thread]);
    if (c->leaks)
        fputs("     a local reference is left behind\n", x->out);
    for (uint32_t i = 0; x->f && i < x->f->param_count && i < JG_MAX_EFFECT_PARAMS; i++)
        if (c->lost >> i & 1) {
            fputs("     more may happen to what comes from ", x->out);
            put_param(x, i);
            fputc('\n', x->out);
        }
}

static void put_summary(const struct explanation *x, const struct jg_summary *s)
{
    if (!s)
        fputs("  makes no JNI call\n", x->out);
    else if (!s->exact)
        fputs("  has too many cases, or code that is not understood: nothing is concluded from a "
              "call but by its effects\n",
              x->out);
    for (uint32_t i = 0; s && i < s->case_count; i++)
        put_case(x, &s->cases[i], i + 1);
    if (!s)
        return;
    put_chain(x, "must not be called with an exception pending", &s->pending_call);
    put_chain(x, "must not be called in a critical region", &s->critical_call);
    put_chain(x, "leaves a local reference behind", &s->leak);
    put_chain(x, "may leave an exception pending", &s->throws);
}

static void put_effects(const struct explanation *x, const struct jg_effects *e)
{
    const struct {
        const char *verb;
        uint32_t params;
    } rows[] = {
        {"released or deleted", e->released}, {"kept", e->kept}, {"written to", e->written}};
    if (e->what & JG_EFFECT_NEVER_RETURNS)
        fputs("  never returns\n", x->out);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (uint32_t i = 0; i < x->f->param_count && i < JG_MAX_EFFECT_PARAMS; i++)
            if (rows[r].params >> i & 1) {
                fputs("  effects: what comes from ", x->out);
                put_param(x, i);
                fprintf(x->out, " may be %s\n", rows[r].verb);
            }
}

// ---- functions ----------------------------------------------------------------------------------

static void ignore(void *context, const struct jg_violation *violation)
{
    (void)context;
    (void)violation;
}

// Marks what a function calls, directly or not.
static bool *below(const struct jg_program *p, uint32_t id)
{
    uint32_t count = jg_program_function_count(p), depth = 0;
    bool *seen = jg_calloc(count + 1, sizeof *seen);
    uint32_t *stack = jg_calloc(count + 1, sizeof *stack);
    seen[id] = true;
    stack[depth++] = id;
    while (depth) {
        uint32_t calls;
        const uint32_t *ids = jg_program_calls(p, stack[--depth], &calls);
        for (uint32_t i = 0; i < calls; i++) {
            uint32_t to = jg_program_representative(p, ids[i]);
            if (!seen[to])
                stack[depth++] = to;
            seen[to] = true;
        }
    }
    free(stack);
    return seen;
}

static void explore(const struct explanation *x, uint32_t id)
{
    const struct jg_program *p = x->a->program;
    struct jg_engine *engine = jg_engine_new(x->a);
    bool *wanted = below(p, id);
    for (uint32_t c = 0; c < jg_program_component_count(p); c++) {
        uint32_t count;
        const uint32_t *ids = jg_program_component(p, c, &count);
        for (int round = jg_program_is_recursive(p, c) ? 0 : 1; round < 2; round++)
            for (uint32_t i = 0; i < count; i++) {
                struct jg_function_ref f = jg_program_function(p, ids[i]);
                if (wanted[ids[i]])
                    jg_engine_explore(engine, f.unit_index, f.index, ignore, NULL);
            }
    }
    free(wanted);
    jg_engine_free(engine);
}

static void explain_defined(struct explanation *x, uint32_t id)
{
    struct jg_function_ref ref = jg_program_function(x->a->program, id);
    x->u = ref.unit;
    x->f = &ref.unit->functions.data[ref.index];
    fprintf(x->out, "'%s', from its body", jg_function_name(x->u, x->f));
    if (x->f->loc != JG_NONE) {
        const struct jg_loc *loc = &x->u->locs.data[x->f->loc];
        fputs(" at ", x->out);
        x->show(x->context, jg_unit_str(x->u, x->u->files.data[loc->file].path), x->out);
        fprintf(x->out, ":%u:%u", loc->line, loc->column);
    }
    fputs(":\n", x->out);
    explore(x, id);
    if (jg_program_is_native(x->a->program, id))
        fputs("  is a native method: nothing is concluded from a call by other native code\n",
              x->out);
    else
        put_summary(x, x->a->summaries[id]);
    put_effects(x, &x->a->effects[id]);
}

// What a call does that may go to any of the functions, which have been explained.
static void explain_together(struct explanation *x, const uint32_t *ids, uint32_t count,
                             const struct jg_summary *s)
{
    struct jg_function_ref ref = jg_program_function(x->a->program, ids[0]);
    x->u = ref.unit;
    x->f = &ref.unit->functions.data[ref.index];
    for (uint32_t i = 0; i < count; i++) {
        const char *name = jg_program_function_name(x->a->program, ids[i]);
        if (i == 0 || strcmp(name, jg_program_function_name(x->a->program, ids[i - 1])) != 0)
            fprintf(x->out, "%s'%s'", i == 0 ? "" : i + 1 < count ? ", " : " or ", name);
    }
    fprintf(x->out, ", whichever of the %u is called:\n", count);
    put_summary(x, s);
}

// Calls of functions that all have the name.
static void explain_sets(struct explanation *x, const char *name)
{
    const uint32_t *ids;
    uint32_t count;
    for (uint32_t set = 0; (ids = jg_call_set(x->a, set, &count)); set++) {
        bool named = count > 1;
        for (uint32_t i = 0; i < count; i++)
            named &= strcmp(jg_program_function_name(x->a->program, ids[i]), name) == 0;
        if (named)
            explain_together(x, ids, count, jg_call_set_summary(x->a, set));
    }
}

static const struct jg_model *find_model(const struct jg_program *p, const char *name)
{
    for (uint32_t u = 0; u < jg_program_unit_count(p); u++) {
        const struct jg_unit *unit = jg_program_unit(p, u);
        for (uint32_t i = 0; i < unit->insns.count; i++) {
            const struct jg_insn *in = &unit->insns.data[i];
            bool calls = in->op == JG_OP_CALL && in->sub == JG_CALLEE_SYMBOL &&
                         strcmp(jg_unit_str(unit, unit->symbols.data[in->a].name), name) == 0;
            const struct jg_model *m = calls ? jg_program_model(p, u, i) : NULL;
            if (m)
                return m;
        }
    }
    return NULL;
}

unsigned jg_explain_function(const struct jg_program *p, const char *name,
                             void (*show)(const void *context, const char *path, FILE *out),
                             const void *context, FILE *out)
{
    unsigned found = 0;
    struct explanation x = {.a = jg_analysis_new(p), .show = show, .context = context, .out = out};
    jg_find_all_effects(x.a);
    for (uint32_t id = 0; id < jg_program_function_count(p); id++)
        if (jg_program_representative(p, id) == id &&
            strcmp(jg_program_function_name(p, id), name) == 0) {
            explain_defined(&x, id);
            found++;
        }
    explain_sets(&x, name);
    const struct jg_model *m = found ? NULL : find_model(p, name);
    if (m) {
        char *text = jg_model_describe(m);
        fprintf(out, "'%s', from the model at %s:%u: %s\n", name, m->file, m->line, text);
        free(text);
        const struct jg_summary *s = NULL;
        for (unsigned status = 0; status < JG_STATUS_COUNT && !s; status++)
            s = jg_model_summary(x.a, m, (enum jg_status_kind)status);
        if (s)
            put_summary(&x, s);
        found = 1;
    }
    jg_analysis_free(x.a);
    return found;
}

// ---- the functions that lines call --------------------------------------------------------------

static bool lies_on(const struct jg_unit *u, uint32_t loc, const struct jg_code_line *line)
{
    if (loc == JG_NONE || u->locs.data[loc].line != line->line)
        return false;
    const struct jg_file *file = &u->files.data[u->locs.data[loc].file];
    return strcmp(jg_unit_str(u, file->path), line->path) == 0;
}

static unsigned explain_call(struct explanation *x, uint32_t unit, uint32_t insn, bool *told)
{
    const struct jg_program *p = x->a->program;
    uint32_t count, found = 0;
    bool complete;
    const uint32_t *ids = jg_program_callees(p, unit, insn, &count, &complete);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t id = jg_program_representative(p, ids[k]);
        if (told[id])
            continue;
        told[id] = true;
        explain_defined(x, id);
        found++;
    }
    uint32_t set = jg_call_set_at(x->a, unit, insn);
    ids = set == JG_NONE ? NULL : jg_call_set(x->a, set, &count);
    if (found && ids && count > 1)
        explain_together(x, ids, count, jg_call_set_summary(x->a, set));
    return found;
}

static unsigned explain_line(struct explanation *x, const struct jg_code_line *line, bool *told)
{
    const struct jg_program *p = x->a->program;
    unsigned found = 0;
    for (uint32_t u = 0; u < jg_program_unit_count(p); u++) {
        const struct jg_unit *unit = jg_program_unit(p, u);
        for (uint32_t i = 0; i < unit->insns.count; i++) {
            const struct jg_insn *in = &unit->insns.data[i];
            if (in->op == JG_OP_CALL && lies_on(unit, in->loc, line))
                found += explain_call(x, u, i, told);
        }
    }
    return found;
}

unsigned jg_explain_calls(const struct jg_program *p, const struct jg_code_line *lines,
                          uint32_t count,
                          void (*show)(const void *context, const char *path, FILE *out),
                          const void *context, FILE *out)
{
    unsigned found = 0;
    bool *told = jg_calloc(jg_program_function_count(p) + 1, sizeof *told);
    struct explanation x = {.a = jg_analysis_new(p), .show = show, .context = context, .out = out};
    jg_find_all_effects(x.a);
    for (uint32_t i = 0; i < count; i++)
        found += explain_line(&x, &lines[i], told);
    jg_analysis_free(x.a);
    free(told);
    return found;
}
