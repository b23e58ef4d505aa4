// SPDX-License-Identifier: Apache-2.0
//
// Control flow: parts of `for`, gotos, scopes, conditions. The graphs as a whole are compared with
// clang's in tests/cfg; here it is what a number of edges cannot show.

#include "tests/unit/lowered.h"

// In `for (a(); b(); c()) d();` each call must land in its place whichever parts are missing, in a
// file, in the body of a macro and in the argument of one.
static void parts_of_for_are_told_apart(void **state)
{
    (void)state;
    static const char *const wrapper[] = {"%s", "LOOP", "ID(%s)"};
    for (int mask = 0; mask < 8; mask++)
        for (int w = 0; w < 3; w++) {
            char *loop = jg_format("for (%s; %s; %s) if (d()) break;", mask & 1 ? "a()" : "",
                                   mask & 2 ? "b()" : "", mask & 4 ? "c()" : "");
            char *use = w == 0   ? jg_strdup(loop)
                        : w == 1 ? jg_strdup(wrapper[1])
                                 : jg_format("ID(%s)", loop);
            char *code = jg_format("int a(void), b(void), c(void), d(void);\n#define LOOP %s\n"
                                   "#define ID(...) __VA_ARGS__\nvoid f(void) { %s }\n",
                                   loop, use);
            struct lowered l;
            lower(&l, code);
            const struct jg_function *f = find_function(&l, "f");
            // b decides a branch, a is in the entry and before any loop, c in a block that goes
            // back.
            for (uint32_t i = 0; i < f->block_count; i++) {
                const struct jg_block *b = block_at(&l, f, i);
                for (uint32_t j = 0; j < b->insn_count; j++) {
                    const struct jg_insn *n = &l.u->insns.data[b->first_insn + j];
                    if (n->op != JG_OP_CALL)
                        continue;
                    const char *name = jg_unit_str(l.u, l.u->symbols.data[n->a].name);
                    bool back = b->succ_count == 1 && l.u->succs.data[b->first_succ] <= i;
                    bool good = *name == 'a'   ? i == 0 && !b->loop_header
                                : *name == 'b' ? b->cond == n->dst && b->term == JG_TERM_BRANCH
                                : *name == 'c' ? back && (n->flags & JG_INSN_UNUSED)
                                               : b->cond == n->dst;
                    if (!good)
                        fail_msg("%s is out of place in %s (%s)", name, loop, wrapper[w]);
                }
            }
            assert_int_equal(count_insns(&l, "f", JG_OP_CALL),
                             !!(mask & 1) + !!(mask & 2) + !!(mask & 4) + 1);
            assert_int_equal(l.u->unmodelled.count, 0);
            lowered_fini(&l);
            free(code);
            free(use);
            free(loop);
        }
}

static void gotos_find_labels_of_the_same_name(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "int g(int);\n#define AGAIN(x) ({ __label__ top; int r; top: r = (x); if (r) goto "
              "top; r; })\n"
              "int f(int n) { return AGAIN(g(n)) + AGAIN(g(n + 1)); }\n");
    assert_int_equal(count_terms(&l, "f", JG_TERM_BRANCH), 2);
    const struct jg_function *f = find_function(&l, "f");
    uint32_t loops = 0;
    for (uint32_t i = 0; i < f->block_count; i++)
        loops += block_at(&l, f, i)->loop_header;
    assert_int_equal(loops, 2);
    lowered_fini(&l);
}

static uint32_t exits_of(const struct lowered *l, const char *function, const char *var)
{
    uint32_t count = 0;
    const struct jg_insn *n;
    for (uint32_t i = 0; (n = find_insn(l, function, JG_OP_SCOPE_EXIT, i)) != NULL; i++)
        count += strcmp(jg_unit_str(l->u, l->u->vars.data[n->a].name), var) == 0;
    return count;
}

static void every_way_out_ends_the_variable(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "int g(int);\n"
              "int f(int n) { while (n) { int v = g(n); if (v == 1) break; if (v == 2) continue;\n"
              "  if (v == 3) return 1; if (v == 4) goto out; g(v); } out: return 0; }\n");
    assert_int_equal(exits_of(&l, "f", "v"), 5);
    assert_int_equal(exits_of(&l, "f", "n"), 0); // parameters do not end
    lowered_fini(&l);
}

static void a_goto_within_a_scope_ends_nothing_declared_before(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "int g(int);\nint f(int n) { int before = n; again:; int after = g(n);\n"
              "  if (after) goto again; return before; }\n");
    assert_int_equal(exits_of(&l, "f", "after"), 2);
    assert_int_equal(exits_of(&l, "f", "before"), 1);
    lowered_fini(&l);
}

static void cleanup_attribute_names_its_function(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "void rel(int **);\n#define AUTO __attribute__((cleanup(rel)))\nint *get(void);\n"
              "int f(int n) { AUTO int *p = get(); __attribute__((unused)) int q; if (n) return 1; "
              "return 2; }\n");
    uint32_t found = 0;
    const struct jg_insn *n;
    for (uint32_t i = 0; (n = find_insn(&l, "f", JG_OP_SCOPE_EXIT, i)) != NULL; i++)
        if (n->b != JG_NONE) {
            assert_string_equal(TEXT(l.u->symbols.data[n->b].name), "rel");
            assert_string_equal(TEXT(l.u->vars.data[n->a].name), "p");
            found++;
        }
    assert_int_equal(found, 2);
    lowered_fini(&l);
}

static void conditions_keep_what_was_tested(void **state)
{
    (void)state;
    static const struct {
        const char *condition, *expected;
        bool swapped;
    } cases[] = {
        {"p", "branch t0 ", false},
        {"!p", "branch t0 ", true},
        {"p == 0", "t2 = bin t0 == t1", false},
        {"__builtin_expect(!!(p), 1)", "branch t0 ", false},
        {"(n < 0)", "t2 = bin t0 < t1", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *code = jg_format(
            "void yes(void), no(void); void f(int *p, int n) { if (%s) yes(); else no(); }",
            cases[i].condition);
        struct lowered l;
        lower(&l, code);
        assert_dump_has(&l, "f", cases[i].expected);
        // The first successor, which comes first, is taken when the temporary is not zero.
        char *text = dump_text(&l, "f");
        bool no_first = strstr(strstr(text, "call no"), "call yes") != NULL;
        free(text);
        assert_int_equal(no_first, cases[i].swapped);
        lowered_fini(&l);
        free(code);
    }
}

static void constant_conditions_vanish(void **state)
{
    (void)state;
    static const char *const statements[] = {
        "do { n++; } while (0);",
        "if (0) n = g(n);",
        "if (1) n = g(n); else n = 4;",
        "while (0) g(n);",
        "if (sizeof(int) == 4 && 1) n++;",
        "n = 1 ? n : g(n);",
        "if (((void *)0)) n++;",
        "if (\"x\") n++;",
        "if (&n) n++;",
        "switch (3) { case 1: n = 1; break; case 3: n = 2; }",
        "if (E) n++;",
        "if (!'a') n++;",
        "if (__builtin_constant_p(n)) n++;",
        "if (__builtin_types_compatible_p(__typeof__(n), int)) n++;",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        char *code =
            jg_format("int g(int); enum { E }; int f(int n) { %s return n; }", statements[i]);
        struct lowered l;
        lower(&l, code);
        if (find_function(&l, "f")->block_count != 1)
            fail_msg("%s leaves %u blocks", statements[i], find_function(&l, "f")->block_count);
        lowered_fini(&l);
        free(code);
    }
}

static void switches_keep_cases_ranges_and_default(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "enum c { R = -3, G, B };\n"
              "int f(int n) { switch (n) { case R: return 1; case 5 ... 9: return 2; case 'a': "
              "default: return 3; } }\n"
              "int all(enum c c) { switch (c) { case R: return 1; case G: return 2; case B: return "
              "3; } return 0; }\n");
    const struct jg_function *f = find_function(&l, "f");
    const struct jg_block *b = block_at(&l, f, 0);
    assert_int_equal(b->term, JG_TERM_SWITCH);
    assert_int_equal(b->case_count, 3);
    assert_int_equal(b->succ_count, 4);
    const struct jg_case *c = &l.u->cases.data[b->first_case];
    assert_int_equal(c[0].low, -3);
    assert_int_equal(c[1].low, 5);
    assert_int_equal(c[1].high, 9);
    assert_int_equal(c[2].low, 'a');
    const uint32_t *succ = &l.u->succs.data[b->first_succ];
    assert_int_equal(succ[2], succ[3]);
    // Past all enumerators nothing comes.
    assert_int_equal(count_terms(&l, "all", JG_TERM_UNREACHABLE), 1);
    assert_int_equal(count_terms(&l, "all", JG_TERM_RETURN), 3);
    lowered_fini(&l);
}

static void computed_gotos_reach_labels_with_an_address(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "int f(int n) { static void *const t[] = {&&a, &&b}; goto *t[n]; a: return 1; b: "
              "return 2;\n"
              "  c: return 3; }\n"
              "int g(int n) { __asm__ goto(\"# %l1\" : : \"r\"(n) : : yes); return 0; yes: return "
              "1; no: return 2; }\n");
    assert_int_equal(block_at(&l, find_function(&l, "f"), 0)->term, JG_TERM_INDIRECT);
    assert_int_equal(block_at(&l, find_function(&l, "f"), 0)->succ_count, 2);
    assert_int_equal(block_at(&l, find_function(&l, "g"), 0)->succ_count, 2);
    lowered_fini(&l);
}

static void values_of_logic_are_marked(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "int f(int a, int b) { return a && b; }\nint g(int a) { return a ? 1 : 0; }\n");
    assert_true(find_insn(&l, "f", JG_OP_PHI, 0)->flags & JG_INSN_LOGICAL);
    assert_false(find_insn(&l, "g", JG_OP_PHI, 0)->flags & JG_INSN_LOGICAL);
    lowered_fini(&l);
}

static void long_chains_do_not_exhaust_the_stack(void **state)
{
    (void)state;
    char *code = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&code, &size);
    fputs("int f(int n) { return n", out);
    for (int i = 0; i < 20000; i++)
        fputs("+n", out);
    fputs("; }\nint g(int n) { ", out);
    for (int i = 0; i < 6000; i++)
        fprintf(out, "if (n == %d) return %d; else ", i, i);
    fputs("return -1; }\n", out);
    fclose(out);
    struct lowered l;
    lower(&l, code);
    assert_int_equal(count_terms(&l, "g", JG_TERM_BRANCH), 6000);
    assert_int_equal(count_insns(&l, "f", JG_OP_BIN), 20000);
    lowered_fini(&l);
    free(code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_for_are_told_apart),
        cmocka_unit_test(gotos_find_labels_of_the_same_name),
        cmocka_unit_test(every_way_out_ends_the_variable),
        cmocka_unit_test(a_goto_within_a_scope_ends_nothing_declared_before),
        cmocka_unit_test(cleanup_attribute_names_its_function),
        cmocka_unit_test(conditions_keep_what_was_tested),
        cmocka_unit_test(constant_conditions_vanish),
        cmocka_unit_test(switches_keep_cases_ranges_and_default),
        cmocka_unit_test(computed_gotos_reach_labels_with_an_address),
        cmocka_unit_test(values_of_logic_are_marked),
        cmocka_unit_test(long_chains_do_not_exhaust_the_stack),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    jg_frontend_free(lowered_frontend());
    return failed;
}
