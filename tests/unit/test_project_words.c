// SPDX-License-Identifier: Apache-2.0
//
// Words of compile commands, response files, launchers, paths and globs.

#include "analyzer/project/project.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The words, joined by '|'.
static char *join(const struct jg_words *w)
{
    static char text[4096];
    text[0] = '\0';
    for (uint32_t i = 0; i < w->list.count; i++) {
        strcat(text, i ? "|" : "");
        strcat(text, w->list.data[i]);
    }
    return text;
}

static void split_follows_the_shell(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
        bool closed;
    } cases[] = {
        {"", "", true},
        {"  \t\n ", "", true},
        {"cc -c a.c", "cc|-c|a.c", true},
        {"  cc   a.c  ", "cc|a.c", true},
        {"'a b' \"c d\"", "a b|c d", true},
        {"a'b'\"c\"d", "abcd", true},
        {"'' \"\"", "|", true},
        {"a\\ b", "a b", true},
        {"\\\"x\\\"", "\"x\"", true},
        {"\"a\\\"b\"", "a\"b", true},
        {"\"a\\nb\"", "a\\nb", true},
        {"'a\\b'", "a\\b", true},
        {"\"a\\\\b\"", "a\\b", true},
        {"a\\\nb", "ab", true},
        {"-DS='\"a b\"'", "-DS=\"a b\"", true},
        {"$HOME `id` $(id) *", "$HOME|`id`|$(id)|*", true},
        {"a 'b c", "a|b c", false},
        {"\"a", "a", false},
        {"a\\", "a\\", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct jg_bump arena = {0};
        struct jg_words words = {0};
        assert_int_equal(jg_shell_split(&arena, cases[i].text, &words), cases[i].closed);
        assert_string_equal(join(&words), cases[i].words);
        JG_VEC_FREE(&words.list);
        jg_bump_fini(&arena);
    }
}

static void launchers_are_dropped(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"gcc -c a.c", "gcc|-c|a.c"},
        {"ccache gcc -c a.c", "gcc|-c|a.c"},
        {"/usr/bin/ccache distcc clang a.c", "clang|a.c"},
        {"ccache base_dir=/x gcc a.c", "gcc|a.c"},
        {"sccache /opt/cc=1/gcc a.c", "/opt/cc=1/gcc|a.c"},
        {"ccache -c a.c", "ccache|-c|a.c"},
        {"ccache", "ccache"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct jg_bump arena = {0};
        struct jg_words words = {0};
        jg_shell_split(&arena, cases[i].text, &words);
        jg_strip_launchers(&words);
        assert_string_equal(join(&words), cases[i].words);
        JG_VEC_FREE(&words.list);
        jg_bump_fini(&arena);
    }
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static char *expand(const char *folder, const char *text)
{
    static struct jg_bump arena;
    struct jg_words words = {0};
    jg_bump_reset(&arena);
    jg_shell_split(&arena, text, &words);
    jg_expand_response_files(&arena, folder, &words, NULL);
    char *joined = join(&words);
    JG_VEC_FREE(&words.list);
    jg_bump_fini(&arena);
    return joined;
}

static void response_files_are_expanded(void **state)
{
    (void)state;
    char folder[] = "/tmp/jg-words-XXXXXX";
    assert_non_null(mkdtemp(folder));
    write_file(folder, "a.rsp", "-Ia '-DX=1 2'\n@b.rsp");
    write_file(folder, "b.rsp", "-Ib");
    write_file(folder, "loop.rsp", "-l @loop.rsp");
    assert_string_equal(expand(folder, "cc @a.rsp x.c"), "cc|-Ia|-DX=1 2|-Ib|x.c");
    assert_string_equal(expand(folder, "cc @missing.rsp @"), "cc|@missing.rsp|@");
    // A file that names itself ends at a fixed depth.
    assert_string_equal(expand(folder, "@loop.rsp"), "-l|-l|-l|-l|-l|-l|-l|-l|@loop.rsp");
    static const char *const names[] = {"a.rsp", "b.rsp", "loop.rsp"};
    for (size_t i = 0; i < 3; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void response_files_are_bounded(void **state)
{
    (void)state;
    char folder[] = "/tmp/jg-words-XXXXXX", path[256];
    assert_non_null(mkdtemp(folder));
    write_file(folder, "bomb.rsp",
               "@bomb.rsp @bomb.rsp @bomb.rsp @bomb.rsp @bomb.rsp @bomb.rsp "
               "@bomb.rsp @bomb.rsp @bomb.rsp @bomb.rsp @bomb.rsp");
    struct jg_bump arena = {0};
    struct jg_words words = {0};
    *JG_VEC_PUSH(&words.list) = "@bomb.rsp";
    jg_expand_response_files(&arena, folder, &words, NULL);
    assert_true(words.list.count <= 65536);
    JG_VEC_FREE(&words.list);
    jg_bump_fini(&arena);
    snprintf(path, sizeof path, "%s/bomb.rsp", folder);
    unlink(path);
    rmdir(folder);
}

static void paths_become_absolute(void **state)
{
    (void)state;
    static const struct {
        const char *directory, *path, *absolute;
    } cases[] = {
        {"/a/b", "c.c", "/a/b/c.c"},
        {"/a/b", "../c.c", "/a/c.c"},
        {"/a/b", "./x/../c.c", "/a/b/c.c"},
        {"/a/b", "/c//d/.", "/c/d"},
        {"/", "a", "/a"},
        {"/a", "../../..", "/"},
        {"/a/b", "..c/...", "/a/b/..c/..."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct jg_bump arena = {0};
        assert_string_equal(jg_path_absolute(&arena, cases[i].directory, cases[i].path),
                            cases[i].absolute);
        jg_bump_fini(&arena);
    }
}

static void globs_match(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *path;
        bool match;
    } cases[] = {
        {"/a/*.c", "/a/b.c", true},           {"/a/*.c", "/a/b/c.c", false},
        {"/a/**/*.c", "/a/b.c", true},        {"/a/**/*.c", "/a/b/c/d.c", true},
        {"/a/**/*.c", "/b/c.c", false},       {"/a/**/x/*.c", "/a/b/x/d.c", true},
        {"/a/**/x/*.c", "/a/b/y/d.c", false}, {"/*/b/**/c.c", "/a/b/c.c", true},
        {"/a/[ab].c", "/a/b.c", true},        {"/a/[ab].c", "/a/c.c", false},
        {"/a/?.c", "/a/b.c", true},           {"**/b.c", "/a/b.c", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(jg_glob_match(cases[i].pattern, cases[i].path), cases[i].match);
    assert_true(jg_is_glob("a*"));
    assert_false(jg_is_glob("a.c"));
}

static void path_maps_apply_to_whole_folders(void **state)
{
    (void)state;
    struct jg_project p;
    jg_project_init(&p);
    assert_null(jg_project_map(&p, "/src=/home/me/src"));
    assert_null(jg_project_map(&p, "/src/gen/=/tmp/gen"));
    assert_null(jg_project_map(&p, "/o/=/"));
    static const struct {
        const char *before, *after;
    } paths[] = {
        {"/src", "/home/me/src"},
        {"/src/a.c", "/home/me/src/a.c"},
        {"/srcs/a.c", "/srcs/a.c"},
        {"/src/gen/a.h", "/tmp/gen/a.h"}, // the longest FROM
        {"src/a.c", "src/a.c"},
        {"/o/a.c", "/a.c"},
        {"/o", "/"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_string_equal(jg_path_mapped(&p, paths[i].before), paths[i].after);
    assert_int_equal(p.path_maps.data[0].used, 2);
    static const struct {
        const char *before, *after;
    } words[] = {
        {"-I/src/inc", "-I/home/me/src/inc"},
        {"-isystem/src", "-isystem/home/me/src"},
        {"--sysroot=/src/x", "--sysroot=/home/me/src/x"},
        {"-DD=/src/x", "-DD=/home/me/src/x"},
        {"@/src/x.rsp", "@/home/me/src/x.rsp"},
        {"/src/a.c", "/home/me/src/a.c"},
        {"-Isub/src/inc", "-Isub/src/inc"},
        {"sub/src/a.c", "sub/src/a.c"},
        {"-O2", "-O2"},
        {"-I../src", "-I../src"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_string_equal(jg_word_mapped(&p, words[i].before), words[i].after);
    static const char *const wrong[] = {"", "/a", "/a=", "=/b", "a=/b"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *error = jg_project_map(&p, wrong[i]);
        assert_non_null(error);
        free(error);
    }
    jg_project_fini(&p);
}

static void texts_are_mapped_where_a_path_begins(void **state)
{
    (void)state;
    struct jg_project p;
    jg_project_init(&p);
    assert_null(jg_project_map_recorded(&p, "/src=."));
    assert_null(jg_project_map_recorded(&p, "/src/gen/=/out"));
    assert_null(jg_project_map_recorded(&p, "/a b=there"));
    static const struct {
        const char *before, *after;
    } texts[] = {
        {"/src/a.c", "a.c"},
        {"/src", "."},
        {"/src/gen/a.h", "/out/a.h"},
        {"-I/src/inc", "-Iinc"},
        {"-I/src", "-I."},
        {"-fmacro-prefix-map=/src=.", "-fmacro-prefix-map=.=."},
        {"-DX=\"/src/x\"", "-DX=\"x\""},
        {"struct (unnamed at /src/a.c:3:1)", "struct (unnamed at a.c:3:1)"},
        {"'/src/a.h' and '/src/gen'", "'a.h' and '/out'"},
        {"/a b/c", "there/c"},
        {"/srcs/a.c", NULL},
        {"/usr/src/a.c", NULL},
        {"src/a.c", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *mapped = jg_text_mapped(&p, texts[i].before);
        if (texts[i].after)
            assert_string_equal(mapped, texts[i].after);
        else
            assert_null(mapped);
        free(mapped);
    }
    static const char *const wrong[] = {"", "/a", "/a=", "=/b"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *error = jg_project_map_recorded(&p, wrong[i]);
        assert_non_null(error);
        free(error);
    }
    jg_project_fini(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_follows_the_shell),
        cmocka_unit_test(launchers_are_dropped),
        cmocka_unit_test(response_files_are_expanded),
        cmocka_unit_test(response_files_are_bounded),
        cmocka_unit_test(paths_become_absolute),
        cmocka_unit_test(globs_match),
        cmocka_unit_test(path_maps_apply_to_whole_folders),
        cmocka_unit_test(texts_are_mapped_where_a_path_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
