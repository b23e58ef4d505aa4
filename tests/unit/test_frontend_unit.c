// SPDX-License-Identifier: Apache-2.0
//
// What lands in a unit: which functions, where things are, initialisers, tables, damaged code, and
// what a command may and may not do.

#include "tests/unit/lowered.h"

#include <sys/stat.h>

static const struct jg_loc *loc(const struct lowered *l, uint32_t at)
{
    assert_int_not_equal(at, JG_NONE);
    return &l->u->locs.data[at];
}

// ---- which functions ---------------------------------------------------------------------------

static void functions_named_by_macros_are_lowered(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "#define MK(n) n(int x)\n#define DECL(t, n) t n\n#define PASTE(a, b) a##b\n"
              "int MK(foo) { return x; }\nDECL(int, bar)(int x) { return x; }\n"
              "int PASTE(ba, z)(void) { return 1; }\n#define WHOLE int whole(void) { return 2; "
              "}\nWHOLE\n");
    assert_non_null(find_function(&l, "foo"));
    assert_non_null(find_function(&l, "bar"));
    assert_non_null(find_function(&l, "baz"));
    assert_non_null(find_function(&l, "whole"));
    lowered_fini(&l);
}

static void header_functions_are_lowered_when_reachable(void **state)
{
    (void)state;
    struct lowered l;
    lower_with(&l, "t.c",
               "#include \"h.h\"\nint f(int n) { return used(n); }\nint (*p)(int) = listed;\n",
               "static inline int deep(int n) { return n; }\n"
               "static inline int used(int n) { return deep(n); }\n"
               "static inline int listed(int n) { return n; }\n"
               "static inline int unused(int n) { return n; }\nint external(int n) { return n; }\n",
               NULL);
    assert_false(find_function(&l, "f")->flags & JG_FN_HEADER);
    static const char *const there[] = {"used", "deep", "listed", "external"};
    for (int i = 0; i < 4; i++) {
        assert_non_null(find_function(&l, there[i]));
        assert_true(find_function(&l, there[i])->flags & JG_FN_HEADER);
    }
    assert_null(find_function(&l, "unused"));
    assert_int_equal(l.u->functions.count, 5);
    lowered_fini(&l);
}

static void old_style_definitions_have_parameters(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "int f(a, b) int a; char *b; { return a + *b; }\n");
    assert_int_equal(find_function(&l, "f")->param_count, 2);
    assert_string_equal(TEXT(l.u->vars.data[find_function(&l, "f")->first_var + 1].name), "b");
    lowered_fini(&l);
}

static void array_parameters_are_pointers(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "struct s { int n; };\nint f(int a[3], struct s s[2]) { if (!a) return 0; a[1] = 2; "
              "return *a + s->n; }\n");
    assert_int_equal(count_terms(&l, "f", JG_TERM_BRANCH), 1);
    assert_dump_has(&l, "f", "[1], t");
    assert_int_equal(count_insns(&l, "f", JG_OP_ADDR), 0);
    lowered_fini(&l);
}

// ---- damaged code ------------------------------------------------------------------------------

static void functions_with_errors_are_degraded(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "int good(int n) { return n; }\n"
              "int bad(int n) { for (; n < nope; n++) n--; return n; }\n"
              "int fine(int n) { return n + 1; }\n");
    assert_int_equal(l.u->status, JG_UNIT_DEGRADED);
    assert_int_equal(l.u->diagnostics.count, 1);
    assert_int_equal(loc(&l, l.u->diagnostics.data[0].loc)->line, 2);
    assert_false(find_function(&l, "good")->flags & JG_FN_DEGRADED);
    assert_true(find_function(&l, "bad")->flags & JG_FN_DEGRADED);
    assert_false(find_function(&l, "fine")->flags & JG_FN_DEGRADED);
    lowered_fini(&l);
}

static void a_missing_header_hides_no_later_error(void **state)
{
    (void)state;
    struct lowered l;
    lower(
        &l,
        "#include \"missing.h\"\nint good(int n) { return n; }\nint bad(int n) { return nope; }\n");
    assert_int_equal(l.u->status, JG_UNIT_FAILED);
    assert_int_equal(l.u->diagnostics.count, 2);
    assert_true(l.u->diagnostics.data[0].fatal);
    assert_true(find_function(&l, "bad")->flags & JG_FN_DEGRADED);
    assert_false(find_function(&l, "good")->flags & JG_FN_DEGRADED);
    lowered_fini(&l);
}

static void a_file_that_cannot_be_read_is_a_failed_unit(void **state)
{
    (void)state;
    struct jg_unit u;
    const char *argv[] = {"cc", "-c", "/nonexistent/a.c"};
    jg_frontend_parse(lowered_frontend(), &(struct jg_compile_command){"/", argv[2], argv, 3}, &u);
    assert_int_equal(u.status, JG_UNIT_FAILED);
    assert_int_equal(u.diagnostics.count, 1);
    assert_null(jg_unit_verify(&u));
    jg_unit_fini(&u);
}

static void only_regular_files_are_read(void **state)
{
    (void)state;
    char dir[] = "/tmp/jg-pipe-XXXXXX";
    assert_non_null(mkdtemp(dir));
    char *fifo = jg_format("%s/a.c", dir);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const struct {
        const char *path, *expected;
    } cases[] = {
        {fifo, "not a regular file"}, {"/dev/null", "not a regular file"}, {dir, "Is a directory"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct jg_unit u;
        const char *argv[] = {"cc", "-xc", cases[i].path};
        jg_frontend_parse(lowered_frontend(), &(struct jg_compile_command){"/", argv[2], argv, 3},
                          &u);
        assert_int_equal(u.status, JG_UNIT_FAILED);
        assert_non_null(strstr(jg_unit_str(&u, u.diagnostics.data[0].text), cases[i].expected));
        jg_unit_fini(&u);
    }
    unlink(fifo);
    rmdir(dir);
    free(fifo);
}

// The error has no position, like the driver's opinions of options, which fail nothing.
static void a_file_in_utf16_is_a_failed_unit(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "\xff\xfe"
              "i n t");
    assert_int_equal(l.u->status, JG_UNIT_FAILED);
    assert_non_null(strstr(TEXT(l.u->diagnostics.data[0].text), "byte order mark"));
    assert_true(l.u->diagnostics.data[0].fatal);
    lowered_fini(&l);
}

static void nonsense_never_crashes(void **state)
{
    (void)state;
    static const char *const codes[] = {
        "",
        "int",
        "int f( { return; }",
        "int f(int n) { while (n) { if (",
        "}}}}",
        "int f(void) { case 1: break; }",
        "int f(void) { goto nowhere; }",
        "struct s { struct s x; }; int f(struct s *p) { return p->x.y; }",
        "int f(int n) { switch (n) { case zzz: return 1; case 1: return nope; } }",
        "int f(int n) { return ({ }); }",
        "void f(void) { (*0)(); }",
        "int f(int n) { for (;;nope) n = q ? 1 : 2; }",
        "int f(int n) { int a[] = { [nope] = 1, .x = 2 }; return a; }",
        "x y z; int f(void) { return x; }",
        "int f(int n) { __asm__(\"\" : \"=r\"(nope)); return n; }",
        "_Generic(1)",
        "int f(void) { return _Generic(1, long: 2); }",
        "#error no\nint f(void) { return 1; }",
        "#include \"t.c\"\n",
        "int f(int n) { label: label: goto label; }",
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        struct lowered l;
        lower(&l, codes[i]);
        lowered_fini(&l);
    }
}

// clang keeps such a call as a node with the callee and the arguments, of placeholder types.
static void calls_with_errors_never_crash(void **state)
{
    (void)state;
    static const struct {
        const char *name, *code;
    } cases[] = {
        {"t.cpp", "int g(int); void f() { g(1, 2, 3); }"},
        {"t.cpp", "int g(int); int g(int, int); int f() { return g(1, 2, 3) + g; }"},
        {"t.cpp", "template <class T> T g(T, T); int f(int *p) { return g(p, 1); }"},
        {"t.cpp", "struct s { int m(int); }; int f(s *x) { return x->m(1, 2) + x->m; }"},
        {"t.cpp", "#include <jni.h>\nint f(JNIEnv *env) { return (*env)->GetVersion(env); }"},
        {"t.c", "int f(void) { return __builtin_expect(1, 2, 3, 4) + __builtin_memcpy(1); }"},
        {"t.c", "int f(void) { return __atomic_load_n(1, 2, 3) + __c11_atomic_load(0, 1) + "
                "__atomic_exchange(1); }"},
        {"t.c",
         "__attribute__((overloadable)) int g(int); __attribute__((overloadable)) int g(int, "
         "int); int f(int *p) { return g(1, 2, 3) + g(p); }"},
        {"t.c", "int f(int (*p)(int)) { return p(1, 2) + __builtin_va_arg(p, 1); }"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lowered l;
        lower_with(&l, cases[i].name, cases[i].code, NULL, NULL);
        assert_int_equal(l.u->status, JG_UNIT_DEGRADED);
        assert_true(find_function(&l, "f")->flags & JG_FN_DEGRADED);
        lowered_fini(&l);
    }
}

static void a_pointer_call_with_an_error_is_no_atomic_load(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "int f(int (*p)(int)) { return p(1, 2); }\n"
              "int g(int *p) { return __atomic_load_n(p, 0); }\n");
    char *text = dump_text(&l, "f");
    assert_null(strstr(text, "= load *"));
    free(text);
    assert_dump_has(&l, "g", "= load *");
    lowered_fini(&l);
}

static void unknown_constructs_are_counted(void **state)
{
    (void)state;
    struct lowered l;
    lower_with(&l, "t.cpp",
               "int g();\nint f(int n) { auto q = [&](int x) { return x; }; return g(); }\nint h() "
               "{ return g(); }\n",
               NULL, NULL);
    assert_true(find_function(&l, "f")->flags & JG_FN_UNMODELLED);
    assert_false(find_function(&l, "h")->flags & JG_FN_UNMODELLED);
    assert_true(l.u->unmodelled.count > 0);
    assert_int_equal(count_insns(&l, "f", JG_OP_CALL), 1);
    lowered_fini(&l);
}

// ---- locations ---------------------------------------------------------------------------------

static void positions_are_those_the_user_wrote(void **state)
{
    (void)state;
    struct lowered l;
    lower_with(&l, "t.c",
               "#include \"h.h\"\nint g(int);\n"
               "int f(int n) {\n  OUTER(n);\n  ID(g(n));\n  g(\n    n);\n"
               "#line 500 \"gen.y\"\n  g(n);\n  return n; }\n",
               "#define INNER(x) g(x + 1)\n#define OUTER(x) INNER(x)\n#define ID(x) x\n", NULL);
    const struct jg_loc *body = loc(&l, find_insn(&l, "f", JG_OP_CALL, 0)->loc);
    assert_int_equal(body->line, 4);
    assert_int_equal(body->column, 3);
    const struct jg_expansion *e = &l.u->expansions.data[body->expansion];
    assert_string_equal(TEXT(e->macro), "OUTER");
    assert_int_equal(e->line, 1);
    assert_int_equal(e->column, 18);
    assert_non_null(strstr(TEXT(l.u->files.data[e->file].path), "/h.h"));

    const struct jg_loc *argument = loc(&l, find_insn(&l, "f", JG_OP_CALL, 1)->loc);
    assert_int_equal(argument->line, 5);
    assert_int_equal(argument->column, 6);
    assert_int_equal(argument->expansion, JG_NONE);

    const struct jg_loc *lines = loc(&l, find_insn(&l, "f", JG_OP_CALL, 2)->loc);
    assert_int_equal(lines->line, 6);
    assert_int_equal(lines->end_line, 7);
    assert_int_equal(lines->end_column, 7);

    assert_int_equal(loc(&l, find_insn(&l, "f", JG_OP_CALL, 3)->loc)->line, 9);
    const struct jg_function *f = find_function(&l, "f");
    assert_int_equal(loc(&l, f->loc)->line, 3);
    assert_int_equal(loc(&l, f->loc)->column, 5);
    assert_int_equal(loc(&l, f->end_loc)->line, 10);
    const struct jg_loc *ret = loc(&l, block_at(&l, f, f->block_count - 1)->loc);
    assert_int_equal(ret->line, 10);
    assert_int_equal(ret->end_column, 11);
    lowered_fini(&l);
}

static void falling_off_the_end_is_at_the_closing_brace(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "void g(void);\nvoid f(int n) {\n  if (n)\n    g();\n  }\n");
    const struct jg_function *f = find_function(&l, "f");
    const struct jg_loc *at = loc(&l, block_at(&l, f, f->block_count - 1)->loc);
    assert_int_equal(at->line, 5);
    assert_int_equal(at->column, 3);
    lowered_fini(&l);
}

// ---- values and initialisers -------------------------------------------------------------------

static void constants_are_folded(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        int64_t expected;
    } cases[] = {
        {"42", 42},
        {"'a'", 97},
        {"-1", -1},
        {"~0", -1},
        {"3 * 4 + 1", 13},
        {"sizeof(long)", 8},
        {"E + 1", 8},
        {"(char)300", 44},
        {"(unsigned char)-1", 255},
        {"(_Bool)7", 1},
        {"1 << 4", 16},
        {"0xffffffffffffffffu", -1},
        {"(int)sizeof(\"abc\")", 4},
        {"5 > 3", 1},
        {"1 ? 2 : 3", 2},
        {"__builtin_offsetof(struct s, b)", 4},
        {"(0, 9)", 9},
        {"_Generic(1, int: 1, long: 2)", 1},
        {"__builtin_choose_expr(1, 5, 6)", 5},
        {"(long)(void *)0", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *code =
            jg_format("enum { E = 7 }; struct s { int a, b; }; long f(void) { return %s; }",
                      cases[i].expression);
        struct lowered l;
        lower(&l, code);
        const struct jg_insn *n = find_insn(&l, "f", JG_OP_CONST, 0);
        if (!n || n->imm != cases[i].expected || find_insn(&l, "f", JG_OP_CONST, 1))
            fail_msg("%s is %lld", cases[i].expression, n ? (long long)n->imm : -999);
        lowered_fini(&l);
        free(code);
    }
}

static void null_pointers_are_null(void **state)
{
    (void)state;
    static const char *const nulls[] = {"0", "((void *)0)", "(char *)0", "(void *)0L", "((1 - 1))"};
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++) {
        char *code = jg_format("char *f(void) { char *p = (void *)%s; return p; }", nulls[i]);
        struct lowered l;
        lower(&l, code);
        assert_int_equal(count_insns(&l, "f", JG_OP_NULL), 1);
        lowered_fini(&l);
        free(code);
    }
}

static void strings_keep_what_is_in_them(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "const char *f(void) { return \"a\\0b\\n\\\"\" \"A\\\\\\x41\\t\"; }\n");
    const struct jg_insn *n = find_insn(&l, "f", JG_OP_STR, 0);
    assert_int_equal(n->imm, 9);
    assert_memory_equal(TEXT(n->a), "a\0b\n\"A\\A\t", 10);
    lowered_fini(&l);
}

static void initialisers_become_stores(void **state)
{
    (void)state;
    static const struct {
        const char *declaration;
        const char *expected[4];
    } cases[] = {
        {"struct s x = {1, .p = q, .in.b = 3};",
         {"store x.a, t0", "store x.p, t", "store x.in.b, t"}},
        {"struct s x = {0}; (void)&x;", {"store x.p, t", "store x.in.b, t"}},
        {"struct in x[2] = {1, 2, 3, 4};",
         {"store x[0].a, t", "store x[0].b", "store x[1].a", "store x[1].b"}},
        {"struct in x[3] = {[1].b = 5, {7}};", {"store x[1].b, t", "store x[2].a, t"}},
        {"int x[6] = {[1 ... 2] = 4, 5};", {"store x[1]", "store x[2]", "store x[3]"}},
        {"void *x[3] = {q};", {"store x[0]", "store x[1]", "store x[2]"}},
        {"struct s x = *(struct s *)q, y; y = x;", {"copy x, *t", "copy y, x"}},
        {"char x[8] = \"abc\";", {"copy x, *t"}},
        {"int x = {3};", {"store x, t"}},
        {"char x[100] = {0};", {"havoc x"}},
        {"struct s *x = &(struct s){.a = 2};", {".a, t", "store x, t"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *code =
            jg_format("struct in { int a, b; }; struct s { int a; void *p; struct in in; };\n"
                      "void f(void *q) { %s }",
                      cases[i].declaration);
        struct lowered l;
        lower(&l, code);
        for (int j = 0; j < 4 && cases[i].expected[j]; j++)
            assert_dump_has(&l, "f", cases[i].expected[j]);
        lowered_fini(&l);
        free(code);
    }
}

static void lvalues_are_normalised(void **state)
{
    (void)state;
    static const struct {
        const char *lvalue, *expected;
    } cases[] = {
        {"*p", "store *t1, t0"},
        {"p[0]", "store *t"},
        {"p[3]", "store (*t1)[3], t0"},
        {"*(p + 3)", "[3], t0"},
        {"*&n", "store n, t0"},
        {"a[2]", "store a[2], t0"},
        {"*a", "store a[0], t0"},
        {"a[n]", "store a[t1], t0"},
        {"s->u", "store (*t1).u, t0"},
        {"(*s).u", "store (*t1).u, t0"},
        {"s->in.b", "store (*t1).in.b, t0"},
        {"g", "store g, t0"},
        {"2[a]", "store a[2], t0"},
        {"s[1].in.b", "store (*t1)[1].in.b, t0"},
        {"(&s->in)->b", "store (*t1).in.b, t0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *code = jg_format("int g; struct in { int b; }; struct s { int a; union { int u; char "
                               "c; }; struct in in; };\n"
                               "void f(int *p, struct s *s, int n) { int a[4]; %s = 7; }",
                               cases[i].lvalue);
        struct lowered l;
        lower(&l, code);
        assert_dump_has(&l, "f", cases[i].expected);
        lowered_fini(&l);
        free(code);
    }
}

static void roles_go_through_typedefs(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "#include <jni.h>\ntypedef jclass my_class; typedef JNIEnv my_env;\n"
              "void f(my_class a, const jstring b, jintArray c, jweak d, my_env *e, JavaVM *v, "
              "jboolean z,\n"
              "       jmethodID m, jfieldID i, jthrowable t, const struct JNINativeInterface_ **n, "
              "jobject *o) { }\n");
    static const enum jg_type_role expected[] = {
        JG_ROLE_CLASS,    JG_ROLE_STRING,    JG_ROLE_ARRAY,    JG_ROLE_WEAK,
        JG_ROLE_ENV,      JG_ROLE_VM,        JG_ROLE_JBOOLEAN, JG_ROLE_METHOD_ID,
        JG_ROLE_FIELD_ID, JG_ROLE_THROWABLE, JG_ROLE_ENV,      JG_ROLE_NONE};
    const struct jg_function *f = find_function(&l, "f");
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(l.u->types.data[l.u->vars.data[f->first_var + i].type].role, expected[i]);
    lowered_fini(&l);
}

static void casts_are_kept_where_the_representation_changes(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "#include <jni.h>\nvoid u(long, void *, jboolean, int, unsigned);\n"
              "void f(int n, char *p, jint j) { u(n, p, n, j, n); }\n");
    assert_int_equal(count_insns(&l, "f", JG_OP_CAST), 2); // int -> long, int -> jboolean
    lowered_fini(&l);
}

static void addresses_mark_their_variable(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "void u(void *); static int g;\nvoid f(void) { int a, b, c[2]; b = 1; u(&a); u(c); "
              "u(&g); (void)b; }\n");
    for (uint32_t i = 0; i < l.u->vars.count; i++) {
        const struct jg_var *v = &l.u->vars.data[i];
        assert_int_equal(v->address_taken, strcmp(TEXT(v->name), "b") != 0);
    }
    lowered_fini(&l);
}

static void static_storage_belongs_to_the_unit(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "int g(void); extern int e; static __thread int t;\n"
              "int f(int p) { static int s = 4; int a = p; return s + a + e + t; }\nint h(void) { "
              "int z = e; return z; }\n");
    const struct jg_function *f = find_function(&l, "f");
    assert_int_equal(f->var_count, 2);
    assert_int_equal(count_insns(&l, "f", JG_OP_STORE), 1);
    uint32_t statics = 0;
    for (uint32_t i = 0; i < l.u->vars.count; i++) {
        const struct jg_var *v = &l.u->vars.data[i];
        statics += v->kind == JG_VAR_STATIC;
        if (strcmp(TEXT(v->name), "t") == 0)
            assert_true(v->thread_local_storage && !v->external);
        if (strcmp(TEXT(v->name), "e") == 0)
            assert_true(v->external);
    }
    assert_int_equal(statics, 3);
    lowered_fini(&l);
}

// ---- tables ------------------------------------------------------------------------------------

static void native_method_tables_are_read_in_every_form(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "static JNINativeMethod t[] = {{\"a\", \"()V\", (void *)a}, {\"b\", \"(I)I\", (void "
        "*)&b}};",
        "const JNINativeMethod t[2] = {\"a\", \"()V\", (void *)a, \"b\", \"(I)I\", b};",
        "static JNINativeMethod t[] = {{.name = \"a\", .signature = \"()V\", .fnPtr = a},\n"
        " {.fnPtr = (void *)b, .name = (char *)\"b\", .signature = \"(I)\" \"I\"}, {0}};",
        "static JNINativeMethod t[3] = {[1] = {\"b\", \"(I)I\", b}, [0] = {\"a\", \"()V\", a}};",
        "void r(JNIEnv *env, jclass c) { JNINativeMethod t[] = {{\"a\", \"()V\", (void *)a}, "
        "{\"b\", \"(I)I\", (void *)b}};\n"
        " (*env)->RegisterNatives(env, c, t, 2); }",
        "#define M(n, s) {#n, s, (void *)n}\nvoid r(void) { static JNINativeMethod t[] = {M(a, "
        "\"()V\"), M(b, \"(I)I\")}; (void)t; }",
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char *code = jg_format("#include <jni.h>\nstatic void a(JNIEnv *e, jobject o) { }\n"
                               "static jint b(JNIEnv *e, jobject o, jint n) { return n; }\n%s\n",
                               tables[i]);
        struct lowered l;
        lower(&l, code);
        if (l.u->native_methods.count != 2)
            fail_msg("%u rows in %s", l.u->native_methods.count, tables[i]);
        for (uint32_t j = 0; j < 2; j++) {
            const struct jg_native_method *m = &l.u->native_methods.data[j];
            assert_int_not_equal(m->symbol, JG_NONE);
            assert_string_equal(TEXT(m->name), TEXT(l.u->symbols.data[m->symbol].name));
            assert_string_equal(TEXT(m->signature), TEXT(m->name)[0] == 'a' ? "()V" : "(I)I");
            assert_true(l.u->symbols.data[m->symbol].flags & JG_SYM_NATIVE_METHOD);
            assert_int_not_equal(m->loc, JG_NONE);
        }
        lowered_fini(&l);
        free(code);
    }
}

static void functions_in_static_tables_are_recorded(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "struct ops { int (*open)(int); void *data; void (*close)(void); };\n"
              "static int my_open(int n) { return n; }\nstatic void my_close(void) { }\n"
              "static const struct ops ops = {my_open, .close = my_close};\n"
              "static int (*list[])(int) = {0, my_open};\n"
              "const struct ops *f(void) { return list[1] ? &ops : 0; }\n");
    assert_int_equal(l.u->static_functions.count, 3);
    const struct jg_static_function *s = l.u->static_functions.data;
    assert_string_equal(TEXT(l.u->fields.data[s[0].field].name), "open");
    assert_string_equal(TEXT(l.u->fields.data[s[0].field].record), "struct ops");
    assert_string_equal(TEXT(l.u->fields.data[s[1].field].name), "close");
    assert_string_equal(TEXT(l.u->symbols.data[s[1].symbol].name), "my_close");
    assert_int_equal(s[2].field, JG_NONE);
    lowered_fini(&l);
}

// ---- commands ----------------------------------------------------------------------------------

static void commands_write_no_files(void **state)
{
    (void)state;
    struct lowered l;
    char dir[] = "/tmp/jg-out-XXXXXX";
    assert_non_null(mkdtemp(dir));
    char *dep = jg_format("%s/a.d", dir), *wp = jg_format("-Wp,-MD,%s/b.d", dir),
         *o = jg_format("%s/a.o", dir);
    const char *extra[] = {"-MD",
                           "-MF",
                           dep,
                           wp,
                           "-o",
                           o,
                           "-save-temps=obj",
                           "-Werror",
                           "-fno-such-option",
                           "-fconserve-stack",
                           "-Wno-such-warning",
                           "-O2",
                           "-g",
                           NULL};
    lower_with(&l, "t.c", "int f(int n) { int unused; return n; }\n", NULL, extra);
    assert_int_equal(l.u->status, JG_UNIT_OK);
    assert_non_null(find_function(&l, "f"));
    assert_int_equal(rmdir(dir), 0); // empty
    lowered_fini(&l);
    free(dep);
    free(wp);
    free(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_named_by_macros_are_lowered),
        cmocka_unit_test(header_functions_are_lowered_when_reachable),
        cmocka_unit_test(old_style_definitions_have_parameters),
        cmocka_unit_test(array_parameters_are_pointers),
        cmocka_unit_test(functions_with_errors_are_degraded),
        cmocka_unit_test(a_missing_header_hides_no_later_error),
        cmocka_unit_test(a_file_that_cannot_be_read_is_a_failed_unit),
        cmocka_unit_test(only_regular_files_are_read),
        cmocka_unit_test(a_file_in_utf16_is_a_failed_unit),
        cmocka_unit_test(nonsense_never_crashes),
        cmocka_unit_test(calls_with_errors_never_crash),
        cmocka_unit_test(a_pointer_call_with_an_error_is_no_atomic_load),
        cmocka_unit_test(unknown_constructs_are_counted),
        cmocka_unit_test(positions_are_those_the_user_wrote),
        cmocka_unit_test(falling_off_the_end_is_at_the_closing_brace),
        cmocka_unit_test(constants_are_folded),
        cmocka_unit_test(null_pointers_are_null),
        cmocka_unit_test(strings_keep_what_is_in_them),
        cmocka_unit_test(initialisers_become_stores),
        cmocka_unit_test(lvalues_are_normalised),
        cmocka_unit_test(roles_go_through_typedefs),
        cmocka_unit_test(casts_are_kept_where_the_representation_changes),
        cmocka_unit_test(addresses_mark_their_variable),
        cmocka_unit_test(static_storage_belongs_to_the_unit),
        cmocka_unit_test(native_method_tables_are_read_in_every_form),
        cmocka_unit_test(functions_in_static_tables_are_recorded),
        cmocka_unit_test(commands_write_no_files),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    jg_frontend_free(lowered_frontend());
    return failed;
}
