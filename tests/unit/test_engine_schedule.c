// SPDX-License-Identifier: Apache-2.0
//
// Components on several threads: each once, after all that it calls.

#include "analyzer/engine/schedule.h"
#include "tests/unit/project.h"

#include <stdatomic.h>

struct record {
    const struct jg_program *p;
    unsigned workers;
    atomic_uint *begun; // per component
    bool *done;         // not atomic: what one task writes the next one must see
    atomic_uint wrong;
};

static bool callees_are_done(const struct record *r, uint32_t component)
{
    uint32_t members, calls;
    const uint32_t *ids = jg_program_component(r->p, component, &members);
    for (uint32_t m = 0; m < members; m++) {
        const uint32_t *callees = jg_program_calls(r->p, ids[m], &calls);
        for (uint32_t i = 0; i < calls; i++) {
            uint32_t id = jg_program_representative(r->p, callees[i]);
            uint32_t callee = jg_program_component_of(r->p, id);
            if (callee != component && !r->done[callee])
                return false;
        }
    }
    return true;
}

static void look(void *context, unsigned worker, uint32_t component)
{
    struct record *r = context;
    bool first = atomic_fetch_add(&r->begun[component], 1) == 0;
    if (!first || worker >= r->workers || !callees_are_done(r, component))
        atomic_fetch_add(&r->wrong, 1);
    r->done[component] = true;
}

static void run(const struct jg_program *p, unsigned workers)
{
    uint32_t count = jg_program_component_count(p);
    struct record r = {.p = p, .workers = workers};
    r.begun = jg_calloc((size_t)count + 1, sizeof *r.begun);
    r.done = jg_calloc((size_t)count + 1, sizeof *r.done);
    jg_schedule(p, workers, look, &r);
    for (uint32_t c = 0; c < count; c++)
        assert_true(r.done[c]);
    assert_int_equal(atomic_load(&r.wrong), 0);
    free(r.begun);
    free(r.done);
}

// Wide, with long chains and a few circles.
static void callees_come_first(void **state)
{
    (void)state;
    enum { FUNCTIONS = 600 };
    char *code = NULL;
    size_t size;
    FILE *out = open_memstream(&code, &size);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        fprintf(out, "void f%u(int);\n", i);
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        fprintf(out, "void f%u(int n) { if (n) f%u(n);", i, (i * 7919 + 13) % FUNCTIONS);
        if (i % 3 == 0 && i + 3 < FUNCTIONS)
            fprintf(out, " f%u(n - 1);", i + 3);
        fprintf(out, " }\n");
    }
    fclose(out);
    LINK(x, NULL, {"a.c", code, NULL});
    assert_true(jg_program_component_count(x.p) > 10);
    for (unsigned workers = 1; workers <= 8; workers *= 2)
        run(x.p, workers);
    project_fini(&x);
    free(code);
}

// The body that stands for `shared` lies in a unit that is looked at late.
static void what_stands_for_a_callee_comes_first(void **state)
{
    (void)state;
    LINK(x, "static inline int shared(int i) { return i + 1; }\n",
         {"a.c", "int outer(int); int begin(void) { return outer(1); }", NULL},
         {"b.c", "#include \"h.h\"\nint other(void) { return shared(2); }", NULL},
         {"c.c", "#include \"h.h\"\nint outer(int i) { return shared(i); }", NULL});
    uint32_t body = jg_program_representative(x.p, id_of(&x, 2, "shared"));
    assert_int_equal(body, id_of(&x, 1, "shared"));
    assert_true(jg_program_component_of(x.p, body) <
                jg_program_component_of(x.p, id_of(&x, 2, "outer")));
    run(x.p, 2);
    project_fini(&x);
}

static void an_empty_program_is_done(void **state)
{
    (void)state;
    struct jg_program *p = jg_program_new(NULL, 0);
    run(p, 4);
    jg_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callees_come_first),
        cmocka_unit_test(what_stands_for_a_callee_comes_first),
        cmocka_unit_test(an_empty_program_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
