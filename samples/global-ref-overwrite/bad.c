// SPDX-License-Identifier: Apache-2.0
//
// Global references that are lost when another one takes their place.

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
static struct session gSession;
static jweak gOwner;

void log_replaced(void);

// A setter that can be called twice.
JNIEXPORT void JNICALL
Java_org_example_Session_setListener(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    gListener = (*env)->NewGlobalRef(env, listener); // expect: global-ref-overwrite
}

// In a struct.
JNIEXPORT void JNICALL
Java_org_example_Session_nativeSetTarget(JNIEnv *env, jobject self, jobject target)
{
    (void)self;
    gSession.target = (*env)->NewGlobalRef(env, target); // expect: global-ref-overwrite
}

// In an object that Java code holds by its handle.
JNIEXPORT void JNICALL
Java_org_example_Session_updateListener(JNIEnv *env, jclass cls, jlong handle, jobject listener)
{
    struct session *session = (struct session *)(intptr_t)handle;
    (void)cls;
    session->listener = (*env)->NewGlobalRef(env, listener); // expect: global-ref-overwrite
}

// Deletes the old one in another method, but not here.
JNIEXPORT void JNICALL
Java_org_example_Session_set_1view(JNIEnv *env, jclass cls, jobject view)
{
    (void)cls;
    gView = (*env)->NewGlobalRef(env, view); // expect: global-ref-overwrite
}

JNIEXPORT void JNICALL
Java_org_example_Session_close(JNIEnv *env, jclass cls)
{
    (void)cls;
    if (gView != NULL)
        (*env)->DeleteGlobalRef(env, gView);
    gView = NULL;
}

// Known to hold one.
JNIEXPORT void JNICALL
Java_org_example_Session_open(JNIEnv *env, jclass cls, jobject target)
{
    (void)cls;
    if (gTarget != NULL)
        log_replaced();
    gTarget = (*env)->NewGlobalRef(env, target); // expect: global-ref-overwrite
}

JNIEXPORT void JNICALL
Java_org_example_Session_dispose(JNIEnv *env, jclass cls)
{
    (void)cls;
    (*env)->DeleteGlobalRef(env, gTarget);
    (*env)->DeleteGlobalRef(env, gListener);
    (*env)->DeleteGlobalRef(env, gSession.target);
    gTarget = gListener = gSession.target = NULL;
}

// Known not to be the same.
JNIEXPORT void JNICALL
Java_org_example_Session_use(JNIEnv *env, jclass cls, jlong handle, jobject target)
{
    struct session *session = (struct session *)(intptr_t)handle;
    (void)cls;
    if (session->target == NULL || !(*env)->IsSameObject(env, session->target, target))
        session->target = (*env)->NewGlobalRef(env, target); // expect: global-ref-overwrite
}

// A weak one.
JNIEXPORT void JNICALL
Java_org_example_Session_setOwner(JNIEnv *env, jclass cls, jobject owner)
{
    (void)cls;
    gOwner = (*env)->NewWeakGlobalRef(env, owner); // expect: global-ref-overwrite
}

// The test the wrong way round.
void remember(JNIEnv *env, struct session *session, jobject listener)
{
    if (session->listener != NULL)
        session->listener = (*env)->NewGlobalRef(env, listener); // expect: global-ref-overwrite
}

static jobject globalOf(JNIEnv *env, jobject object)
{
    return (*env)->NewGlobalRef(env, object);
}

static jobject gObserver;

// A helper makes the reference.
JNIEXPORT void JNICALL
Java_org_example_watch_Watcher_setObserver(JNIEnv *env, jclass cls, jobject observer)
{
    (void)cls;
    gObserver = globalOf(env, observer); // expect: global-ref-overwrite
}
