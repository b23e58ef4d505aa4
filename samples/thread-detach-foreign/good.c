// SPDX-License-Identifier: Apache-2.0
//
// Threads detached by those who attached them.

#include <jni.h>
#include <stddef.h>

static JavaVM *gVM;
static jobject gListener; // global reference
static jmethodID gOnValue;

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    gVM = vm;
    return JNI_VERSION_1_8;
}

static void call(JNIEnv *env, int value)
{
    (*env)->CallVoidMethod(env, gListener, gOnValue, value);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionClear(env);
}

// As it was before.
void on_value(int value)
{
    JNIEnv *env;
    jint status = (*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8);
    if (status == JNI_EDETACHED &&
        (*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return;
    call(env, value);
    if (status == JNI_EDETACHED)
        (*gVM)->DetachCurrentThread(gVM); // ok: thread-detach-foreign
}

// A flag says whether it was attached.
void on_change(int value)
{
    JNIEnv *env;
    jboolean was_attached =
        (*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) == JNI_OK ? JNI_TRUE : JNI_FALSE;
    if (!was_attached && (*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return;
    call(env, value);
    if (!was_attached)
        (*gVM)->DetachCurrentThread(gVM); // ok: thread-detach-foreign
}

// A callback that runs on threads of the library alone.
void on_close(void)
{
    JNIEnv *env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return;
    call(env, -1);
    (*gVM)->DetachCurrentThread(gVM); // ok: thread-detach-foreign
}

// A pair of functions.
JNIEnv *enter(jboolean *detach)
{
    JNIEnv *env = NULL;
    *detach = JNI_FALSE;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) == JNI_OK)
        return env;
    *detach = (*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) == JNI_OK;
    return *detach ? env : NULL;
}

void leave(jboolean detach)
{
    if (detach)
        (*gVM)->DetachCurrentThread(gVM); // ok: thread-detach-foreign
}

// The program that has made the virtual machine.
int run_main(JavaVMInitArgs *args)
{
    JavaVM *vm;
    JNIEnv *env;
    if (JNI_CreateJavaVM(&vm, (void **)&env, args) != JNI_OK)
        return 1;
    call(env, 0);
    (*vm)->DetachCurrentThread(vm); // ok: thread-detach-foreign
    (*vm)->DestroyJavaVM(vm);
    return 0;
}

// There to detach what others have attached.
void detach_if_attached(void)
{
    JNIEnv *env;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) == JNI_OK)
        (*gVM)->DetachCurrentThread(gVM); // ok: thread-detach-foreign
}

// A destructor of thread-specific data.
void thread_ends(void *unused)
{
    (void)unused;
    (*gVM)->DetachCurrentThread(gVM); // ok: thread-detach-foreign
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

void on_event(int value)
{
    JNIEnv *env;
    int attached = attach_if_needed(&env);
    if (attached < 0)
        return;
    call(env, value);
    if (attached)
        (*gVM)->DetachCurrentThread(gVM); // ok: thread-detach-foreign
}

static void detach_if(int attached)
{
    if (attached)
        (*gVM)->DetachCurrentThread(gVM); // ok: thread-detach-foreign
}

JNIEXPORT void JNICALL
Java_org_example_event_Source_finish(JNIEnv *env, jclass cls)
{
    JNIEnv *own;
    (void)cls;
    int attached = attach_if_needed(&own);
    call(env, 1);
    detach_if(attached > 0); // ok: thread-detach-foreign
}

void ends_thread(void)
{
    detach_now(); // ok: thread-detach-foreign
}
