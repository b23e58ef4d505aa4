// SPDX-License-Identifier: Apache-2.0
//
// Which files a text asks for, and when that cannot be said.

#include "analyzer/project/cache_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

// "<a.h> "b.h" ?<c.h>": what is asked for, a question mark before what is only probed; then
// "computed", "opaque".
static char *scan(const char *text)
{
    struct jg_cache_files *files = jg_cache_files_new((struct timespec){0});
    struct jg_cache_scan out = {0};
    // In a block of its own: a step beyond the end is seen by the sanitizer.
    size_t size = strlen(text);
    char *copy = jg_malloc(size);
    memcpy(copy, text, size);
    jg_cache_scan(files, copy, size, &out);
    char *all = jg_strdup("");
    for (uint32_t i = 0; i < out.asked.count; i++) {
        const struct jg_cache_asked *a = &out.asked.data[i];
        char *more = jg_format("%s%s%s%s%s%s", all, *all ? " " : "", a->probe ? "?" : "",
                               a->quoted ? "\"" : "<", jg_cache_text(files, a->name),
                               a->quoted ? "\"" : ">");
        free(all);
        all = more;
    }
    char *result =
        jg_format("%s%s%s", all, out.computed ? " computed" : "", out.opaque ? " opaque" : "");
    free(all);
    free(copy);
    JG_VEC_FREE(&out.asked);
    jg_cache_files_free(files);
    return result;
}

struct row {
    const char *text, *asked;
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *asked = scan(rows[i].text);
        assert_string_equal(asked, rows[i].asked);
        free(asked);
    }
}

#define CHECK(rows) check_rows(rows, sizeof rows / sizeof *rows)

static void includes_are_found(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"#include <jni.h>\n#include \"a/b.h\"", "<jni.h> \"a/b.h\""},
        {"  #  include/**/<a.h>\n\t#import \"b.h\" // #include <c.h>\n", "<a.h> \"b.h\""},
        {"#include_next <limits.h>\n", "<limits.h>"},
        {"#include \\\n <a.h>\n", "<a.h>"},
        {"/* a\n b */ #include <a.h>\n", "<a.h>"},
        {"#if 0\n#include <a.h>\n#endif\n", "<a.h>"},
        {"#if 0\ndon't\n#include <a.h>\n#endif\n", "<a.h>"},
        {"int i = 1'000'000; /* ' */\n#include <a.h>\n", "<a.h>"},
        {"char c = '\"';\n#include <a.h>\n", "<a.h>"},
        {"char *s = \"/*\";\n#include <a.h>\n", "<a.h>"},
        {"const char *s = R\"x(\n\" /* )y\")x\";\n#include <a.h>\n", "<a.h>"},
        {"#include <a.h>\r\n#include \"b.h\"\r\n", "<a.h> \"b.h\""},
    };
    CHECK(rows);
}

static void what_looks_like_one_is_none(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"", ""},
        {"// #include <a.h>\n", ""},
        {"// \\\n#include <a.h>\n", ""},
        {"/* \n#include <a.h>\n*/", ""},
        {"char *s = \"\\\n#include <a.h>\n\";", ""},
        {"x #include <a.h>\n", ""},
        {"#pragma include <a.h>\n", ""},
        {"#", ""},
        {"/*", ""},
        {"\"", ""},
        {"R\"", ""},
        {"#include", " computed"},
        {"#include <", " computed"},
        {"#include <a.h\n", " computed"},
    };
    CHECK(rows);
}

static void probes_are_found(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"#if __has_include(<a.h>) && __has_include_next ( \"b.h\" )\n", "?<a.h> ?\"b.h\""},
        {"#if defined(__has_include) && __has_include(<a.h>)\n", "?<a.h>"},
        {"#ifdef __has_include\n#elif !defined __has_include\n#endif\n", ""},
        {"#define __has_include(x) 0\n", ""},
        {"/* the __has_include argument */\n", ""},
        {"#if __has_include(NAME)\n", " opaque"},
        {"#define HAS __has_include\n", " opaque"},
        {"#define HAS(x) __has_include(x)\n", " opaque"},
        {"#if __has_embed(<a>)\n", " opaque"},
    };
    CHECK(rows);
}

static void what_cannot_be_followed_is_opaque(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"#include NAME\n", " computed"},
        {"#include PASTE(a, b)\n#include <c.h>\n", "<c.h> computed"},
        {"char a[] = { \n#embed \"a\"\n};\n", " opaque"},
        {"const char *s = __DATE__ \" \" __TIME__;\n", " opaque"},
        {"const char *s = __TIMESTAMP__;\n", " opaque"},
        {"const char *s = \"__DATE__\"; // __DATE__\n", ""},
        {"%:include <a.h>\n", " opaque"},
        {"\?\?=include <a.h>\n", " opaque"},
        {"#inc\\\nlude <a.h>\n", " opaque"},
        {"const char *s = R\"x(\n)y\";\n#include <a.h>\n", " opaque"},
        {"#define x(a) \\\n    foo(a) \\\n    bar\n", ""},
    };
    CHECK(rows);
}

// Whatever the text: no step beyond its end.
static void every_prefix_is_survived(void **state)
{
    (void)state;
    static const char text[] = "#if __has_include(<a.h>) /* ' */ // \\\n\"\n'\\\n\\\r\n"
                               "#include \"b.h\"\nR\"xyz(abc)xyz\" %:x ?\?=";
    for (size_t i = 0; i < sizeof text; i++) {
        char *prefix = jg_format("%.*s", (int)i, text);
        free(scan(prefix));
        free(prefix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(includes_are_found),
        cmocka_unit_test(what_looks_like_one_is_none),
        cmocka_unit_test(probes_are_found),
        cmocka_unit_test(what_cannot_be_followed_is_opaque),
        cmocka_unit_test(every_prefix_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
