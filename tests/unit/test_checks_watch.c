// SPDX-License-Identifier: Apache-2.0
//
// Who watches the exploring can have functions left out, and can stop it. What is left out is as
// good as unknown: no caller is blamed for what it may have relied on.

#include "analyzer/checks/check.h"
#include "tests/unit/project.h"

#include <pthread.h>

struct watcher {
    const struct jg_program *p;
    const char *left_out; // function
    const char *stop_at;
    atomic_bool stop;
    atomic_uint begun, ended, found;
};

static bool has(const struct jg_program *p, uint32_t component, const char *name)
{
    uint32_t count;
    const uint32_t *ids = jg_program_component(p, component, &count);
    for (uint32_t i = 0; name && i < count; i++)
        if (strcmp(jg_program_function_name(p, ids[i]), name) == 0)
            return true;
    return false;
}

static bool on_begin(void *context, unsigned worker, uint32_t component)
{
    struct watcher *w = context;
    (void)worker;
    if (has(w->p, component, w->left_out) || atomic_load(&w->stop))
        return false;
    atomic_fetch_add(&w->begun, 1);
    if (has(w->p, component, w->stop_at))
        atomic_store(&w->stop, true);
    return true;
}

static void on_end(void *context, unsigned worker, uint32_t component,
                   const struct jg_findings *found, uint32_t first)
{
    struct watcher *w = context;
    (void)worker;
    (void)component;
    atomic_fetch_add(&w->ended, 1);
    atomic_fetch_add(&w->found, found->list.count - first);
}

// "rule function", findings in order. The caller frees it.
static char *check(struct watcher *w, unsigned threads)
{
    struct jg_findings findings;
    struct jg_check_stats stats = {0};
    struct jg_check_watch watch = {w, on_begin, on_end, &w->stop};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    w->begun = w->ended = w->found = 0;
    w->stop = false;
    jg_findings_init(&findings);
    jg_check_program(w->p, &(struct jg_check_options){.threads = threads, .watch = &watch},
                     &findings, &stats);
    jg_findings_sort(&findings);
    for (uint32_t i = 0; i < findings.list.count; i++)
        fprintf(out, "%s%s %s", i ? "\n" : "", jg_rule_info(findings.list.data[i].rule)->id,
                findings.list.data[i].function);
    fclose(out);
    jg_findings_fini(&findings);
    return text;
}

static void expect(const struct project *x, const char *left_out, const char *expected)
{
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        struct watcher w = {.p = x->p, .left_out = left_out};
        char *text = check(&w, threads);
        assert_string_equal(text, expected);
        assert_int_equal(w.begun, w.ended);
        assert_int_equal(w.begun, jg_program_component_count(x->p) - (left_out != NULL));
        free(text);
    }
}

// Each caller is right because of what its helper does, and is not wrong when nobody knows that.
static void no_caller_is_blamed_for_what_is_left_out(void **state)
{
    (void)state;
    static const char *const helpers[] = {"give_back", "leave", "throws", "clears", "make",
                                          "pop",       "fill",  "checks", "end"};
    LINK(x,
         "#include <jni.h>\n#include <stdlib.h>\n"
         "void give_back(JNIEnv *, jstring, const char *); void leave(JNIEnv *, jarray, void *);\n"
         "int throws(JNIEnv *, int); void clears(JNIEnv *); jobject make(JNIEnv *);\n"
         "jobject pop(JNIEnv *, jobject); int fill(JNIEnv *, jobject *);\n"
         "jboolean checks(JNIEnv *); void end(void *);\n",
         {"a.c",
          "#include \"h.h\"\n"
          "void Java_A_a(JNIEnv *e, jclass c, jstring s) { (void)c;\n"
          "const char *t = (*e)->GetStringUTFChars(e, s, 0); if (t) give_back(e, s, t); }\n"
          "void Java_A_b(JNIEnv *e, jclass c, jintArray a) { (void)c;\n"
          "void *p = (*e)->GetPrimitiveArrayCritical(e, a, 0); if (!p) return; leave(e, a, p);\n"
          "(*e)->FindClass(e, \"A\"); }\n"
          "void Java_A_c(JNIEnv *e, jclass c, jint i) { (void)c; if (throws(e, i)) return;\n"
          "(*e)->FindClass(e, \"A\"); }\n"
          "void Java_A_d(JNIEnv *e, jclass c) { jclass k = (*e)->FindClass(e, \"A\"); (void)c;\n"
          "if (!k) clears(e); (*e)->FindClass(e, \"B\"); }\n"
          "void Java_A_e(JNIEnv *e, jclass c) { (void)c;\n"
          "for (int i = 0; i < 1000; i++) { jobject o = make(e);\n"
          "if (!o) return; (*e)->DeleteLocalRef(e, o); } }\n"
          "jobject Java_A_f(JNIEnv *e, jclass c) { (void)c;\n"
          "if ((*e)->PushLocalFrame(e, 9)) return NULL; return pop(e, make(e)); }\n"
          "void Java_A_g(JNIEnv *e, jclass c) { jobject o; (void)c; if (!fill(e, &o)) return;\n"
          "(*e)->DeleteGlobalRef(e, o); }\n"
          "void Java_A_i(JNIEnv *e, jobject o, jmethodID m) {\n"
          "(*e)->CallVoidMethod(e, o, m); if (checks(e)) return; (*e)->FindClass(e, \"A\"); }\n"
          "void Java_A_j(JNIEnv *e, jclass c, jint n) { jobject *all = malloc((size_t)n * 8);\n"
          "(void)c; if (!all) return; all[0] = (*e)->FindClass(e, \"A\"); end(all); }\n",
          NULL},
         {"b.c",
          "#include \"h.h\"\n"
          "void give_back(JNIEnv *e, jstring s, const char *t)"
          "{ (*e)->ReleaseStringUTFChars(e, s, t); }\n"
          "void leave(JNIEnv *e, jarray a, void *p)"
          "{ (*e)->ReleasePrimitiveArrayCritical(e, a, p, 0); }\n"
          "int throws(JNIEnv *e, int i) { jclass k = (*e)->FindClass(e, \"E\");\n"
          "if (k && i) (*e)->ThrowNew(e, k, \"\");\n"
          "if (!k) return 1; (*e)->DeleteLocalRef(e, k); return i; }\n"
          "void clears(JNIEnv *e) { (*e)->ExceptionClear(e); }\n"
          "jobject make(JNIEnv *e) { return (*e)->NewStringUTF(e, \"a\"); }\n"
          "jobject pop(JNIEnv *e, jobject o) { return (*e)->PopLocalFrame(e, o); }\n"
          "int fill(JNIEnv *e, jobject *o) { jstring s = (*e)->NewStringUTF(e, \"\");\n"
          "if (!s) return 0; *o = (*e)->NewGlobalRef(e, s);\n"
          "(*e)->DeleteLocalRef(e, s); return *o != NULL; }\n"
          "jboolean checks(JNIEnv *e) { return (*e)->ExceptionCheck(e); }\n"
          "void end(void *p) { free(p); }\n"
          "void Java_B_bad(JNIEnv *e, jclass c, jstring s) { (void)c;\n"
          "(*e)->GetStringUTFChars(e, s, 0); }\n",
          NULL});
    expect(&x, NULL, "buffer-unreleased Java_B_bad");
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
        expect(&x, helpers[i], "buffer-unreleased Java_B_bad");
    expect(&x, "Java_B_bad", "");
    project_fini(&x);
}

static void what_is_found_is_told_at_once(void **state)
{
    (void)state;
    LINK(x, "#include <jni.h>",
         {"a.c",
          "#include \"h.h\"\nvoid Java_A_f(JNIEnv *e, jclass c, jstring s) { (void)c;\n"
          "(*e)->GetStringUTFChars(e, s, 0); }\n"
          "void Java_A_g(JNIEnv *e, jclass c, jstring s) { (void)c;\n"
          "(*e)->GetStringUTFChars(e, s, 0); }\n",
          NULL});
    struct watcher w = {.p = x.p};
    free(check(&w, 2));
    assert_int_equal(w.found, 2);
    project_fini(&x);
}

// Nothing half-done is told, and the whole program is not looked at.
static void a_stop_ends_it_with_what_is_done(void **state)
{
    (void)state;
    LINK(x,
         "#include <jni.h>\n__attribute__((annotate(\"jniguard::no_jni\"))) void pure(JNIEnv *);",
         {"a.c",
          "#include \"h.h\"\nvoid pure(JNIEnv *e) { (*e)->ExceptionClear(e); }\n"
          "void Java_A_f(JNIEnv *e, jclass c, jstring s) { (void)c; pure(e);\n"
          "(*e)->GetStringUTFChars(e, s, 0); }\n"
          "void Java_A_g(JNIEnv *e, jclass c, jstring s) { (void)c; Java_A_f(e, c, s);\n"
          "(*e)->GetStringUTFChars(e, s, 0); }\n"
          "void Java_A_h(JNIEnv *e, jclass c, jstring s) { (void)c; Java_A_g(e, c, s);\n"
          "(*e)->GetStringUTFChars(e, s, 0); }\n",
          NULL});
    struct watcher w = {.p = x.p};
    char *text = check(&w, 2);
    assert_non_null(strstr(text, "no-jni-violated pure"));
    assert_non_null(strstr(text, "buffer-unreleased Java_A_h"));
    free(text);
    w.stop_at = "Java_A_g";
    text = check(&w, 2);
    assert_string_equal(text, "buffer-unreleased Java_A_f");
    assert_int_equal(w.begun, 3);
    assert_int_equal(w.ended, 2);
    free(text);
    project_fini(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_caller_is_blamed_for_what_is_left_out),
        cmocka_unit_test(what_is_found_is_told_at_once),
        cmocka_unit_test(a_stop_ends_it_with_what_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
