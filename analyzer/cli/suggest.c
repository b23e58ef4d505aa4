// SPDX-License-Identifier: Apache-2.0
//
// `jniguard models --suggest`: a file of models to start from. In: the units of a project. Out:
// YAML with every function that is called, gets a JNIEnv, a JavaVM or a reference, and of which
// neither a body nor a model is known, the most called first. What it says of them stands in
// comments: as it is the file loads, and says nothing.

#include "analyzer/cli/run.h"
#include "analyzer/cli/unit_cache.h"
#include "analyzer/engine/model.h"
#include "analyzer/models/models.h"
#include "analyzer/project/cores.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct call {
    const char *usr; // what the linker knows the function as
    const char *name, *path;
    uint32_t line;
    bool is_c;
    char *skeleton; // comment lines
};

struct suggestion {
    struct jg_bump arena;
    struct JG_VEC(struct call) calls;
    struct JG_VEC(const char *) bodies; // USRs of functions that are defined
    struct JG_VEC(const char *) files;  // whose calls count
    const struct jg_report *report;     // shows paths
};

// ---- one function as YAML -----------------------------------------------------------------------

static void put_type(FILE *out, const struct jg_unit *u, uint32_t type)
{
    const char *name = type == JG_NONE ? "void" : jg_unit_str(u, u->types.data[type].name);
    for (; *name;
         name++) // a record without name is called after its file: nothing ends the comment
        fputc(iscntrl((unsigned char)*name) ? '?' : *name, out);
}

static void put_signature(FILE *out, const struct jg_unit *u, const struct jg_symbol *s)
{
    fputs("  #   ", out);
    put_type(out, u, s->return_type);
    fprintf(out, " %s(", jg_unit_str(u, s->name));
    for (uint32_t i = 0; i < s->param_count; i++) {
        fputs(i ? ", " : "", out);
        put_type(out, u, u->param_types.data[s->first_param + i]);
    }
    fputs(s->flags & JG_SYM_VARIADIC ? ", ...)\n" : ")\n", out);
}

// What could be said of a parameter; NULL: nothing that is worth it.
static const char *guess_param(const struct jg_unit *u, uint32_t type)
{
    const struct jg_type *t = &u->types.data[type];
    if (jg_role_is_ref((enum jg_type_role)t->role))
        return "keeps             # or {releases: local}, {releases: global}; or leave it out";
    if (t->kind != JG_TYPE_POINTER || t->role != JG_ROLE_NONE || t->pointee == JG_NONE)
        return NULL;
    const struct jg_type *pointee = &u->types.data[t->pointee];
    if (jg_role_is_ref((enum jg_type_role)pointee->role))
        return "{acquires: local} # or {acquires: global}, in";
    if (pointee->kind == JG_TYPE_FUNCTION)
        return "callback          # or called, thread-entry";
    if (t->const_pointee)
        return pointee->kind == JG_TYPE_INT && pointee->size == 1 ? "string            # or in"
                                                                  : "in";
    return "out               # or in, keeps, {acquires: memory}";
}

static void put_params(FILE *out, const struct jg_unit *u, const struct jg_symbol *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->param_count && i < JG_MODEL_PARAMS; i++) {
        const char *guess = guess_param(u, u->param_types.data[s->first_param + i]);
        if (guess && !any)
            fputs("    # parameters:\n", out);
        if (guess)
            fprintf(out, "    #   %u: %s\n", i, guess);
        any |= guess != NULL;
    }
}

static bool returns_truth(const struct jg_unit *u, const struct jg_symbol *s)
{
    if (s->return_type == JG_NONE)
        return false;
    const struct jg_type *t = &u->types.data[s->return_type];
    return t->role == JG_ROLE_JBOOLEAN || t->kind == JG_TYPE_BOOL;
}

static char *skeleton_of(const struct jg_unit *u, const struct jg_symbol *s, unsigned shape)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        jg_out_of_memory();
    if (shape & JG_WHEN_GETS_ENV)
        fputs("    # makes-jni-calls: true\n"
              "    # throws: maybe         # always, maybe, never\n",
              out);
    if (shape & JG_WHEN_GETS_ENV && returns_truth(u, s))
        fputs("    # checks-exception: true\n", out);
    if (shape & JG_WHEN_GIVES_REF)
        fputs("    # returns: {fresh: local, null-when-throws: true}   # or fresh: global, "
              "borrowed: true\n",
              out);
    put_params(out, u, s);
    fputs("    # blocks: true\n", out);
    if (fclose(out) != 0)
        jg_out_of_memory();
    return text;
}

// ---- gathering ----------------------------------------------------------------------------------

static bool is_plain_name(const char *name)
{
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return false;
    return *name && !isdigit((unsigned char)*name);
}

static void add_call(struct suggestion *g, const struct jg_unit *u, const struct jg_insn *in)
{
    const struct jg_symbol *s = &u->symbols.data[in->a];
    struct jg_model_query q = jg_model_query_of(u, in->a);
    const unsigned wanted = JG_WHEN_GETS_ENV | JG_WHEN_TAKES_REF;
    if (s->function != JG_NONE || s->flags & JG_SYM_BUILTIN || !(q.shape & wanted) ||
        !is_plain_name(q.name) || jg_models_find(jg_models_current(), &q))
        return;
    const struct jg_loc *loc = in->loc == JG_NONE ? NULL : &u->locs.data[in->loc];
    const char *path = jg_unit_str(u, loc ? u->files.data[loc->file].path : u->path);
    struct call *c = JG_VEC_PUSH(&g->calls);
    c->usr = jg_unit_str(u, s->usr);
    c->name = q.name;
    c->path = path;
    c->line = loc ? loc->line : 0;
    c->is_c = (q.shape & JG_WHEN_C_ONLY) != 0;

    char *text = NULL, *rest = skeleton_of(u, s, q.shape);
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        jg_out_of_memory();
    put_signature(out, u, s);
    fprintf(out, "  - names: %s\n%s%s", q.name, c->is_c ? "" : "    when: {c-only: false}\n", rest);
    if (fclose(out) != 0)
        jg_out_of_memory();
    c->skeleton = jg_bump_strdup(&g->arena, text);
    free(text);
    free(rest);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_unit(struct suggestion *g, const struct jg_unit *u)
{
    const char *path = jg_unit_str(u, u->path);
    bool counts = g->files.count &&
                  bsearch(&path, g->files.data, g->files.count, sizeof *g->files.data, by_text);
    for (uint32_t i = 0; i < u->functions.count; i++) {
        const struct jg_symbol *s = &u->symbols.data[u->functions.data[i].symbol];
        *JG_VEC_PUSH(&g->bodies) = jg_unit_str(u, s->usr);
    }
    for (uint32_t i = 0; i < u->insns.count && counts; i++)
        if (u->insns.data[i].op == JG_OP_CALL && u->insns.data[i].sub == JG_CALLEE_SYMBOL)
            add_call(g, u, &u->insns.data[i]);
}

// Calls of one function side by side, the first place in front.
static int by_function(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    int order = strcmp(x->usr, y->usr);
    if (order == 0)
        order = strcmp(x->path, y->path);
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    return order ? order : strcmp(x->skeleton, y->skeleton);
}

struct unknown {
    const struct call *first;
    uint32_t count;
};

// The name is the last resort, so that the order never depends on that of the units.
static int by_count(const void *a, const void *b)
{
    const struct unknown *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    int order = strcmp(x->first->name, y->first->name);
    return order ? order : strcmp(x->first->usr, y->first->usr);
}

static bool has_body(const struct suggestion *g, const char *usr)
{
    return g->bodies.count &&
           bsearch(&usr, g->bodies.data, g->bodies.count, sizeof *g->bodies.data, by_text) != NULL;
}

// ---- printing -----------------------------------------------------------------------------------

// One model a name: C++ functions that share one are told apart by nothing that a model can say.
static bool is_said(const struct unknown *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i].first->name, name) == 0)
            return true;
    return false;
}

static void print_unknown(const struct suggestion *g, const struct unknown *k)
{
    char *place = jg_format("\n  # %u call%s, one at %s:%u\n", k->count, k->count == 1 ? "" : "s",
                            jg_report_path(g->report, k->first->path), k->first->line);
    putchar('\n');
    jg_put_escaped(stdout, place + 1, strlen(place) - 2); // no line break can end the comment
    putchar('\n');
    fputs(k->first->skeleton, stdout);
    free(place);
}

static uint32_t print_all(struct suggestion *g)
{
    if (g->bodies.count)
        qsort(g->bodies.data, g->bodies.count, sizeof *g->bodies.data, by_text);
    if (g->calls.count)
        qsort(g->calls.data, g->calls.count, sizeof *g->calls.data, by_function);
    struct unknown *list = jg_calloc(g->calls.count + 1, sizeof *list);
    uint32_t count = 0, said = 0;
    for (uint32_t i = 0; i < g->calls.count; i++) {
        const struct call *c = &g->calls.data[i];
        if (count && strcmp(list[count - 1].first->usr, c->usr) == 0)
            list[count - 1].count++;
        else if (!has_body(g, c->usr))
            list[count++] = (struct unknown){c, 1};
    }
    qsort(list, count, sizeof *list, by_count);
    fputs(
        "# Functions that get a JNIEnv, a JavaVM or a reference, and of which neither a body nor a "
        "model is\n# known. Take away the comment signs of what is true and delete the rest: what "
        "is "
        "not said stays\n# unknown. Use it with: jniguard check --models FILE\n\n",
        stdout);
    puts(count ? "models:" : "models: []");
    for (uint32_t i = 0; i < count; i++)
        if (!is_said(list, i, list[i].first->name)) {
            print_unknown(g, &list[i]);
            said++;
        }
    free(list);
    return said;
}

// The bodies of all units count, the calls only of those that were asked for.
static void select_all(struct suggestion *g, struct jg_project *p)
{
    for (uint32_t i = 0; i < p->entries.count; i++)
        if (p->entries.data[i].selected)
            *JG_VEC_PUSH(&g->files) = p->entries.data[i].command.file;
    if (g->files.count)
        qsort(g->files.data, g->files.count, sizeof *g->files.data, by_text);
    jg_project_select_all(p);
}

static void tell_failed(const struct suggestion *g, const char *path)
{
    jg_error("%s: failed, not looked at; 'jniguard check' says why",
             jg_report_path(g->report, path));
}

static int suggest(struct suggestion *g, struct jg_run *run)
{
    uint32_t failed = run->report.units.count; // those that crashed the worker
    for (uint32_t i = 0; i < run->report.units.count; i++)
        tell_failed(g, run->report.units.data[i].path);
    for (uint32_t i = 0; i < run->units.count; i++) {
        const struct jg_unit *u = &run->units.data[i];
        if (u->status != JG_UNIT_FAILED) {
            add_unit(g, u);
            continue;
        }
        tell_failed(g, jg_unit_str(u, u->path));
        failed++;
    }
    for (char *text; (text = jg_models_take_limit(jg_models_current())); free(text))
        jg_error("%s", text);
    if (jg_cache_trouble(run->cache))
        jg_error("%s", jg_cache_trouble(run->cache));
    uint32_t count = print_all(g), units = run->units.count + run->report.units.count;
    fprintf(stderr, "jniguard: %u unit%s, %u unknown function%s\n", units, units == 1 ? "" : "s",
            count, count == 1 ? "" : "s");
    return failed ? JG_EXIT_INCOMPLETE : JG_EXIT_OK;
}

int jg_suggest_models(struct jg_project *project, bool cached, char **error)
{
    struct jg_run run;
    struct jg_progress progress;
    jg_run_init(&run);
    run.cache = cached ? jg_unit_cache_open() : NULL;
    struct suggestion g = {.report = &run.report};
    select_all(&g, project);
    const struct jg_run_options options = {
        .progress = JG_PROGRESS_AUTO, .jobs = jg_cores_usable(), .timeout = JG_DEFAULT_TIMEOUT};
    *error = jg_run_units(&run, project, &options, &progress);
    int code = *error ? JG_EXIT_ERROR : suggest(&g, &run);
    JG_VEC_FREE(&g.calls);
    JG_VEC_FREE(&g.bodies);
    JG_VEC_FREE(&g.files);
    jg_bump_fini(&g.arena);
    jg_run_fini(&run);
    return code;
}
