// SPDX-License-Identifier: Apache-2.0

#include "analyzer/ir/mem.h"
#include "analyzer/models/internal.h"
#include "analyzer/models/models.h"
#include "rules/rule.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

// ---- help ---------------------------------------------------------------------------------------

static char *load(struct jg_models *m, const char *text)
{
    return jg_models_load_text(m, "my.yaml", text, strlen(text));
}

static struct jg_models *loaded(const char *text)
{
    struct jg_models *m = jg_models_new();
    char *error = load(m, text);
    if (error)
        fail_msg("%s", error);
    return m;
}

static const struct jg_model *find(const struct jg_models *m, const char *name, unsigned shape)
{
    struct jg_model_query q = {.name = name, .shape = shape, .param_count = 2};
    return jg_models_find(m, &q);
}

static const struct jg_model *find_c(const struct jg_models *m, const char *name)
{
    return find(m, name, JG_WHEN_C_ONLY);
}

// ---- what is wrong is told with its place -------------------------------------------------------

struct faulty {
    const char *text, *error;
};

static void check_faulty(const struct faulty *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct jg_models *m = jg_models_new();
        char *error = load(m, cases[i].text);
        if (!error || strcmp(error, cases[i].error) != 0)
            fail_msg("%s\ngave      %s\nexpected  %s", cases[i].text, error ? error : "no error",
                     cases[i].error);
        free(error);
        jg_models_free(m);
    }
}
#define CHECK_FAULTY(cases) check_faulty(cases, sizeof(cases) / sizeof *(cases))

static void what_is_no_document_is_refused(void **state)
{
    (void)state;
    static const struct faulty cases[] = {
        {"", "my.yaml:1:1: empty"},
        {"# nothing\n", "my.yaml:1:1: empty"},
        {"models: [\n", "my.yaml:2:1: not YAML: did not find expected node content"},
        {"models:\n\t- names: [f]\n",
         "my.yaml:2:1: not YAML: found character that cannot start any token"},
        {"models: &a [*a]\n", "my.yaml:1:9: anchors and aliases (& and *) are not supported; write "
                              "it out: a"},
        {"models:\n  - *x\n", "my.yaml:2:5: anchors and aliases (& and *) are not supported; write "
                              "it out: x"},
        {"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n",
         "my.yaml:1:4: anchors and aliases (& and *) are not supported; write it out: a"},
        {"models: !!seq []\n", "my.yaml:1:9: tags (!) are not supported: tag:yaml.org,2002:seq"},
        {"models: []\n---\nmodels: []\n", "my.yaml:2:1: a second document; one file holds one"},
        {"models: []\nmodels: []\n", "my.yaml:2:1: key stands twice: models"},
        {"[a, b]: c\n", "my.yaml:1:1: a key must be a name, not a list or a map"},
        {"[[[[[[[[[[[[[[[[[[[[a]]]]]]]]]]]]]]]]]]]]", "my.yaml:1:17: nested too deep"},
        {"models: []\n\x01\n", "my.yaml:2:1: not text (UTF-8): control characters are not allowed"},
        {"models: [\xff]\n", "my.yaml:1:10: not text (UTF-8): invalid leading UTF-8 octet"},
        {"models: [\"a\\0b\"]\n", "my.yaml:1:10: a text holds a NUL"},
        {"just text\n", "my.yaml:1:1: a file of models is a map, not a text"},
        {"- names: [f]\n", "my.yaml:1:1: a file of models is a map, not a list"},
    };
    CHECK_FAULTY(cases);
}

static void keys_that_do_not_exist_are_told_with_the_nearest(void **state)
{
    (void)state;
    static const struct faulty cases[] = {
        {"model: []\n", "my.yaml:1:1: unknown key 'model'; did you mean 'models'?"},
        {"models:\n  - nmaes: [f]\n", "my.yaml:2:5: unknown key 'nmaes'; did you mean 'names'?"},
        {"models:\n  - names: [f]\n    block: true\n",
         "my.yaml:3:5: unknown key 'block'; did you mean 'blocks'?"},
        {"models:\n  - {names: [f], returns: {frehs: local}}\n",
         "my.yaml:2:28: unknown key 'frehs'; did you mean 'fresh'?"},
        {"models:\n  - {names: [f], returns: {fresh: locl}}\n",
         "my.yaml:2:35: fresh cannot be 'locl'; did you mean 'local'?"},
        {"models:\n  - {names: [f], throws: perhaps}\n",
         "my.yaml:2:26: throws cannot be 'perhaps'; there are always, maybe, never"},
        {"models:\n  - {names: [f], parameters: {0: strng}}\n",
         "my.yaml:2:34: unknown key 'strng'; did you mean 'string'?"},
        {"models:\n  - {names: [f], parameters: {0: {relases: local}}}\n",
         "my.yaml:2:35: unknown key 'relases'; did you mean 'releases'?"},
        {"models:\n  - {names: [f], when: {get-env: true}}\n",
         "my.yaml:2:25: unknown key 'get-env'; did you mean 'gets-env'?"},
        {"pairs:\n  - {acquire: a, release: b, objct: result}\n",
         "my.yaml:2:30: unknown key 'objct'; did you mean 'object'?"},
        {"hints:\n  - {says: relese, words: [x]}\n",
         "my.yaml:2:12: says cannot be 'relese'; did you mean 'release'?"},
        // characters before it that take two bytes
        {"models:\n  - {names: [f], pattern: \"\xc3\xa4\xc3\xa4\", block: true}\n",
         "my.yaml:2:35: unknown key 'block'; did you mean 'blocks'?"},
    };
    CHECK_FAULTY(cases);
}

static void values_of_the_wrong_type_are_refused(void **state)
{
    (void)state;
    static const struct faulty cases[] = {
        {"models: f\n", "my.yaml:1:9: models is a list, not a text"},
        {"models:\n  - f\n", "my.yaml:2:5: a model is a map, not a text"},
        {"models:\n  - {names: {a: b}}\n",
         "my.yaml:2:13: names is a text, or a list of at least one"},
        {"models:\n  - {names: []}\n", "my.yaml:2:13: names is a text, or a list of at least one"},
        {"models:\n  - {names: [[f]]}\n", "my.yaml:2:14: names is a text, not a list"},
        {"models:\n  - {names: [\"\"]}\n", "my.yaml:2:14: names is empty"},
        {"models:\n  - {names: ['f()']}\n",
         "my.yaml:2:14: 'f()' is no name of a function; a regular expression is a 'pattern'"},
        {"models:\n  - {names: [f], blocks: yes}\n", "my.yaml:2:26: blocks is true or false"},
        {"models:\n  - {names: [f], blocks: 'true'}\n", "my.yaml:2:26: blocks is true or false"},
        {"models:\n  - {names: [f], blocks: [true]}\n", "my.yaml:2:26: blocks is true or false"},
        {"models:\n  - {names: [f], confidence: total}\n",
         "my.yaml:2:30: confidence is high, medium or low"},
        {"models:\n  - {names: [f], returns: {parameter: 16}}\n",
         "my.yaml:2:39: parameter is a number from 0 to 15"},
        {"models:\n  - {names: [f], returns: {parameter: -1}}\n",
         "my.yaml:2:39: parameter is a number from 0 to 15"},
        {"models:\n  - {names: [f], returns: local}\n",
         "my.yaml:2:27: returns is a map, not a text"},
        {"models:\n  - {names: [f], parameters: [out]}\n",
         "my.yaml:2:30: parameters is a map, not a list"},
        {"models:\n  - {names: [f], parameters: {first: out}}\n",
         "my.yaml:2:31: a key of 'parameters' is a number from 0 to 15, or 'further', not 'first'"},
        {"models:\n  - {names: [f], parameters: {0: releases}}\n",
         "my.yaml:2:34: 'releases' needs a value: {releases: local}"},
        {"models:\n  - {names: [f], parameters: {0: {out: false}}}\n",
         "my.yaml:2:34: what does not happen to a parameter is left out, not false"},
        {"models:\n  - {names: [f], when: {parameters: many}}\n",
         "my.yaml:2:37: parameters is a number from 0 to 99"},
        {"pairs:\n  - {acquire: a, release: b, object: it}\n",
         "my.yaml:2:38: object is 'result', or is a number from 0 to 15"},
    };
    CHECK_FAULTY(cases);
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    static const struct faulty cases[] = {
        {"models:\n  - {blocks: true}\n", "my.yaml:2:5: a model has either 'names' or 'pattern'"},
        {"models:\n  - {names: [f], pattern: f}\n",
         "my.yaml:2:5: a model has either 'names' or 'pattern'"},
        {"models:\n  - {names: [f], never-returns: true, returns: {non-null: true}}\n",
         "my.yaml:2:5: 'never-returns' and 'returns' contradict each other"},
        {"models:\n  - {names: [f], never-returns: true, throws: always}\n",
         "my.yaml:2:5: 'never-returns' and 'throws' contradict each other"},
        {"models:\n  - {names: [f], throws: never, returns: {null-when-throws: true}}\n",
         "my.yaml:2:5: 'throws: never' and 'null-when-throws' contradict each other"},
        {"models:\n  - {names: [f], returns: {non-null: true, null-when-throws: true}}\n",
         "my.yaml:2:27: 'non-null' and 'null-when-throws' contradict each other"},
        {"models:\n  - {names: [f], returns: {fresh: local, borrowed: true}}\n",
         "my.yaml:2:27: 'fresh' and 'borrowed' contradict each other"},
        {"models:\n  - {names: [f], returns: {fresh: local, parameter: 0}}\n",
         "my.yaml:2:27: 'parameter' and 'fresh' contradict each other"},
        {"models:\n  - {names: [f], parameters: {0: [size, out]}}\n",
         "my.yaml:2:34: a number of bytes is no memory, function or object"},
        {"models:\n  - {names: [f], parameters: {0: {releases: local, keeps: true}}}\n",
         "my.yaml:2:34: 'releases' and 'keeps' contradict each other"},
        {"models:\n  - {names: [f, g]}\n  - {names: [h, f]}\n",
         "my.yaml:3:17: 'f' has a model already, at my.yaml:2"},
        {"models:\n  - {names: [f, f]}\n", "my.yaml:2:17: 'f' has a model already, at my.yaml:2"},
        {"models:\n  - {pattern: f, when: {record: r}}\n",
         "my.yaml:2:5: 'when: record' goes with 'names', not with a pattern"},
        {"pairs:\n  - {acquire: a}\n", "my.yaml:2:5: a pair has 'acquire' and 'release'"},
        {"pairs:\n  - {acquire: [a, b], release: b}\n",
         "my.yaml:2:5: 'b' cannot both acquire and release"},
        {"hints:\n  - {says: release}\n",
         "my.yaml:2:5: a hint has 'says', and 'words' or 'pattern'"},
        {"hints:\n  - {says: release, words: [Free]}\n",
         "my.yaml:2:5: 'Free': words are written in small letters, and found in whatever case"},
    };
    CHECK_FAULTY(cases);
}

static void bad_patterns_are_told_as_pcre2_does(void **state)
{
    (void)state;
    static const struct faulty cases[] = {
        {"models:\n  - pattern: 'a(b'\n",
         "my.yaml:2:14: pattern: missing closing parenthesis, at offset 3 of 'a(b'"},
        {"models:\n  - pattern: '*a'\n",
         "my.yaml:2:14: pattern: quantifier does not follow a repeatable item, at offset 0 of "
         "'*a'"},
        {"models:\n  - pattern: ''\n", "my.yaml:2:14: pattern is empty"},
        {"models:\n  - pattern: [a]\n", "my.yaml:2:14: pattern is a text, not a list"},
    };
    CHECK_FAULTY(cases);

    struct jg_models *m = jg_models_new();
    char regex[1200];
    memset(regex, 'a', sizeof regex);
    char *text = jg_format("models:\n  - pattern: %.1100s\n", regex);
    char *error = load(m, text);
    assert_non_null(strstr(error, "longer than the limit"));
    free(error);
    free(text);
    jg_models_free(m);
}

static void an_error_leaves_nothing_behind(void **state)
{
    (void)state;
    struct jg_models *m = jg_models_new();
    char *error = load(m, "models:\n  - {names: [mine], blocks: true}\n  - {names: [f()]}\n");
    assert_non_null(error);
    free(error);
    assert_null(find_c(m, "mine"));
    jg_models_free(m);
}

static void two_files_must_not_say_different_things(void **state)
{
    (void)state;
    struct jg_models *m = loaded("models:\n  - {names: [mine], blocks: true}\n");
    const char *text = "models:\n  - {names: [mine], blocks: false}\n";
    char *error = jg_models_load_text(m, "other.yaml", text, strlen(text));
    assert_string_equal(error, "other.yaml:2:14: 'mine' has a model already, at my.yaml:2");
    free(error);
    assert_true(find_c(m, "mine")->does & JG_DOES_BLOCKS);
    jg_models_free(m);
}

// ---- files --------------------------------------------------------------------------------------

static void check_file(const char *path, const char *end)
{
    struct jg_models *m = jg_models_new();
    char *error = jg_models_load(m, path);
    char *expected = jg_format("%s: %s", path, end);
    assert_string_equal(error, expected);
    free(expected);
    free(error);
    jg_models_free(m);
}

static void files_that_are_none_are_refused(void **state)
{
    (void)state;
    char folder[] = "/tmp/jg-models-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = jg_format("%s/x.yaml", folder);
    check_file(path, "No such file or directory");
    check_file(folder, "a folder");
    assert_int_equal(mkfifo(path, 0600), 0);
    check_file(path, "not a regular file"); // and nobody waits for a writer
    unlink(path);

    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("models: [] #", f);
    for (unsigned i = 0; i < 1u << 20; i++)
        fputc('x', f);
    fclose(f);
    check_file(path, "larger than 1 MB");
    unlink(path);

    f = fopen(path, "w");
    assert_non_null(f);
    fputs("models: [{names: [mine], blocks: true}]\n", f);
    fclose(f);
    struct jg_models *m = jg_models_new();
    assert_null(jg_models_load(m, path));
    assert_string_equal(find_c(m, "mine")->file, path);
    jg_models_free(m);
    unlink(path);
    rmdir(folder);
    free(path);
}

// ---- what is read -------------------------------------------------------------------------------

static void every_key_arrives(void **state)
{
    (void)state;
    struct jg_models *m = loaded("models:\n"
                                 "  - names: [f, g]\n"
                                 "    when: {gets-env: true, returns-reference: false, parameters: "
                                 "2}\n"
                                 "    confidence: low\n"
                                 "    blocks: true\n"
                                 "    makes-jni-calls: false\n"
                                 "    throws: maybe\n"
                                 "    returns: {fresh: global, null-when-throws: true}\n"
                                 "    parameters:\n"
                                 "      0: string\n"
                                 "      2: [in, keeps]\n"
                                 "      3: {releases: utf-chars}\n"
                                 "      4: {out: true, acquires-fields: local}\n"
                                 "      further: printed\n");
    const struct jg_model *f = find(m, "g", JG_WHEN_C_ONLY | JG_WHEN_GETS_ENV);
    assert_non_null(f);
    assert_string_equal(f->name, "g");
    assert_int_equal(f->line, 2);
    assert_int_equal(f->confidence, JG_LOW);
    assert_int_equal(f->does, JG_DOES_BLOCKS);
    assert_int_equal(f->does_not, JG_DOES_JNI);
    assert_int_equal(f->throws, JG_THROWS_MAYBE);
    assert_int_equal(f->fresh, JG_OBJECT_GLOBAL);
    assert_int_equal(f->result, JG_RESULT_NULL_THROWS);
    assert_int_equal(jg_model_param(f, 0)->uses, JG_USE_STRING);
    assert_int_equal(jg_model_param(f, 1)->uses, 0); // not said
    assert_int_equal(jg_model_param(f, 2)->uses, JG_USE_IN | JG_USE_KEEPS);
    assert_int_equal(jg_model_param(f, 3)->releases, JG_OBJECT_UTF_CHARS);
    assert_int_equal(jg_model_param(f, 4)->uses, JG_USE_OUT);
    assert_int_equal(jg_model_param(f, 4)->fields, JG_OBJECT_LOCAL);
    assert_int_equal(jg_model_param(f, 5)->uses, JG_USE_PRINTED);
    assert_int_equal(jg_model_param(f, 99)->uses, JG_USE_PRINTED);
    assert_int_equal(jg_model_param_with(f, JG_USE_KEEPS), 2);
    assert_int_equal(jg_model_param_with(f, JG_USE_ENTRY), -1);
    char *text = jg_model_describe(f);
    assert_string_equal(text, "blocks; makes-jni-calls: false; throws: maybe; returns fresh: "
                              "global; returns null-when-throws; parameter 0: string; parameter 2: "
                              "in keeps; parameter 3: releases: utf-chars; parameter 4: out "
                              "acquires-fields: local; further parameters: printed");
    free(text);
    jg_models_free(m);
}

static void pairs_arrive(void **state)
{
    (void)state;
    struct jg_models *m = loaded("pairs:\n"
                                 "  - acquire: [db_open, db_open_at]\n"
                                 "    release: db_close\n"
                                 "    object: 1\n"
                                 "    what: database\n"
                                 "  - {acquire: a, release: b, object: result, released: 2}\n");
    const struct jg_model_pair *p = jg_models_pair(m, 0), *q = jg_models_pair(m, 1);
    assert_int_equal(p->acquire_count, 2);
    assert_string_equal(p->acquire[1], "db_open_at");
    assert_string_equal(p->release[0], "db_close");
    assert_int_equal(p->object, 1);
    assert_int_equal(p->released, 0);
    assert_string_equal(p->what, "database");
    assert_int_equal(q->object, -1);
    assert_int_equal(q->released, 2);
    const struct jg_model_pair *shipped = jg_models_pair(m, 2); // behind the user's
    assert_non_null(shipped);
    assert_string_equal(shipped->file, "rules/models/openjdk.yaml");
    jg_models_free(m);
}

static void the_hash_is_that_of_the_texts(void **state)
{
    (void)state;
    const char *text = "models:\n  - {names: [mine], blocks: true}\n";
    struct jg_models *none = jg_models_new(), *one = loaded(text), *same = loaded(text);
    struct jg_models *other = loaded("models:\n  - {names: [mine], blocks: false}\n");
    struct jg_hash a = jg_models_hash(one), b = jg_models_hash(same), c = jg_models_hash(other),
                   d = jg_models_hash(none);
    assert_true(jg_hash_equal(&a, &b));
    assert_false(jg_hash_equal(&a, &c));
    assert_false(jg_hash_equal(&a, &d));
    jg_models_free(none);
    jg_models_free(one);
    jg_models_free(same);
    jg_models_free(other);
}

// ---- which model counts -------------------------------------------------------------------------

static void the_user_wins_and_names_win_over_patterns(void **state)
{
    (void)state;
    const unsigned env = JG_WHEN_C_ONLY | JG_WHEN_GETS_ENV;
    struct jg_models *m = jg_models_new();
    assert_string_equal(find(m, "JNU_ThrowByName", env)->file, "rules/models/openjdk.yaml");
    assert_false(find(m, "JNU_ThrowByName", env)->is_pattern);
    assert_string_equal(find(m, "throwMyException", env)->file, "rules/models/names.yaml");

    char *error = load(m, "models:\n"
                          "  - {pattern: 'JNU_.*', blocks: true}\n"
                          "  - {pattern: 'JNU_Throw.*', forks: true}\n");
    assert_null(error);
    const struct jg_model *own = find(m, "JNU_ThrowByName", env);
    assert_string_equal(own->file, "my.yaml"); // a user's pattern over a shipped name
    assert_int_equal(own->line, 2);            // the first of two that match

    const char *text = "models:\n  - {names: JNU_ThrowByName, when: {parameters: 3}}\n";
    assert_null(jg_models_load_text(m, "names.yaml", text, strlen(text)));
    assert_true(find(m, "JNU_ThrowByName", env)->is_pattern); // it has not the shape
    struct jg_model_query q = {.name = "JNU_ThrowByName", .shape = env, .param_count = 3};
    assert_string_equal(jg_models_find(m, &q)->file, "names.yaml");
    jg_models_free(m);
}

static void shape_decides(void **state)
{
    (void)state;
    struct jg_models *m =
        loaded("models:\n"
               "  - {names: plain, blocks: true}\n"
               "  - {names: member, when: {c-only: false}, blocks: true}\n"
               "  - {pattern: 'obj.*', when: {returns-reference: true}, blocks: true}\n"
               "  - {pattern: 'non.*', when: {returns-reference: false}, blocks: true}\n");
    assert_non_null(find(m, "plain", JG_WHEN_C_ONLY));
    assert_null(find(m, "plain", 0));
    assert_non_null(find(m, "member", 0));
    assert_non_null(find(m, "objects", JG_WHEN_GIVES_REF));
    assert_null(find(m, "objects", 0));
    assert_null(find(m, "none", JG_WHEN_GIVES_REF));
    assert_non_null(find(m, "none", 0));
    jg_models_free(m);
}

static void what_is_called_through_a_table_is_not_the_c_function(void **state)
{
    (void)state;
    struct jg_models *m = jg_models_new();
    struct jg_model_query q = {.name = "GetMethodDeclaringClass", .param_count = 3};
    assert_null(jg_models_find(m, &q));
    q.record = "struct jvmtiInterface_1_";
    assert_int_equal(jg_model_param(jg_models_find(m, &q), 2)->acquires, JG_OBJECT_LOCAL);
    q = (struct jg_model_query){.name = "read", .record = "struct ops", .shape = JG_WHEN_C_ONLY};
    assert_null(jg_models_find(m, &q));
    jg_models_free(m);
}

static void patterns_match_whole_names(void **state)
{
    (void)state;
    struct jg_models *m = loaded("models:\n  - {pattern: 'ab|abc', blocks: true}\n");
    assert_non_null(find(m, "ab", 0));
    assert_non_null(find(m, "abc", 0));
    assert_null(find(m, "abcd", 0));
    assert_null(find(m, "xab", 0));
    assert_null(find(m, "ab\n", 0));
    jg_models_free(m);
}

// ---- no pattern can hang the tool ---------------------------------------------------------------

static void patterns_give_up_after_so_many_steps(void **state)
{
    (void)state;
    static const char *const regexes[] = {"(a+)+$",         "(a|aa)+b",   "(?:a*)*(?:a*)*c",
                                          "(a?){50}a{50}b", "((a|b)*)*c", "(?R)?a(?R)?b"};
    char name[5000];
    memset(name, 'a', sizeof name - 2);
    name[sizeof name - 2] = '!';
    name[sizeof name - 1] = '\0';
    for (size_t i = 0; i < sizeof regexes / sizeof *regexes; i++) {
        char *error = NULL;
        struct jg_pattern *p = jg_pattern_new(regexes[i], &error);
        if (error) // refused at once is as good
            print_message("%s: %s\n", regexes[i], error);
        free(error);
        if (p)
            assert_false(jg_pattern_matches(p, name));
        jg_pattern_free(p);
    }
}

static void giving_up_is_told_once(void **state)
{
    (void)state;
    struct jg_models *m = loaded("models:\n  - {pattern: '(a+)+[bc]', blocks: true}\n");
    assert_non_null(find(m, "aaab", 0));
    assert_null(jg_models_take_limit(m));
    assert_null(find(m, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 0));
    char *text = jg_models_take_limit(m);
    assert_string_equal(text, "my.yaml:2: pattern '(a+)+[bc]' takes too many steps on some names; "
                              "those count as not matched");
    free(text);
    assert_null(find(m, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaax", 0));
    assert_null(jg_models_take_limit(m));
    jg_models_free(m);
}

static void shipped_patterns_never_give_up(void **state)
{
    (void)state;
    struct jg_models *m = jg_models_new();
    char name[160];
    static const char *const parts[] = {"throw",       "exception", "check",  "a",
                                        "isException", "clear",     "raiseX", "_throw_"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t length = 0, n = strlen(parts[i]);
        for (; length + n < sizeof name - 2; length += n)
            memcpy(name + length, parts[i], n);
        name[length] = '!';
        name[length + 1] = '\0';
        find(m, name, ~0u);
        jg_models_hints(m, name, ~0u);
    }
    char *text = jg_models_take_limit(m);
    if (text)
        fail_msg("%s", text);
    jg_models_free(m);
}

// ---- what is shipped ----------------------------------------------------------------------------

static void shipped_functions_are_found_by_name(void **state)
{
    (void)state;
    const struct jg_model *copy = jg_models_shipped("memcpy"), *print = jg_models_shipped("printf");
    assert_int_equal(jg_model_param(copy, 0)->uses, JG_USE_OUT);
    assert_int_equal(jg_model_param(copy, 1)->uses, JG_USE_IN);
    assert_int_equal(jg_model_param_with(copy, JG_USE_SIZE), 2);
    assert_int_equal(jg_model_param(print, 17)->uses, JG_USE_PRINTED);
    assert_true(print->does & JG_DOES_BLOCKS);
    assert_int_equal(jg_model_param(jg_models_shipped("free"), 0)->releases, JG_OBJECT_MEMORY);
    assert_int_equal(jg_models_shipped("strlen")->length_of, 0);
    assert_int_equal(jg_model_param_with(jg_models_shipped("pthread_create"), JG_USE_ENTRY), 2);
    assert_null(jg_models_shipped("memcpyx"));
    assert_null(jg_models_shipped(""));
}

static void each_shipped_model_is_found(void **state)
{
    (void)state;
    struct jg_models *m = jg_models_new();
    unsigned count = 0;
    for (const struct jg_model *f; (f = jg_models_at(m, count)); count++) {
        if (f->is_pattern)
            continue;
        struct jg_model_query q = {.name = f->name,
                                   .record = f->record,
                                   .shape = f->when,
                                   .param_count =
                                       f->when_params < 0 ? 0 : (unsigned)f->when_params};
        assert_ptr_equal(jg_models_find(m, &q), f);
        assert_int_equal(f->confidence, JG_HIGH);
    }
    assert_true(count > 400);
    jg_models_free(m);
}

static void names_say_what_they_seem_to_say(void **state)
{
    (void)state;
    static const struct {
        const char *name, *says;
    } cases[] = {
        {"throwIOException", "makes-jni-calls; throws: always"},
        {"jniThrow", "makes-jni-calls; throws: always"},
        {"my_throw_error", "makes-jni-calls; throws: always"},
        {"throwNew", "makes-jni-calls; throws: always"},
        {"ThrowNewOutOfMemory", "makes-jni-calls; throws: always"},
        {"throw_io_exception", "makes-jni-calls; throws: always"},
        {"throwSpecificNotification", "makes-jni-calls; throws: always"},
        {"rethrow", "makes-jni-calls; throws: always"},
        {"raiseException", "makes-jni-calls; throws: always"},
        {"java_raise_Error", "makes-jni-calls; throws: always"},
        {"throwExceptionIfNecessary", "makes-jni-calls; throws: maybe"},
        {"ThrowIfPending", "makes-jni-calls; throws: maybe"},
        {"throw_if_error", "makes-jni-calls; throws: maybe"},
        {"ThrowOnError", "makes-jni-calls; throws: maybe"},
        {"checkAndThrow", "makes-jni-calls; throws: maybe"},
        {"maybeThrowNPE", "makes-jni-calls; throws: maybe"},
        {"checkException", "makes-jni-calls; tests-exception"},
        {"isJavaExceptionThrown", "makes-jni-calls; tests-exception"},
        {"hasPendingException", "makes-jni-calls; tests-exception"},
        {"check_for_exception", "makes-jni-calls; tests-exception"},
        {"jniExceptionOccurred", "makes-jni-calls; tests-exception"},
        {"exception_check", "makes-jni-calls; tests-exception"},
        {"clearException", "makes-jni-calls; clears-exception"},
        {"checkAndClearException", "makes-jni-calls; clears-exception"},
        {"ExceptionClear", "makes-jni-calls; clears-exception"},
        {"getThrowableClass", NULL},
        {"noThrow", NULL},
        {"wasThrown", NULL},
        {"canThrow", NULL},
        {"overthrown", NULL},
        {"noException", NULL},
        {"createObject", NULL},
        {"readBytesOf", NULL},
    };
    struct jg_models *m = jg_models_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct jg_model *f =
            find(m, cases[i].name, JG_WHEN_C_ONLY | JG_WHEN_GETS_ENV | JG_WHEN_GIVES_TRUTH);
        char *says = f ? jg_model_describe(f) : NULL;
        if (!says != !cases[i].says || (says && strcmp(says, cases[i].says) != 0))
            fail_msg("%s: %s, not %s", cases[i].name, says ? says : "nothing",
                     cases[i].says ? cases[i].says : "nothing");
        if (f)
            assert_int_equal(f->confidence, JG_MEDIUM);
        free(says);
        assert_null(find(m, cases[i].name, JG_WHEN_C_ONLY | JG_WHEN_GIVES_TRUTH)); // without env
    }
    jg_models_free(m);
}

static void words_hint(void **state)
{
    (void)state;
    struct jg_models *m = loaded("hints:\n  - {says: release, words: [giveback]}\n");
    assert_true(jg_models_hints(m, "pool_GiveBack", JG_HINT_RELEASE));
    assert_true(jg_models_hints(m, "ReleaseThing", JG_HINT_RELEASE));
    assert_true(jg_models_hints(m, "enterRegion", JG_HINT_LOCK));
    assert_true(jg_models_hints(m, "die_now", JG_HINT_EXIT));
    assert_false(jg_models_hints(m, "diet", JG_HINT_EXIT));
    assert_int_equal(jg_models_hints(m, "area", ~0u), 0);
    jg_models_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_document_is_refused),
        cmocka_unit_test(keys_that_do_not_exist_are_told_with_the_nearest),
        cmocka_unit_test(values_of_the_wrong_type_are_refused),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(bad_patterns_are_told_as_pcre2_does),
        cmocka_unit_test(an_error_leaves_nothing_behind),
        cmocka_unit_test(two_files_must_not_say_different_things),
        cmocka_unit_test(files_that_are_none_are_refused),
        cmocka_unit_test(every_key_arrives),
        cmocka_unit_test(pairs_arrive),
        cmocka_unit_test(the_hash_is_that_of_the_texts),
        cmocka_unit_test(the_user_wins_and_names_win_over_patterns),
        cmocka_unit_test(shape_decides),
        cmocka_unit_test(what_is_called_through_a_table_is_not_the_c_function),
        cmocka_unit_test(patterns_match_whole_names),
        cmocka_unit_test(patterns_give_up_after_so_many_steps),
        cmocka_unit_test(giving_up_is_told_once),
        cmocka_unit_test(shipped_patterns_never_give_up),
        cmocka_unit_test(shipped_functions_are_found_by_name),
        cmocka_unit_test(each_shipped_model_is_found),
        cmocka_unit_test(names_say_what_they_seem_to_say),
        cmocka_unit_test(words_hint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
