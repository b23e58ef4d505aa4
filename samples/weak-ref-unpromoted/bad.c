// SPDX-License-Identifier: Apache-2.0
//
// Weak global references handed to functions that work on the object. The collector may have taken
// it, or takes it between one call and the next.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct peer {
    jweak owner;
    jobject cache; // weak, too: see open
    int state;
};

static jweak gWindow;
static jmethodID gRepaint; // void repaint()
static jmethodID gAdd;     // void add(Object)
static jfieldID gState;    // int state

JNIEXPORT jlong JNICALL
Java_org_example_ui_Peer_open(JNIEnv *env, jobject self, jobject cache)
{
    struct peer *peer = calloc(1, sizeof *peer);
    if (peer == NULL)
        return 0;
    peer->owner = (*env)->NewWeakGlobalRef(env, self);
    peer->cache = (*env)->NewWeakGlobalRef(env, cache);
    return (jlong)(intptr_t)peer;
}

// Declared as what it is, and used as if it were more.
JNIEXPORT void JNICALL
Java_org_example_ui_Peer_repaint(JNIEnv *env, jclass cls, jlong handle)
{
    struct peer *peer = (struct peer *)(intptr_t)handle;
    (void)cls;
    (*env)->CallVoidMethod(env, peer->owner, gRepaint); // expect: weak-ref-unpromoted
    if ((*env)->ExceptionCheck(env))
        return;
}

// Declared as jobject, but only weak references are ever stored there.
JNIEXPORT jclass JNICALL
Java_org_example_ui_Peer_cacheType(JNIEnv *env, jclass cls, jlong handle)
{
    struct peer *peer = (struct peer *)(intptr_t)handle;
    (void)cls;
    return (*env)->GetObjectClass(env, peer->cache); // expect: weak-ref-unpromoted
}

// Alive at the test; at the call nobody knows.
JNIEXPORT void JNICALL
Java_org_example_ui_Window_refresh(JNIEnv *env, jclass cls)
{
    (void)cls;
    if ((*env)->IsSameObject(env, gWindow, NULL))
        return;
    (*env)->CallVoidMethod(env, gWindow, gRepaint); // expect: weak-ref-unpromoted
    if ((*env)->ExceptionCheck(env))
        return;
}

// Made here, and the only reference to its object.
JNIEXPORT jint JNICALL
Java_org_example_ui_Window_probe(JNIEnv *env, jobject self)
{
    jweak weak = (*env)->NewWeakGlobalRef(env, self);
    if (weak == NULL)
        return -1;
    jint state = (*env)->GetIntField(env, weak, gState); // expect: weak-ref-unpromoted
    (*env)->DeleteWeakGlobalRef(env, weak);
    return state;
}

// As an argument of a Java method, which may get null.
JNIEXPORT void JNICALL
Java_org_example_ui_Window_addTo(JNIEnv *env, jclass cls, jobject list)
{
    (void)cls;
    (*env)->CallVoidMethod(env, list, gAdd, gWindow); // expect: weak-ref-unpromoted
    if ((*env)->ExceptionCheck(env))
        return;
}

// Several uses are one defect, with one repair.
static jint twice(JNIEnv *env, const struct peer *peer)
{
    jint a = (*env)->GetIntField(env, peer->owner, gState); // expect: weak-ref-unpromoted
    jint b = (*env)->GetIntField(env, peer->owner, gState);
    return a + b;
}

JNIEXPORT jint JNICALL
Java_org_example_ui_Peer_twice(JNIEnv *env, jclass cls, jlong handle)
{
    (void)cls;
    return twice(env, (struct peer *)(intptr_t)handle);
}
