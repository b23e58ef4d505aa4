// SPDX-License-Identifier: Apache-2.0
//
// Functions that delete what they were only lent.

#include <jni.h>
#include <stdio.h>

static jmethodID gRun, gName;

// Deletes its parameter after use.
static void run(JNIEnv *env, jobject task)
{
    (*env)->CallVoidMethod(env, task, gRun);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    (*env)->DeleteLocalRef(env, task);
}

JNIEXPORT jboolean JNICALL
Java_org_example_Queue_runFirst(JNIEnv *env, jclass cls, jobject first, jobject other)
{
    (void)cls;
    jobject task = (*env)->NewLocalRef(env, first);
    if (task == NULL)
        return JNI_FALSE;
    run(env, task);
    return (*env)->IsSameObject(env, task, other); // expect: ref-delete-borrowed
}

// Returned afterwards.
JNIEXPORT jobject JNICALL
Java_org_example_Queue_take(JNIEnv *env, jclass cls, jobject first)
{
    (void)cls;
    jobject task = (*env)->NewLocalRef(env, first);
    if (task == NULL)
        return NULL;
    run(env, task);
    return task; // expect: ref-delete-borrowed
}

// Both delete it.
JNIEXPORT void JNICALL
Java_org_example_Queue_drop(JNIEnv *env, jclass cls, jobject first)
{
    (void)cls;
    jobject task = (*env)->NewLocalRef(env, first);
    if (task == NULL)
        return;
    run(env, task);
    (*env)->DeleteLocalRef(env, task); // expect: ref-delete-borrowed
}

// Run twice.
JNIEXPORT void JNICALL
Java_org_example_Queue_twice(JNIEnv *env, jclass cls, jobject task)
{
    (void)cls;
    run(env, task);
    run(env, task); // expect: ref-delete-borrowed
}

// Deletes a string, but not when it cannot read it.
static void print(JNIEnv *env, jstring text)
{
    const char *chars = (*env)->GetStringUTFChars(env, text, NULL);
    if (chars == NULL)
        return;
    puts(chars);
    (*env)->ReleaseStringUTFChars(env, text, chars);
    (*env)->DeleteLocalRef(env, text);
}

JNIEXPORT jint JNICALL
Java_org_example_Queue_print(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    print(env, text);
    if ((*env)->ExceptionCheck(env))
        return -1;
    return (*env)->GetStringLength(env, text); // expect: ref-delete-borrowed
}

// A test of the parameter first.
static int measure(JNIEnv *env, jstring name)
{
    if (name == NULL)
        return 0;
    int length = (*env)->GetStringLength(env, name);
    (*env)->DeleteLocalRef(env, name);
    return length;
}

JNIEXPORT jint JNICALL
Java_org_example_Queue_name(JNIEnv *env, jobject self)
{
    jstring name = (*env)->CallObjectMethod(env, self, gName);
    if ((*env)->ExceptionCheck(env))
        return -1;
    int length = measure(env, name);
    return length + (*env)->GetStringUTFLength(env, name); // expect: ref-delete-borrowed
}

// ---- more helpers

static void drop(JNIEnv *env, jobject o)
{
    if (o != NULL)
        (*env)->DeleteLocalRef(env, o);
}

static jobject globalOf(JNIEnv *env, jobject local)
{
    jobject global = (*env)->NewGlobalRef(env, local);
    drop(env, local);
    return global;
}

// The helper trades the local reference for a global one.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_keepFirst(JNIEnv *env, jclass cls, jobjectArray texts)
{
    (void)cls;
    jobject first = (*env)->GetObjectArrayElement(env, texts, 0);
    if ((*env)->ExceptionCheck(env))
        return -1;
    jobject kept = globalOf(env, first);
    if (kept == NULL)
        return -1;
    jint length = (*env)->GetStringLength(env, first); // expect: ref-delete-borrowed
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
    if (text == NULL)
        return JNI_FALSE;
    jboolean is = (*env)->IsInstanceOf(env, o, text);
    (*env)->DeleteGlobalRef(env, text); // expect: ref-delete-borrowed
    return is;
}

void unload(JNIEnv *env)
{
    (*env)->DeleteGlobalRef(env, textClass);
    textClass = NULL;
}

JNIEXPORT jboolean JNICALL
Java_org_example_text_Text_isShared(JNIEnv *env, jclass cls, jobject o)
{
    (void)cls;
    jobject shared = engine_shared(env);
    jboolean is = (*env)->IsSameObject(env, o, shared);
    (*env)->DeleteLocalRef(env, shared); // expect: ref-delete-borrowed
    return is;
}
