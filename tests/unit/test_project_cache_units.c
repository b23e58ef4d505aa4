// SPDX-License-Identifier: Apache-2.0
//
// When a kept unit is found, and what makes it be forgotten: contents, files that appear and
// vanish, arguments, the environment.
//
// A compiler is played by a list of the files that it read.

#include "cache_fixture.h"

#include <fcntl.h>

struct unit {
    const char *args[8]; // after the compiler's name
    const char *read[8]; // below the folder; the main file first
};

static struct jg_compile_command command_of(const struct unit *u, char *file, const char **argv)
{
    size_t argc = 1;
    argv[0] = "cc";
    for (; u->args[argc - 1]; argc++)
        argv[argc] = u->args[argc - 1];
    snprintf(file, 128, "%s/%s", folder, u->read[0]);
    return (struct jg_compile_command){folder, file, argv, argc};
}

// As the frontend would: the files' names as they were found, and their contents now.
static bool keep(struct jg_cache *c, const struct unit *u, const char *bytes)
{
    char file[128];
    const char *argv[9];
    struct jg_compile_command command = command_of(u, file, argv);
    struct jg_cache_input inputs[8];
    size_t count = 0;
    for (; u->read[count]; count++) {
        char text[512] = "";
        FILE *f = fopen(u->read[count], "r");
        assert_non_null(f);
        size_t n = fread(text, 1, sizeof text, f);
        fclose(f);
        inputs[count] = (struct jg_cache_input){u->read[count][0] == '/'
                                                    ? jg_strdup(u->read[count])
                                                    : jg_format("%s/%s", folder, u->read[count]),
                                                jg_hash_of(text, n)};
    }
    bool kept = jg_cache_keep_unit(c, &command, inputs, count, bytes, strlen(bytes));
    for (size_t i = 0; i < count; i++)
        free((char *)(uintptr_t)inputs[i].path);
    return kept;
}

// In a run of its own.
static bool keep_once(const struct unit *u, const char *bytes)
{
    struct jg_cache *c = jg_cache_open("test");
    assert_null(jg_cache_why_off(c));
    bool kept = keep(c, u, bytes);
    assert_null(jg_cache_trouble(c));
    jg_cache_close(c);
    return kept;
}

// What is found, as a heap string, or NULL.
static char *find_as(const char *identity, const struct unit *u)
{
    char file[128];
    const char *argv[9];
    struct jg_compile_command command = command_of(u, file, argv);
    struct jg_cache *c = jg_cache_open(identity);
    struct jg_cache_bytes bytes;
    char *found = NULL;
    if (jg_cache_find_unit(c, &command, &bytes)) {
        assert_int_equal((uintptr_t)bytes.data % 64, 0);
        found = jg_format("%.*s", (int)bytes.size, (const char *)bytes.data);
        jg_cache_unmap(&bytes);
    }
    assert_int_equal(jg_cache_stats(c).found, found != NULL);
    jg_cache_close(c);
    return found;
}

static void assert_found(const struct unit *u, const char *bytes)
{
    char *found = find_as("test", u);
    if (bytes) {
        assert_non_null(found);
        assert_string_equal(found, bytes);
    } else {
        assert_null(found);
    }
    free(found);
}

// A main file in the folder and headers in two others; what is asked for lies in the second.
static const struct unit plain = {{"-Ifirst", "-I", "second", "main.c"}, {"main.c", "second/a.h"}};

static void make_project(const char *main_text)
{
    mkdir("first", 0700);
    mkdir("second", 0700);
    write_file("main.c", main_text);
    write_file("second/a.h", "int a;\n");
    usleep(20000); // the clock that stamps files is coarse
}

static void what_was_kept_is_found(void **state)
{
    (void)state;
    make_project("#include <a.h>\n");
    assert_found(&plain, NULL);
    assert_true(keep_once(&plain, "unit"));
    assert_found(&plain, "unit");
}

static void an_input_that_changed_is_a_miss(void **state)
{
    (void)state;
    make_project("#include <a.h>\n");
    assert_true(keep_once(&plain, "one"));
    write_file("second/a.h", "int b;\n");
    assert_found(&plain, NULL);
    write_file("second/a.h", "int a;\n"); // the content counts, not the time
    assert_found(&plain, "one");
    unlink("second/a.h");
    assert_found(&plain, NULL);
}

static void a_header_that_shadows_is_a_miss(void **state)
{
    (void)state;
    static const struct {
        const char *text, *path;
        bool miss;
    } rows[] = {
        {"#include <a.h>\n", "first/a.h", true},
        {"#include \"a.h\"\n", "first/a.h", true},
        {"#include \"a.h\"\n", "a.h", true},      // beside the file that includes
        {"#include <a.h>\n", "a.h", false},       // is not looked at
        {"#include <a.h>\n", "first/b.h", false}, // is another one
        {"#define A <a.h>\n#include A\n", "first/a.h", true},
        {"#define A \"a.h\"\n#include A\n", "a.h", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make_project(rows[i].text);
        assert_true(keep_once(&plain, "unit"));
        write_file(rows[i].path, "int b;\n");
        assert_found(&plain, rows[i].miss ? NULL : "unit");
        unlink(rows[i].path);
        assert_found(&plain, "unit");
    }
}

static void a_folder_of_that_name_does_not_shadow(void **state)
{
    (void)state;
    make_project("#include <a.h>\n");
    assert_true(keep_once(&plain, "unit"));
    mkdir("first/a.h", 0700);
    assert_found(&plain, "unit");
}

static void a_folder_that_appears_is_searched(void **state)
{
    (void)state;
    static const struct unit u = {{"-Ilater", "-Isecond", "main.c"}, {"main.c", "second/a.h"}};
    make_project("#include <a.h>\n");
    assert_true(keep_once(&u, "unit"));
    mkdir("later", 0700);
    assert_found(&u, "unit");
    write_file("later/a.h", "");
    assert_found(&u, NULL);
}

static void headers_of_headers_are_watched(void **state)
{
    (void)state;
    static const struct unit u = {{"-isystem", "second", "-iquotefirst", "main.c"},
                                  {"main.c", "second/a.h", "second/sub/b.h"}};
    make_project("#include <a.h>\n");
    mkdir("second/sub", 0700);
    write_file("second/a.h", "#include \"sub/b.h\"\n");
    write_file("second/sub/b.h", "");
    usleep(20000);
    assert_true(keep_once(&u, "unit"));
    mkdir("first/sub", 0700);
    write_file("first/sub/b.h", "");
    assert_found(&u, NULL);
}

static void a_probe_that_changes_is_a_miss(void **state)
{
    (void)state;
    make_project("#if __has_include(<p.h>)\n#endif\n#include <a.h>\n");
    assert_true(keep_once(&plain, "without"));
    write_file("first/p.h", "");
    assert_found(&plain, NULL);
    usleep(20000);
    assert_true(keep_once(&plain, "with"));
    assert_found(&plain, "with");
    unlink("first/p.h");
    assert_found(&plain, NULL);
}

static void forced_headers_are_watched(void **state)
{
    (void)state;
    static const struct unit u = {{"-Isecond", "-include", "a.h", "main.c"},
                                  {"main.c", "second/a.h"}};
    make_project("int x;\n");
    assert_true(keep_once(&u, "unit"));
    assert_found(&u, "unit");
    write_file("a.h", "");
    assert_found(&u, NULL);
}

static void the_environment_is_part_of_the_command(void **state)
{
    (void)state;
    static const struct unit u = {{"main.c"}, {"main.c", "second/a.h"}};
    make_project("#include <a.h>\n");
    char *list = jg_format("%s/first:second", folder);
    setenv("C_INCLUDE_PATH", list, 1);
    free(list);
    assert_true(keep_once(&u, "unit"));
    assert_found(&u, "unit");
    setenv("CPATH", "first", 1);
    assert_found(&u, NULL);
    unsetenv("CPATH");
    write_file("first/a.h", "");
    assert_found(&u, NULL);
    unlink("first/a.h");
    assert_found(&u, "unit");
    unsetenv("C_INCLUDE_PATH");
    assert_found(&u, NULL);
}

static void arguments_and_tool_are_part_of_the_key(void **state)
{
    (void)state;
    static const struct unit more = {{"-Ifirst", "-I", "second", "-DX", "main.c"},
                                     {"main.c", "second/a.h"}};
    make_project("#include <a.h>\n");
    assert_true(keep_once(&plain, "unit"));
    assert_found(&more, NULL);
    assert_null(find_as("another libclang", &plain));
}

static void four_variants_are_kept(void **state)
{
    (void)state;
    make_project("#include <a.h>\n");
    char text[] = "int 0;\n", bytes[] = "unit 0";
    for (unsigned i = 0; i < JG_CACHE_VARIANTS + 1; i++) {
        text[4] = bytes[5] = (char)('0' + i);
        write_file("second/a.h", text);
        usleep(20000);
        assert_true(keep_once(&plain, bytes));
    }
    for (unsigned i = 0; i < JG_CACHE_VARIANTS + 1; i++) {
        text[4] = bytes[5] = (char)('0' + i);
        write_file("second/a.h", text);
        assert_found(&plain, i ? bytes : NULL); // the oldest had to go
    }
}

static void what_cannot_be_followed_is_not_kept(void **state)
{
    (void)state;
    static const struct unit units[] = {
        {{"-ivfsoverlay", "x.yaml", "main.c"}, {"main.c"}},
        {{"-Fframeworks", "main.c"}, {"main.c"}},
        {{"-iprefix", "x", "main.c"}, {"main.c"}},
        {{"-I", "x.hmap", "main.c"}, {"main.c"}},
        {{"--config=x", "main.c"}, {"main.c"}},
        {{"-Wp,-I,first", "main.c"}, {"main.c"}},
        {{"--target=x86_64-pc-windows-msvc", "main.c"}, {"main.c"}},
        {{"-I=usr/include", "main.c"}, {"main.c"}},
        {{"-I"}, {"main.c"}},
    };
    make_project("int x;\n");
    assert_true(keep_once(&(struct unit){{"-Wp,-MD,x.d", "main.c"}, {"main.c"}}, "unit"));
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        assert_false(keep_once(&units[i], "unit"));
    write_file("main.c", "const char *now = __TIME__;\n");
    assert_false(keep_once(&(struct unit){{"main.c"}, {"main.c"}}, "unit"));
}

static void an_input_that_changes_meanwhile_is_not_kept(void **state)
{
    (void)state;
    make_project("#include <a.h>\n");
    char file[128];
    const char *argv[9];
    struct jg_compile_command command = command_of(&plain, file, argv);
    struct jg_cache *c = jg_cache_open("test");
    struct jg_cache_input input = {file, jg_hash_of("int old;\n", 9)};
    assert_false(jg_cache_keep_unit(c, &command, &input, 1, "unit", 4));
    input.path = "/nonexistent/main.c";
    assert_false(jg_cache_keep_unit(c, &command, &input, 1, "unit", 4));
    assert_false(jg_cache_keep_unit(c, &command, &input, 0, "unit", 4));
    // Looked at before the compiler ran, and changed in between.
    struct jg_cache_bytes bytes;
    assert_true(keep(c, &plain, "unit"));
    assert_true(jg_cache_find_unit(c, &command, &bytes));
    jg_cache_unmap(&bytes);
    write_file("second/a.h", "int b;\n");
    assert_false(keep(c, &plain, "new"));
    jg_cache_close(c);
}

// One file under two names, of which the compiler tells but one.
static void a_second_name_of_an_input_is_watched(void **state)
{
    (void)state;
    make_project("#include <a.h>\n#include <b.h>\n");
    static const struct unit u = {{"-Ifirst", "-Isecond", "main.c"},
                                  {"main.c", "first/a.h", "second/b.h"}};
    write_file("second/b.h", "#include \"a.h\"\n");
    assert_int_equal(link("second/a.h", "first/a.h"), 0);
    usleep(20000);
    assert_true(keep_once(&u, "unit"));
    assert_found(&u, "unit");
    unlink("second/a.h");
    write_file("second/a.h", "int other;\n");
    assert_found(&u, NULL);
}

// Was the header that shadows there when the compiler looked? Nobody can say.
static void a_header_that_appears_meanwhile_is_not_trusted(void **state)
{
    (void)state;
    make_project("#include <a.h>\n");
    struct jg_cache *c = jg_cache_open("test");
    usleep(20000);
    write_file("first/a.h", "");
    assert_false(keep(c, &plain, "unit"));
    jg_cache_close(c);
}

static void a_pipe_among_the_inputs_does_not_hang(void **state)
{
    (void)state;
    make_project("#include <a.h>\n");
    assert_true(keep_once(&plain, "unit"));
    unlink("second/a.h");
    assert_int_equal(mkfifo("second/a.h", 0600), 0);
    assert_found(&plain, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_was_kept_is_found),
        TEST(an_input_that_changed_is_a_miss),
        TEST(a_header_that_shadows_is_a_miss),
        TEST(a_folder_of_that_name_does_not_shadow),
        TEST(a_folder_that_appears_is_searched),
        TEST(headers_of_headers_are_watched),
        TEST(a_probe_that_changes_is_a_miss),
        TEST(forced_headers_are_watched),
        TEST(the_environment_is_part_of_the_command),
        TEST(arguments_and_tool_are_part_of_the_key),
        TEST(four_variants_are_kept),
        TEST(what_cannot_be_followed_is_not_kept),
        TEST(an_input_that_changes_meanwhile_is_not_kept),
        TEST(a_second_name_of_an_input_is_watched),
        TEST(a_header_that_appears_meanwhile_is_not_trusted),
        TEST(a_pipe_among_the_inputs_does_not_hang),
    };
    unsetenv("CPATH");
    unsetenv("C_INCLUDE_PATH");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
