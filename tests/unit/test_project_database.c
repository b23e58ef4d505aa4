// SPDX-License-Identifier: Apache-2.0
//
// compile_commands.json: good, bad and hostile; which entries are units; selection and edits.

#include "analyzer/project/project.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];
static char database[128];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/jg-database-XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    char *real = realpath(folder, NULL);
    snprintf(folder, sizeof folder, "%s", real);
    free(real);
    snprintf(database, sizeof database, "%s/compile_commands.json", folder);
    return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static int remove_folder(void **state)
{
    (void)state;
    return chdir("/") != 0 || nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS) != 0;
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static char *read_text(struct jg_project *p, const char *text)
{
    write_file(database, text);
    jg_project_init(p);
    return jg_project_read(p, "compile_commands.json");
}

static void both_forms_of_a_command_are_read(void **state)
{
    (void)state;
    struct jg_project p;
    char *error = read_text(
        &p,
        "[{\"directory\":\".\",\"file\":\"a.c\",\"command\":\"ccache gcc -DS='\\\"x y\\\"' a.c\"},"
        "{\"directory\":\"sub\",\"file\":\"../b.c\",\"arguments\":[\"cc\",\"-I.\",\"../b.c\"],"
        "\"output\":\"b.o\"}]");
    assert_null(error);
    assert_int_equal(p.entries.count, 2);
    const struct jg_compile_command *a = &p.entries.data[0].command;
    assert_string_equal(a->directory, folder);
    assert_int_equal(a->argc, 3);
    assert_string_equal(a->argv[0], "gcc");
    assert_string_equal(a->argv[1], "-DS=\"x y\"");
    char *expected = jg_format("%s/b.c", folder);
    assert_string_equal(p.entries.data[1].command.file, expected);
    free(expected);
    jg_project_fini(&p);
}

static void errors_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "compile_commands.json:1:1: "},
        {"[\n  {\"a\" 1}]", "compile_commands.json:2:"},
        {"{}", "compile_commands.json:1:1: a compile database is an array of objects"},
        {"[1]", "compile_commands.json: entry 1: not an object"},
        {"[{}]", "compile_commands.json: entry 1: \"file\" is missing or not a string"},
        {"[{\"file\":1}]", "compile_commands.json: entry 1: \"file\" is missing or not a string"},
        {"[{\"file\":\"a.c\",\"directory\":2}]",
         "compile_commands.json: entry 1: \"directory\" is not a string"},
        {"[{\"file\":\"a.c\"}]", "compile_commands.json: entry 1: neither \"arguments\" nor"},
        {"[{\"file\":\"a.c\",\"command\":[]}]",
         "compile_commands.json: entry 1: \"command\" is not a string"},
        {"[{\"file\":\"a.c\",\"command\":\"cc 'a\"}]",
         "compile_commands.json: entry 1: a quote in \"command\" is not closed"},
        {"[{\"file\":\"a.c\",\"command\":\"  \"}]",
         "compile_commands.json: entry 1: the command is empty"},
        {"[{\"file\":\"a.c\",\"arguments\":[\"cc\",1]}]",
         "compile_commands.json: entry 1: \"arguments\" holds something that is not a string"},
        {"[{\"file\":\"a.c\",\"arguments\":\"cc\"}]",
         "compile_commands.json: entry 1: \"arguments\" is not an array"},
        {"[{\"file\":\"a.c\",\"command\":\"cc a.c\"},7]",
         "compile_commands.json: entry 2: not an object"},
        {"[{\"file\":\"\xff\"}]", "compile_commands.json:1:"},
        {"[{\"file\":\"a\\u0000b\",\"command\":\"cc\"}]", "compile_commands.json:1:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct jg_project p;
        char *error = read_text(&p, cases[i].text);
        assert_non_null(error);
        assert_memory_equal(error, cases[i].error, strlen(cases[i].error));
        free(error);
        jg_project_fini(&p);
    }
}

static void missing_database_is_an_error(void **state)
{
    (void)state;
    struct jg_project p;
    jg_project_init(&p);
    char *error = jg_project_read(&p, "nowhere.json");
    assert_string_equal(error, "nowhere.json: No such file or directory");
    free(error);
    jg_project_fini(&p);
}

static void only_a_regular_file_is_a_database(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    static const struct {
        const char *path, *expected;
    } cases[] = {{"pipe", "pipe: not a regular file"},
                 {"/dev/null", "/dev/null: not a regular file"},
                 {"/", "/: Is a directory"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct jg_project p;
        jg_project_init(&p);
        char *error = jg_project_read(&p, cases[i].path);
        assert_string_equal(error, cases[i].expected);
        free(error);
        jg_project_fini(&p);
    }
    // Nor a response file.
    struct jg_project p;
    jg_project_init(&p);
    char *error = read_text(&p, "[{\"file\": \"a.c\", \"command\": \"cc @pipe a.c\"}]");
    assert_null(error);
    assert_string_equal(p.entries.data[0].command.argv[1], "@pipe");
    jg_project_fini(&p);
    unlink("pipe");
}

static void deep_nesting_is_an_error_and_no_crash(void **state)
{
    (void)state;
    size_t depth = 200000;
    char *text = malloc(depth + 1);
    memset(text, '[', depth);
    text[depth] = '\0';
    struct jg_project p;
    char *error = read_text(&p, text);
    assert_non_null(error);
    free(error);
    free(text);
    jg_project_fini(&p);
}

static void huge_databases_are_read(void **state)
{
    (void)state;
    FILE *f = fopen(database, "w");
    assert_non_null(f);
    fputs("[", f);
    for (int i = 0; i < 20000; i++)
        fprintf(f, "%s{\"directory\":\"/nowhere\",\"file\":\"%d.c\",\"command\":\"cc -c %d.c\"}",
                i ? "," : "", i, i);
    fputs("]", f);
    fclose(f);
    struct jg_project p;
    jg_project_init(&p);
    assert_null(jg_project_read(&p, database));
    assert_int_equal(p.entries.count, 20000);
    assert_string_equal(p.entries.data[19999].command.file, "/nowhere/9999.c"); // sorted
    jg_project_fini(&p);
}

// Whatever their order.
static void one_of_duplicates_counts(void **state)
{
    (void)state;
    static const char *const entries[] = {
        "{\"file\":\"a.c\",\"command\":\"cc -DONE a.c\"}",
        "{\"file\":\"b.c\",\"command\":\"cc b.c\"}",
        "{\"file\":\"./a.c\",\"command\":\"cc -DTWO a.c\"}",
        "{\"file\":\"x/../a.c\",\"command\":\"cc -DONE -DTHREE a.c\"}",
    };
    for (unsigned turn = 0; turn < 4; turn++) {
        char *text = jg_format("[%s,%s,%s,%s]", entries[turn], entries[(turn + 1) % 4],
                               entries[(turn + 2) % 4], entries[(turn + 3) % 4]);
        struct jg_project p;
        assert_null(read_text(&p, text));
        free(text);
        assert_int_equal(p.entries.count, 2);
        assert_string_equal(p.entries.data[0].command.argv[1], "-DONE");
        assert_string_equal(p.entries.data[0].command.argv[2], "-DTHREE");
        assert_string_equal(p.entries.data[1].command.argv[1], "b.c");
        assert_int_equal(p.duplicates.count, 1);
        assert_int_equal(p.duplicates.data[0].count, 2);
        jg_project_fini(&p);
    }
}

static void other_languages_are_skipped(void **state)
{
    (void)state;
    struct jg_project p;
    char *error = read_text(
        &p,
        "[{\"file\":\"a.S\",\"command\":\"cc a.S\"},{\"file\":\"a.cpp\",\"command\":\"c++ a.cpp\"},"
        "{\"file\":\"b.c\",\"command\":\"cc -x assembler-with-cpp b.c\"},"
        "{\"file\":\"c.inc\",\"command\":\"cc -xc c.inc\"},{\"file\":\"d\",\"command\":\"cc d\"},"
        "{\"file\":\"e.rs\",\"command\":\"rustc e.rs\"}]");
    assert_null(error);
    assert_int_equal(p.entries.count, 2); // a.cpp, c.inc
    assert_int_equal(p.skipped.count, 4);
    assert_string_equal(p.skipped.data[0].language, "assembler");
    assert_string_equal(p.skipped.data[1].language, "assembler");
    assert_string_equal(p.skipped.data[3].language, "Rust");
    jg_project_fini(&p);
}

static void arguments_select_entries(void **state)
{
    (void)state;
    assert_int_equal(mkdir("src", 0700), 0);
    write_file("src/a.c", "");
    write_file("src/b.c", "");
    write_file("c.c", "");
    assert_int_equal(symlink("src", "link"), 0);
    struct jg_project p;
    char *error = read_text(&p, "[{\"directory\":\"src\",\"file\":\"a.c\",\"command\":\"cc a.c\"},"
                                "{\"file\":\"link/b.c\",\"command\":\"cc b.c\"},"
                                "{\"file\":\"c.c\",\"command\":\"cc c.c\"}]");
    assert_null(error);
    static const struct {
        const char *argument;
        unsigned count;
    } cases[] = {{"src/a.c", 1}, {"./src/../src/a.c", 1}, {"link/a.c", 1}, {"src", 2}, {"link", 2},
                 {"*.c", 1},     {"src/*.c", 2},          {"**/*.c", 3},   {"x.c", 0}, {"sr", 0},
                 {"d*.c", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(jg_project_select(&p, cases[i].argument), cases[i].count);
    jg_project_fini(&p);
}

static void commands_are_edited(void **state)
{
    (void)state;
    struct jg_project p;
    char *error = read_text(&p, "[{\"file\":\"a.c\",\"command\":\"cc -march=x -O2 -- a.c\"}]");
    assert_null(error);
    const char *const added[] = {"-DX"}, *const removed[] = {"-march=*", "cc"};
    jg_project_edit(&p, added, 1, removed, 2);
    const struct jg_compile_command *c = &p.entries.data[0].command;
    assert_int_equal(c->argc, 5);
    static const char *const expected[] = {"cc", "-O2", "-DX", "--", "a.c"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(c->argv[i], expected[i]);
    jg_project_fini(&p);
}

// An expected path that begins with '/' is seen from the test's folder. `note`: what is told behind
// the path, or NULL when nothing is.
static void discovered(const char *where, const char *expected, const char *note)
{
    char *path, *said, *error = jg_project_discover(where, &path, &said);
    assert_null(error);
    char *full = jg_format("%s%s", expected[0] == '/' ? folder : "", expected);
    assert_string_equal(path, full);
    if (note) {
        char *all = jg_format("compile commands from %s%s", full, note);
        assert_non_null(said);
        assert_string_equal(said, all);
        free(all);
    } else {
        assert_null(said);
    }
    free(full);
    free(path);
    free(said);
}

static void not_discovered(const char *where, const char *expected)
{
    char *path, *note, *error = jg_project_discover(where, &path, &note);
    assert_null(path);
    assert_null(note);
    assert_non_null(error);
    if (!strstr(error, expected))
        assert_string_equal(error, expected);
    free(error);
}

static void make_database(const char *build_folder, const char *text)
{
    char *path = jg_format("%s/compile_commands.json", build_folder);
    assert_int_equal(mkdir(build_folder, 0700), 0);
    write_file(path, text);
    free(path);
}

static void databases_are_discovered(void **state)
{
    (void)state;
    assert_int_equal(mkdir("a[b", 0700), 0);
    assert_int_equal(mkdir("a[b/c", 0700), 0);
    assert_int_equal(chdir("a[b/c"), 0);
    not_discovered("..", "..: no compile_commands.json in this folder or its build*/ and out*/");

    write_file("../../compile_commands.json", "[]");
    discovered(NULL, "/compile_commands.json", "");
    make_database("../out-x", "[{\"directory\":\"../c\",\"file\":\"a.c\",\"command\":\"cc a.c\"}]");
    discovered(NULL, "/a[b/out-x/compile_commands.json", "");
    make_database("build-y", "[]");
    discovered(NULL, "build-y/compile_commands.json", NULL);
    make_database("build-z", "broken");
    discovered(NULL, "build-y/compile_commands.json",
               "; also found: build-z/compile_commands.json; choose with -p");
    discovered("build-z", "build-z/compile_commands.json", NULL);
    discovered("some.json", "some.json", NULL);
}

static void build_folders_of_others_are_left_alone(void **state)
{
    (void)state;
    assert_int_equal(mkdir(".git", 0700), 0); // nor is what lies above, in /tmp, looked at
    make_database("build-other", "[{\"file\":\"/other/a.c\",\"command\":\"cc a.c\"}]");
    make_database("build-broken", "[");
    make_database("out-near", "[{\"directory\":\"..\",\"file\":\"mine.c\",\"command\":\"cc\"}]");
    assert_int_equal(mkdir("mine", 0700), 0); // mine.c does not lie below it
    assert_int_equal(chdir("mine"), 0);
    not_discovered(NULL, "build-broken/compile_commands.json, ");
    not_discovered(NULL, "build-other/compile_commands.json and 1 more");
    write_file("../out-near/compile_commands.json",
               "[{\"directory\":\"..\",\"file\":\"mine/a.c\",\"command\":\"cc\"}]");
    discovered(NULL, "/out-near/compile_commands.json", "");
    assert_int_equal(chdir(".."), 0); // here all of them count
    discovered(NULL, "build-broken/compile_commands.json",
               "; also found: build-other/compile_commands.json, out-near/compile_commands.json; "
               "choose with -p");
}

static void the_search_ends_at_the_top_of_a_repository(void **state)
{
    (void)state;
    write_file("compile_commands.json", "[]");
    assert_int_equal(mkdir("repo", 0700), 0);
    assert_int_equal(mkdir("repo/src", 0700), 0);
    assert_int_equal(chdir("repo/src"), 0);
    discovered(NULL, "/compile_commands.json", "");
    assert_int_equal(mkdir("../.git", 0700), 0);
    not_discovered(NULL, "up to the top of the repository");
    write_file("../compile_commands.json", "[]");
    discovered(NULL, "/repo/compile_commands.json", "");
}

static void a_named_project_is_looked_into(void **state)
{
    (void)state;
    assert_int_equal(mkdir("project", 0700), 0);
    make_database("project/build", "[]");
    discovered("project", "project/build/compile_commands.json", "");
    assert_int_equal(symlink("build/compile_commands.json", "project/compile_commands.json"), 0);
    discovered("project", "project/compile_commands.json", NULL);
    assert_int_equal(chdir("project"), 0);
    discovered(NULL, "compile_commands.json", NULL); // the link and its target are one
    assert_int_equal(remove("compile_commands.json"), 0);
    make_database("out", "[]");
    not_discovered(".", "did you mean one of ./build/compile_commands.json, "
                        "./out/compile_commands.json?");
}

static void presets_lie_one_level_deeper(void **state)
{
    (void)state;
    assert_int_equal(mkdir(".git", 0700), 0);
    assert_int_equal(mkdir("build", 0700), 0);
    make_database("build/debug",
                  "[{\"directory\":\"../..\",\"file\":\"src/a.c\",\"command\":\"c\"}]");
    discovered(NULL, "build/debug/compile_commands.json", NULL);
    discovered("build", "build/debug/compile_commands.json", "");
    discovered(".", "./build/debug/compile_commands.json", "");
    assert_int_equal(mkdir("src", 0700), 0);
    assert_int_equal(chdir("src"), 0);
    discovered(NULL, "/build/debug/compile_commands.json", "");
    assert_int_equal(chdir(".."), 0);
    // Which of several?
    make_database("build/release", "[]");
    not_discovered(NULL, "several build folders have a compile_commands.json; choose one with -p: "
                         "build/debug/compile_commands.json, build/release/compile_commands.json");
    not_discovered("build", "did you mean one of build/debug/compile_commands.json, "
                            "build/release/compile_commands.json?");
    // One that is less deep wins.
    make_database("out", "[]");
    discovered(NULL, "out/compile_commands.json", NULL);
}

static void strangers_get_the_arguments_of_their_neighbours(void **state)
{
    (void)state;
    struct jg_project p;
    assert_null(read_text(
        &p, "[{\"file\":\"/p/a/x/1.c\",\"command\":\"cc -DX -o 1.o -- /p/a/x/1.c\"},"
            "{\"directory\":\"/p\",\"file\":\"/p/a/2.c\",\"command\":\"cc -DTWO a/2.c -c\"},"
            "{\"file\":\"/p/a/0.cc\",\"command\":\"c++ -DPLUS /p/a/0.cc\"},"
            "{\"file\":\"/p/b.c\",\"command\":\"cc -DB /p/b.c\"},"
            "{\"file\":\"/p/like.c\",\"command\":\"cc -xc++ /p/like.c\"}]"));
    static const struct {
        const char *file, *from;
    } cases[] = {
        {"/p/a/3.c", "/p/a/2.c"},       // the same folder
        {"/p/a/x/y/4.c", "/p/a/x/1.c"}, // most folders in common
        {"/p/a/z/5.c", "/p/a/2.c"},     // not farther down than needed
        {"/p/ab/6.c", "/p/b.c"},        // names that only begin alike have nothing in common
        {"/q/7.c", "/p/b.c"},           {"/p/b/8.cpp", "/p/like.c"}, // C++ by its arguments
        {"/p/a/x/9.cpp", "/p/a/0.cc"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(jg_project_guess(&p, cases[i].file));
        const struct jg_entry *e = &p.entries.data[p.entries.count - 1];
        assert_string_equal(e->command.file, cases[i].file);
        assert_string_equal(e->guessed_from, cases[i].from);
        assert_true(e->selected);
        assert_string_equal(e->command.argv[e->command.argc - 1], cases[i].file);
        for (size_t k = 0; k + 1 < e->command.argc; k++)
            assert_null(strstr(e->command.argv[k], strrchr(cases[i].from, '/') + 1));
    }
    jg_project_fini(&p);
    assert_null(read_text(&p, "[{\"file\":\"/p/b.c\",\"command\":\"cc /p/b.c\"}]"));
    assert_false(jg_project_guess(&p, "/p/b.cc"));
    jg_project_fini(&p);
}

static void commands_without_a_database(void **state)
{
    (void)state;
    struct jg_project p;
    jg_project_init(&p);
    const char *const flags[] = {"-Iinc"}, *const whole[] = {"gcc", "-Iinc"};
    jg_project_add(&p, "a.c", flags, 1);
    jg_project_add(&p, "b.c", whole, 2);
    jg_project_add(&p, "./a.c", flags, 1); // named twice
    assert_int_equal(p.entries.count, 2);
    assert_string_equal(p.entries.data[0].command.argv[0], "cc");
    assert_string_equal(p.entries.data[1].command.argv[0], "gcc");
    assert_int_equal(p.entries.data[0].command.argc, 3);
    assert_int_equal(p.entries.data[1].command.argc, 3);
    assert_string_equal(p.entries.data[0].command.argv[2], p.entries.data[0].command.file);
    jg_project_fini(&p);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(both_forms_of_a_command_are_read),
        TEST(errors_say_where),
        TEST(missing_database_is_an_error),
        TEST(only_a_regular_file_is_a_database),
        TEST(deep_nesting_is_an_error_and_no_crash),
        TEST(huge_databases_are_read),
        TEST(one_of_duplicates_counts),
        TEST(other_languages_are_skipped),
        TEST(arguments_select_entries),
        TEST(commands_are_edited),
        TEST(databases_are_discovered),
        TEST(build_folders_of_others_are_left_alone),
        TEST(the_search_ends_at_the_top_of_a_repository),
        TEST(a_named_project_is_looked_into),
        TEST(presets_lie_one_level_deeper),
        TEST(strangers_get_the_arguments_of_their_neighbours),
        TEST(commands_without_a_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
