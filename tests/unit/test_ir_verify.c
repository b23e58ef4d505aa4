// SPDX-License-Identifier: Apache-2.0
//
// verify.c must accept what the frontend makes and name what is wrong with a unit that was damaged.

#include "tests/unit/lowered.h"

static const char code[] = "#include <jni.h>\n"
                           "struct s { jclass cls; int n[4]; };\n"
                           "int f(JNIEnv *env, struct s *p, int n) {\n"
                           "  jclass c = n ? (*env)->FindClass(env, \"A\") : p->cls;\n"
                           "  while (n--) { p->n[n] = 3; if (c) return 1; }\n"
                           "  switch (n) { case 1: return 2; default: return 3; }\n"
                           "}\n"
                           "static int (*const table[])(JNIEnv *, struct s *, int) = {f};\n";

static void a_lowered_unit_is_sound(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, code);
    assert_null(jg_unit_verify(l.u));
    lowered_fini(&l);
}

static void an_empty_unit_is_sound(void **state)
{
    (void)state;
    struct jg_unit u;
    jg_unit_init(&u);
    assert_null(jg_unit_verify(&u));
    jg_unit_fini(&u);
}

enum damage {
    TEMP_TWICE,
    TEMP_UNDEFINED,
    PLACE_RANGE,
    SUCC_RANGE,
    SUCC_COUNT,
    TERM,
    LOOP_MARK,
    CALLEE,
    PHI_BLOCK,
    TYPE_RANGE,
    LOC_RANGE,
    SYMBOL_BACK,
    VAR_KIND,
    STATIC_KIND,
    STRINGS,
    OPCODE,
    INSN_LEFT_OUT,
    DAMAGES
};

static struct jg_insn *insn(struct lowered *l, enum jg_op op, uint32_t n)
{
    return &l->unit.insns.data[find_insn(l, "f", op, n) - l->u->insns.data];
}

static void inflict(struct lowered *l, int damage)
{
    struct jg_unit *u = &l->unit;
    struct jg_block *blocks = u->blocks.data;
    uint32_t i = 0;
    switch ((enum damage)damage) {
    case TEMP_TWICE:
        insn(l, JG_OP_LOAD, 1)->dst = insn(l, JG_OP_LOAD, 0)->dst;
        break;
    case TEMP_UNDEFINED:
        insn(l, JG_OP_STORE, 0)->b = 100000;
        break;
    case PLACE_RANGE:
        insn(l, JG_OP_LOAD, 0)->a = u->places.count;
        break;
    case SUCC_RANGE:
        u->succs.data[0] = 1000;
        break;
    case SUCC_COUNT:
        while (blocks[i].term != JG_TERM_BRANCH)
            i++;
        blocks[i].succ_count = 1;
        break;
    case TERM:
        blocks[0].term = 99;
        break;
    case LOOP_MARK:
        while (!blocks[i].loop_header)
            i++;
        blocks[i].loop_header = false;
        break;
    case CALLEE:
        insn(l, JG_OP_CALL, 0)->a = JG_JNI_COUNT;
        break;
    case PHI_BLOCK:
        u->args.data[insn(l, JG_OP_PHI, 0)->first_arg] = 1000;
        break;
    case TYPE_RANGE:
        u->insns.data[0].type = u->types.count;
        break;
    case LOC_RANGE:
        u->insns.data[0].loc = u->locs.count;
        break;
    case SYMBOL_BACK:
        u->symbols.data[u->functions.data[0].symbol].function = JG_NONE;
        break;
    case VAR_KIND:
        u->vars.data[u->functions.data[0].first_var].kind = JG_VAR_LOCAL;
        break;
    case STATIC_KIND:
        u->vars.data[u->static_functions.data[0].var].kind = JG_VAR_LOCAL;
        break;
    case STRINGS:
        u->strings.data[u->strings.count - 1] = 'x';
        break;
    case OPCODE:
        u->insns.data[0].op = JG_OP_COUNT;
        break;
    case INSN_LEFT_OUT:
        while (!blocks[i].insn_count ||
               u->insns.data[blocks[i].first_insn + blocks[i].insn_count - 1].op != JG_OP_STORE)
            i++;
        blocks[i].insn_count--;
        break;
    case DAMAGES:
        break;
    }
}

static void every_damage_is_found(void **state)
{
    (void)state;
    for (int damage = 0; damage < DAMAGES; damage++) {
        struct lowered l;
        lower(&l, code);
        inflict(&l, damage);
        if (!jg_unit_verify(l.u))
            fail_msg("damage %d was not found", damage);
        lowered_fini(&l);
    }
}

// Whatever one bit does, verify ends without reading out of bounds (the sanitizers watch).
static void random_damage_never_crashes(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int round = 0; round < 60; round++) {
        struct lowered l;
        lower(&l, "int f(int n) { int a[3] = {1}; while (n--) a[n & 1] += n; return a[0]; }\n");
        struct {
            void *data;
            size_t size;
        } part[] = {
            {l.unit.insns.data, l.unit.insns.count * sizeof *l.unit.insns.data},
            {l.unit.blocks.data, l.unit.blocks.count * sizeof *l.unit.blocks.data},
            {l.unit.places.data, l.unit.places.count * sizeof *l.unit.places.data},
            {l.unit.functions.data, l.unit.functions.count * sizeof *l.unit.functions.data},
        };
        for (int i = 0; i < 4; i++) {
            seed = seed * 1103515245u + 12345u;
            ((unsigned char *)part[i].data)[(seed >> 8) % part[i].size] ^=
                (unsigned char)(1u << (seed >> 28 & 7));
            (void)jg_unit_verify(l.u);
        }
        lowered_fini(&l);
    }
}

static void dot_output_names_every_block(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, code);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    jg_dump_dot(l.u, 0, out);
    fclose(out);
    assert_non_null(strstr(text, "digraph \"f\""));
    assert_non_null(strstr(text, "b0 -> b1"));
    free(text);
    lowered_fini(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lowered_unit_is_sound),
        cmocka_unit_test(an_empty_unit_is_sound),
        cmocka_unit_test(every_damage_is_found),
        cmocka_unit_test(random_damage_never_crashes),
        cmocka_unit_test(dot_output_names_every_block),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    jg_frontend_free(lowered_frontend());
    return failed;
}
