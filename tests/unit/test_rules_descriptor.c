// SPDX-License-Identifier: Apache-2.0
//
// Descriptors and names, well-formed and not. Every text is parsed from a heap block of exactly its
// length, so that AddressSanitizer sees a read beyond its end.

#include "rules/descriptor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// A copy that nothing readable follows. The caller frees it.
static char *exact(const char *text, size_t length)
{
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    return copy;
}

typedef bool parser(const char *text, size_t length, struct jg_text_error *error);

static bool parse_field(const char *text, size_t length, struct jg_text_error *error)
{
    struct jg_type type;
    return jg_field_descriptor_parse(text, length, &type, error);
}

static bool parse_method(const char *text, size_t length, struct jg_text_error *error)
{
    struct jg_method_descriptor method;
    return jg_method_descriptor_parse(text, length, &method, error);
}

static void accept(parser *parse, const char *text)
{
    char *copy = exact(text, strlen(text));
    struct jg_text_error error = {0};
    if (!parse(copy, strlen(text), &error))
        fail_msg("\"%s\" is refused at %zu: %s", text, error.offset, error.message);
    assert_null(error.message);
    free(copy);
}

struct malformed {
    const char *text;
    size_t offset;
    const char *message; // a part of it
};

static void refuse(parser *parse, const struct malformed *c)
{
    size_t length = strlen(c->text);
    char *copy = exact(c->text, length);
    struct jg_text_error error = {0};
    if (parse(copy, length, &error))
        fail_msg("\"%s\" is accepted", c->text);
    if (error.offset != c->offset || !strstr(error.message, c->message))
        fail_msg("\"%s\" is refused at %zu: %s", c->text, error.offset, error.message);
    assert_ptr_equal(error.text, copy);
    assert_false(parse(copy, length, NULL));
    free(copy);
}

// ---- fields

static void field_descriptors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char base;
        unsigned dimensions;
        const char *class_name;
        unsigned slots;
    } cases[] = {
        {"B", 'B', 0, NULL, 1},
        {"C", 'C', 0, NULL, 1},
        {"D", 'D', 0, NULL, 2},
        {"F", 'F', 0, NULL, 1},
        {"I", 'I', 0, NULL, 1},
        {"J", 'J', 0, NULL, 2},
        {"S", 'S', 0, NULL, 1},
        {"Z", 'Z', 0, NULL, 1},
        {"[J", 'J', 1, NULL, 1},
        {"[[[D", 'D', 3, NULL, 1},
        {"LA;", 'L', 0, "A", 1},
        {"Ljava/lang/String;", 'L', 0, "java/lang/String", 1},
        {"[[Ljava/util/Map$Entry;", 'L', 2, "java/util/Map$Entry", 1},
        {"L(<odd name>);", 'L', 0, "(<odd name>)", 1},
        {"L\xc3\xa9t\xc3\xa9;", 'L', 0, "\xc3\xa9t\xc3\xa9", 1},
        {"L\xc0\x80;", 'L', 0, "\xc0\x80", 1},
        {"L\xed\xa0\xbd\xed\xb8\x80;", 'L', 0, "\xed\xa0\xbd\xed\xb8\x80", 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *text = cases[i].text;
        char *copy = exact(text, strlen(text));
        struct jg_type type;
        struct jg_text_error error = {0};
        if (!jg_field_descriptor_parse(copy, strlen(text), &type, &error))
            fail_msg("\"%s\" is refused: %s", text, error.message);
        assert_ptr_equal(type.text, copy);
        assert_int_equal(type.length, strlen(text));
        assert_int_equal(type.base, cases[i].base);
        assert_int_equal(type.dimensions, cases[i].dimensions);
        assert_int_equal(jg_type_slots(&type), cases[i].slots);
        assert_int_equal(type.class_name != NULL, cases[i].class_name != NULL);
        if (type.class_name) {
            assert_int_equal(type.class_length, strlen(cases[i].class_name));
            assert_memory_equal(type.class_name, cases[i].class_name, type.class_length);
        }
        free(copy);
    }
}

static void malformed_field_descriptors(void **state)
{
    (void)state;
    static const struct malformed cases[] = {
        {"", 0, "empty"},
        {"V", 0, "cannot be void"},
        {"[V", 1, "array of void"},
        {"[", 1, "no element type"},
        {"[[", 2, "no element type"},
        {"X", 0, "no type begins"},
        {"i", 0, "no type begins"},
        {"int", 0, "no type begins"},
        {"java/lang/String", 0, "no type begins"},
        {"String;", 1, "more text"},
        {"II", 1, "more text"},
        {"LA;;", 3, "more text"},
        {"Ljava/lang/String", 1, "no ';'"},
        {"[Ljava/lang/String", 2, "no ';'"},
        {"L", 1, "no ';'"},
        {"L;", 1, "empty class name"},
        {"L/A;", 1, "no name before"},
        {"LA/;", 3, "no name after"},
        {"LA//B;", 3, "no name before"},
        {"Ljava.lang.String;", 5, "'/', not '.'"},
        {"L[I;", 1, "'['"},
        {"LA[];", 2, "'['"},
        {"()V", 0, "method descriptor"},
        {"L\x80;", 1, "no modified UTF-8"},
        {"L\xc3;", 1, "no modified UTF-8"},
        {"L\xc3", 1, "no modified UTF-8"},
        {"L\xe2\x82", 1, "no modified UTF-8"},
        {"L\xe2\x82;", 1, "no modified UTF-8"},
        {"L\xc1\xbf;", 1, "no modified UTF-8"},     // 7F in two bytes
        {"L\xe0\x9f\xbf;", 1, "no modified UTF-8"}, // 7FF in three
        {"L\xf0\x9f\x98\x80;", 1, "four-byte"},
        {"L\xff;", 1, ""},
        {" I", 0, "no type begins"},
        {"I ", 1, "more text"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse(parse_field, &cases[i]);
}

static void nul_ends_nothing(void **state)
{
    (void)state;
    struct jg_type type;
    struct jg_text_error error;
    assert_false(jg_field_descriptor_parse("I\0I", 3, &type, &error));
    assert_int_equal(error.offset, 1);
    assert_false(jg_field_descriptor_parse("LA\0B;", 5, &type, &error));
    assert_int_equal(error.offset, 2);
    assert_false(jg_field_descriptor_parse("\0", 1, &type, &error));
    assert_int_equal(error.offset, 0);
    assert_false(jg_class_name_check("A\0B", 3, &error));
    assert_int_equal(error.offset, 1);
    assert_false(jg_member_name_check("A\0B", 3, &error));
    assert_int_equal(error.offset, 1);
}

static void at_most_255_dimensions(void **state)
{
    (void)state;
    char text[300];
    memset(text, '[', sizeof text);
    struct jg_type type;
    struct jg_text_error error;

    text[255] = 'I';
    assert_true(jg_field_descriptor_parse(text, 256, &type, &error));
    assert_int_equal(type.dimensions, 255);
    assert_true(jg_class_name_check(text, 256, &error));
    text[255] = '[';
    text[256] = 'I';
    assert_false(jg_field_descriptor_parse(text, 257, &type, &error));
    assert_int_equal(error.offset, 255);
    assert_false(jg_class_name_check(text, 257, &error));
}

static void at_most_65535_bytes(void **state)
{
    (void)state;
    char *text = malloc(65537);
    assert_non_null(text);
    memset(text, 'a', 65537);
    struct jg_text_error error;
    assert_true(jg_class_name_check(text, 65535, &error));
    assert_false(jg_class_name_check(text, 65536, &error));
    assert_non_null(strstr(error.message, "65535"));
    assert_false(jg_member_name_check(text, 65537, &error));
    text[0] = 'L';
    assert_false(parse_field(text, 65537, &error));
    text[0] = '(';
    assert_false(parse_method(text, 65537, &error));
    free(text);
}

// ---- methods

static void method_descriptors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *parameters[6];
        unsigned slots;
        const char *result;
    } cases[] = {
        {"()V", {NULL}, 0, "V"},
        {"()J", {NULL}, 0, "J"},
        {"(I)I", {"I"}, 1, "I"},
        {"(JD)V", {"J", "D"}, 4, "V"},
        {"([J[[D)[I", {"[J", "[[D"}, 2, "[I"},
        {"(Ljava/lang/String;I[Ljava/lang/Object;ZLA;)Ljava/lang/Class;",
         {"Ljava/lang/String;", "I", "[Ljava/lang/Object;", "Z", "LA;"},
         5,
         "Ljava/lang/Class;"},
        {"(L);)L);", {"L);"}, 1, "L);"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *text = cases[i].text;
        char *copy = exact(text, strlen(text));
        struct jg_method_descriptor method;
        struct jg_text_error error = {0};
        if (!jg_method_descriptor_parse(copy, strlen(text), &method, &error))
            fail_msg("\"%s\" is refused: %s", text, error.message);
        assert_int_equal(method.slots, cases[i].slots);
        assert_int_equal(method.result.length, strlen(cases[i].result));
        assert_memory_equal(method.result.text, cases[i].result, method.result.length);

        size_t cursor = 0;
        unsigned count = 0;
        struct jg_type type;
        while (jg_method_next_parameter(&method, &cursor, &type)) {
            assert_non_null(cases[i].parameters[count]);
            assert_int_equal(type.length, strlen(cases[i].parameters[count]));
            assert_memory_equal(type.text, cases[i].parameters[count], type.length);
            count++;
        }
        assert_null(cases[i].parameters[count]);
        assert_int_equal(method.parameters, count);
        assert_false(jg_method_next_parameter(&method, &cursor, &type));
        free(copy);
    }
}

static void malformed_method_descriptors(void **state)
{
    (void)state;
    static const struct malformed cases[] = {
        {"", 0, "empty"},
        {"I", 0, "begins with '('"},
        {"V", 0, "begins with '('"},
        {"(", 1, "no ')'"},
        {"(I", 2, "no ')'"},
        {"()", 2, "no result type"},
        {"(I)", 3, "no result type"},
        {"(V)V", 1, "cannot be void"},
        {"(IV)V", 2, "cannot be void"},
        {"([V)V", 2, "array of void"},
        {"([)V", 2, "no type begins"},
        {"()[V", 3, "array of void"},
        {"()[", 3, "no element type"},
        {"()VV", 3, "more text after the result"},
        {"()V ", 3, "more text after the result"},
        {"(I,I)V", 2, "no type begins"},
        {"(I I)V", 2, "no type begins"},
        {"(int)void", 1, "no type begins"},
        {"(Ljava.lang.String;)V", 6, "'/', not '.'"},
        {"(Ljava/lang/String)V", 2, "no ';'"},
        {"(Ljava/lang/String)Ljava/lang/Object;", 2, "no ';'"},
        {"()Ljava/lang/String", 3, "no ';'"},
        {"(LA;", 4, "no ')'"},
        {"()()V", 2, "no type begins"},
        {"((I)V", 1, "no type begins"},
        {"(L;)V", 2, "empty class name"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse(parse_method, &cases[i]);
}

static void at_most_255_argument_slots(void **state)
{
    (void)state;
    char text[300] = "(";
    struct jg_method_descriptor method;
    struct jg_text_error error;

    memset(text + 1, 'I', 255);
    strcpy(text + 256, ")V");
    assert_true(jg_method_descriptor_parse(text, strlen(text), &method, &error));
    assert_int_equal(method.slots, 255);
    assert_int_equal(method.parameters, 255);

    text[255] = 'J'; // the last one takes two
    assert_false(jg_method_descriptor_parse(text, strlen(text), &method, &error));
    assert_int_equal(error.offset, 255);
    assert_non_null(strstr(error.message, "255 argument slots"));
}

// No prefix of a descriptor is one, and none is read beyond its end.
static void every_prefix_is_refused(void **state)
{
    (void)state;
    static const char text[] = "([[Ljava/lang/String;J\x4c\xe2\x82\xac;)[Ljava/lang/Object;";
    for (size_t length = 0; length < strlen(text); length++) {
        char *copy = exact(text, length);
        assert_false(parse_method(copy, length, NULL));
        free(copy);
    }
    accept(parse_method, text);
}

// Any bytes at all: no crash, and an error that lies in the text.
static void arbitrary_bytes(void **state)
{
    (void)state;
    static const char alphabet[] = "([)VIJL;/.a\xc0\x80\xe2\xed\xf0\xff";
    unsigned seed = 1;
    for (unsigned round = 0; round < 200000; round++) {
        char text[24];
        size_t length = round % sizeof text;
        for (size_t i = 0; i < length; i++) {
            seed = seed * 1664525u + 1013904223u;
            text[i] = alphabet[(seed >> 16) % sizeof alphabet]; // its NUL, too
        }
        parser *const parsers[] = {parse_field, parse_method, jg_class_name_check,
                                   jg_member_name_check};
        char *copy = exact(text, length);
        for (size_t p = 0; p < COUNT(parsers); p++) {
            struct jg_text_error error = {0};
            if (!parsers[p](copy, length, &error)) {
                assert_true(error.offset <= length);
                assert_non_null(error.message);
            }
        }
        free(copy);
    }
}

// ---- names

static void class_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "java/lang/String",
        "A",
        "I",
        "L",
        "Lfoo",
        "a b",
        "A$B",
        "[I",
        "[[Z",
        "[Ljava/lang/String;",
        "\xc3\xa9",
        "package-info",
    };
    for (size_t i = 0; i < COUNT(names); i++)
        accept(jg_class_name_check, names[i]);
}

static void malformed_class_names(void **state)
{
    (void)state;
    static const struct malformed cases[] = {
        {"", 0, "empty"},
        {"java.lang.String", 4, "'/', not '.'"},
        {"Ljava/lang/String;", 0, "drop the L and the ;"},
        {"L;", 0, "drop the L and the ;"},
        {"java/lang/String;", 16, "';'"},
        {"/java/lang/String", 0, "no name before"},
        {"java//lang", 5, "no name before"},
        {"java/", 5, "no name after"},
        {"/", 0, "no name before"},
        {"int[]", 3, "'['"},
        {"java/lang/String[]", 16, "'['"},
        {"[", 1, "no element type"},
        {"[V", 1, "array of void"},
        {"[java/lang/String", 1, "no type begins"},
        {"[Ljava/lang/String", 2, "no ';'"},
        {"[Ljava.lang.String;", 6, "'/', not '.'"},
        {"[II", 2, "more text"},
        {"a\xf0\x9f\x98\x80", 1, "four-byte"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse(jg_class_name_check, &cases[i]);
}

static void member_names(void **state)
{
    (void)state;
    static const char *const names[] = {"a",   "wait0",    "<init>", "<clinit>",
                                        "a b", "\xc3\xa9", "()"};
    for (size_t i = 0; i < COUNT(names); i++)
        accept(jg_member_name_check, names[i]);
}

static void malformed_member_names(void **state)
{
    (void)state;
    static const struct malformed cases[] = {
        {"", 0, "empty"},   {"a.b", 1, ""},    {"a;", 1, ""},     {"a[", 1, ""},
        {"a/b", 1, ""},     {"<foo>", 0, ""},  {"a>", 1, ""},     {"<init", 0, ""},
        {"<init>x", 0, ""}, {"\xff", 0, "no"}, {"\xc3", 0, "no"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse(jg_member_name_check, &cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(field_descriptors),
        cmocka_unit_test(malformed_field_descriptors),
        cmocka_unit_test(nul_ends_nothing),
        cmocka_unit_test(at_most_255_dimensions),
        cmocka_unit_test(at_most_65535_bytes),
        cmocka_unit_test(method_descriptors),
        cmocka_unit_test(malformed_method_descriptors),
        cmocka_unit_test(at_most_255_argument_slots),
        cmocka_unit_test(every_prefix_is_refused),
        cmocka_unit_test(arbitrary_bytes),
        cmocka_unit_test(class_names),
        cmocka_unit_test(malformed_class_names),
        cmocka_unit_test(member_names),
        cmocka_unit_test(malformed_member_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
