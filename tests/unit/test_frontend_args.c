// SPDX-License-Identifier: Apache-2.0
//
// The arguments of a compile command on their way to libclang: what is kept, dropped, translated,
// and for which target.

#include "tests/unit/lowered.h"

// The standard output belongs to the report; plug-ins do not reach us, nor do their paths.
static void commands_print_and_load_nothing(void **state)
{
    (void)state;
    static const char *const commands[][7] = {
        {"-Xclang", "-load", "-Xclang", "plug.so"},
        {"-Xclang", "-add-plugin", "-Xclang", "p"},
        {"-Xclang", "-plugin", "-Xclang", "p"},
        {"-Xclang", "-plugin-arg-p", "-Xclang", "-x"},
        {"-Xclang", "-header-include-file", "-Xclang", "headers"},
        {"-Xclang", "-include-pch", "-Xclang", "none.pch"},
        {"-Xclang", "-verify"},
        {"-Xclang"},
        {"-Xpreprocessor", "-MF", "-Xpreprocessor", "deps"},
        {"-Xarch_host", "-v"},
        {"-fplugin=plug.so", "-fpass-plugin=plug.so"},
        {"-fmodules", "-fmodules-cache-path=cache", "-fcxx-modules"},
        {"-H", "-v", "-###", "--version"},
        {"-help"},
        {"--help"},
        {"--help-hidden"},
        {"-ccc-print-phases"},
        {"-print-search-dirs", "-print-file-name=x"},
        {"--autocomplete=-f"},
        {"-mllvm", "-help"},
        {"-mcpu=help"},
        {"-gen-cdb-fragment-path", "fragments"},
        {"-Xclang", "-DLATE=1", "-Xclang", "-target-feature", "-Xclang", "-sse4a"},
    };
    char out[] = "/tmp/jg-stdout-XXXXXX";
    int fd = mkstemp(out), saved = dup(STDOUT_FILENO);
    assert_true(fd >= 0 && saved >= 0);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        fflush(stdout);
        dup2(fd, STDOUT_FILENO);
        struct lowered l;
        lower_with(&l, "t.c", "int f(int n) { return n; }\n", NULL, commands[i]);
        fflush(stdout);
        dup2(saved, STDOUT_FILENO);
        if (l.u->status != JG_UNIT_OK || l.u->diagnostics.count || !find_function(&l, "f") ||
            lseek(fd, 0, SEEK_END) != 0)
            fail_msg("%s", commands[i][0]);
        int nothing_else = unlink(l.path) == 0 && rmdir(l.dir) == 0;
        assert_true(nothing_else);
        lowered_fini(&l);
    }
    close(saved);
    close(fd);
    unlink(out);
}

static void inner_options_keep_macros(void **state)
{
    (void)state;
    struct lowered l;
    const char *extra[] = {"-Xclang", "-DA=1", "-Xclang", "-include", "-Xclang", "h.h", NULL};
    lower_with(&l, "t.c", "#if A != 1 || D != 3\n#error no\n#endif\n", "#define D 3\n", extra);
    assert_int_equal(l.u->diagnostics.count, 0);
    lowered_fini(&l);
}

static void a_missing_response_file_fails_the_unit(void **state)
{
    (void)state;
    struct lowered l;
    lower_with(&l, "t.c", "int x;\n", NULL, (const char *const[]){"-DA", "@missing.rsp", NULL});
    assert_int_equal(l.u->status, JG_UNIT_FAILED);
    assert_string_equal(TEXT(l.u->diagnostics.data[0].text),
                        "cannot read the response file @missing.rsp");
    lowered_fini(&l);
    // A value, and a file of that name.
    lower_with(&l, "@t.c", "int x;\n", NULL, (const char *const[]){"-include", "@h", "@t.c", NULL});
    assert_null(strstr(TEXT(l.u->diagnostics.data[0].text), "response file"));
    lowered_fini(&l);
}

static void commands_keep_macros_and_language(void **state)
{
    (void)state;
    struct lowered l;
    const char *extra[] = {"-DA=1", "-D", "B=2", "-UC", "-include", "h.h", "-std=gnu89", NULL};
    lower_with(
        &l, "t.c",
        "#if A != 1 || B != 2 || D != 3\n#error no\n#endif\nint f(void) { return undeclared(); }\n",
        "#define D 3\n", extra);
    assert_int_equal(l.u->diagnostics.count, 0);
    lowered_fini(&l);
}

static void a_cross_compiler_sets_the_target(void **state)
{
    (void)state;
    static const struct {
        const char *compiler;
        int64_t size;
    } cases[] = {{"arm-linux-gnueabihf-gcc-12", 4},
                 {"/usr/bin/aarch64-linux-gnu-gcc", 8},
                 {"i686-linux-gnu-gcc", 4},
                 {"x86_64-w64-mingw32-gcc-win32", 8},
                 {"i686-w64-mingw32-g++-posix", 4},
                 {"armv7a-linux-androideabi21-clang", 4},
                 {"arm-none-eabi-gcc-12.2.1", 4},
                 {"x86_64", 8},
                 {"armadillo", 8}, // no compiler's name behind it
                 {"gcc", 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[] = "/tmp/jg-cross-XXXXXX.c";
        int fd = mkstemps(path, 2);
        static const char code[] = "int f(void) { return sizeof(void *); }\n";
        assert_int_equal(write(fd, code, sizeof code - 1), sizeof code - 1);
        close(fd);
        const char *argv[] = {cases[i].compiler, "-c", path};
        struct lowered l;
        jg_frontend_parse(lowered_frontend(), &(struct jg_compile_command){"/tmp", path, argv, 3},
                          &l.unit);
        l.u = &l.unit;
        assert_int_equal(find_insn(&l, "f", JG_OP_CONST, 0)->imm, cases[i].size);
        jg_unit_fini(&l.unit);
        unlink(path);
    }
}

static void a_target_that_is_given_wins(void **state)
{
    (void)state;
    static const char *const extra[][4] = {
        {"--target=i686-linux-gnu"},
        {"-target", "i686-linux-gnu"},
        {"--target", "x86_64-linux-gnu", "--target=i686-linux-gnu"},
        {"-m32"},
    };
    for (size_t i = 0; i < sizeof extra / sizeof *extra; i++) {
        struct lowered l;
        lower_with(&l, "t.c", "int f(void) { return sizeof(void *); }\n", NULL, extra[i]);
        assert_int_equal(find_insn(&l, "f", JG_OP_CONST, 0)->imm, 4);
        lowered_fini(&l);
    }
}

static void missing_headers_of_a_target_are_explained(void **state)
{
    (void)state;
    static const char code[] = "#include <bits/none-such.h>\n";
    struct lowered l;
    lower_with(&l, "t.c", code, NULL, (const char *const[]){"--target=m68k-linux-gnu", NULL});
    assert_int_equal(l.u->status, JG_UNIT_FAILED);
    assert_int_equal(l.u->diagnostics.count, 2);
    const struct jg_diagnostic *hint = &l.u->diagnostics.data[1];
    assert_int_equal(hint->loc, JG_NONE);
    assert_non_null(strstr(TEXT(hint->text), "target m68k-linux-gnu are not found"));
    assert_non_null(strstr(TEXT(hint->text), "--sysroot="));
    lowered_fini(&l);
    // Not where the target is the machine's own, nor for a header of the project.
    lower_with(&l, "t.c", code, NULL, (const char *const[]){NULL});
    assert_int_equal(l.u->diagnostics.count, 1);
    lowered_fini(&l);
    lower_with(&l, "t.c", "#include \"mine.h\"\n", NULL,
               (const char *const[]){"--target=m68k-linux-gnu", NULL});
    assert_int_equal(l.u->diagnostics.count, 1);
    lowered_fini(&l);
}

static void options_of_gcc_do_no_harm(void **state)
{
    (void)state;
    static const char *const commands[][4] = {
        {"-std=gnu23", "-finput-charset=latin1", "-fexec-charset=cp1252"},
        {"-fconserve-stack", "-fno-ipa-icf", "-fno-tree-vrp"},
        {"-mindirect-branch=thunk-extern", "-mthumb-interwork"},
        {"-Werror", "-Werror=unknown-warning-option", "-Wno-stringop-truncation"},
        {"-Werror=all", "-Wimplicit", "-Wno-such-warning"},
        {"-mtune=generic-such", "-mcpu=no-such-cpu", "-march=no-such-arch"},
        {"-fdeps-format=p1689r5", "-fdeps-file=written", "-fauto-profile=none"},
        {"--param", "max-inline-insns-single=1", "-fabi-version=18"},
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct lowered l;
        lower_with(&l, "t.c", "int f(int n) { int unused; return n; }\n", NULL, commands[i]);
        if (l.u->status != JG_UNIT_OK || l.u->diagnostics.count || !find_function(&l, "f"))
            fail_msg("%s: %s", commands[i][0],
                     l.u->diagnostics.count ? TEXT(l.u->diagnostics.data[0].text) : "not parsed");
        lowered_fini(&l);
    }
}

static void unknown_options_are_noise(void **state)
{
    (void)state;
    struct lowered l;
    lower_with(&l, "t.c", "int f(int n) { return n; }\n", NULL,
               (const char *const[]){"-mno-such-thing", "-fno-such-thing", "-Wno-error", NULL});
    assert_int_equal(l.u->status, JG_UNIT_OK);
    for (uint32_t i = 0; i < l.u->diagnostics.count; i++)
        assert_int_equal(l.u->diagnostics.data[i].loc, JG_NONE);
    assert_non_null(find_function(&l, "f"));
    lowered_fini(&l);
}

static void relative_paths_are_those_of_the_command(void **state)
{
    (void)state;
    struct lowered l;
    const char *extra[] = {"-I.", "-iquote", "sub", NULL};
    lower_with(&l, "t.c", "#include <h.h>\nint f(void) { return g(); }\n",
               "static inline int g(void) { return 1; }\n", extra);
    assert_int_equal(l.u->status, JG_UNIT_OK);
    const struct jg_loc *at = &l.u->locs.data[find_function(&l, "g")->loc];
    assert_int_equal(TEXT(l.u->files.data[at->file].path)[0], '/');
    assert_string_equal(TEXT(l.u->files.data[0].path), l.path);
    lowered_fini(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_print_and_load_nothing),
        cmocka_unit_test(inner_options_keep_macros),
        cmocka_unit_test(a_missing_response_file_fails_the_unit),
        cmocka_unit_test(commands_keep_macros_and_language),
        cmocka_unit_test(a_cross_compiler_sets_the_target),
        cmocka_unit_test(a_target_that_is_given_wins),
        cmocka_unit_test(missing_headers_of_a_target_are_explained),
        cmocka_unit_test(options_of_gcc_do_no_harm),
        cmocka_unit_test(unknown_options_are_noise),
        cmocka_unit_test(relative_paths_are_those_of_the_command),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    jg_frontend_free(lowered_frontend());
    return failed;
}
