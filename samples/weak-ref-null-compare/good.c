// SPDX-License-Identifier: Apache-2.0
//
// Tests of weak references against NULL that ask something else: whether there is a reference to
// delete, to replace or to promote.

#include <jni.h>
#include <stdint.h>

struct watcher {
    jweak target;
    jint events;
};

static jweak gListener;
static jmethodID gOnEvent; // void onEvent(int)
static jfieldID gSize;     // int size

// Is there one to delete?
JNIEXPORT void JNICALL
Java_org_example_bus_Bus_setListener(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    if (gListener != NULL)
        (*env)->DeleteWeakGlobalRef(env, gListener); // ok: weak-ref-null-compare
    gListener = listener != NULL ? (*env)->NewWeakGlobalRef(env, listener) : NULL;
}

// Is there one at all? Whether its object lives, the local reference says.
JNIEXPORT void JNICALL
Java_org_example_bus_Bus_fire(JNIEnv *env, jclass cls, jint event)
{
    (void)cls;
    if (gListener == NULL)
        return;
    jobject listener = (*env)->NewLocalRef(env, gListener); // ok: weak-ref-null-compare
    if (listener == NULL) {
        (*env)->DeleteWeakGlobalRef(env, gListener);
        gListener = NULL;
        return;
    }
    (*env)->CallVoidMethod(env, listener, gOnEvent, event); // ok: weak-ref-null-compare
    (*env)->DeleteLocalRef(env, listener);
    if ((*env)->ExceptionCheck(env))
        return;
}

// The question in its right form.
JNIEXPORT jboolean JNICALL
Java_org_example_bus_Bus_hasListener(JNIEnv *env, jclass cls)
{
    (void)cls;
    return gListener != NULL && !(*env)->IsSameObject(env, gListener, NULL); // ok: weak-ref-null-compare
}

// Did the allocation succeed?
JNIEXPORT jboolean JNICALL
Java_org_example_bus_Bus_watch(JNIEnv *env, jobject self, jlong handle)
{
    struct watcher *watcher = (struct watcher *)(intptr_t)handle;
    jweak made = (*env)->NewWeakGlobalRef(env, self);
    if (made == NULL) // ok: weak-ref-null-compare
        return JNI_FALSE;
    if (watcher->target != NULL)
        (*env)->DeleteWeakGlobalRef(env, watcher->target); // ok: weak-ref-null-compare
    watcher->target = made;
    return JNI_TRUE;
}

// One weak reference of another.
JNIEXPORT void JNICALL
Java_org_example_bus_Bus_copy(JNIEnv *env, jclass cls, jlong from, jlong to)
{
    struct watcher *source = (struct watcher *)(intptr_t)from;
    struct watcher *target = (struct watcher *)(intptr_t)to;
    (void)cls;
    if (source->target != NULL)
        target->target = (*env)->NewWeakGlobalRef(env, source->target); // ok: weak-ref-null-compare
}

// The local reference is tested, in the variable that held the weak one.
JNIEXPORT jint JNICALL
Java_org_example_bus_Bus_size(JNIEnv *env, jclass cls)
{
    jobject listener = gListener;
    (void)cls;
    if (listener != NULL)
        listener = (*env)->NewLocalRef(env, listener);
    if (listener == NULL)
        return 0;
    jint size = (*env)->GetIntField(env, listener, gSize); // ok: weak-ref-null-compare
    (*env)->DeleteLocalRef(env, listener);
    return size;
}
