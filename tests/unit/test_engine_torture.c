// SPDX-License-Identifier: Apache-2.0
//
// Functions that no person writes but generators do: the findings are right, nothing is given up,
// and twice the size takes about twice the block visits. Visits are counted, never time.

#include "tests/unit/snippet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Text that grows.
struct text {
    char *data;
    size_t length, capacity;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *fmt, ...)
{
    char piece[512];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(piece, sizeof piece, fmt, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < sizeof piece);
    if (t->length + (size_t)n + 1 > t->capacity) {
        t->capacity = t->capacity * 2 + sizeof piece;
        t->data = jg_realloc(t->data, t->capacity);
    }
    memcpy(t->data + t->length, piece, (size_t)n + 1);
    t->length += (size_t)n;
}

static void begin(struct text *t, const char *parameters)
{
    put(t, "#include <jni.h>\nvoid use(void *);\n");
    put(t, "JNIEXPORT void JNICALL Java_T_m(JNIEnv *env, jclass c, %s)\n{\n", parameters);
}

// n buffers, each acquired or not, and one label that releases what was acquired, but for the
// first.
static void optional_buffers(struct text *t, int n)
{
    begin(t, "jintArray a, jlong k");
    for (int i = 0; i < n; i++)
        put(t, "jint *p%d = NULL;\n", i);
    for (int i = 0; i < n; i++)
        put(t,
            "if (k & %d) { p%d = (*env)->GetIntArrayElements(env, a, 0); if (!p%d) goto out; }\n",
            1 << i, i, i);
    put(t, "out:\n");
    for (int i = 1; i < n; i++)
        put(t, "if (p%d) (*env)->ReleaseIntArrayElements(env, a, p%d, 0);\n", i, i);
    put(t, "return;\n}\n");
}

// A reference made in the innermost of n loops.
static void nested_loops(struct text *t, int n)
{
    begin(t, "jobjectArray a, jint n");
    for (int i = 0; i < n; i++)
        put(t, "for (jint i%d = 0; i%d < n; i%d++) {\n", i, i, i);
    put(t, "jobject o = (*env)->GetObjectArrayElement(env, a, i0);\n"
           "if ((*env)->ExceptionCheck(env)) return;\nuse(o);\n");
    for (int i = 0; i < n; i++)
        put(t, "}\n");
    put(t, "}\n");
}

// One case of n returns without the release.
static void large_switch(struct text *t, int n)
{
    begin(t, "jstring s, jint n");
    put(t, "const char *p = (*env)->GetStringUTFChars(env, s, 0);\nif (!p) return;\n"
           "int r = 0;\nswitch (n) {\n");
    for (int i = 0; i < n; i++)
        put(t, i == n / 2 ? "case %d: return;\n" : "case %d: r += p[3]; break;\n", i);
    put(t, "default: r = 1;\n}\n(*env)->ReleaseStringUTFChars(env, s, p);\nuse(&r);\n}\n");
}

// n labels, each of which may jump to some other one; one way out forgets the release.
static void many_gotos(struct text *t, int n)
{
    begin(t, "jstring s, jint n");
    put(t, "const char *p = (*env)->GetStringUTFChars(env, s, 0);\nif (!p) return;\n");
    for (int i = 0; i < n; i++)
        put(t, "L%d: n = n * 3 + %d; if (n & %d) goto L%d;\n", i, i, 1 + i % 64, (i * 7 + 3) % n);
    put(t, "if (n == 5) return;\n(*env)->ReleaseStringUTFChars(env, s, p);\n}\n");
}

static uint64_t visits(void (*write)(struct text *, int), int n, const char *rule)
{
    struct text t = {0};
    write(&t, n);
    struct jg_findings findings;
    struct jg_check_stats stats = {0};
    jg_findings_init(&findings);
    char *found = snippet_check(t.data, &findings, &stats);
    assert_int_equal(findings.list.count, 1);
    assert_string_equal(jg_rule_info(findings.list.data[0].rule)->id, rule);
    assert_int_equal(stats.exhausted, 0);
    free(found);
    free(t.data);
    jg_findings_fini(&findings);
    return stats.block_visits;
}

static void thirty_optional_buffers(void **state)
{
    (void)state;
    // Beyond the cap each is explored with three others, over all blocks: the square of n.
    uint64_t half = visits(optional_buffers, 15, "buffer-unreleased");
    assert_true(visits(optional_buffers, 30, "buffer-unreleased") < 5 * half);
}

static void two_hundred_nested_loops(void **state)
{
    (void)state;
    uint64_t half = visits(nested_loops, 100, "local-ref-leak-in-loop");
    assert_true(visits(nested_loops, 200, "local-ref-leak-in-loop") < 5 * half / 2);
}

static void switch_of_five_thousand_cases(void **state)
{
    (void)state;
    uint64_t half = visits(large_switch, 2500, "buffer-unreleased");
    assert_true(visits(large_switch, 5000, "buffer-unreleased") < 5 * half / 2);
}

static void a_thousand_gotos(void **state)
{
    (void)state;
    uint64_t half = visits(many_gotos, 500, "buffer-unreleased");
    assert_true(visits(many_gotos, 1000, "buffer-unreleased") < 5 * half / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thirty_optional_buffers),
        cmocka_unit_test(two_hundred_nested_loops),
        cmocka_unit_test(switch_of_five_thousand_cases),
        cmocka_unit_test(a_thousand_gotos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
