// SPDX-License-Identifier: Apache-2.0
//
// Threads detached by somebody who has not attached them.

#include <jni.h>
#include <stddef.h>

static JavaVM *gVM;
static jobject gListener; // global reference
static jmethodID gOnValue;

void cleanup_cache(void);

// In a native method: Java frames lie below.
JNIEXPORT void JNICALL
Java_org_example_Device_close(JNIEnv *env, jobject self)
{
    (void)env;
    (void)self;
    cleanup_cache();
    (*gVM)->DetachCurrentThread(gVM); // expect: thread-detach-foreign
}

// Attaching there does nothing either.
JNIEXPORT void JNICALL
Java_org_example_Device_notify(JNIEnv *ignored, jobject self, jint value)
{
    JNIEnv *env;
    (void)ignored;
    (void)self;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return;
    (*env)->CallVoidMethod(env, gListener, gOnValue, value);
    (*gVM)->DetachCurrentThread(gVM); // expect: thread-detach-foreign
}

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    (void)reserved;
    gVM = vm;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    (*vm)->DetachCurrentThread(vm); // expect: thread-detach-foreign
    return JNI_VERSION_1_8;
}

// Detached whoever attached it.
void on_value(int value)
{
    JNIEnv *env;
    jint status = (*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8);
    if (status == JNI_EDETACHED)
        status = (*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL);
    if (status != JNI_OK)
        return;
    (*env)->CallVoidMethod(env, gListener, gOnValue, value);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    (*gVM)->DetachCurrentThread(gVM); // expect: thread-detach-foreign
}

// The flag is set on both ways.
void on_change(int value)
{
    JNIEnv *env;
    int detach = 1;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) != JNI_OK &&
        (*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return;
    (*env)->CallVoidMethod(env, gListener, gOnValue, value);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    if (detach)
        (*gVM)->DetachCurrentThread(gVM); // expect: thread-detach-foreign
}

// The flag the wrong way round: it is attached unless GetEnv says otherwise.
void on_error(int value)
{
    JNIEnv *env;
    int was_attached;
    jint status = (*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8);
    if (status == JNI_EDETACHED) {
        was_attached = 1;
        if ((*gVM)->AttachCurrentThreadAsDaemon(gVM, (void **)&env, NULL) != JNI_OK)
            return;
    } else {
        was_attached = 1;
    }
    (*env)->CallVoidMethod(env, gListener, gOnValue, value);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    if (was_attached)
        (*gVM)->DetachCurrentThread(gVM); // expect: thread-detach-foreign
}

// GetEnv found it attached; attaching it again changes nothing.
int is_listening(void)
{
    JNIEnv *env;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) == JNI_OK) {
        int listens = gListener != NULL && !(*env)->IsSameObject(env, gListener, NULL);
        (*gVM)->DetachCurrentThread(gVM); // expect: thread-detach-foreign
        return listens;
    }
    return 0;
}

// ---- by helpers

static int attach_if_needed(JNIEnv **env)
{
    if ((*gVM)->GetEnv(gVM, (void **)env, JNI_VERSION_1_8) == JNI_OK)
        return 0;
    return (*gVM)->AttachCurrentThread(gVM, (void **)env, NULL) == JNI_OK ? 1 : -1;
}

static void detach_now(void)
{
    (*gVM)->DetachCurrentThread(gVM);
}

// The helper says by 0 that somebody else has attached the thread.
void on_event(int value)
{
    JNIEnv *env;
    if (attach_if_needed(&env) < 0)
        return;
    (*env)->CallVoidMethod(env, gListener, gOnValue, value);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
    (*gVM)->DetachCurrentThread(gVM); // expect: thread-detach-foreign
}

JNIEXPORT void JNICALL
Java_org_example_event_Source_finish(JNIEnv *env, jclass cls)
{
    (void)env, (void)cls;
    detach_now(); // expect: thread-detach-foreign
}
