// SPDX-License-Identifier: Apache-2.0
//
// Checks of whole programs over several units: findings whose way leads from one file to another.

#include "analyzer/checks/program_checks.h"
#include "tests/unit/project.h"

// "rule file:line", then " > file:line" for each step, findings in order. The caller frees it.
static char *check(const struct project *x)
{
    struct jg_findings findings;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    jg_findings_init(&findings);
    jg_program_checks_run(x->p, &findings);
    jg_findings_sort(&findings);
    for (uint32_t i = 0; i < findings.list.count; i++) {
        const struct jg_finding *f = &findings.list.data[i];
        fprintf(out, "%s%s %s:%u", i ? "\n" : "", jg_rule_info(f->rule)->id,
                strrchr(f->at.path, '/') + 1, f->at.line);
        for (unsigned s = 0; s < f->step_count; s++)
            fprintf(out, " > %s:%u", strrchr(f->steps[s].at.path, '/') + 1, f->steps[s].at.line);
    }
    fclose(out);
    jg_findings_fini(&findings);
    return text;
}

static void expect(const struct project *x, const char *expected)
{
    char *text = check(x);
    assert_string_equal(text, expected);
    free(text);
}

static void a_mark_in_a_header_holds_for_the_definition(void **state)
{
    (void)state;
    LINK(
        x,
        "#include <jni.h>\n__attribute__((annotate(\"jniguard::no_jni\"))) void pure(JNIEnv *);\n"
        "void far(JNIEnv *), farther(JNIEnv *);",
        {"a.c", "#include \"h.h\"\nvoid f(JNIEnv *e) { pure(e); }", NULL},
        {"b.c", "#include <jni.h>\nvoid far(JNIEnv *);\nvoid pure(JNIEnv *e)\n{\nfar(e);\n}", NULL},
        {"c.c", "#include \"h.h\"\nvoid far(JNIEnv *e)\n{\nfarther(e); }", NULL},
        {"d.c", "#include \"h.h\"\nvoid farther(JNIEnv *e)\n{ (*e)->ExceptionClear(e); }", NULL});
    expect(&x, "no-jni-violated b.c:5 > b.c:5 > c.c:4 > d.c:3");
    project_fini(&x);
}

static void what_a_marked_callee_does_is_reported_there(void **state)
{
    (void)state;
    LINK(x,
         "#include <jni.h>\n#define PURE __attribute__((annotate(\"jniguard::no_jni\")))\n"
         "PURE void inner(JNIEnv *); PURE void outer(JNIEnv *);",
         {"a.c", "#include \"h.h\"\nvoid outer(JNIEnv *e) { inner(e); }", NULL},
         {"b.c", "#include \"h.h\"\nvoid inner(JNIEnv *e)\n{ (*e)->ExceptionClear(e); }", NULL});
    expect(&x, "no-jni-violated b.c:3");
    project_fini(&x);
}

static void a_body_in_a_header_is_reported_once(void **state)
{
    (void)state;
    LINK(x,
         "#include <jni.h>\n__attribute__((annotate(\"jniguard::no_jni\")))\n"
         "static inline void pure(JNIEnv *e)\n{ (*e)->ExceptionClear(e); }",
         {"a.c", "#include \"h.h\"\nvoid f(JNIEnv *e) { pure(e); }", NULL},
         {"b.c", "#include \"h.h\"\nvoid g(JNIEnv *e) { pure(e); }", NULL});
    expect(&x, "no-jni-violated h.h:4");
    project_fini(&x);
}

static void long_ways_are_cut_in_the_middle(void **state)
{
    (void)state;
    char *code = jg_strdup("#include \"h.h\"\nvoid f0(JNIEnv *e) { (*e)->ExceptionClear(e); }");
    for (int i = 1; i < 20; i++) {
        char *more = jg_format("%s\nvoid f%d(JNIEnv *e) { f%d(e); }", code, i, i - 1);
        free(code);
        code = more;
    }
    char *whole = jg_format("%s\n__attribute__((annotate(\"jniguard::no_jni\")))\n"
                            "void pure(JNIEnv *e) { f19(e); }",
                            code);
    LINK(x, "#include <jni.h>", {"a.c", whole, NULL});
    expect(&x, "no-jni-violated a.c:23 > a.c:23 > a.c:21 > a.c:20 > a.c:19 > a.c:18 > a.c:17 > "
               "a.c:16 > a.c:2");
    project_fini(&x);
    free(whole);
    free(code);
}

static void handlers_and_children_are_followed_into_other_files(void **state)
{
    (void)state;
    LINK(x, "#include <jni.h>\nvoid tell(JNIEnv *); void handler(int); int my_fork(void);",
         {"a.c",
          "#include \"h.h\"\n#include <signal.h>\nvoid f(JNIEnv *e)\n{\nsignal(2, handler);\n"
          "int pid = my_fork();\nif (pid < 0)\ntell(e);\nelse if (pid == 0)\ntell(e);\n}",
          NULL},
         {"b.c",
          "#include \"h.h\"\nstatic JNIEnv *env;\nvoid handler(int n)\n{ (void)n;\ntell(env); }\n"
          "void tell(JNIEnv *e)\n{ (*e)->ExceptionClear(e); }",
          NULL},
         {"c.c", "#include <unistd.h>\nint my_fork(void) { return fork(); }", NULL});
    expect(&x, "jni-after-fork a.c:10 > a.c:6 > a.c:10 > b.c:7\n"
               "jni-in-signal-handler b.c:5 > a.c:5 > b.c:5 > b.c:7");
    project_fini(&x);
}

static void setjmp_on_the_way_makes_longjmp_right(void **state)
{
    (void)state;
    LINK(x, "#include <jni.h>\n#include <setjmp.h>\nextern jmp_buf top; void fail(void);",
         {"a.c",
          "#include \"h.h\"\nvoid Java_A_f(JNIEnv *e, jobject o)\n{ (void)e; (void)o; fail(); }\n"
          "static void guarded(void) { if (!setjmp(top)) fail(); }\n"
          "void Java_A_g(JNIEnv *e, jobject o) { (void)e; (void)o; guarded(); }\n"
          "void plain(void) { fail(); }",
          NULL},
         {"b.c", "#include \"h.h\"\njmp_buf top;\nvoid fail(void)\n{ longjmp(top, 1); }", NULL});
    expect(&x, "stack-unwound-over-java a.c:3 > a.c:3 > b.c:4");
    project_fini(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_in_a_header_holds_for_the_definition),
        cmocka_unit_test(what_a_marked_callee_does_is_reported_there),
        cmocka_unit_test(a_body_in_a_header_is_reported_once),
        cmocka_unit_test(long_ways_are_cut_in_the_middle),
        cmocka_unit_test(handlers_and_children_are_followed_into_other_files),
        cmocka_unit_test(setjmp_on_the_way_makes_longjmp_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
