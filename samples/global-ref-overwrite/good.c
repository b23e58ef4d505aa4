// SPDX-License-Identifier: Apache-2.0
//
// Places that hold one global reference after the other.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct session {
    jobject listener; // global reference
    jobject target;   // global reference
};

static jobject gListener;
static jobject gView;
static jobject gTarget;
static jclass gString;
static jobject gOwner;
static jobject gFirst;

void release_listener(JNIEnv *env);
void clear(JNIEnv *env, jobject *place);

// Deleted first.
JNIEXPORT void JNICALL
Java_org_example_Session_setListener(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    if (gListener != NULL)
        (*env)->DeleteGlobalRef(env, gListener);
    gListener = (*env)->NewGlobalRef(env, listener); // ok: global-ref-overwrite
}

// DeleteGlobalRef takes NULL.
JNIEXPORT void JNICALL
Java_org_example_Session_setView(JNIEnv *env, jclass cls, jobject view)
{
    (void)cls;
    (*env)->DeleteGlobalRef(env, gView);
    gView = (*env)->NewGlobalRef(env, view); // ok: global-ref-overwrite
}

// Saved first, deleted afterwards.
JNIEXPORT void JNICALL
Java_org_example_Session_setTarget(JNIEnv *env, jclass cls, jobject target)
{
    jobject old = gTarget;
    (void)cls;
    gTarget = (*env)->NewGlobalRef(env, target); // ok: global-ref-overwrite
    if (old != NULL)
        (*env)->DeleteGlobalRef(env, old);
}

// Made when it is needed for the first time.
jclass string_class(JNIEnv *env)
{
    if (gString == NULL) {
        jclass local = (*env)->FindClass(env, "java/lang/String");
        if (local == NULL)
            return NULL;
        gString = (*env)->NewGlobalRef(env, local); // ok: global-ref-overwrite
        (*env)->DeleteLocalRef(env, local);
    }
    return gString;
}

// A function of the project does it.
JNIEXPORT void JNICALL
Java_org_example_Session_setOwner(JNIEnv *env, jclass cls, jobject owner)
{
    (void)cls;
    clear(env, &gOwner);
    gOwner = (*env)->NewGlobalRef(env, owner); // ok: global-ref-overwrite
}

// Only once.
JNIEXPORT void JNICALL
Java_org_example_Session_setFirst(JNIEnv *env, jclass cls, jobject first)
{
    (void)cls;
    if (gFirst != NULL)
        return;
    gFirst = (*env)->NewGlobalRef(env, first); // ok: global-ref-overwrite
}

// An initialiser.
JNIEXPORT void JNICALL
Java_org_example_Session_init(JNIEnv *env, jclass cls, jobject first, jobject owner)
{
    (void)cls;
    gFirst = (*env)->NewGlobalRef(env, first); // ok: global-ref-overwrite
    gOwner = (*env)->NewGlobalRef(env, owner); // ok: global-ref-overwrite
}

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
    gString = (*env)->NewGlobalRef(env, local); // ok: global-ref-overwrite
    return JNI_VERSION_1_8;
}

JNIEXPORT void JNICALL
JNI_OnUnload(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return;
    (*env)->DeleteGlobalRef(env, gString);
    (*env)->DeleteGlobalRef(env, gFirst);
}

// A new object holds nothing.
JNIEXPORT jlong JNICALL
Java_org_example_Session_setup(JNIEnv *env, jclass cls, jobject listener)
{
    struct session *session = calloc(1, sizeof *session);
    (void)cls;
    if (session == NULL)
        return 0;
    session->listener = (*env)->NewGlobalRef(env, listener); // ok: global-ref-overwrite
    return (jlong)(intptr_t)session;
}

// The old one goes elsewhere.
void swap(JNIEnv *env, struct session *session, jobject *old, jobject listener)
{
    if (session->listener != NULL)
        *old = session->listener;
    session->listener = (*env)->NewGlobalRef(env, listener); // ok: global-ref-overwrite
}

// A helper makes the reference and deletes the one before.
static jobject replaced(JNIEnv *env, jobject old, jobject object)
{
    (*env)->DeleteGlobalRef(env, old);
    return (*env)->NewGlobalRef(env, object);
}

static jobject gObserver;

JNIEXPORT void JNICALL
Java_org_example_watch_Watcher_setObserver(JNIEnv *env, jclass cls, jobject observer)
{
    (void)cls;
    gObserver = replaced(env, gObserver, observer); // ok: global-ref-overwrite
}
