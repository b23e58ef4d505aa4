// SPDX-License-Identifier: Apache-2.0
//
// A local reference first, and a test of that; and the functions that take a weak reference as it
// is.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct peer {
    jweak owner;
    jobject strong; // global
};

static jweak gWindow;
static jclass gType; // weak
static jmethodID gRepaint; // void repaint()
static jfieldID gState;    // int state

JNIEXPORT jlong JNICALL
Java_org_example_ui_Peer_open(JNIEnv *env, jobject self, jobject child)
{
    struct peer *peer = calloc(1, sizeof *peer);
    if (peer == NULL)
        return 0;
    peer->owner = (*env)->NewWeakGlobalRef(env, self); // ok: weak-ref-unpromoted
    peer->strong = (*env)->NewGlobalRef(env, child);
    return (jlong)(intptr_t)peer;
}

JNIEXPORT void JNICALL
Java_org_example_ui_Peer_repaint(JNIEnv *env, jclass cls, jlong handle)
{
    struct peer *peer = (struct peer *)(intptr_t)handle;
    (void)cls;
    jobject owner = (*env)->NewLocalRef(env, peer->owner); // ok: weak-ref-unpromoted
    if (owner == NULL)
        return;
    (*env)->CallVoidMethod(env, owner, gRepaint); // ok: weak-ref-unpromoted
    (*env)->DeleteLocalRef(env, owner);
    if ((*env)->ExceptionCheck(env))
        return;
}

// A global reference for longer than the call.
JNIEXPORT jboolean JNICALL
Java_org_example_ui_Peer_keep(JNIEnv *env, jclass cls, jlong handle)
{
    struct peer *peer = (struct peer *)(intptr_t)handle;
    (void)cls;
    if (peer->strong == NULL)
        peer->strong = (*env)->NewGlobalRef(env, peer->owner); // ok: weak-ref-unpromoted
    return peer->strong != NULL;
}

// Questions about the reference itself.
JNIEXPORT jboolean JNICALL
Java_org_example_ui_Window_isGone(JNIEnv *env, jclass cls, jobject other)
{
    (void)cls;
    if ((*env)->GetObjectRefType(env, gWindow) != JNIWeakGlobalRefType) // ok: weak-ref-unpromoted
        return JNI_TRUE;
    if ((*env)->IsSameObject(env, gWindow, other)) // ok: weak-ref-unpromoted
        return JNI_FALSE;
    return (*env)->IsSameObject(env, gWindow, NULL); // ok: weak-ref-unpromoted
}

JNIEXPORT void JNICALL
Java_org_example_ui_Window_close(JNIEnv *env, jclass cls)
{
    (void)cls;
    if (gWindow != NULL)
        (*env)->DeleteWeakGlobalRef(env, gWindow); // ok: weak-ref-unpromoted
    gWindow = NULL;
}

// The variable of the weak reference takes the local one.
JNIEXPORT jint JNICALL
Java_org_example_ui_Window_state(JNIEnv *env, jclass cls)
{
    jobject window = gWindow;
    (void)cls;
    window = (*env)->NewLocalRef(env, window);
    if (window == NULL)
        return -1;
    jint state = (*env)->GetIntField(env, window, gState); // ok: weak-ref-unpromoted
    (*env)->DeleteLocalRef(env, window);
    return state;
}

// A strong one beside the weak one.
JNIEXPORT jint JNICALL
Java_org_example_ui_Peer_childState(JNIEnv *env, jclass cls, jlong handle)
{
    struct peer *peer = (struct peer *)(intptr_t)handle;
    (void)cls;
    if (peer->strong == NULL)
        return -1;
    return (*env)->GetIntField(env, peer->strong, gState); // ok: weak-ref-unpromoted
}

JNIEXPORT void JNICALL
Java_org_example_ui_Window_register(JNIEnv *env, jobject self)
{
    if (gWindow == NULL)
        gWindow = (*env)->NewWeakGlobalRef(env, self);
    (*env)->CallVoidMethod(env, self, gRepaint); // ok: weak-ref-unpromoted
    if ((*env)->ExceptionCheck(env))
        return;
}

// A strong one was made first and lives until the method returns.
JNIEXPORT jint JNICALL
Java_org_example_ui_Window_initIDs(JNIEnv *env, jclass cls)
{
    (void)cls;
    gType = (*env)->FindClass(env, "org/example/ui/Window");
    if (gType == NULL)
        return -1;
    gType = (*env)->NewWeakGlobalRef(env, gType); // expect: global-ref-never-deleted
    if (gType == NULL)
        return -1;
    gState = (*env)->GetFieldID(env, gType, "state", "I"); // ok: weak-ref-unpromoted
    return gState == NULL ? -1 : 0;
}
