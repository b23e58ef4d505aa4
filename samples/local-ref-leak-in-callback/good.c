// SPDX-License-Identifier: Apache-2.0
//
// Functions that are called back and leave nothing behind.

#define _GNU_SOURCE
#include <jni.h>
#include <stddef.h>
#include <stdlib.h>

typedef int row_handler(void *user, int count, char **values);
int query(const char *sql, row_handler *handler, void *user);
void on_log(void (*handler)(const char *line));

struct context {
    JNIEnv *env;
    jobject sink;
    jobject last;
};

static JavaVM *gVM;
static jobject gLogger; // global reference
static jmethodID gAdd;  // org.example.db.Sink.add(String)
static jmethodID gLog;  // org.example.db.Logger.log(String)

// Deleted.
static int on_row(void *user, int count, char **values)
{
    struct context *context = user;
    JNIEnv *env = context->env;
    if (count < 1)
        return 0;
    jstring value = (*env)->NewStringUTF(env, values[0]); // ok: local-ref-leak-in-callback
    if (value == NULL)
        return 1;
    (*env)->CallVoidMethod(env, context->sink, gAdd, value);
    int failed = (*env)->ExceptionCheck(env);
    (*env)->DeleteLocalRef(env, value);
    return failed;
}

// In a frame.
static int on_row_framed(void *user, int count, char **values)
{
    struct context *context = user;
    JNIEnv *env = context->env;
    if (count < 1 || (*env)->PushLocalFrame(env, 8) < 0)
        return 1;
    jstring value = (*env)->NewStringUTF(env, values[0]); // ok: local-ref-leak-in-callback
    if (value != NULL)
        (*env)->CallVoidMethod(env, context->sink, gAdd, value);
    (*env)->PopLocalFrame(env, NULL);
    return 0;
}

// A helper, in the frame of the callback.
static void add(const struct context *context, const char *text)
{
    JNIEnv *env = context->env;
    jstring value = (*env)->NewStringUTF(env, text); // ok: local-ref-leak-in-callback
    if (value != NULL)
        (*env)->CallVoidMethod(env, context->sink, gAdd, value);
}

static int on_row_helped(void *user, int count, char **values)
{
    struct context *context = user;
    JNIEnv *env = context->env;
    if (count < 1 || (*env)->PushLocalFrame(env, 8) < 0)
        return 1;
    add(context, values[0]);
    (*env)->PopLocalFrame(env, NULL);
    return 0;
}

// Whoever has given the context away finds the reference there, and the next row deletes it.
static int on_last_row(void *user, int count, char **values)
{
    struct context *context = user;
    JNIEnv *env = context->env;
    if (count < 1)
        return 0;
    if (context->last != NULL)
        (*env)->DeleteLocalRef(env, context->last);
    context->last = (*env)->NewStringUTF(env, values[0]); // ok: local-ref-leak-in-callback
    return context->last == NULL;
}

// Attached only where need be, and detached then: no finding, since the thread may be one of Java.
static void log_line(const char *line)
{
    JNIEnv *env;
    int attached = 0;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) != JNI_OK) {
        if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
            return;
        attached = 1;
    }
    jstring string = (*env)->NewStringUTF(env, line); // ok: local-ref-leak-in-callback
    if (string != NULL) {
        (*env)->CallVoidMethod(env, gLogger, gLog, string);
        (*env)->DeleteLocalRef(env, string);
    }
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    if (attached)
        (*gVM)->DetachCurrentThread(gVM);
}

// By the C library, within this call.
static int compare(const void *a, const void *b, void *user)
{
    JNIEnv *env = user;
    jclass x = (*env)->GetObjectClass(env, *(const jobject *)a); // ok: local-ref-leak-in-callback
    int same = (*env)->IsInstanceOf(env, *(const jobject *)b, x);
    (*env)->DeleteLocalRef(env, x);
    return same ? 0 : -1;
}

JNIEXPORT jint JNICALL
Java_org_example_db_Query_run(JNIEnv *env, jclass cls, jobject sink, jobject first, jobject second)
{
    struct context context = {env, sink, NULL};
    jobject rows[2] = {first, second};
    (void)cls;
    qsort_r(rows, 2, sizeof rows[0], compare, env);
    return query("select a", on_row, &context) + query("select b", on_row_framed, &context) +
           query("select c", on_row_helped, &context) + query("select d", on_last_row, &context);
}

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    gVM = vm;
    on_log(log_line);
    return JNI_VERSION_1_8;
}
