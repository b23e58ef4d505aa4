// SPDX-License-Identifier: Apache-2.0
//
// References that are deleted by their owner, or given away for good.

#include <jni.h>
#include <stdio.h>

static jmethodID gRun;

// Deletes what it has made itself.
static void run(JNIEnv *env, jobject task)
{
    jclass cls = (*env)->GetObjectClass(env, task);
    (*env)->CallVoidMethod(env, task, gRun);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, cls);
}

JNIEXPORT jboolean JNICALL
Java_org_example_Queue_runFirst(JNIEnv *env, jclass cls, jobject first, jobject other)
{
    (void)cls;
    jobject task = (*env)->NewLocalRef(env, first);
    if (task == NULL)
        return JNI_FALSE;
    run(env, task);
    return (*env)->IsSameObject(env, task, other); // ok: ref-delete-borrowed
}

// Takes over its parameter; nobody uses it afterwards.
static void consume(JNIEnv *env, jobject task)
{
    (*env)->CallVoidMethod(env, task, gRun);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, task);
}

JNIEXPORT void JNICALL
Java_org_example_Queue_runAll(JNIEnv *env, jclass cls, jobjectArray tasks)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, tasks);
    for (jsize i = 0; i < count; i++) {
        jobject task = (*env)->GetObjectArrayElement(env, tasks, i);
        if (task != NULL)
            consume(env, task); // ok: ref-delete-borrowed
    }
}

// The variable holds another one afterwards.
JNIEXPORT jboolean JNICALL
Java_org_example_Queue_runTwo(JNIEnv *env, jclass cls, jobject first, jobject other)
{
    (void)cls;
    jobject task = (*env)->NewLocalRef(env, first);
    if (task == NULL)
        return JNI_FALSE;
    consume(env, task);
    task = (*env)->NewLocalRef(env, other);
    return (*env)->IsSameObject(env, task, other); // ok: ref-delete-borrowed
}

// Gets a reference of its own.
JNIEXPORT jobject JNICALL
Java_org_example_Queue_runCopy(JNIEnv *env, jclass cls, jobject task)
{
    (void)cls;
    jobject copy = (*env)->NewLocalRef(env, task);
    if (copy != NULL)
        consume(env, copy);
    return task; // ok: ref-delete-borrowed
}

// Deletes it when it failed, and says so.
static int start(JNIEnv *env, jobject task)
{
    (*env)->CallVoidMethod(env, task, gRun);
    if (!(*env)->ExceptionCheck(env))
        return 0;
    (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, task);
    return -1;
}

JNIEXPORT jobject JNICALL
Java_org_example_Queue_start(JNIEnv *env, jclass cls, jobject first)
{
    (void)cls;
    jobject task = (*env)->NewLocalRef(env, first);
    if (task == NULL || start(env, task) != 0)
        return NULL;
    return task; // ok: ref-delete-borrowed
}

// Its parameter is a variable that ends up with something else.
static void run_and_next(JNIEnv *env, jobject task, jobject next)
{
    run(env, task);
    task = (*env)->NewLocalRef(env, next);
    (*env)->DeleteLocalRef(env, task);
}

JNIEXPORT jobject JNICALL
Java_org_example_Queue_next(JNIEnv *env, jclass cls, jobject next, jobject task)
{
    (void)cls;
    run_and_next(env, task, next);
    return task; // ok: ref-delete-borrowed
}

// ---- more helpers

static jobject globalOf(JNIEnv *env, jobject local)
{
    jobject global = (*env)->NewGlobalRef(env, local);
    (*env)->DeleteLocalRef(env, local);
    return global;
}

static void dropAt(JNIEnv *env, jobject *o)
{
    if (*o != NULL)
        (*env)->DeleteLocalRef(env, *o);
    *o = NULL;
}

// The global reference is used from then on; the second variable is NULL after the first call.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_keepFirst(JNIEnv *env, jclass cls, jobjectArray texts)
{
    (void)cls;
    jobject first = (*env)->GetObjectArrayElement(env, texts, 0);
    if ((*env)->ExceptionCheck(env))
        return -1;
    jobject second = (*env)->GetObjectArrayElement(env, texts, 1);
    if ((*env)->ExceptionCheck(env))
        return -1;
    jobject kept = globalOf(env, first);
    dropAt(env, &second);
    dropAt(env, &second);
    if (kept == NULL)
        return -1;
    jint length = (*env)->GetStringLength(env, kept); // ok: ref-delete-borrowed
    (*env)->DeleteGlobalRef(env, kept);
    return length;
}

// ---- lent by a helper

static jclass textClass;

static jclass getTextClass(JNIEnv *env)
{
    if (textClass == NULL) {
        jclass local = (*env)->FindClass(env, "org/example/text/Text");
        if (local == NULL)
            return NULL;
        textClass = (*env)->NewGlobalRef(env, local);
        (*env)->DeleteLocalRef(env, local);
    }
    return textClass;
}

jobject engine_shared(JNIEnv *env); // its model says that it stays the engine's

JNIEXPORT jboolean JNICALL
Java_org_example_text_Text_isText(JNIEnv *env, jclass cls, jobject o)
{
    (void)cls;
    jclass text = getTextClass(env);
    return text != NULL && (*env)->IsInstanceOf(env, o, text); // ok: ref-delete-borrowed
}

// In a loop nothing adds up.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_count(JNIEnv *env, jclass cls, jobject o, jint n)
{
    (void)cls;
    jint found = 0;
    for (jint i = 0; i < n; i++) {
        jclass text = getTextClass(env); // ok: local-ref-leak-in-loop
        if (text == NULL)
            return -1;
        found += (*env)->IsInstanceOf(env, o, text);
    }
    return found;
}

// The end of the cache.
void unload(JNIEnv *env)
{
    jclass text = getTextClass(env);
    if (text == NULL)
        return;
    (*env)->DeleteGlobalRef(env, text); // ok: ref-delete-borrowed
    textClass = NULL;
}

JNIEXPORT jboolean JNICALL
Java_org_example_text_Text_isShared(JNIEnv *env, jclass cls, jobject o)
{
    (void)cls;
    return (*env)->IsSameObject(env, o, engine_shared(env));
}

JNIEXPORT void JNICALL
JNI_OnUnload(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK && textClass != NULL)
        (*env)->DeleteGlobalRef(env, textClass); // ok: ref-delete-borrowed
}
