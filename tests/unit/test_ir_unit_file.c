// SPDX-License-Identifier: Apache-2.0
//
// Unit files: what is written is what is read, equal units are equal bytes, and nothing that is
// damaged is taken for a unit, or brings down who looks at it.

#include "analyzer/checks/check.h"
#include "analyzer/ir/rewrite.h"
#include "analyzer/ir/unit_file.h"
#include "tests/unit/lowered.h"

#include <glob.h>
#include <xxhash.h>

// Where things lie in the header; see unit_file.h.
enum { ORDER = 8, FORMAT = 12, VERSION = 16, SIZE = 40, CHECKSUM = 48, BODY = 64 };

static const char code[] =
    "#include <jni.h>\n"
    "#define FIND(e, n) ((*(e))->FindClass((e), n))\n"
    "struct s { jclass cls; int n[4]; void (*call)(int); };\n"
    "static jclass kept; /* jniguard-ignore: local-ref-escape -- for the test */\n"
    "static jint JNICALL g(JNIEnv *env, jobject o) { kept = o; return (*env)->GetVersion(env); }\n"
    "static const JNINativeMethod table[] = {{\"g\", \"()I\", (void *)g}};\n"
    "int f(JNIEnv *env, struct s *p, int n, jintArray a) {\n"
    "  jclass c = n ? FIND(env, \"A\\0B\") : p->cls;\n"
    "  jint *e = (*env)->GetPrimitiveArrayCritical(env, a, 0);\n"
    "  while (n--) { p->n[n] = e[n]; if (c) return 1; p->call(n); }\n"
    "  switch (n) { case 1: return 2; default: return (*env)->RegisterNatives(env, c, table, 1); "
    "}\n"
    "}\n";

static char *dump(const struct jg_unit *u)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (uint32_t i = 0; i < u->functions.count; i++)
        jg_dump_function(u, i, out);
    fclose(out);
    return text;
}

static void assert_same(const struct jg_unit *a, const struct jg_unit *b)
{
    assert_string_equal(jg_unit_str(a, a->path), jg_unit_str(b, b->path));
    assert_string_equal(jg_unit_str(a, a->directory), jg_unit_str(b, b->directory));
    assert_int_equal(a->status, b->status);
#define JG_VECTOR(name, type)                                                                      \
    assert_int_equal(a->name.count, b->name.count);                                                \
    if (a->name.count)                                                                             \
        assert_memory_equal(a->name.data, b->name.data, a->name.count * sizeof(type));
#include "analyzer/ir/unit.def"
    char *x = dump(a), *y = dump(b);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

static char *longer(void *context, const char *text)
{
    (void)context;
    return jg_format("%s+", text);
}

static char *shorter(void *context, const char *text)
{
    (void)context;
    return jg_format("%.*s", (int)strlen(text) - 1, text);
}

// Every text made longer is a sound unit with other texts; made shorter again it is the first one.
static void assert_rewritten(const struct jg_unit *u)
{
    size_t size, longer_size, again;
    void *data = jg_unit_write(u, &size);
    void *other = jg_unit_rewrite(u, longer, NULL, &longer_size);
    struct jg_unit viewed;
    char *error = jg_unit_view(&viewed, other, longer_size);
    assert_null(error);
    assert_int_equal(viewed.path ? strlen(jg_unit_str(&viewed, viewed.path)) : 0,
                     u->path ? strlen(jg_unit_str(u, u->path)) + 1 : 0);
    void *back = jg_unit_rewrite(&viewed, shorter, NULL, &again);
    assert_int_equal(again, size);
    assert_memory_equal(back, data, size);
    jg_unit_fini(&viewed);
    free(back);
    free(other);
    free(data);
}

static void assert_round_trip(const struct jg_unit *u)
{
    assert_rewritten(u);
    size_t size, again;
    void *data = jg_unit_write(u, &size);
    struct jg_unit viewed;
    char *error = jg_unit_view(&viewed, data, size);
    assert_null(error);
    assert_same(u, &viewed);
    void *copy = jg_unit_write(&viewed, &again);
    assert_int_equal(again, size);
    assert_memory_equal(copy, data, size);
    jg_unit_fini(&viewed);
    free(copy);
    free(data);
}

static void the_corpus_comes_back(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob(JG_TEST_SOURCE_DIR "/tests/cfg/corpus/*.c", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *argv[] = {"cc", "-I" JG_TEST_JNI_INCLUDE, "-I" JG_TEST_JNI_INCLUDE "/linux",
                              found.gl_pathv[i]};
        struct jg_compile_command command = {
            .directory = "/", .file = found.gl_pathv[i], .argv = argv, .argc = 4};
        struct jg_unit unit;
        jg_frontend_parse(lowered_frontend(), &command, &unit);
        assert_true(unit.functions.count > 0);
        assert_round_trip(&unit);
        jg_unit_fini(&unit);
    }
    globfree(&found);
}

static void an_empty_unit_comes_back(void **state)
{
    (void)state;
    struct jg_unit unit;
    jg_unit_init(&unit);
    assert_round_trip(&unit);
    jg_unit_fini(&unit);
}

static void a_failed_unit_comes_back(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, "#include <missing.h>\nint f(void) { return 1; }\n");
    assert_int_equal(l.u->status, JG_UNIT_FAILED);
    assert_round_trip(l.u);
    lowered_fini(&l);
}

static void two_runs_make_the_same_bytes(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, code);
    const char *argv[] = {"cc", "-I" JG_TEST_JNI_INCLUDE, "-I" JG_TEST_JNI_INCLUDE "/linux", "-c",
                          l.path};
    struct jg_compile_command command = {
        .directory = l.dir, .file = l.path, .argv = argv, .argc = 5};
    struct jg_unit again;
    jg_frontend_parse(lowered_frontend(), &command, &again);
    size_t a, b;
    void *first = jg_unit_write(l.u, &a), *second = jg_unit_write(&again, &b);
    assert_int_equal(a, b);
    assert_memory_equal(first, second, a);
    free(first);
    free(second);
    jg_unit_fini(&again);
    lowered_fini(&l);
}

// ---- what a unit was made from
// -------------------------------------------------------------------

static const char *source_of(const struct jg_unit *u, const char *end)
{
    for (uint32_t i = 0; i < u->sources.count; i++) {
        const char *path = jg_unit_str(u, u->files.data[u->sources.data[i].file].path);
        size_t a = strlen(path), b = strlen(end);
        if (a >= b && strcmp(path + a - b, end) == 0)
            return u->texts.data + u->sources.data[i].offset;
    }
    return NULL;
}

static void texts_of_files_with_code_are_kept(void **state)
{
    (void)state;
    struct lowered l;
    lower_with(&l, "t.c", "#include \"h.h\"\nint f(void) { return g(); }\n",
               "inline int g(void) { return 7; }\n", NULL);
    assert_string_equal(source_of(l.u, "/t.c"), "#include \"h.h\"\nint f(void) { return g(); }\n");
    assert_string_equal(source_of(l.u, "/h.h"), "inline int g(void) { return 7; }\n");
    lowered_fini(&l);
}

static void texts_of_other_files_are_not(void **state)
{
    (void)state;
    struct lowered l;
    lower_with(&l, "t.c", "#include \"h.h\"\n#include <jni.h>\nint f(void) { return g(); }\n",
               "int g(void);\n", NULL);
    assert_non_null(source_of(l.u, "/t.c"));
    assert_null(source_of(l.u, "/h.h"));
    assert_null(source_of(l.u, "/jni.h"));
    lowered_fini(&l);
}

static void texts_with_directives_are_kept(void **state)
{
    (void)state;
    struct lowered l;
    lower_with(&l, "t.c", "#include \"h.h\"\nint f(void) { return M; }\n",
               "#define M 1 /* jniguard-ignore: env-cached -- for the test */\n", NULL);
    assert_non_null(source_of(l.u, "/h.h"));
    lowered_fini(&l);
}

static void inputs_are_hashed_once_each(void **state)
{
    (void)state;
    struct lowered l;
    const char *header = "int g(void);\n";
    lower_with(&l, "t.c", "#include \"h.h\"\n#include \"h.h\"\n#include <stddef.h>\n", header,
               NULL);
    struct jg_hash hash = jg_hash_of(header, strlen(header));
    char *path = jg_format("%s/h.h", l.dir);
    unsigned headers = 0, stddef = 0;
    assert_string_equal(TEXT(l.u->inputs.data[0].path), l.path);
    for (uint32_t i = 0; i < l.u->inputs.count; i++) {
        const struct jg_input_file *f = &l.u->inputs.data[i];
        stddef += strstr(TEXT(f->path), "/stddef.h") != NULL;
        if (strcmp(TEXT(f->path), path) != 0)
            continue;
        assert_true(jg_hash_equal(&f->hash, &hash));
        headers++;
    }
    assert_int_equal(headers, 1);
    assert_int_equal(stddef, 1);
    free(path);
    lowered_fini(&l);
}

static void the_command_is_kept(void **state)
{
    (void)state;
    struct lowered l;
    static const char *const extra[] = {"-Ione", "-isystem", "/two", "-iquote/three", NULL};
    lower_with(&l, "t.c", "int x;\n", NULL, extra);
    char *one = jg_format("%s/one", l.dir);
    const char *folders[] = {JG_TEST_JNI_INCLUDE, JG_TEST_JNI_INCLUDE "/linux", one, "/two",
                             "/three"};
    assert_string_equal(TEXT(l.u->directory), l.dir);
    assert_int_equal(l.u->include_folders.count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_string_equal(TEXT(l.u->include_folders.data[i]), folders[i]);
    assert_int_equal(l.u->arguments.count, 9);
    assert_string_equal(TEXT(l.u->arguments.data[8]), l.path);
    free(one);
    lowered_fini(&l);
}

// ---- files --------------------------------------------------------------------------------------

static void put_file(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    fclose(f);
}

static void a_file_is_mapped(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, code);
    size_t size;
    void *data = jg_unit_write(l.u, &size);
    char *path = jg_format("%s/t.jgu", l.dir);
    put_file(path, data, size);
    struct jg_unit mapped;
    assert_null(jg_unit_map(&mapped, path));
    assert_same(l.u, &mapped);
    jg_unit_fini(&mapped);
    unlink(path);
    free(path);
    free(data);
    lowered_fini(&l);
}

static void repair(unsigned char *data, size_t size)
{
    XXH128_canonical_t sum;
    XXH128_canonicalFromHash(&sum, XXH3_128bits(data + BODY, size - BODY));
    memcpy(data + CHECKSUM, &sum, sizeof sum);
}

static void assert_error(void *data, size_t size, const char *part)
{
    struct jg_unit u;
    char *error = jg_unit_view(&u, data, size);
    assert_non_null(error);
    if (!strstr(error, part))
        fail_msg("\"%s\" is not in \"%s\"", part, error);
    jg_unit_fini(&u);
    free(error);
}

static void errors_say_what_is_wrong(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, code);
    size_t size;
    unsigned char *data = jg_unit_write(l.u, &size);
    static const struct {
        size_t at;
        unsigned char value;
        const char *part;
    } rows[] = {
        {0, 0x7f, "not a unit file"},       {6, '\n', "not a unit file"},
        {FORMAT, 0, "an older jniguard"},   {FORMAT + 1, 9, "a newer jniguard"},
        {VERSION, '7', "made by jniguard"}, {VERSION, '\033', "corrupt (version)"},
        {SIZE, 0, "corrupt (size)"},        {SIZE + 3, 1, "truncated"},
        {CHECKSUM, 0, "checksum"},          {BODY + 1000, 0x5a, "checksum"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char saved = data[rows[i].at];
        data[rows[i].at] = (unsigned char)(saved == rows[i].value ? saved + 1 : rows[i].value);
        if (rows[i].at == SIZE)
            data[SIZE + 1]--; // smaller in any case
        assert_error(data, size, rows[i].part);
        if (rows[i].at == SIZE)
            data[SIZE + 1]++;
        data[rows[i].at] = saved;
    }
    assert_error(data, size - 1, "truncated");
    assert_error(data, 20, "truncated");
    assert_error(data, 0, "empty");
    for (unsigned i = 0; i < 2; i++) {
        unsigned char byte = data[ORDER + i];
        data[ORDER + i] = data[ORDER + 3 - i];
        data[ORDER + 3 - i] = byte;
    }
    assert_error(data, size, "other order of bytes");
    free(data);
    lowered_fini(&l);
}

static void what_is_no_file_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *path, *part;
    } rows[] = {{"/nonexistent.jgu", "No such file"}, {"/", "directory"}, {"/dev/null", "regular"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct jg_unit u;
        char *error = jg_unit_map(&u, rows[i].path);
        assert_non_null(error);
        assert_non_null(strstr(error, rows[i].part));
        jg_unit_fini(&u);
        free(error);
    }
}

// ---- damage -------------------------------------------------------------------------------------

static uint64_t seed = 20240501;

static size_t random_below(size_t limit)
{
    seed ^= seed << 13; // xorshift
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (size_t)(seed % limit);
}

// What was accepted must be fit for the engine and write itself as it was read.
static void use_unit(const struct jg_unit *u, size_t size)
{
    assert_null(jg_unit_verify(u));
    size_t again;
    void *copy = jg_unit_write(u, &again);
    assert_int_equal(again, size);
    free(copy);
    free(dump(u));
    struct jg_findings findings;
    struct jg_check_stats stats = {0};
    jg_findings_init(&findings);
    struct jg_program *program = jg_program_new(&u, 1);
    jg_check_program(program, &(struct jg_check_options){.threads = 1}, &findings, &stats);
    jg_program_free(program);
    jg_findings_fini(&findings);
}

// Somewhere in the file; every second time in a vector picked at random, since most bytes are text.
static size_t random_place(const struct jg_unit *u, const unsigned char *data, size_t size)
{
    const struct {
        const void *data;
        size_t size;
    } vectors[] = {
#define JG_VECTOR(name, type) {u->name.data, u->name.count * sizeof(type)},
#include "analyzer/ir/unit.def"
    };
    size_t i = random_below(2 * sizeof vectors / sizeof *vectors);
    if (i >= sizeof vectors / sizeof *vectors || vectors[i].size == 0)
        return random_below(size);
    return (size_t)((const unsigned char *)vectors[i].data - data) + random_below(vectors[i].size);
}

static void damage_is_seen_or_harmless(void **state)
{
    (void)state;
    struct lowered l;
    lower(&l, code);
    size_t size;
    unsigned char *sound = jg_unit_write(l.u, &size);
    struct jg_unit places;
    assert_null(jg_unit_view(&places, sound, size));
    unsigned accepted = 0;
    for (unsigned i = 0; i < 4000; i++) {
        bool truncate = i % 4 == 3, repaired = random_below(2);
        size_t left = truncate ? random_below(size) : size;
        unsigned char *data = jg_malloc(left); // of its size, for AddressSanitizer
        memcpy(data, sound, left);
        if (!truncate)
            data[random_place(&places, sound, size)] ^= (unsigned char)(1u << random_below(8));
        if (repaired && left >= BODY) {
            uint64_t now = left;
            memcpy(data + SIZE, &now, sizeof now);
            repair(data, left);
        }
        struct jg_unit u;
        char *error = jg_unit_view(&u, data, left);
        assert_true(error || (repaired && !truncate));
        if (!error) {
            use_unit(&u, left);
            accepted++;
        }
        jg_unit_fini(&u);
        free(error);
        free(data);
    }
    assert_true(accepted > 0); // letters of a name, columns
    jg_unit_fini(&places);
    free(sound);
    lowered_fini(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_corpus_comes_back),
        cmocka_unit_test(an_empty_unit_comes_back),
        cmocka_unit_test(a_failed_unit_comes_back),
        cmocka_unit_test(two_runs_make_the_same_bytes),
        cmocka_unit_test(texts_of_files_with_code_are_kept),
        cmocka_unit_test(texts_of_other_files_are_not),
        cmocka_unit_test(texts_with_directives_are_kept),
        cmocka_unit_test(inputs_are_hashed_once_each),
        cmocka_unit_test(the_command_is_kept),
        cmocka_unit_test(a_file_is_mapped),
        cmocka_unit_test(errors_say_what_is_wrong),
        cmocka_unit_test(what_is_no_file_is_an_error),
        cmocka_unit_test(damage_is_seen_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
