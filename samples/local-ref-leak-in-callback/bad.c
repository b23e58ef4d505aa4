// SPDX-License-Identifier: Apache-2.0
//
// Functions that a C library calls back, any number of times, and that leave a local reference
// behind each time.

#include <jni.h>
#include <stddef.h>
#include <stdio.h>

// A library.
struct parser;
struct handlers {
    void (*on_text)(void *user, const char *text);
    int (*on_number)(void *user, double number);
};
typedef int row_handler(void *user, int count, char **values);
int query(const char *sql, row_handler *handler, void *user);
struct parser *parser_new(const struct handlers *handlers, void *user);
int parser_run(struct parser *parser, const char *text);
void on_log(void (*handler)(const char *line));

struct context {
    JNIEnv *env;
    jobject sink;
};

static JavaVM *gVM;
static jfieldID gLoader;
static jobject gLogger;    // global reference
static jmethodID gAdd;     // org.example.db.Sink.add(String)
static jmethodID gNumber;  // org.example.db.Sink.number(Double)
static jmethodID gValueOf; // java.lang.Double.valueOf(double)
static jmethodID gLog;     // org.example.db.Logger.log(String)
static jclass gDouble;     // global reference

// One reference a row.
static int on_row(void *user, int count, char **values)
{
    struct context *context = user;
    JNIEnv *env = context->env;
    if (count < 1)
        return 0;
    jstring value = (*env)->NewStringUTF(env, values[0]); // expect: local-ref-leak-in-callback
    if (value == NULL)
        return 1;
    (*env)->CallVoidMethod(env, context->sink, gAdd, value);
    return (*env)->ExceptionCheck(env) ? 1 : 0;
}

JNIEXPORT jint JNICALL
Java_org_example_db_Query_run(JNIEnv *env, jclass cls, jobject sink)
{
    struct context context = {env, sink};
    (void)cls;
    return query("select name from people", on_row, &context);
}

// In a struct of handlers that the library gets.
static void handle_text(void *user, const char *text)
{
    struct context *context = user;
    JNIEnv *env = context->env;
    jstring string = (*env)->NewStringUTF(env, text); // expect: local-ref-leak-in-callback
    if (string != NULL)
        (*env)->CallVoidMethod(env, context->sink, gAdd, string);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
}

// In a helper of the callback.
static int add_number(const struct context *context, double number)
{
    JNIEnv *env = context->env;
    jobject boxed = (*env)->CallStaticObjectMethod(env, gDouble, gValueOf, number); // expect: local-ref-leak-in-callback
    if ((*env)->ExceptionCheck(env))
        return 0;
    (*env)->CallVoidMethod(env, context->sink, gNumber, boxed);
    return !(*env)->ExceptionCheck(env);
}

static int handle_number(void *user, double number)
{
    const struct context *context = user;
    return add_number(context, number);
}

JNIEXPORT jint JNICALL
Java_org_example_db_Parser_run(JNIEnv *env, jclass cls, jobject sink)
{
    struct context context = {env, sink};
    struct handlers handlers = {handle_text, handle_number};
    struct parser *parser = parser_new(&handlers, &context);
    (void)cls;
    return parser == NULL ? -1 : parser_run(parser, "1 2 3");
}

// It asks for the environment, as it may be called on any thread of Java.
static void log_line(const char *line)
{
    JNIEnv *env;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return;
    jstring string = (*env)->NewStringUTF(env, line); // expect: local-ref-leak-in-callback
    if (string != NULL)
        (*env)->CallVoidMethod(env, gLogger, gLog, string);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
}

// Two of them: one finding, at the first.
static void log_class(const char *line)
{
    JNIEnv *env;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return;
    jclass cls = (*env)->GetObjectClass(env, gLogger); // expect: local-ref-leak-in-callback
    jobject loader = (*env)->GetObjectField(env, cls, gLoader);
    if ((*env)->IsSameObject(env, loader, NULL))
        puts(line);
}

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    gVM = vm;
    on_log(log_line);
    on_log(log_class);
    return JNI_VERSION_1_8;
}
