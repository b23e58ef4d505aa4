// SPDX-License-Identifier: Apache-2.0
//
// Global references in static variables that somebody deletes, or may delete.

#include <jni.h>
#include <stddef.h>

static jclass gString;
static jclass gClasses[2];
static jobject gListener;
static jobject gOwner;
static jobject gView;
static jobject gSelf;

void forget(JNIEnv *env, jobject object);
void forget_at(JNIEnv *env, jobject *place);

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    jclass local = (*env)->FindClass(env, "java/lang/String");
    if (local == NULL)
        return JNI_ERR;
    gString = (*env)->NewGlobalRef(env, local);     // ok: global-ref-never-deleted
    gClasses[0] = (*env)->NewGlobalRef(env, local); // ok: global-ref-never-deleted
    gClasses[1] = (*env)->NewGlobalRef(env, local); // ok: global-ref-never-deleted
    return JNI_VERSION_1_8;
}

// Deleted when the library is unloaded, one by one and in a loop.
JNIEXPORT void JNICALL
JNI_OnUnload(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return;
    (*env)->DeleteGlobalRef(env, gString);
    for (int i = 0; i < 2; i++)
        (*env)->DeleteGlobalRef(env, gClasses[i]);
}

// Deleted by a method of its own.
JNIEXPORT void JNICALL
Java_org_example_View_start(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    if (gListener == NULL)
        gListener = (*env)->NewGlobalRef(env, listener); // ok: global-ref-never-deleted
}

JNIEXPORT void JNICALL
Java_org_example_View_stop(JNIEnv *env, jclass cls)
{
    (void)cls;
    jobject listener = gListener;
    gListener = NULL;
    if (listener != NULL)
        (*env)->DeleteGlobalRef(env, listener);
}

// By functions of the project, perhaps.
JNIEXPORT void JNICALL
Java_org_example_View_open(JNIEnv *env, jobject self, jobject owner)
{
    gSelf = (*env)->NewGlobalRef(env, self);   // ok: global-ref-never-deleted
    gOwner = (*env)->NewGlobalRef(env, owner); // ok: global-ref-never-deleted
}

JNIEXPORT void JNICALL
Java_org_example_View_close(JNIEnv *env, jobject self)
{
    (void)self;
    forget(env, gSelf);
    forget_at(env, &gOwner);
}

// A local variable with the value that is then replaced.
JNIEXPORT void JNICALL
Java_org_example_View_replace(JNIEnv *env, jclass cls, jobject view)
{
    (void)cls;
    jobject old = gView;
    gView = (*env)->NewGlobalRef(env, view); // ok: global-ref-never-deleted
    if (old != NULL)
        (*env)->DeleteGlobalRef(env, old);
}
