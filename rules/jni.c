// SPDX-License-Identifier: Apache-2.0
//
// jni_functions.def -> two constant tables, and an index of each by name.
//
// The indexes are sorted at the first search: a sorted copy kept in the tree would be a second list
// to look after. pthread_once makes that safe from any thread; after it nothing is written.

#include "rules/jni.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The flags column, as jni_functions.def spells it.
enum {
    THROWS = JG_JNI_THROWS,
    PENDING_OK = JG_JNI_PENDING_OK,
    CRITICAL_OK = JG_JNI_CRITICAL_OK,
    CALLS_JAVA = JG_JNI_CALLS_JAVA,
    ACCESS = JG_JNI_ACCESS,
    TESTS = JG_JNI_TESTS,
    CLEARS = JG_JNI_CLEARS,
    RAISES = JG_JNI_RAISES,
    NORETURN = JG_JNI_NORETURN,
    VARARGS = JG_JNI_VARARGS,
    RESERVED = JG_JNI_RESERVED,
    PUSHES_FRAME = JG_JNI_PUSHES_FRAME,
    POPS_FRAME = JG_JNI_POPS_FRAME,
};

// Parameters of each row, `env` or `vm` included.
#define JG_JNI_FUNCTION(name, since, type, result, null, flags, params) JNI_ARITY_##name = 1 params,
#define JG_INVOKE_FUNCTION(name, since, type, result, null, flags, params)                         \
    INVOKE_ARITY_##name = 1 params,
#define JG_PARAM(type, name, role, null) +1
#define JG_VARARGS +1
enum {
#include "rules/jni_functions.def"
};

// clang-format off
static const struct jg_jni_function jni_functions[JG_JNI_COUNT] = {
#define JG_JNI_FUNCTION(name, since, type, result, null, flags, params)                   \
    [JG_JNI_##name] = {                                                                   \
        #name, #type, since, flags, JG_RESULT_##result, JG_NULL_##null, JNI_ARITY_##name, \
        {{"env", "JNIEnv *", JG_PARAM_VALUE, JG_NOT_NULL}, params}},
#define JG_PARAM(type, name, role, null) {#name, #type, JG_PARAM_##role, JG_##null},
#define JG_VARARGS {"args", "...", JG_PARAM_VARARGS, JG_NULL_OK},
#include "rules/jni_functions.def"
};

static const struct jg_jni_function invoke_functions[JG_INVOKE_COUNT] = {
#define JG_INVOKE_FUNCTION(name, since, type, result, null, flags, params)                   \
    [JG_INVOKE_##name] = {                                                                   \
        #name, #type, since, flags, JG_RESULT_##result, JG_NULL_##null, INVOKE_ARITY_##name, \
        {{"vm", "JavaVM *", JG_PARAM_VALUE, JG_NOT_NULL}, params}},
#define JG_PARAM(type, name, role, null) {#name, #type, JG_PARAM_##role, JG_##null},
#include "rules/jni_functions.def"
};
// clang-format on

const struct jg_jni_function *jg_jni_function(unsigned slot)
{
    return &jni_functions[slot];
}

const struct jg_jni_function *jg_invoke_function(unsigned slot)
{
    return &invoke_functions[slot];
}

// The functions that have a name, in the order of their names.
struct index {
    size_t count;
    const struct jg_jni_function *by_name[JG_JNI_COUNT];
};

static struct index jni_index;
static struct index invoke_index;
static pthread_once_t indexed = PTHREAD_ONCE_INIT;

static int compare_rows(const void *a, const void *b)
{
    const struct jg_jni_function *const *x = a;
    const struct jg_jni_function *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

static int compare_name(const void *name, const void *row)
{
    const struct jg_jni_function *const *fn = row;
    return strcmp(name, (*fn)->name);
}

static void index_rows(struct index *index, const struct jg_jni_function *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!(rows[i].flags & JG_JNI_RESERVED))
            index->by_name[index->count++] = &rows[i];
    }
    qsort(index->by_name, index->count, sizeof index->by_name[0], compare_rows);
}

static void index_all(void)
{
    index_rows(&jni_index, jni_functions, JG_JNI_COUNT);
    index_rows(&invoke_index, invoke_functions, JG_INVOKE_COUNT);
}

static int find(const struct index *index, const struct jg_jni_function *rows, const char *name)
{
    pthread_once(&indexed, index_all);
    const struct jg_jni_function *const *found =
        bsearch(name, index->by_name, index->count, sizeof index->by_name[0], compare_name);
    return found ? (int)(*found - rows) : -1;
}

int jg_jni_find(const char *name)
{
    return find(&jni_index, jni_functions, name);
}

int jg_invoke_find(const char *name)
{
    return find(&invoke_index, invoke_functions, name);
}

int jg_jni_param(const struct jg_jni_function *fn, enum jg_param_role role)
{
    for (int i = 0; i < fn->param_count; i++) {
        if (fn->params[i].role == role)
            return i;
    }
    return -1;
}
