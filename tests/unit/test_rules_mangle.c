// SPDX-License-Identifier: Apache-2.0
//
// Names of native functions, there and back, and those that are malformed.

#include "rules/mangle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct name {
    const char *class_name, *method, *descriptor; // the descriptor is NULL for a short name
    const char *symbol;
} names[] = {
    {"A", "m", NULL, "Java_A_m"},
    {"java/lang/Object", "wait0", NULL, "Java_java_lang_Object_wait0"},
    {"p/q/r/A", "f", "(ILjava/lang/String;)J", "Java_p_q_r_A_f__ILjava_lang_String_2"},
    {"A", "f", "()V", "Java_A_f__"},
    {"A", "f", "([I[[Ljava/lang/Object;)V", "Java_A_f___3I_3_3Ljava_lang_Object_2"},
    {"my_pkg/A_B", "do_it", NULL, "Java_my_1pkg_A_1B_do_1it"},
    {"A", "_f", NULL, "Java_A__1f"},
    {"A", "_", NULL, "Java_A__1"},
    {"A", "__", NULL, "Java_A__1_1"},
    {"_A", "f_", NULL, "Java__1A_f_1"},
    {"A", "f_", "([J)V", "Java_A_f_1___3J"},
    {"_", "_", "(L_;)V", "Java__1__1__L_1_2"},
    {"A", "f", "(La/_b;)V", "Java_A_f__La__1b_2"},
    {"java/util/Map$Entry", "get", NULL, "Java_java_util_Map_00024Entry_get"},
    {"A", "$f", NULL, "Java_A__00024f"},
    {"A1", "f2", NULL, "Java_A1_f2"},
    {"A", "f4", "(LB9;)V", "Java_A_f4__LB9_2"},
    {"a/4b", "f", NULL, "Java_a_4b_f"},
    {"\xc3\x89t\xc3\xa9", "na\xc3\xafve", NULL, "Java__000c9t_000e9_na_000efve"},
    {"A", "\xe6\x97\xa5", NULL, "Java_A__065e5"},
    {"A", "\xed\xa0\xbd\xed\xb8\x80", NULL, "Java_A__0d83d_0de00"},
    {"A", "\xc0\x80", NULL, "Java_A__00000"},
    {"package-info", "f", NULL, "Java_package_0002dinfo_f"},
    {"A", "f", "(Lx)y;)L);", "Java_A_f__Lx_00029y_2"},
};

static void mangled_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct name *n = &names[i];
        char out[128];
        struct jg_text_error error = {0};
        size_t length = jg_mangle(n->class_name, n->method, n->descriptor, out, sizeof out, &error);
        if (length == 0)
            fail_msg("%s: %s", n->symbol, error.message);
        assert_string_equal(out, n->symbol);
        assert_int_equal(length, strlen(n->symbol));
    }
}

static void unmangled_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct name *n = &names[i];
        size_t size = strlen(n->symbol) + 1;
        char *buffer = malloc(size); // no more than the header promises
        assert_non_null(buffer);
        struct jg_unmangled result;
        struct jg_text_error error = {0};
        if (!jg_unmangle(n->symbol, buffer, size, &result, &error))
            fail_msg("%s at %zu: %s", n->symbol, error.offset, error.message);
        assert_string_equal(result.class_name, n->class_name);
        assert_string_equal(result.method, n->method);
        assert_int_equal(result.parameters != NULL, n->descriptor != NULL);
        if (n->descriptor) {
            size_t length = strlen(result.parameters);
            assert_int_equal(strncmp(result.parameters, n->descriptor, length), 0);
            assert_int_equal(result.parameters[length - 1], ')');
        }
        free(buffer);
    }
}

static void a_name_is_cut_off_as_by_snprintf(void **state)
{
    (void)state;
    static const char whole[] = "Java_p_A_1B_f__I";
    for (size_t size = 0; size <= sizeof whole; size++) {
        char out[sizeof whole + 2];
        memset(out, '#', sizeof out);
        assert_int_equal(jg_mangle("p/A_B", "f", "(I)V", out, size, NULL), strlen(whole));
        size_t kept = size == 0 ? 0 : size - 1 < strlen(whole) ? size - 1 : strlen(whole);
        assert_memory_equal(out, whole, kept);
        if (size)
            assert_int_equal(out[kept], '\0');
        assert_int_equal(out[size], '#');
    }
    assert_int_equal(jg_mangle("p/A_B", "f", "(I)V", NULL, 0, NULL), strlen(whole));
}

static void names_that_cannot_be_mangled(void **state)
{
    (void)state;
    static const struct {
        const char *class_name, *method, *descriptor;
        int fault; // 0: the class, 1: the method, 2: the descriptor
        size_t offset;
        const char *message;
    } cases[] = {
        {"", "f", NULL, 0, 0, "empty class name"},
        {"a.B", "f", NULL, 0, 1, "'/', not '.'"},
        {"a//B", "f", NULL, 0, 2, "no name before"},
        {"La/B;", "f", NULL, 0, 0, "drop the L"},
        {"[I", "f", NULL, 0, 0, "array"},
        {"A", "", NULL, 1, 0, "empty member name"},
        {"A", "f.g", NULL, 1, 1, "cannot contain"},
        {"A", "<init>", NULL, 1, 0, "never native"},
        {"A", "f", "", 2, 0, "empty method descriptor"},
        {"A", "f", "I", 2, 0, "begins with '('"},
        {"A", "f", "(I)", 2, 3, "no result type"},
        {"1A", "f", NULL, 0, 0, "0 to 3"},
        {"a/0b", "f", NULL, 0, 2, "0 to 3"},
        {"A", "3d", NULL, 1, 0, "0 to 3"},
        {"A", "f", "(ILa/2;)V", 2, 5, "0 to 3"},
        {"A\xf0\x9f\x98\x80", "f", NULL, 0, 1, "four-byte"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *arguments[] = {cases[i].class_name, cases[i].method, cases[i].descriptor};
        char out[64] = "#";
        struct jg_text_error error = {0};
        size_t length =
            jg_mangle(arguments[0], arguments[1], arguments[2], out, sizeof out, &error);
        if (length != 0)
            fail_msg("case %zu is mangled to %s", i, out);
        if (error.offset != cases[i].offset || !strstr(error.message, cases[i].message))
            fail_msg("case %zu is refused at %zu: %s", i, error.offset, error.message);
        assert_ptr_equal(error.text, arguments[cases[i].fault]);
        assert_string_equal(out, "");
        assert_int_equal(jg_mangle(arguments[0], arguments[1], arguments[2], out, 0, NULL), 0);
    }
}

static void malformed_symbols(void **state)
{
    (void)state;
    static const struct {
        const char *symbol;
        size_t offset;
        const char *message;
    } cases[] = {
        {"", 0, "begins with Java_"},
        {"java_A_f", 0, "begins with Java_"},
        {"Java", 0, "begins with Java_"},
        {"JNI_OnLoad", 0, "begins with Java_"},
        {"Java_", 5, "empty"},
        {"Java_A", 5, "no method"},
        {"Java_A__I", 5, "no method"},
        {"Java__A_f", 5, "empty"},
        {"Java_A_", 7, "empty"},
        {"Java_A_f_", 9, "empty"},
        {"Java___", 5, "empty"},
        {"Java_1A_f", 5, "0 to 3"},
        {"Java_A$B_f", 6, "_0xxxx"},
        {"Java_A_f@8", 8, "_0xxxx"},
        {"Java_A.f", 6, "_0xxxx"},
        {"Java_A_\xc3\xa9", 7, "_0xxxx"},
        {"Java_A_0", 6, "four hexadecimal"},
        {"Java_A_00e", 6, "four hexadecimal"},
        {"Java_A_000E9_f", 6, "lower case"},
        {"Java_A_000g9_f", 6, "four hexadecimal"},
        {"Java_A_00041_f", 6, "not written as _0xxxx"}, // A
        {"Java_A_0005f_f", 6, "not written as _0xxxx"}, // _
        {"Java_A_0002f_f", 6, "not written as _0xxxx"}, // /
        {"Java_A_0003b_f", 6, "not written as _0xxxx"}, // ;
        {"Java_A_2_f", 6, "cannot contain"},
        {"Java_A_3_f", 6, "cannot contain"},
        {"Java_A_0002eb_f", 6, "cannot contain"}, // .
        {"Java_A_f_0003c", 7, "cannot contain"},  // <
        {"Java_A_f__X", 10, "no type begins"},
        {"Java_A_f__V", 10, "cannot be void"},
        {"Java_A_f__L", 10, "no ';'"},
        {"Java_A_f__LString", 10, "no ';'"},
        {"Java_A_f___3", 10, "no type begins"},
        {"Java_A_f__I__J", 11, "a second time"},
        {"Java_A_f__I_", 10, "no type begins"},
        {"Java_A_f__I_2", 10, "no type begins"},
        {"Java_A_f__$", 10, "_0xxxx"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char buffer[64];
        struct jg_unmangled result;
        struct jg_text_error error = {0};
        if (jg_unmangle(cases[i].symbol, buffer, strlen(cases[i].symbol) + 1, &result, &error))
            fail_msg("%s is accepted", cases[i].symbol);
        if (error.offset != cases[i].offset || !strstr(error.message, cases[i].message))
            fail_msg("%s is refused at %zu: %s", cases[i].symbol, error.offset, error.message);
        assert_ptr_equal(error.text, cases[i].symbol);
        assert_false(jg_unmangle(cases[i].symbol, buffer, sizeof buffer, &result, NULL));
    }
}

static void a_small_buffer_is_refused(void **state)
{
    (void)state;
    char buffer[9];
    struct jg_unmangled result;
    struct jg_text_error error;
    assert_true(jg_unmangle("Java_A_f", buffer, 9, &result, &error));
    assert_false(jg_unmangle("Java_A_f", buffer, 8, &result, &error));
    assert_non_null(strstr(error.message, "too small"));
    assert_false(jg_unmangle("Java_A_f", buffer, 0, &result, NULL));
}

// Whatever is accepted mangles back to itself: no two names share a symbol, and none is lost.
static void arbitrary_symbols(void **state)
{
    (void)state;
    static const char alphabet[] = "____0123aILV4e";
    unsigned seed = 7, accepted = 0;

    for (unsigned round = 0; round < 300000; round++) {
        char symbol[32] = "Java_";
        size_t length = 5 + round % 20;
        for (size_t i = 5; i < length; i++) {
            seed = seed * 1664525u + 1013904223u;
            symbol[i] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
        }
        char *buffer = malloc(length + 1);
        assert_non_null(buffer);
        struct jg_unmangled result;
        struct jg_text_error error = {0};
        if (jg_unmangle(symbol, buffer, length + 1, &result, &error)) {
            char descriptor[40], back[64];
            if (result.parameters)
                snprintf(descriptor, sizeof descriptor, "%sV", result.parameters);
            if (!jg_mangle(result.class_name, result.method, result.parameters ? descriptor : NULL,
                           back, sizeof back, &error))
                fail_msg("%s: %s", symbol, error.message);
            assert_string_equal(back, symbol);
            accepted++;
        } else {
            assert_non_null(error.message);
            assert_true(error.offset <= length);
        }
        free(buffer);
    }
    assert_true(accepted > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mangled_names),
        cmocka_unit_test(unmangled_names),
        cmocka_unit_test(a_name_is_cut_off_as_by_snprintf),
        cmocka_unit_test(names_that_cannot_be_mangled),
        cmocka_unit_test(malformed_symbols),
        cmocka_unit_test(a_small_buffer_is_refused),
        cmocka_unit_test(arbitrary_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
