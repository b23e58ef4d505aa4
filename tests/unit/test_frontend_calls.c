// SPDX-License-Identifier: Apache-2.0
//
// Who is called: every form in which a JNI function, a function or a pointer can be called.

#include "tests/unit/lowered.h"

static const struct {
    const char *form; // an expression with env, vm, fn, w
    enum jg_callee_kind kind;
    const char *name;
} forms[] = {
    {"(*env)->FindClass(env, \"A\")", JG_CALLEE_JNI, "FindClass"},
    {"(**env).FindClass(env, \"A\")", JG_CALLEE_JNI, "FindClass"},
    {"env[0]->FindClass(env, \"A\")", JG_CALLEE_JNI, "FindClass"},
    {"(*(*env)->FindClass)(env, \"A\")", JG_CALLEE_JNI, "FindClass"},
    {"tab->FindClass(env, \"A\")", JG_CALLEE_JNI, "FindClass"},
    {"w->tab->FindClass(env, \"A\")", JG_CALLEE_JNI, "FindClass"},
    {"copy.FindClass(env, \"A\")", JG_CALLEE_JNI, "FindClass"},
    {"(*(MyEnv *)p)->FindClass((MyEnv *)p, \"A\")", JG_CALLEE_JNI, "FindClass"},
    {"((struct JNINativeInterface_ *)*env)->FindClass(env, \"A\")", JG_CALLEE_JNI, "FindClass"},
    {"JCALL(env, NewGlobalRef, 0)", JG_CALLEE_JNI, "NewGlobalRef"},
    {"CALL(env, Int, 0, 0)", JG_CALLEE_JNI, "CallIntMethod"},
    {"(*vm)->GetEnv(vm, &p, 0)", JG_CALLEE_INVOKE, "GetEnv"},
    {"(**vm).DetachCurrentThread(vm)", JG_CALLEE_INVOKE, "DetachCurrentThread"},
    {"helper(1)", JG_CALLEE_SYMBOL, "helper"},
    {"(&helper)(1)", JG_CALLEE_SYMBOL, "helper"},
    {"(*helper)(1)", JG_CALLEE_SYMBOL, "helper"},
    {"_Generic(1, int: helper, double: 0)(1)", JG_CALLEE_SYMBOL, "helper"},
    {"w->cb(1)", JG_CALLEE_FIELD, "cb"},
    {"(*w->cb)(1)", JG_CALLEE_FIELD, "cb"},
    {"((int (*)(long))w->cb)(1)", JG_CALLEE_FIELD, "cb"},
    {"fn(1)", JG_CALLEE_TEMP, NULL},
    {"(*fn)(1)", JG_CALLEE_TEMP, NULL},
    {"w->fns[1](1)", JG_CALLEE_TEMP, NULL},
    {"(p ? fn : helper)(1)", JG_CALLEE_TEMP, NULL},
};

static const char *callee_name(const struct lowered *l, const struct jg_insn *n)
{
    switch (n->sub) {
    case JG_CALLEE_JNI:
        return jg_jni_function(n->a)->name;
    case JG_CALLEE_INVOKE:
        return jg_invoke_function(n->a)->name;
    case JG_CALLEE_SYMBOL:
        return jg_unit_str(l->u, l->u->symbols.data[n->a].name);
    case JG_CALLEE_FIELD:
        return jg_unit_str(l->u, l->u->fields.data[n->a].name);
    default:
        return "";
    }
}

static void every_form_of_callee_is_resolved(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char *code =
            jg_format("#include <jni.h>\n"
                      "typedef const struct JNINativeInterface_ *MyEnv;\n"
                      "struct w { const struct JNINativeInterface_ *tab; int (*cb)(int); int "
                      "(*fns[2])(int); };\n"
                      "#define JCALL(e, m, ...) (*(e))->m((e), ##__VA_ARGS__)\n"
                      "#define CALL(e, T, o, m) (*(e))->Call##T##Method(e, o, m)\n"
                      "int helper(int);\n"
                      "void f(JNIEnv *env, JavaVM *vm, struct w *w, void *p, int (*fn)(int)) {\n"
                      "  const struct JNINativeInterface_ *tab = *env; struct JNINativeInterface_ "
                      "copy = **env;\n"
                      "  (void)%s; (void)tab; (void)copy; }\n",
                      forms[i].form);
        struct lowered l;
        lower(&l, code);
        assert_int_equal(l.u->status, JG_UNIT_OK);
        const struct jg_insn *n = find_insn(&l, "f", JG_OP_CALL, 0);
        if (!n || n->sub != forms[i].kind ||
            (forms[i].name && strcmp(callee_name(&l, n), forms[i].name) != 0))
            fail_msg("%s: kind %d, %s", forms[i].form, n ? n->sub : -1,
                     n ? callee_name(&l, n) : "");
        lowered_fini(&l);
        free(code);
    }
}

static void a_function_pointer_read_from_the_table_is_a_value(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "#include <jni.h>\n"
              "jclass f(JNIEnv *env) { jclass (JNICALL *find)(JNIEnv *, const char *) = "
              "(*env)->FindClass;\n"
              "  return find(env, \"x\"); }\n");
    const struct jg_insn *n = find_insn(&l, "f", JG_OP_CALL, 0);
    assert_int_equal(n->sub, JG_CALLEE_TEMP);
    assert_dump_has(&l, "f", ".FindClass");
    lowered_fini(&l);
}

static void methods_of_cxx_get_their_environment(void **state)
{
    (void)state;
    struct lowered l;
    lower_with(&l, "t.cpp",
               "#include <jni.h>\n"
               "extern \"C\" jclass f(JNIEnv *env, JavaVM *vm) {\n"
               "  void *p; vm->GetEnv(&p, JNI_VERSION_1_6); env->functions->ExceptionClear(env);\n"
               "  return env->FindClass(\"A\"); }\n",
               NULL, NULL);
    const struct jg_insn *vm = find_insn(&l, "f", JG_OP_CALL, 0);
    assert_int_equal(vm->sub, JG_CALLEE_INVOKE);
    assert_int_equal(vm->arg_count, 3);
    const struct jg_insn *table = find_insn(&l, "f", JG_OP_CALL, 1);
    assert_int_equal(table->a, JG_JNI_ExceptionClear);
    const struct jg_insn *find = find_insn(&l, "f", JG_OP_CALL, 2);
    assert_int_equal(find->sub, JG_CALLEE_JNI);
    assert_int_equal(find->a, JG_JNI_FindClass);
    assert_int_equal(find->arg_count, 2);
    assert_true(find_function(&l, "f")->flags & JG_FN_CXX);
    lowered_fini(&l);
}

static void casts_to_void_of_cxx_are_statements(void **state)
{
    (void)state;
    struct lowered l;
    lower_with(&l, "t.cpp",
               "int g(int);\n"
               "void f(int n) { static_cast<void>(g(n)); void(g(n)); (n ? static_cast<void>(0)\n"
               "  : static_cast<void>(g(n))); }\n",
               NULL, NULL);
    assert_non_null(find_insn(&l, "f", JG_OP_CALL, 2));
    lowered_fini(&l);
}

static void android_names_of_the_table_are_known(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l,
          "typedef void *jobject; typedef jobject jclass;\n"
          "struct JNINativeInterface; typedef const struct JNINativeInterface *JNIEnv;\n"
          "struct JNINativeInterface { void *r; jclass (*FindClass)(JNIEnv *, const char *); };\n"
          "jclass f(JNIEnv *env) { return (*env)->FindClass(env, \"A\"); }\n");
    assert_int_equal(find_insn(&l, "f", JG_OP_CALL, 0)->sub, JG_CALLEE_JNI);
    lowered_fini(&l);
}

static void the_object_of_a_call_is_evaluated_when_it_does_something(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "#include <jni.h>\nJNIEnv *get(void);\n"
              "void f(void) { (*get())->ExceptionClear(get()); }\n");
    assert_int_equal(count_insns(&l, "f", JG_OP_CALL), 3);
    lowered_fini(&l);
}

static void results_that_nobody_reads_are_marked(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "int g(int);\nvoid f(int n) { g(1); (void)g(2); n = g(3); if (g(4)) n, g(5); n ? "
              "g(6) : g(7);\n"
              "  for (g(8);; g(9)) if (n) return; }\n");
    static const uint16_t expected[] = {JG_INSN_UNUSED,
                                        JG_INSN_UNUSED | JG_INSN_VOID_CAST,
                                        0,
                                        0,
                                        JG_INSN_UNUSED,
                                        JG_INSN_UNUSED,
                                        JG_INSN_UNUSED,
                                        JG_INSN_UNUSED,
                                        JG_INSN_UNUSED};
    for (uint32_t i = 0; i < 9; i++) {
        const struct jg_insn *n = find_insn(&l, "f", JG_OP_CALL, i);
        const struct jg_insn *arg = NULL;
        for (uint32_t j = 0; (arg = find_insn(&l, "f", JG_OP_CONST, j)) != NULL; j++)
            if (arg->dst == l.u->args.data[n->first_arg])
                break;
        assert_non_null(arg);
        assert_int_equal(n->flags, expected[arg->imm - 1]);
    }
    lowered_fini(&l);
}

static void what_does_not_return_ends_its_block(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "#include <jni.h>\n#include <stdlib.h>\n"
              "_Noreturn void die(void); void gnu(int) __attribute__((noreturn));\n"
              "void a(void) { die(); } void b(void) { gnu(1); } void c(void) { exit(1); }\n"
              "void d(JNIEnv *env) { (*env)->FatalError(env, \"x\"); }\n"
              "void e(int n) { if (n) __builtin_unreachable(); abort(); }\n"
              "int g(int n) { return n ? n : (abort(), 0); }\n");
    static const char *const names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(count_terms(&l, names[i], JG_TERM_UNREACHABLE), 1);
        assert_int_equal(count_terms(&l, names[i], JG_TERM_RETURN), 0);
    }
    assert_int_equal(count_terms(&l, "e", JG_TERM_UNREACHABLE), 2);
    assert_int_equal(count_insns(&l, "g", JG_OP_PHI), 0);
    lowered_fini(&l);
}

static const struct jg_symbol *symbol(const struct lowered *l, const char *name)
{
    for (uint32_t i = 0; i < l->u->symbols.count; i++)
        if (strcmp(jg_unit_str(l->u, l->u->symbols.data[i].name), name) == 0)
            return &l->u->symbols.data[i];
    fail_msg("no symbol %s", name);
    return NULL;
}

static void symbols_carry_what_is_known_of_them(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "#include <jni.h>\n#include <stdio.h>\n"
              "static int local(int a, const char *b) { return a && b; }\n"
              "void take(int (*)(int, const char *));\n"
              "JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *r) { return JNI_VERSION_1_6; }\n"
              "JNIEXPORT void JNICALL Java_A_b(JNIEnv *env, jobject o) { take(local); "
              "printf(\"%d\", 1); undeclared(1); }\n");
    assert_true(symbol(&l, "local")->flags & JG_SYM_STATIC);
    assert_true(symbol(&l, "local")->flags & JG_SYM_ADDRESS_GIVEN);
    assert_int_equal(symbol(&l, "local")->param_count, 2);
    assert_true(symbol(&l, "printf")->flags & JG_SYM_VARIADIC);
    assert_true(symbol(&l, "JNI_OnLoad")->flags & JG_SYM_ONLOAD);
    assert_true(symbol(&l, "Java_A_b")->flags & JG_SYM_NATIVE_METHOD);
    assert_true(symbol(&l, "undeclared")->flags & JG_SYM_IMPLICIT);
    assert_false(symbol(&l, "take")->flags & (JG_SYM_IMPLICIT | JG_SYM_STATIC));
    assert_int_equal(symbol(&l, "take")->function, JG_NONE);
    const struct jg_symbol *native = symbol(&l, "Java_A_b");
    assert_int_equal(l.u->types.data[l.u->param_types.data[native->first_param]].role, JG_ROLE_ENV);
    lowered_fini(&l);
}

static void static_functions_of_one_name_are_told_apart(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "static int helper(int n);\nint f(int n) { return helper(n); }\n"
              "static int helper(int n) { return n + 1; }\nint g(int n) { return helper(n); }\n");
    assert_int_equal(find_insn(&l, "f", JG_OP_CALL, 0)->a, find_insn(&l, "g", JG_OP_CALL, 0)->a);
    assert_int_equal(symbol(&l, "helper")->function,
                     (uint32_t)(find_function(&l, "helper") - l.u->functions.data));
    lowered_fini(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_callee_is_resolved),
        cmocka_unit_test(a_function_pointer_read_from_the_table_is_a_value),
        cmocka_unit_test(methods_of_cxx_get_their_environment),
        cmocka_unit_test(casts_to_void_of_cxx_are_statements),
        cmocka_unit_test(android_names_of_the_table_are_known),
        cmocka_unit_test(the_object_of_a_call_is_evaluated_when_it_does_something),
        cmocka_unit_test(results_that_nobody_reads_are_marked),
        cmocka_unit_test(what_does_not_return_ends_its_block),
        cmocka_unit_test(symbols_carry_what_is_known_of_them),
        cmocka_unit_test(static_functions_of_one_name_are_told_apart),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    jg_frontend_free(lowered_frontend());
    return failed;
}
