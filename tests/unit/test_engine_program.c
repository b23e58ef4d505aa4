// SPDX-License-Identifier: Apache-2.0
//
// Several units linked: names, pointers, the call graph, functions that units have alike.

#include "analyzer/engine/contexts.h"
#include "tests/unit/project.h"

// "a:f b:g", the functions with the number of their unit as a letter, and " ..." when there may be
// others. Lives until the next call.
static const char *list_text(const struct project *x, const uint32_t *ids, uint32_t count,
                             bool complete)
{
    static char text[4096];
    size_t at = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%c:%s", i ? " " : "",
                               'a' + (int)jg_program_function(x->p, ids[i]).unit_index,
                               jg_program_function_name(x->p, ids[i]));
    if (!complete)
        snprintf(text + at, sizeof text - at, "%s...", at ? " " : "");
    return text;
}

// The callees of the n-th call of a function that is no call of JNI.
static const char *callees(const struct project *x, uint32_t unit, const char *function, uint32_t n)
{
    struct jg_function_ref f = jg_program_function(x->p, id_of(x, unit, function));
    uint32_t first, end, count;
    jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &f.unit->insns.data[i];
        if (in->op != JG_OP_CALL || in->sub == JG_CALLEE_JNI || n--)
            continue;
        bool complete;
        const uint32_t *ids = jg_program_callees(x->p, unit, i, &count, &complete);
        return list_text(x, ids, count, complete);
    }
    fail_msg("no such call in %s", function);
    return "";
}

static const char *calls(const struct project *x, uint32_t unit, const char *function)
{
    uint32_t count;
    const uint32_t *ids = jg_program_calls(x->p, id_of(x, unit, function), &count);
    return list_text(x, ids, count, true);
}

// ---- names --------------------------------------------------------------------------------------

static void external_functions_are_found_in_other_units(void **state)
{
    (void)state;
    LINK(x, NULL, {"a.c", "void g(void); void none(void); void f(void) { g(); none(); }", NULL},
         {"b.c", "void g(void) {}", NULL});
    assert_string_equal(callees(&x, 0, "f", 0), "b:g");
    assert_string_equal(callees(&x, 0, "f", 1), "...");
    assert_string_equal(calls(&x, 0, "f"), "b:g");
    uint32_t count;
    const uint32_t *callers = jg_program_callers(x.p, id_of(&x, 1, "g"), &count);
    assert_string_equal(list_text(&x, callers, count, true), "a:f");
    project_fini(&x);
}

static void static_functions_of_files_of_one_name_are_told_apart(void **state)
{
    (void)state;
    LINK(x, NULL,
         {"m/util.c", "static void g(void) {} void f(void) { g(); } void h(void) {}", NULL},
         {"n/util.c",
          "static void g(void) {} static void h(void); void k(void) { g(); h(); } void h(void) {}",
          NULL},
         {"o/util.c", "static void g(void); void m(void) { g(); } void g(void) {}", NULL});
    assert_string_equal(callees(&x, 0, "f", 0), "a:g");
    assert_string_equal(callees(&x, 1, "k", 0), "b:g");
    assert_string_equal(callees(&x, 1, "k", 1), "b:h");
    assert_string_equal(callees(&x, 2, "m", 0), "c:g");
    project_fini(&x);
}

static void the_own_definition_wins_else_all_are_candidates(void **state)
{
    (void)state;
    LINK(x, NULL, {"a.c", "void g(void); void f(void) { g(); }", NULL},
         {"b.c", "void g(void) {} void k(void) { g(); }", NULL}, {"c.c", "void g(void) {}", NULL});
    assert_string_equal(callees(&x, 0, "f", 0), "b:g c:g");
    assert_string_equal(callees(&x, 1, "k", 0), "b:g");
    project_fini(&x);
}

// All ways to say weak are one.
static void a_weak_definition_gives_way_even_in_its_own_unit(void **state)
{
    (void)state;
    static const char *const weak[] = {
        "__attribute__((weak)) void g(void) {}",
        "void g(void) __attribute__((noinline, __weak__)); void g(void) {}",
        "void g(void);\n#pragma weak g\nvoid g(void) {}",
        "void g(void) {}\n# pragma  weak  g",
        "#define W __attribute__((weak))\nW void g(void) {}",
    };
    for (size_t i = 0; i < sizeof weak / sizeof *weak; i++) {
        char *b = jg_format("%s\nvoid k(void) { g(); }", weak[i]);
        LINK(x, NULL, {"a.c", "void g(void); void f(void) { g(); }", NULL}, {"b.c", b, NULL},
             {"c.c", "void g(void) {}", NULL});
        assert_string_equal(callees(&x, 0, "f", 0), "c:g");
        assert_string_equal(callees(&x, 1, "k", 0), "c:g");
        assert_string_equal(calls(&x, 1, "k"), "c:g");
        project_fini(&x);
        free(b);
    }
}

static void what_is_not_weak_stays(void **state)
{
    (void)state;
    static const char *const strong[] = {
        "void g(void) {}\n#pragma weak gg\n#pragma weak g = h\n",
        "void g(void) {} __attribute__((weak)) void weak(void) {}",
        "void weak(void); __attribute__((noinline)) void g(void) { weak(); }",
        "__attribute__((alias(\"g\"), weak)) void h(void); void g(void) {}",
    };
    for (size_t i = 0; i < sizeof strong / sizeof *strong; i++) {
        LINK(x, NULL, {"a.c", "void g(void); void f(void) { g(); }", NULL},
             {"b.c", strong[i], NULL}, {"c.c", "void g(void) {}", NULL});
        assert_string_equal(callees(&x, 0, "f", 0), "b:g c:g");
        project_fini(&x);
    }
}

static void weak_definitions_alone_are_possible_not_certain(void **state)
{
    (void)state;
    LINK(x, NULL, {"a.c", "void g(void); void f(void) { g(); } void (*p)(void) = g;", NULL},
         {"b.c", "__attribute__((weak)) void g(void) {} void k(void) { g(); }", NULL},
         {"c.c", "extern void (*p)(void); void m(void) { p(); }", NULL});
    bool direct;
    assert_string_equal(callees(&x, 0, "f", 0), "b:g ...");
    assert_string_equal(callees(&x, 1, "k", 0), "b:g ...");
    assert_string_equal(callees(&x, 2, "m", 0), "b:g ...");
    assert_int_not_equal(jg_program_call_site(x.p, id_of(&x, 0, "f"), id_of(&x, 1, "g"), &direct),
                         JG_NONE);
    assert_false(direct);
    project_fini(&x);
}

// `define` is any argument of the compiler.
static void of_several_programs_each_calls_its_own(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b, *c, *expected;
    } outputs[] = {
        {"-oCMakeFiles/one.dir/a.c.o", "-oCMakeFiles/one.dir/b.c.o", "-oCMakeFiles/two.dir/c.c.o",
         "b:g"},
        {"-oCMakeFiles/two.dir/x/a.c.o", "-oCMakeFiles/one.dir/b.c.o", "-oCMakeFiles/two.dir/c.c.o",
         "c:g"},
        {"-osrc/libone.so.p/a.c.o", "-osrc/libone.so.p/b.c.o", "-osrc/libtwo.so.p/c.c.o", "b:g"},
        {"-oCMakeFiles/one.dir/a.c.o", "-oCMakeFiles/one.dir/b.c.o", "-oCMakeFiles/one.dir/c.c.o",
         "b:g c:g"},
        {"-oCMakeFiles/all.dir/a.c.o", "-oCMakeFiles/one.dir/b.c.o", "-oCMakeFiles/two.dir/c.c.o",
         "b:g c:g"},
        {"-oone/a.o", "-oone/b.o", "-otwo/c.o", "b:g c:g"},
        {"-oa.o", "-ob.o", "-oc.o", "b:g c:g"},
    };
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        LINK(x, NULL, {"a.c", "void g(void); void f(void) { g(); }", outputs[i].a},
             {"b.c", "void g(void) {}", outputs[i].b}, {"c.c", "void g(void) {}", outputs[i].c});
        assert_string_equal(callees(&x, 0, "f", 0), outputs[i].expected);
        project_fini(&x);
    }
}

static void overloads_of_cpp_are_told_apart_and_extern_c_links_to_c(void **state)
{
    (void)state;
    LINK(x, NULL, {"a.c", "void g(void) {}", NULL},
         {"b.cpp",
          "extern \"C\" void g(void); void o(int); void o(long);\n"
          "void f() { g(); o(1); o(1L); }",
          NULL},
         {"c.cpp", "void o(int) {} void o(long) {} namespace { void o(long) {} }", NULL});
    assert_string_equal(callees(&x, 1, "f", 0), "a:g");
    assert_string_equal(callees(&x, 1, "f", 1), "c:o");
    assert_string_equal(callees(&x, 1, "f", 2), "c:o");
    assert_string_equal(calls(&x, 1, "f"), "a:g c:o c:o");
    project_fini(&x);
}

// ---- pointers -----------------------------------------------------------------------------------

static const char ops_header[] =
    "typedef struct ops { void (*run)(int); void (*other)(int); int (*two)(int, int); } ops_t;\n"
    "extern const ops_t *table;\n";

static void fields_are_united_over_units(void **state)
{
    (void)state;
    LINK(x, ops_header,
         {"a.c",
          "#include \"h.h\"\nvoid f(struct ops *o) { o->run(1); o->other(1); o->two(1, 2); }",
          NULL},
         {"b.c",
          "#include \"h.h\"\nstatic void r(int i) {(void)i;} static int t(int a, int b) "
          "{return a+b;}\nstatic const ops_t o = { r, .two = t }; const ops_t *table = &o;\n"
          "void set(ops_t *o, void (*p)(int)) { o->other = r; o->other = p; }",
          NULL},
         {"c.c",
          "#include \"h.h\"\nstatic void r(int i) {(void)i;} static void z(void) {}\n"
          "void k(ops_t *o, int c) { o->run = c ? r : 0; o->two = (int (*)(int, int))(void *)z; }",
          NULL});
    assert_string_equal(callees(&x, 0, "f", 0), "b:r c:r");
    assert_string_equal(callees(&x, 0, "f", 1), "b:r ...");
    assert_string_equal(callees(&x, 0, "f", 2), "b:t"); // z takes no arguments
    assert_string_equal(calls(&x, 0, "f"), "b:r b:t c:r");
    project_fini(&x);
}

static void a_field_that_others_may_store_to_is_not_complete(void **state)
{
    (void)state;
    LINK(x,
         "typedef struct err { void (*exit)(int); } err_t; typedef struct box { err_t *e; } box;\n"
         "struct addr { void (*f)(int); }; struct safe { void (*f)(int); };\n"
         "err_t *std_error(box *); void take(void *); void reads(const struct safe *);\n"
         "void give(void (**)(int)); void r(int i);",
         {"a.c",
          "#include \"h.h\"\nvoid r(int i) {(void)i;}\n"
          "void f(box *b, struct addr *a, struct safe *s) {\n"
          "b->e = std_error(b); b->e->exit = r; b->e->exit(1);\n"
          "a->f = r; give(&a->f); a->f(1); s->f = r; take(s); reads(s); s->f(1); }",
          NULL});
    assert_string_equal(callees(&x, 0, "f", 1), "a:r ...");
    assert_string_equal(callees(&x, 0, "f", 3), "a:r ...");
    assert_string_equal(callees(&x, 0, "f", 6), "a:r");
    project_fini(&x);
}

static void variables_hold_functions_too(void **state)
{
    (void)state;
    LINK(x, "extern void (*hook)(int); void r(int i); void s(int i);",
         {"a.c",
          "#include \"h.h\"\nstatic void (*own)(int) = s; static void (*tab[])(int) = {r, s};\n"
          "static void (*lost)(int); extern void *found(void);\n"
          "void f(int i, void (*p)(int)) { hook(i); own(i); tab[i](i); lost = found(); lost(i);\n"
          "p(i); *(void (**)(int))found() = r; void (*l)(int) = hook; if (i) l = own; l(i); (i ? r "
          ": s)(i); }",
          NULL},
         {"b.c",
          "#include \"h.h\"\nvoid (*hook)(int); static void (*own)(int); void r(int i) {(void)i;}\n"
          "void s(int i) {(void)i;} void set(void) { hook = r; own = r; own(1); }",
          NULL});
    assert_string_equal(callees(&x, 0, "f", 0), "b:r");
    assert_string_equal(callees(&x, 0, "f", 1), "b:s");
    assert_string_equal(callees(&x, 0, "f", 2), "b:r b:s");
    assert_string_equal(callees(&x, 0, "f", 4), "...");
    assert_string_equal(callees(&x, 0, "f", 5), "...");
    assert_string_equal(callees(&x, 0, "f", 7), "b:r b:s");
    assert_string_equal(callees(&x, 0, "f", 8), "b:r b:s");
    assert_string_equal(callees(&x, 1, "set", 0), "b:r");
    project_fini(&x);
}

static void pointers_that_go_in_circles_settle(void **state)
{
    (void)state;
    LINK(x, NULL,
         {"a.c",
          "static void (*p)(int), (*q)(int), (*o)(int); static void r(int i) {(void)i;}\n"
          "void f(int n) { void (*l)(int) = 0; while (n--) { l = n & 1 ? l : q; p = l; q = o;\n"
          "o = p; if (n == 7) q = r; l(n); } o(n); }",
          NULL});
    assert_string_equal(callees(&x, 0, "f", 0), "a:r");
    assert_string_equal(callees(&x, 0, "f", 1), "a:r");
    project_fini(&x);
}

static void large_sets_are_unknown(void **state)
{
    (void)state;
    char *code = jg_strdup("static void (*p)(void), (*q)(void);");
    for (int i = 0; i <= JG_MAX_TARGETS; i++) {
        char *more = jg_format("%s\nstatic void f%d(void) {} void s%d(void) { %c = f%d; }", code, i,
                               i, i < JG_MAX_TARGETS ? 'q' : 'p', i);
        free(code);
        code = more;
    }
    char *whole = jg_format("%s\nvoid f(void) { q(); } void g(void) { p = q; p(); }", code);
    LINK(x, NULL, {"a.c", whole, NULL});
    uint32_t count;
    jg_program_calls(x.p, id_of(&x, 0, "f"), &count);
    assert_int_equal(count, JG_MAX_TARGETS);
    assert_string_equal(callees(&x, 0, "g", 0), "...");
    project_fini(&x);
    free(whole);
    free(code);
}

static void native_methods_are_known_from_tables_of_other_units(void **state)
{
    (void)state;
    LINK(x, "#include <jni.h>\nvoid n(JNIEnv *, jobject); void m(JNIEnv *, jobject);",
         {"a.c",
          "#include \"h.h\"\nstatic const JNINativeMethod t[] = {{\"n\", \"()V\", (void *)n}};\n"
          "void fill(JNINativeMethod *at) { at->fnPtr = (void *)m; } const void *keep = t;",
          NULL},
         {"b.c",
          "#include \"h.h\"\nvoid n(JNIEnv *e, jobject o) {(void)e; (void)o;}\n"
          "void m(JNIEnv *e, jobject o) {(void)e; (void)o;} void k(void) {}",
          NULL});
    assert_true(jg_program_is_native(x.p, id_of(&x, 1, "n")));
    assert_true(jg_program_is_native(x.p, id_of(&x, 1, "m")));
    assert_false(jg_program_is_native(x.p, id_of(&x, 1, "k")));
    project_fini(&x);
}

// ---- the call graph -----------------------------------------------------------------------------

static void components_come_bottom_up(void **state)
{
    (void)state;
    LINK(
        x, "void a(void); void b(void); void c(void); void d(void); void e(int);",
        {"a.c", "#include \"h.h\"\nvoid a(void) { b(); d(); } void c(void) { b(); }", NULL},
        {"b.c",
         "#include \"h.h\"\nvoid b(void) { c(); d(); } void d(void) {} void e(int n) { e(n - 1); }",
         NULL});
    uint32_t a = jg_program_component_of(x.p, id_of(&x, 0, "a"));
    uint32_t b = jg_program_component_of(x.p, id_of(&x, 1, "b"));
    uint32_t d = jg_program_component_of(x.p, id_of(&x, 1, "d"));
    uint32_t e = jg_program_component_of(x.p, id_of(&x, 1, "e"));
    assert_int_equal(b, jg_program_component_of(x.p, id_of(&x, 0, "c")));
    assert_true(d < b && b < a);
    assert_true(jg_program_is_recursive(x.p, b) && jg_program_is_recursive(x.p, e));
    assert_false(jg_program_is_recursive(x.p, a) || jg_program_is_recursive(x.p, d));
    uint32_t count;
    const uint32_t *members = jg_program_component(x.p, b, &count);
    assert_string_equal(list_text(&x, members, count, true), "a:c b:b");
    project_fini(&x);
}

static void cleanup_functions_are_called(void **state)
{
    (void)state;
    LINK(x, NULL,
         {"a.c",
          "static void done(int *p) { *p = 0; }\n"
          "void f(void) { __attribute__((cleanup(done))) int i = 1; (void)i; }",
          NULL});
    assert_string_equal(calls(&x, 0, "f"), "a:done");
    project_fini(&x);
}

// A chain of calls as long as this must not need a stack as deep; made by hand, as parsing takes
// long.
static void long_chains_need_no_stack(void **state)
{
    (void)state;
    enum { LENGTH = 100000 };
    struct jg_unit u;
    jg_unit_init(&u);
    *JG_VEC_PUSH(&u.types) = (struct jg_type){.kind = JG_TYPE_VOID, .pointee = JG_NONE};
    for (uint32_t i = 0; i < LENGTH; i++) {
        *JG_VEC_PUSH(&u.symbols) = (struct jg_symbol){.flags = JG_SYM_STATIC, .function = i};
        *JG_VEC_PUSH(&u.insns) = (struct jg_insn){.op = JG_OP_CALL,
                                                  .sub = JG_CALLEE_SYMBOL,
                                                  .a = (i + 1) % LENGTH,
                                                  .dst = JG_NONE,
                                                  .loc = JG_NONE};
        *JG_VEC_PUSH(&u.blocks) = (struct jg_block){.first_insn = i,
                                                    .insn_count = i + 1 < LENGTH,
                                                    .term = JG_TERM_RETURN,
                                                    .loc = JG_NONE,
                                                    .cond = JG_NONE};
        *JG_VEC_PUSH(&u.functions) = (struct jg_function){
            .symbol = i, .loc = JG_NONE, .end_loc = JG_NONE, .first_block = i, .block_count = 1};
    }
    const struct jg_unit *units[] = {&u};
    struct jg_program *p = jg_program_new(units, 1);
    assert_int_equal(jg_program_component_count(p), LENGTH);
    jg_program_free(p);
    u.blocks.data[LENGTH - 1].insn_count = 1; // the last one calls the first
    p = jg_program_new(units, 1);
    assert_int_equal(jg_program_component_count(p), 1);
    assert_true(jg_program_is_recursive(p, 0));
    jg_program_free(p);
    jg_unit_fini(&u);
}

// ---- functions that units have alike ------------------------------------------------------------

static void bodies_in_headers_are_explored_once(void **state)
{
    (void)state;
    LINK(x,
         "static inline int plain(int x) { return x + 1; }\n"
         "static inline int macro(int x) { return x + SIZE; }\n"
         "static inline int calls_macro(int x) { return macro(x); }\n"
         "static inline int odd(int x); static inline int even(int x) { return x ? odd(x - 1) : 1; "
         "}\nstatic inline int odd(int x) { return x ? even(x - 1) : plain(0); }\n",
         {"a.c",
          "#define SIZE 1\n#include \"h.h\"\nint f(void) { return calls_macro(plain(odd(2))); }",
          NULL},
         {"b.c",
          "#define SIZE 2\n#include \"h.h\"\nint f(void) { return calls_macro(plain(odd(2))); }",
          NULL},
         {"c.c",
          "#define SIZE 1\n#include \"h.h\"\nint f(void) { return calls_macro(plain(odd(2))); }",
          NULL});
#define REPRESENTATIVE(unit, name) jg_program_representative(x.p, id_of(&x, unit, name))
    assert_int_equal(REPRESENTATIVE(1, "plain"), id_of(&x, 0, "plain"));
    assert_int_equal(REPRESENTATIVE(1, "macro"), id_of(&x, 1, "macro"));
    assert_int_equal(REPRESENTATIVE(2, "macro"), id_of(&x, 0, "macro"));
    assert_int_equal(REPRESENTATIVE(1, "calls_macro"), id_of(&x, 1, "calls_macro"));
    assert_int_equal(REPRESENTATIVE(2, "calls_macro"), id_of(&x, 0, "calls_macro"));
    assert_int_equal(REPRESENTATIVE(2, "odd"), id_of(&x, 0, "odd"));
    assert_int_equal(REPRESENTATIVE(1, "even"), id_of(&x, 0, "even"));
    assert_int_equal(REPRESENTATIVE(1, "f"), id_of(&x, 1, "f"));
    project_fini(&x);
}

static void a_file_compiled_twice_shares_what_is_equal(void **state)
{
    (void)state;
    LINK(x, NULL, {"a.c", "int g(int n) { return n; } int f(int n) { return n + N; }", "-DN=1"});
    struct source again = {"a.c", NULL, "-DN=2"};
    jg_program_free(x.p);
    add_unit(&x, &again);
    x.p = jg_program_new(x.at, x.count);
    assert_int_equal(REPRESENTATIVE(1, "g"), id_of(&x, 0, "g"));
    assert_int_equal(REPRESENTATIVE(1, "f"), id_of(&x, 1, "f"));
    project_fini(&x);
}

// ---- models -------------------------------------------------------------------------------------

// Where the model of the first call of a function stands; "" without one.
static const char *model_of_call(const struct project *x, uint32_t unit, const char *function)
{
    struct jg_function_ref f = jg_program_function(x->p, id_of(x, unit, function));
    uint32_t first, end;
    jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
    while (first < end && f.unit->insns.data[first].op != JG_OP_CALL)
        first++;
    const struct jg_model *m = jg_program_model(x->p, unit, first);
    return m ? m->name : "";
}

static void a_body_wins_over_a_model_wherever_it_is(void **state)
{
    (void)state;
    LINK(x,
         "#include <jni.h>\nint close(int); int fsync(int); void throwMine(JNIEnv *);\n"
         "struct ops { int (*close)(int); };\n"
         "typedef struct jpeg_error_mgr { void (*error_exit)(void *); } jpeg_error_mgr;\n",
         {"a.c",
          "#include \"h.h\"\n"
          "void a(void) { close(1); }\nvoid b(void) { fsync(1); }\n"
          "void c(JNIEnv *e) { throwMine(e); }\n"
          "void d(struct ops *o) { o->close(1); }\n"
          "void e(jpeg_error_mgr *o) { o->error_exit(o); }\n",
          NULL},
         {"b.c", "#include \"h.h\"\nint close(int fd) { return fd; }\n", NULL});
    assert_string_equal(model_of_call(&x, 0, "a"), ""); // defined in the other unit
    assert_string_equal(model_of_call(&x, 0, "b"), "fsync");
    assert_non_null(strstr(model_of_call(&x, 0, "c"), "[tT]hrow")); // a pattern
    assert_string_equal(model_of_call(&x, 0, "d"), "");             // a table of the project's
    assert_string_equal(model_of_call(&x, 0, "e"), "error_exit");
    project_fini(&x);
}

// ---- kinds of references ------------------------------------------------------------------------

static uint8_t kinds_of_field(const struct project *x, uint32_t unit, const char *name)
{
    for (uint32_t i = 0; i < x->units[unit].fields.count; i++)
        if (strcmp(jg_unit_str(&x->units[unit], x->units[unit].fields.data[i].name), name) == 0)
            return jg_program_field_kinds(x->p, unit, i);
    fail_msg("no field %s in unit %u", name, unit);
    return 0;
}

static void kinds_of_references_are_united_over_units(void **state)
{
    (void)state;
    LINK(x,
         "#include <jni.h>\nstruct c { jobject global, weak, both, made, lib, arg, null; };\n"
         "extern jclass cls; jobject make(JNIEnv *, jobject); struct l { jobject o; };\n"
         "void library(struct l *);",
         {"a.c",
          "#include \"h.h\"\nvoid f(JNIEnv *e, struct c *c, jobject o, struct l *l) {\n"
          "c->global = (*e)->NewGlobalRef(e, o); c->weak = (*e)->NewWeakGlobalRef(e, o);\n"
          "c->both = (*e)->NewLocalRef(e, o); c->made = make(e, o); c->arg = o; library(l);\n"
          "l->o = (*e)->NewGlobalRef(e, o); c->lib = l->o; c->null = 0; }",
          NULL},
         {"b.c",
          "#include \"h.h\"\njclass cls; jobject make(JNIEnv *e, jobject o) {\n"
          "jobject r = o ? (*e)->NewGlobalRef(e, o) : NULL; return r; }\n"
          "void g(JNIEnv *e, struct c *c, struct c *d) { c->global = d->global; c->both = cls;\n"
          "cls = make(e, d->weak); (void)c->made; (void)c->lib; (void)c->arg; (void)c->null; }",
          NULL});
    assert_int_equal(kinds_of_field(&x, 1, "global"), JG_STORED_GLOBAL);
    assert_int_equal(kinds_of_field(&x, 1, "weak"), JG_STORED_WEAK);
    assert_int_equal(kinds_of_field(&x, 1, "both"), JG_STORED_LOCAL | JG_STORED_GLOBAL);
    assert_int_equal(kinds_of_field(&x, 1, "made"), JG_STORED_GLOBAL);
    assert_int_equal(kinds_of_field(&x, 1, "lib"), JG_STORED_GLOBAL | JG_STORED_OTHER);
    assert_int_equal(kinds_of_field(&x, 1, "arg"), JG_STORED_OTHER);
    assert_int_equal(kinds_of_field(&x, 1, "null"), 0);
    for (uint32_t i = 0; i < x.units[1].vars.count; i++)
        if (strcmp(jg_unit_str(&x.units[1], x.units[1].vars.data[i].name), "cls") == 0)
            assert_int_equal(jg_program_variable_kinds(x.p, 1, i), JG_STORED_GLOBAL);
    project_fini(&x);
}

// ---- where code runs ----------------------------------------------------------------------------

static const char *contexts(const struct project *x, uint32_t unit, const char *function)
{
    static const char *const names[] = {"native", "thread",  "callback",
                                        "signal", "fetches", "unknown"};
    static char text[128];
    uint8_t set = jg_program_contexts(x->p, id_of(x, unit, function));
    text[0] = '\0';
    for (unsigned i = 0; i < JG_CONTEXT_COUNT; i++)
        if (set >> i & 1) {
            strcat(text, text[0] ? " " : "");
            strcat(text, names[i]);
        }
    return text;
}

static void functions_run_where_their_callers_run(void **state)
{
    (void)state;
    LINK(
        x, "#include <jni.h>\nvoid helper(JNIEnv *), shared(JNIEnv *), nobody(void);",
        {"a.c",
         "#include \"h.h\"\n#include <pthread.h>\nstatic void leaf(JNIEnv *e) { (void)e; }\n"
         "void helper(JNIEnv *e) { leaf(e); } void nobody(void) { }\n"
         "void shared(JNIEnv *e) { (void)e; }\n"
         "static JavaVM *vm; static void *run(void *p) { JNIEnv *e;\n"
         "(*vm)->AttachCurrentThread(vm, (void **)&e, p); shared(e); return p; }\n"
         "static void *plain(void *p) { return p; } static void spawn(void *(*f)(void *)) {\n"
         "pthread_t t; pthread_create(&t, 0, f, 0); } static void *wrapped(void *p) { return p; }\n"
         "void start(void) { pthread_t t; pthread_create(&t, 0, run, 0); spawn(wrapped);\n"
         "void *(*f)(void *) = plain; pthread_create(&t, 0, f, 0); }",
         NULL},
        {"b.c",
         "#include \"h.h\"\nvoid Java_A_f(JNIEnv *e, jobject o) { (void)o; helper(e); shared(e); }",
         NULL});
    assert_string_equal(contexts(&x, 1, "Java_A_f"), "native");
    assert_string_equal(contexts(&x, 0, "leaf"), "native");
    assert_string_equal(contexts(&x, 0, "run"), "thread");
    assert_string_equal(contexts(&x, 0, "plain"), "thread");
    assert_string_equal(contexts(&x, 0, "wrapped"), "thread");
    assert_string_equal(contexts(&x, 0, "shared"), "native thread");
    assert_string_equal(contexts(&x, 0, "nobody"), "unknown");
    struct jg_context_reason r;
    assert_true(jg_program_context_reason(x.p, id_of(&x, 0, "leaf"), JG_CONTEXT_NATIVE, &r));
    assert_int_equal(r.root, id_of(&x, 1, "Java_A_f"));
    assert_int_equal(r.caller, id_of(&x, 0, "helper"));
    assert_int_equal(r.loc, JG_NONE);
    assert_true(jg_program_context_reason(x.p, id_of(&x, 0, "wrapped"), JG_CONTEXT_THREAD, &r));
    assert_int_equal(r.caller, JG_NONE);
    assert_string_equal(r.what, "spawn");
    assert_int_equal(x.units[0].locs.data[r.loc].line, 10);
    assert_false(jg_program_context_reason(x.p, id_of(&x, 0, "leaf"), JG_CONTEXT_THREAD, &r));
    project_fini(&x);
}

static void bodies_in_headers_run_where_any_of_them_runs(void **state)
{
    (void)state;
    LINK(x,
         "#include <jni.h>\nstatic inline void leaf(JNIEnv *e) { (void)e; }\n"
         "static inline void both(JNIEnv *e) { leaf(e); }",
         {"a.c", "#include \"h.h\"\nvoid Java_A_f(JNIEnv *e, jobject o) { (void)o; both(e); }",
          NULL},
         {"b.c",
          "#include \"h.h\"\n#include <pthread.h>\nstatic void *run(void *p) { both(p); return p; "
          "}\n"
          "void g(void) { pthread_t t; pthread_create(&t, 0, run, 0); }",
          NULL});
    assert_string_equal(contexts(&x, 0, "leaf"), "native thread");
    assert_string_equal(contexts(&x, 1, "both"), "native thread");
    struct jg_context_reason r;
    assert_true(jg_program_context_reason(x.p, id_of(&x, 0, "leaf"), JG_CONTEXT_THREAD, &r));
    assert_int_equal(r.root, id_of(&x, 1, "run"));
    assert_int_equal(r.caller, id_of(&x, 1, "both"));
    project_fini(&x);
}

static void addresses_given_to_others_make_callbacks(void **state)
{
    (void)state;
    LINK(x,
         "struct ops { void (*run)(int); }; struct api { void (*event)(int); int n; };\n"
         "void lib_on(void (*)(int)); void lib_use(const struct api *); void own(int);",
         {"a.c",
          "#include \"h.h\"\n#include <stdlib.h>\nstatic void cb(int i) {(void)i;}\n"
          "static void event(int i) {(void)i;} static void op(int i) {(void)i;}\n"
          "static int compare(const void *a, const void *b) { own(1); return a < b; }\n"
          "static const struct api api = {event, 1}; static const struct ops table = {op};\n"
          "void Java_A_f(int *a) { lib_on(cb); lib_use(&api); table.run(1); qsort(a, 1, 4, "
          "compare); }",
          NULL},
         {"b.c", "#include \"h.h\"\nvoid own(int i) {(void)i;}", NULL});
    assert_string_equal(contexts(&x, 0, "cb"), "callback");
    assert_string_equal(contexts(&x, 0, "event"), "callback");
    assert_string_equal(contexts(&x, 0, "op"), "native");
    assert_string_equal(contexts(&x, 0, "compare"), "native");
    assert_string_equal(contexts(&x, 1, "own"), "native");
    project_fini(&x);
}

static void signal_handlers_and_jvmti_events_are_known(void **state)
{
    (void)state;
    LINK(x, NULL,
         {"a.c",
          "#include <jvmti.h>\n#include <signal.h>\nstatic void h(int s) {(void)s;}\n"
          "static void i(int s) {(void)s;} static void k(int s, siginfo_t *n, void *c)\n"
          "{(void)s; (void)n; (void)c;} static void event(jvmtiEnv *t, JNIEnv *e, jthread j)\n"
          "{(void)t; (void)e; (void)j;} void f(jvmtiEnv *t) { signal(SIGINT, h);\n"
          "struct sigaction a = {0}, old; a.sa_handler = i; sigaction(SIGHUP, &a, &old);\n"
          "a.sa_sigaction = k; sigaction(SIGHUP, &a, 0); if (old.sa_handler) old.sa_handler(1);\n"
          "jvmtiEventCallbacks c = {0}; c.VMInit = event;\n"
          "(*t)->SetEventCallbacks(t, &c, sizeof c); }",
          NULL});
    assert_string_equal(contexts(&x, 0, "h"), "signal");
    assert_string_equal(contexts(&x, 0, "k"), "signal");
    assert_true(jg_program_contexts(x.p, id_of(&x, 0, "i")) & JG_CONTEXT_SIGNAL);
    assert_string_equal(contexts(&x, 0, "event"), "native");
    project_fini(&x);
}

static void who_fetches_env_may_run_anywhere(void **state)
{
    (void)state;
    LINK(x, "#include <jni.h>\nextern JavaVM *vm; JNIEnv *get_env(void); int put_env(JNIEnv **);",
         {"a.c",
          "#include \"h.h\"\nJavaVM *vm; JNIEnv *get_env(void) { JNIEnv *e = 0;\n"
          "if ((*vm)->GetEnv(vm, (void **)&e, JNI_VERSION_1_8) == JNI_EDETACHED)\n"
          "(*vm)->AttachCurrentThread(vm, (void **)&e, 0); return e; }\n"
          "int put_env(JNIEnv **e) { *e = get_env(); return 0; }",
          NULL},
         {"b.c",
          "#include \"h.h\"\nvoid notify(void) { JNIEnv *e; put_env(&e); }\n"
          "void direct(void) { JNIEnv *e; (*vm)->GetEnv(vm, (void **)&e, JNI_VERSION_1_8); }\n"
          "void attaches(void) { JNIEnv *e; (*vm)->AttachCurrentThread(vm, (void **)&e, 0); }\n"
          "__attribute__((annotate(\"jniguard::native_thread\"))) void marked(JNIEnv *e);\n"
          "void marked(JNIEnv *e) { (void)e; }",
          NULL});
    assert_string_equal(contexts(&x, 1, "notify"), "fetches");
    assert_string_equal(contexts(&x, 1, "direct"), "fetches");
    assert_string_equal(contexts(&x, 1, "attaches"), "thread");
    assert_string_equal(contexts(&x, 1, "marked"), "thread");
    project_fini(&x);
}

static void an_empty_program_has_nothing(void **state)
{
    (void)state;
    struct jg_program *p = jg_program_new(NULL, 0);
    assert_int_equal(jg_program_function_count(p), 0);
    assert_int_equal(jg_program_component_count(p), 0);
    jg_program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(external_functions_are_found_in_other_units),
        cmocka_unit_test(static_functions_of_files_of_one_name_are_told_apart),
        cmocka_unit_test(the_own_definition_wins_else_all_are_candidates),
        cmocka_unit_test(a_weak_definition_gives_way_even_in_its_own_unit),
        cmocka_unit_test(what_is_not_weak_stays),
        cmocka_unit_test(weak_definitions_alone_are_possible_not_certain),
        cmocka_unit_test(of_several_programs_each_calls_its_own),
        cmocka_unit_test(overloads_of_cpp_are_told_apart_and_extern_c_links_to_c),
        cmocka_unit_test(fields_are_united_over_units),
        cmocka_unit_test(a_field_that_others_may_store_to_is_not_complete),
        cmocka_unit_test(variables_hold_functions_too),
        cmocka_unit_test(pointers_that_go_in_circles_settle),
        cmocka_unit_test(large_sets_are_unknown),
        cmocka_unit_test(native_methods_are_known_from_tables_of_other_units),
        cmocka_unit_test(components_come_bottom_up),
        cmocka_unit_test(cleanup_functions_are_called),
        cmocka_unit_test(long_chains_need_no_stack),
        cmocka_unit_test(bodies_in_headers_are_explored_once),
        cmocka_unit_test(a_file_compiled_twice_shares_what_is_equal),
        cmocka_unit_test(a_body_wins_over_a_model_wherever_it_is),
        cmocka_unit_test(kinds_of_references_are_united_over_units),
        cmocka_unit_test(functions_run_where_their_callers_run),
        cmocka_unit_test(bodies_in_headers_run_where_any_of_them_runs),
        cmocka_unit_test(addresses_given_to_others_make_callbacks),
        cmocka_unit_test(signal_handlers_and_jvmti_events_are_known),
        cmocka_unit_test(who_fetches_env_may_run_anywhere),
        cmocka_unit_test(an_empty_program_has_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
