// SPDX-License-Identifier: Apache-2.0
//
// Weak global references tested against NULL to see whether their object lives. The reference does
// not become NULL when the object goes.

#include <jni.h>
#include <stdint.h>

struct watcher {
    jweak target;
    jint events;
};

static jweak gListener;
static jweak gModel;
static jmethodID gOnEvent; // void onEvent(int)
static jfieldID gSize;     // int size

// The common form.
JNIEXPORT void JNICALL
Java_org_example_bus_Bus_fire(JNIEnv *env, jclass cls, jint event)
{
    (void)cls;
    if (gListener != NULL)
        (*env)->CallVoidMethod(env, gListener, gOnEvent, event); // expect: weak-ref-null-compare
    if ((*env)->ExceptionCheck(env))
        return;
}

// With a way out.
JNIEXPORT jint JNICALL
Java_org_example_bus_Bus_size(JNIEnv *env, jclass cls)
{
    (void)cls;
    if (!gModel)
        return 0;
    return (*env)->GetIntField(env, gModel, gSize); // expect: weak-ref-null-compare
}

// Through a local variable, whose type has forgotten the kind.
JNIEXPORT jint JNICALL
Java_org_example_bus_Bus_targetSize(JNIEnv *env, jclass cls, jlong handle)
{
    struct watcher *watcher = (struct watcher *)(intptr_t)handle;
    (void)cls;
    jobject target = watcher->target;
    if (target == NULL)
        return -1;
    return (*env)->GetIntField(env, target, gSize); // expect: weak-ref-null-compare
}

// A cache: made when missing, believed when there.
JNIEXPORT jint JNICALL
Java_org_example_bus_Bus_modelSize(JNIEnv *env, jclass cls, jobject fallback)
{
    jint size;
    (void)cls;
    if (gModel != NULL && fallback == NULL)
        size = (*env)->GetIntField(env, gModel, gSize); // expect: weak-ref-null-compare
    else
        size = -1;
    return size;
}

// In a helper.
static jboolean accepts(JNIEnv *env, struct watcher *watcher, jclass type)
{
    return watcher->target && (*env)->IsInstanceOf(env, watcher->target, type); // expect: weak-ref-null-compare
}

JNIEXPORT jboolean JNICALL
Java_org_example_bus_Bus_accepts(JNIEnv *env, jclass cls, jlong handle, jclass type)
{
    (void)cls;
    return accepts(env, (struct watcher *)(intptr_t)handle, type);
}
