// SPDX-License-Identifier: Apache-2.0
//
// The table of JNI functions against the text of jni.h, and against the lists of the specification.
//
// JG_TEST_JNI_H is the path of one jni.h; JG_TEST_JNI_HEADERS may name more, with ';' between them,
// as a macro or in the environment, which wins. The headers are read as text, so that one
// executable
// can look at any number of versions.

#include "rules/jni.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef JG_TEST_JNI_HEADERS
#define JG_TEST_JNI_HEADERS ""
#endif

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef const struct jg_jni_function *row_of_slot(unsigned slot);

// The functions of both interfaces, one after the other.
enum { FUNCTIONS = (int)JG_JNI_COUNT + (int)JG_INVOKE_COUNT };

static const struct jg_jni_function *function(unsigned i)
{
    return i < JG_JNI_COUNT ? jg_jni_function(i) : jg_invoke_function(i - JG_JNI_COUNT);
}

// ---- reading jni.h

// The text of a file, until the next call.
static char *read_file(const char *path)
{
    static char text[1 << 20];
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("cannot open %s", path);
    size_t length = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    assert_true(length > 0 && length < sizeof text - 1);
    text[length] = '\0';
    return text;
}

// Blanks comments and preprocessor lines, in place.
static void blank_noise(char *text)
{
    bool line_start = true;
    for (char *p = text; *p; p++) {
        if (p[0] == '/' && p[1] == '*') {
            for (; p[0] && !(p[0] == '*' && p[1] == '/'); p++)
                *p = *p == '\n' ? '\n' : ' ';
            assert_true(*p);
            p[0] = p[1] = ' ';
        } else if (line_start && *p == '#') {
            for (; *p && *p != '\n'; p++)
                *p = ' ';
        }
        line_start = *p == '\n' || (line_start && *p == ' ');
        if (!*p)
            break;
    }
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

// Tokens of text[0, length) with one space between them, none between two stars: "const  jvalue*"
// becomes "const jvalue *".
static void spell(const char *text, size_t length, char out[static 256])
{
    size_t n = 0;
    char last = '\0';

    for (size_t i = 0; i < length; i++) {
        if (strchr(" \t\r\n", text[i]))
            continue;
        bool inside = i > 0 && is_word(text[i]) && is_word(text[i - 1]);
        bool joined = last == text[i] && (last == '*' || last == '.');
        assert_true(n + 3 < 256);
        if (n && !inside && !joined)
            out[n++] = ' ';
        out[n++] = last = text[i];
    }
    out[n] = '\0';
}

// The type of a parameter declaration: without the name at its end, which "..." does not have.
static void spell_type(const char *declaration, char out[static 256])
{
    size_t length = strlen(declaration);
    while (length && strchr(" \t\r\n", declaration[length - 1]))
        length--;
    while (length && is_word(declaration[length - 1]))
        length--;
    spell(declaration, length, out);
}

static void compare_parameters(const char *path, char *list, const struct jg_jni_function *row)
{
    char type[256];
    unsigned count = 0;

    for (char *rest = NULL, *p = strtok_r(list, ",", &rest); p; p = strtok_r(NULL, ",", &rest)) {
        spell_type(p, type);
        assert_true(count < JG_JNI_MAX_PARAMS);
        if (count >= row->param_count || strcmp(type, row->params[count].type) != 0)
            fail_msg("%s: parameter %u of %s is %s", path, count, row->name, type);
        count++;
    }
    if (count != row->param_count)
        fail_msg("%s: %s has %u parameters, not %u", path, row->name, count, row->param_count);
}

// A member is "type (JNICALL *name)(parameters)" or "void *reserved0".
static void compare_member(const char *path, char *member, const struct jg_jni_function *row)
{
    static const char mark[] = "(JNICALL *";
    char text[256];
    char *call = strstr(member, mark);

    if (!call) {
        assert_true(row->flags & JG_JNI_RESERVED);
        spell(member, strlen(member), text);
        assert_int_equal(strncmp(text, "void * ", 7), 0);
        assert_string_equal(text + 7, row->name);
        return;
    }
    spell(member, (size_t)(call - member), text);
    if (strcmp(text, row->type) != 0)
        fail_msg("%s: %s returns %s", path, row->name, text);

    char *name = call + strlen(mark);
    char *parameters = strchr(name, '(') + 1;
    *strchr(name, ')') = '\0';
    *strrchr(parameters, ')') = '\0';
    if (strcmp(name, row->name) != 0)
        fail_msg("%s: %s where the table has %s", path, name, row->name);
    compare_parameters(path, parameters, row);
}

// Compares the members of a struct with the first rows of a table; returns how many there are.
static unsigned compare_struct(const char *path, const char *text, const char *tag,
                               row_of_slot *row, unsigned rows)
{
    static char body[1 << 16];
    char head[64];

    snprintf(head, sizeof head, "struct %s {", tag);
    const char *start = strstr(text, head);
    assert_non_null(start);
    start += strlen(head);
    const char *end = strstr(start, "};");
    assert_non_null(end);
    assert_true((size_t)(end - start) < sizeof body);
    memcpy(body, start, (size_t)(end - start));
    body[end - start] = '\0';

    unsigned slot = 0;
    for (char *rest = NULL, *m = strtok_r(body, ";", &rest); m; m = strtok_r(NULL, ";", &rest)) {
        m += strspn(m, " \n\t\r");
        if (!*m)
            continue;
        assert_true(slot < rows);
        compare_member(path, m, row(slot++));
    }
    return slot;
}

// The newest version that the header knows.
static unsigned header_version(const char *text)
{
    unsigned newest = 0;
    for (const char *p = text; (p = strstr(p, "#define JNI_VERSION_")); p++) {
        const char *value = strstr(p, "0x");
        assert_non_null(value);
        unsigned version = (unsigned)strtoul(value, NULL, 16);
        newest = version > newest ? version : newest;
    }
    return newest;
}

// The header has exactly the functions that the table says it has at its version.
static void compare_header(const char *path)
{
    char *text = read_file(path);
    unsigned version = header_version(text);
    blank_noise(text);

    assert_true(version >= 0x00010006);
    unsigned functions =
        compare_struct(path, text, "JNINativeInterface_", jg_jni_function, JG_JNI_COUNT);
    unsigned invoke =
        compare_struct(path, text, "JNIInvokeInterface_", jg_invoke_function, JG_INVOKE_COUNT);
    assert_int_equal(invoke, JG_INVOKE_COUNT);
    for (unsigned slot = 0; slot < JG_JNI_COUNT; slot++)
        assert_int_equal(slot < functions, jg_jni_function(slot)->since <= version);
}

static void table_is_what_the_header_declares(void **state)
{
    (void)state;
    compare_header(JG_TEST_JNI_H);
}

static void table_is_what_other_headers_declare(void **state)
{
    (void)state;
    const char *paths = getenv("JG_TEST_JNI_HEADERS");
    if (!paths)
        paths = JG_TEST_JNI_HEADERS;
    if (!*paths)
        skip();
    while (*paths) {
        char path[1024];
        int length = (int)strcspn(paths, ";");
        snprintf(path, sizeof path, "%.*s", length, paths);
        if (length)
            compare_header(path);
        paths += length;
        paths += *paths == ';';
    }
}

static void later_functions_come_last(void **state)
{
    (void)state;
    assert_int_equal(JG_JNI_GetVersion, 4);
    assert_int_equal(JG_JNI_FindClass, 6);
    assert_int_equal(JG_JNI_GetModule, 233);
    assert_int_equal(JG_JNI_IsVirtualThread, 234);
    assert_int_equal(jg_jni_function(JG_JNI_IsVirtualThread)->since, 0x00150000);
    assert_int_equal(JG_JNI_GetStringUTFLengthAsLong, 235);
    assert_int_equal(jg_jni_function(JG_JNI_GetStringUTFLengthAsLong)->since, 0x00180000);
    assert_int_equal(JG_JNI_COUNT, 236);
    assert_int_equal(JG_INVOKE_GetEnv, 6);
    assert_int_equal(JG_INVOKE_COUNT, 8);
}

// ---- the search

static void every_function_is_found_by_its_name(void **state)
{
    (void)state;
    for (unsigned slot = 0; slot < JG_JNI_COUNT; slot++) {
        const struct jg_jni_function *fn = jg_jni_function(slot);
        bool reserved = fn->flags & JG_JNI_RESERVED;
        assert_int_equal(jg_jni_find(fn->name), reserved ? -1 : (int)slot);
    }
    for (unsigned slot = 0; slot < JG_INVOKE_COUNT; slot++) {
        const struct jg_jni_function *fn = jg_invoke_function(slot);
        bool reserved = fn->flags & JG_JNI_RESERVED;
        assert_int_equal(jg_invoke_find(fn->name), reserved ? -1 : (int)slot);
    }
}

static void no_other_name_is_found(void **state)
{
    (void)state;
    static const char *const names[] = {"",         "findClass", "FindClas", "FindClasss",
                                        "reserved", "GetEnv",    "zzz",      "\xff"};
    for (size_t i = 0; i < COUNT(names); i++)
        assert_int_equal(jg_jni_find(names[i]), -1);
    assert_int_equal(jg_invoke_find("FindClass"), -1);
    assert_int_equal(jg_invoke_find(""), -1);
}

// ---- the lists of the specification

#define PRIMITIVES(prefix, suffix)                                                                 \
    prefix "Boolean" suffix, prefix "Byte" suffix, prefix "Char" suffix, prefix "Short" suffix,    \
        prefix "Int" suffix, prefix "Long" suffix, prefix "Float" suffix, prefix "Double" suffix

typedef bool property(const struct jg_jni_function *fn);

static bool is_listed(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i], name) == 0)
            return true;
    }
    return false;
}

// Exactly the functions of the list have the property. Every name must be that of a function.
static void compare_list(property *has, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (jg_jni_find(list[i]) < 0 && jg_invoke_find(list[i]) < 0)
            fail_msg("there is no function %s", list[i]);
    }
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        const struct jg_jni_function *fn = function(i);
        if (has(fn) != is_listed(fn->name, list, count))
            fail_msg("%s: the table says %s", fn->name, has(fn) ? "yes" : "no");
    }
}

static bool pending_ok(const struct jg_jni_function *fn)
{
    return fn->flags & JG_JNI_PENDING_OK;
}

static void legal_with_a_pending_exception(void **state)
{
    (void)state;
    static const char *const list[] = {
        "ExceptionOccurred",
        "ExceptionDescribe",
        "ExceptionClear",
        "ExceptionCheck",
        "ReleaseStringChars",
        "ReleaseStringUTFChars",
        "ReleaseStringCritical",
        PRIMITIVES("Release", "ArrayElements"),
        "ReleasePrimitiveArrayCritical",
        "DeleteLocalRef",
        "DeleteGlobalRef",
        "DeleteWeakGlobalRef",
        "MonitorExit",
        "PushLocalFrame",
        "PopLocalFrame",
        "DetachCurrentThread",
        "FatalError" // never reported: it does not return
    };
    compare_list(pending_ok, list, COUNT(list));
}

static bool critical_ok(const struct jg_jni_function *fn)
{
    return fn->flags & JG_JNI_CRITICAL_OK;
}

static void legal_in_a_critical_region(void **state)
{
    (void)state;
    static const char *const list[] = {
        "GetPrimitiveArrayCritical", "ReleasePrimitiveArrayCritical", "GetStringCritical",
        "ReleaseStringCritical",
        "FatalError" // never reported: it does not return
    };
    compare_list(critical_ok, list, COUNT(list));
}

static bool null_throws(const struct jg_jni_function *fn)
{
    return fn->null_class == JG_NULL_THROWS;
}

static void null_tells_that_it_threw(void **state)
{
    (void)state;
    static const char *const list[] = {"DefineClass",       "FindClass",
                                       "GetMethodID",       "GetFieldID",
                                       "GetStaticMethodID", "GetStaticFieldID",
                                       "NewObject",         "NewObjectV",
                                       "NewObjectA",        "AllocObject",
                                       "NewString",         "NewStringUTF",
                                       "NewObjectArray",    PRIMITIVES("New", "Array"),
                                       "ToReflectedMethod", "ToReflectedField"};
    compare_list(null_throws, list, COUNT(list));
}

static bool null_unspecified(const struct jg_jni_function *fn)
{
    return fn->null_class == JG_NULL_UNSPECIFIED;
}

static void null_leaves_it_open(void **state)
{
    (void)state;
    static const char *const list[] = {PRIMITIVES("Get", "ArrayElements"),
                                       "GetStringChars",
                                       "GetStringUTFChars",
                                       "GetPrimitiveArrayCritical",
                                       "GetStringCritical",
                                       "NewGlobalRef",
                                       "NewWeakGlobalRef",
                                       "NewLocalRef",
                                       "NewDirectByteBuffer"};
    compare_list(null_unspecified, list, COUNT(list));
}

static bool null_normal(const struct jg_jni_function *fn)
{
    return fn->null_class == JG_NULL_NORMAL;
}

#define CALLS(prefix) prefix, prefix "V", prefix "A"

static void null_is_an_ordinary_value(void **state)
{
    (void)state;
    static const char *const list[] = {CALLS("CallObjectMethod"),
                                       CALLS("CallNonvirtualObjectMethod"),
                                       CALLS("CallStaticObjectMethod"),
                                       "GetObjectField",
                                       "GetStaticObjectField",
                                       "GetObjectArrayElement",
                                       "GetSuperclass",
                                       "ExceptionOccurred",
                                       "GetDirectBufferAddress",
                                       "PopLocalFrame"};
    compare_list(null_normal, list, COUNT(list));
}

static bool is_access(const struct jg_jni_function *fn)
{
    return fn->flags & JG_JNI_ACCESS;
}

static void element_and_region_accesses(void **state)
{
    (void)state;
    static const char *const list[] = {
        "GetObjectArrayElement",          "SetObjectArrayElement", PRIMITIVES("Get", "ArrayRegion"),
        PRIMITIVES("Set", "ArrayRegion"), "GetStringRegion",       "GetStringUTFRegion"};
    compare_list(is_access, list, COUNT(list));
}

static bool calls_java(const struct jg_jni_function *fn)
{
    return fn->flags & JG_JNI_CALLS_JAVA;
}

static void functions_that_run_a_java_method(void **state)
{
    (void)state;
#define CALLS_OF(kind)                                                                             \
    CALLS("Call" kind "ObjectMethod"), CALLS("Call" kind "VoidMethod"),                            \
        PRIMITIVES("Call" kind, "Method"), PRIMITIVES("Call" kind, "MethodV"),                     \
        PRIMITIVES("Call" kind, "MethodA")
    static const char *const list[] = {CALLS_OF(""), CALLS_OF("Nonvirtual"), CALLS_OF("Static")};
    compare_list(calls_java, list, COUNT(list));
}

static bool throws(const struct jg_jni_function *fn)
{
    return fn->flags & JG_JNI_THROWS;
}

// THROWS follows from the other columns, but for those with a status.
static bool throws_by_other_columns(const struct jg_jni_function *fn)
{
    static const char *const with_status[] = {"PushLocalFrame", "EnsureLocalCapacity",
                                              "RegisterNatives", "MonitorExit"};
    return null_throws(fn) || null_unspecified(fn) || is_access(fn) || calls_java(fn) ||
           fn->flags & JG_JNI_RAISES || is_listed(fn->name, with_status, COUNT(with_status));
}

static bool has_role(const struct jg_jni_function *fn, enum jg_param_role role)
{
    return jg_jni_param(fn, role) >= 0;
}

static bool is_reference(const char *type)
{
    static const char *const types[] = {"jobject", "jclass", "jstring",     "jthrowable",
                                        "jweak",   "jarray", "jobjectArray"};
    size_t length = strlen(type);
    return is_listed(type, types, COUNT(types)) ||
           (type[0] == 'j' && length > 5 && strcmp(type + length - 5, "Array") == 0);
}

static bool is_id(const char *type)
{
    return strcmp(type, "jmethodID") == 0 || strcmp(type, "jfieldID") == 0;
}

static bool is_pointer(const char *type)
{
    return strchr(type, '*') || is_reference(type) || is_id(type);
}

// Exactly these parameters may be NULL, and every isCopy and every array of arguments.
static void legal_nulls(void **state)
{
    (void)state;
    static const char *const list[] = {
        "DeleteLocalRef.obj", "DeleteGlobalRef.obj", "DeleteWeakGlobalRef.obj", "NewLocalRef.obj",
        "NewGlobalRef.obj", "NewWeakGlobalRef.obj", "IsSameObject.obj1", "IsSameObject.obj2",
        "IsInstanceOf.obj", "GetObjectRefType.obj", "SetObjectField.val",
        "SetStaticObjectField.value", "SetObjectArrayElement.val", "DefineClass.name",
        "DefineClass.loader", "NewObjectArray.init", "PopLocalFrame.result", "ThrowNew.msg",
        // What the specification leaves open, and virtual machines take.
        "IsVirtualThread.obj", "FatalError.msg", "AttachCurrentThread.args",
        "AttachCurrentThreadAsDaemon.args",
        // Where the length is 0.
        "NewString.unicode", "GetStringRegion.buf", "GetStringUTFRegion.buf"};
    size_t found = 0;
    for (unsigned n = 0; n < FUNCTIONS; n++) {
        const struct jg_jni_function *fn = function(n);
        for (unsigned i = 0; i < fn->param_count; i++) {
            const struct jg_jni_param *p = &fn->params[i];
            if (!is_pointer(p->type) || p->role == JG_PARAM_ISCOPY || p->role == JG_PARAM_JVALUES)
                continue;
            char name[96];
            snprintf(name, sizeof name, "%s.%s", fn->name, p->name);
            bool listed = is_listed(name, list, COUNT(list));
            if (listed != (p->null == JG_NULL_OK))
                fail_msg("%s: the table says %s", name, listed ? "no" : "yes");
            found += listed;
        }
    }
    assert_int_equal(found, COUNT(list));
}

// ---- columns that must agree with one another

static void for_every_function(void (*check)(const struct jg_jni_function *fn))
{
    for (unsigned i = 0; i < FUNCTIONS; i++)
        check(function(i));
}

static bool result_fits_type(const struct jg_jni_function *fn)
{
    bool pointer = strchr(fn->type, '*');
    switch ((enum jg_result)fn->result) {
    case JG_RESULT_VOID:
        return strcmp(fn->type, "void") == 0;
    case JG_RESULT_BOOLEAN:
        return strcmp(fn->type, "jboolean") == 0;
    case JG_RESULT_STATUS:
        return strcmp(fn->type, "jint") == 0;
    case JG_RESULT_LENGTH:
        return strcmp(fn->type, "jsize") == 0 || strcmp(fn->type, "jlong") == 0;
    case JG_RESULT_VALUE:
        return !pointer && !is_reference(fn->type) && strcmp(fn->type, "void") != 0;
    case JG_RESULT_LOCAL:
    case JG_RESULT_GLOBAL:
        return is_reference(fn->type) && strcmp(fn->type, "jweak") != 0;
    case JG_RESULT_WEAK:
        return strcmp(fn->type, "jweak") == 0;
    case JG_RESULT_ELEMENTS:
    case JG_RESULT_CHARS:
    case JG_RESULT_UTF_CHARS:
    case JG_RESULT_CRITICAL:
    case JG_RESULT_STRING_CRITICAL:
    case JG_RESULT_ADDRESS:
        return pointer;
    case JG_RESULT_FIELD_ID:
        return strcmp(fn->type, "jfieldID") == 0;
    case JG_RESULT_METHOD_ID:
        return strcmp(fn->type, "jmethodID") == 0;
    }
    return false;
}

static void check_result(const struct jg_jni_function *fn)
{
    if (fn->flags & JG_JNI_RESERVED)
        return;
    if (!result_fits_type(fn))
        fail_msg("%s: result does not fit %s", fn->name, fn->type);
    bool pointer = jg_result_is_ref(fn->result) || fn->result >= JG_RESULT_ELEMENTS;
    if (!pointer && fn->null_class != JG_NULL_NONE)
        fail_msg("%s: a null class without a pointer", fn->name);
    if (throws(fn) != throws_by_other_columns(fn))
        fail_msg("%s: THROWS does not fit the other columns", fn->name);
}

static void results_fit_their_types(void **state)
{
    (void)state;
    for_every_function(check_result);
}

static void check_parameter(const struct jg_jni_function *fn, unsigned i)
{
    const struct jg_jni_param *p = &fn->params[i];
    if (p->null == JG_NOT_NULL && !is_pointer(p->type))
        fail_msg("%s: %s can be no NULL pointer", fn->name, p->name);

    switch ((enum jg_param_role)p->role) {
    case JG_PARAM_REF:
    case JG_PARAM_STORED_REF:
    case JG_PARAM_DELETE_LOCAL:
    case JG_PARAM_DELETE_GLOBAL:
    case JG_PARAM_DELETE_WEAK:
    case JG_PARAM_PROMOTE:
    case JG_PARAM_FRAME_RESULT:
    case JG_PARAM_ACQUIRE:
    case JG_PARAM_RELEASE_OWNER:
    case JG_PARAM_MONITOR_ENTER:
    case JG_PARAM_MONITOR_EXIT:
        assert_true(is_reference(p->type));
        return;
    case JG_PARAM_FIELD_ID:
        assert_string_equal(p->type, "jfieldID");
        break;
    case JG_PARAM_METHOD_ID:
        assert_string_equal(p->type, "jmethodID");
        break;
    case JG_PARAM_ISCOPY:
        assert_string_equal(p->type, "jboolean *");
        assert_int_equal(p->null, JG_NULL_OK);
        break;
    case JG_PARAM_NAME:
    case JG_PARAM_DESCRIPTOR:
        assert_string_equal(p->type, "const char *");
        break;
    case JG_PARAM_VALIST:
        assert_string_equal(p->type, "va_list");
        break;
    case JG_PARAM_JVALUES:
        assert_string_equal(p->type, "const jvalue *");
        break;
    case JG_PARAM_VARARGS:
        assert_string_equal(p->type, "...");
        assert_int_equal(i, fn->param_count - 1);
        break;
    case JG_PARAM_OUT:
        assert_non_null(strstr(p->type, "**"));
        break;
    case JG_PARAM_RELEASE:
    case JG_PARAM_REGION_OUT:
    case JG_PARAM_REGION_IN:
        assert_non_null(strchr(p->type, '*'));
        break;
    case JG_PARAM_MODE:
        assert_string_equal(p->type, "jint");
        break;
    case JG_PARAM_LENGTH:
    case JG_PARAM_START:
    case JG_PARAM_CAPACITY:
        assert_true(strcmp(p->type, "jint") == 0 || strcmp(p->type, "jsize") == 0 ||
                    strcmp(p->type, "jlong") == 0);
        break;
    case JG_PARAM_VALUE:
        break;
    }
    if (is_reference(p->type))
        fail_msg("%s: %s is a reference", fn->name, p->name);
}

static void check_parameters(const struct jg_jni_function *fn)
{
    assert_in_range(fn->param_count, 1, JG_JNI_MAX_PARAMS);
    for (unsigned i = 0; i < JG_JNI_MAX_PARAMS; i++) {
        assert_int_equal(fn->params[i].name != NULL, i < fn->param_count);
        assert_int_equal(fn->params[i].type != NULL, i < fn->param_count);
        if (i < fn->param_count)
            check_parameter(fn, i);
    }
    bool variadic = fn->flags & JG_JNI_VARARGS;
    assert_int_equal(variadic, has_role(fn, JG_PARAM_VARARGS));
    bool region = has_role(fn, JG_PARAM_START);
    assert_int_equal(region, is_access(fn) && has_role(fn, JG_PARAM_LENGTH));
}

static void parameters_fit_their_roles(void **state)
{
    (void)state;
    for_every_function(check_parameters);
}

static const char *type_of(const struct jg_jni_function *fn, enum jg_param_role role)
{
    int i = jg_jni_param(fn, role);
    if (i < 0)
        fail_msg("%s lacks a parameter", fn->name);
    return fn->params[i].type;
}

// "GetIntArrayElements" -> the row of ReleaseIntArrayElements, and back.
static const struct jg_jni_function *partner(const struct jg_jni_function *fn, const char *own,
                                             const char *other)
{
    char name[64];
    assert_int_equal(strncmp(fn->name, own, strlen(own)), 0);
    snprintf(name, sizeof name, "%s%s", other, fn->name + strlen(own));
    int slot = jg_jni_find(name);
    if (slot < 0)
        fail_msg("%s has no partner %s", fn->name, name);
    return jg_jni_function((unsigned)slot);
}

static void check_buffer(const struct jg_jni_function *fn)
{
    assert_int_equal(jg_result_is_buffer(fn->result), has_role(fn, JG_PARAM_ACQUIRE));
    assert_int_equal(has_role(fn, JG_PARAM_RELEASE), has_role(fn, JG_PARAM_RELEASE_OWNER));
    if (has_role(fn, JG_PARAM_RELEASE))
        assert_true(jg_result_is_buffer(partner(fn, "Release", "Get")->result));
    if (!jg_result_is_buffer(fn->result))
        return;

    const struct jg_jni_function *release = partner(fn, "Get", "Release");
    assert_true(has_role(fn, JG_PARAM_ISCOPY));
    assert_string_equal(type_of(release, JG_PARAM_RELEASE), fn->type);
    assert_string_equal(type_of(release, JG_PARAM_RELEASE_OWNER), type_of(fn, JG_PARAM_ACQUIRE));
    bool of_array = fn->result == JG_RESULT_ELEMENTS || fn->result == JG_RESULT_CRITICAL;
    assert_int_equal(has_role(release, JG_PARAM_MODE), of_array);
}

static void every_acquire_has_its_release(void **state)
{
    (void)state;
    for_every_function(check_buffer);
}

static void roles_that_one_function_has(void **state)
{
    (void)state;
    static const struct {
        enum jg_param_role role;
        int slot;
    } cases[] = {
        {JG_PARAM_DELETE_LOCAL, JG_JNI_DeleteLocalRef},
        {JG_PARAM_DELETE_GLOBAL, JG_JNI_DeleteGlobalRef},
        {JG_PARAM_DELETE_WEAK, JG_JNI_DeleteWeakGlobalRef},
        {JG_PARAM_FRAME_RESULT, JG_JNI_PopLocalFrame},
        {JG_PARAM_MONITOR_ENTER, JG_JNI_MonitorEnter},
        {JG_PARAM_MONITOR_EXIT, JG_JNI_MonitorExit},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (int slot = 0; slot < JG_JNI_COUNT; slot++)
            assert_int_equal(has_role(jg_jni_function((unsigned)slot), cases[i].role),
                             slot == cases[i].slot);
    }
}

static void flags_that_few_functions_have(void **state)
{
    (void)state;
    static const struct {
        unsigned flag;
        const char *names[3];
    } cases[] = {
        {JG_JNI_TESTS, {"ExceptionCheck", "ExceptionOccurred"}},
        {JG_JNI_CLEARS, {"ExceptionClear", "ExceptionDescribe"}},
        {JG_JNI_RAISES, {"Throw", "ThrowNew"}},
        {JG_JNI_NORETURN, {"FatalError"}},
        {JG_JNI_PUSHES_FRAME, {"PushLocalFrame"}},
        {JG_JNI_POPS_FRAME, {"PopLocalFrame"}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t listed = 0, flagged = 0;
        for (; cases[i].names[listed]; listed++) {
            int slot = jg_jni_find(cases[i].names[listed]);
            assert_true(slot >= 0 && (jg_jni_function((unsigned)slot)->flags & cases[i].flag));
        }
        for (unsigned slot = 0; slot < JG_JNI_COUNT; slot++)
            flagged += (jg_jni_function(slot)->flags & cases[i].flag) != 0;
        assert_int_equal(flagged, listed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_what_the_header_declares),
        cmocka_unit_test(table_is_what_other_headers_declare),
        cmocka_unit_test(later_functions_come_last),
        cmocka_unit_test(every_function_is_found_by_its_name),
        cmocka_unit_test(no_other_name_is_found),
        cmocka_unit_test(legal_with_a_pending_exception),
        cmocka_unit_test(legal_in_a_critical_region),
        cmocka_unit_test(null_tells_that_it_threw),
        cmocka_unit_test(null_leaves_it_open),
        cmocka_unit_test(null_is_an_ordinary_value),
        cmocka_unit_test(element_and_region_accesses),
        cmocka_unit_test(functions_that_run_a_java_method),
        cmocka_unit_test(legal_nulls),
        cmocka_unit_test(results_fit_their_types),
        cmocka_unit_test(parameters_fit_their_roles),
        cmocka_unit_test(every_acquire_has_its_release),
        cmocka_unit_test(roles_that_one_function_has),
        cmocka_unit_test(flags_that_few_functions_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
