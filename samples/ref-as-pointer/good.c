// SPDX-License-Identifier: Apache-2.0
//
// Global references carried as numbers and void *, native addresses in a jlong, and casts that
// change nothing.

#include <jni.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct point {
    jint x, y;
};

struct callback {
    void *data; // a global reference
};

static struct callback gCallback;
static jfieldID gHandle;     // long handle
static jmethodID gIdentity;  // static int identityHashCode(Object)
static jmethodID gOnEvent;   // void onEvent()
static jclass gSystem;       // global

void each_point(void (*visit)(void *data, const struct point *p), void *data);

// A global reference may go to Java and come back.
JNIEXPORT jlong JNICALL
Java_org_example_geo_Session_open(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    return (jlong)(intptr_t)(*env)->NewGlobalRef(env, listener); // ok: ref-as-pointer
}

JNIEXPORT void JNICALL
Java_org_example_geo_Session_close(JNIEnv *env, jclass cls, jlong handle)
{
    (void)cls;
    (*env)->DeleteGlobalRef(env, (jobject)(intptr_t)handle); // ok: ref-as-pointer
}

// As user data of a native library.
JNIEXPORT void JNICALL
Java_org_example_geo_Session_onEvent(JNIEnv *env, jclass cls, jobject listener)
{
    jobject global = (*env)->NewGlobalRef(env, listener);
    (void)cls;
    if (gCallback.data != NULL)
        (*env)->DeleteGlobalRef(env, (jobject)gCallback.data);
    gCallback.data = global; // ok: ref-as-pointer
}

// The address of native memory is no reference.
JNIEXPORT void JNICALL
Java_org_example_geo_Point_allocate(JNIEnv *env, jobject self)
{
    struct point *p = calloc(1, sizeof *p);
    if (p == NULL)
        return;
    p->x = 1;
    (*env)->SetLongField(env, self, gHandle, (jlong)(intptr_t)p); // ok: ref-as-pointer
}

JNIEXPORT jint JNICALL
Java_org_example_geo_Point_x(JNIEnv *env, jobject self)
{
    struct point *p = (struct point *)(intptr_t)(*env)->GetLongField(env, self, gHandle);
    return p != NULL ? p->x : 0; // ok: ref-as-pointer
}

// An array of references is read, not what they name.
JNIEXPORT jint JNICALL
Java_org_example_geo_Index_hash(JNIEnv *env, jclass cls, jobject a, jobject b)
{
    jobject keys[2] = {a, b};
    jobject *at = keys;
    (void)cls;
    jint hash = (*env)->CallStaticIntMethod(env, gSystem, gIdentity, *at); // ok: ref-as-pointer
    if ((*env)->ExceptionCheck(env))
        return 0;
    at++;
    jint other = (*env)->CallStaticIntMethod(env, gSystem, gIdentity, at[0]); // ok: ref-as-pointer
    if ((*env)->ExceptionCheck(env))
        return 0;
    return hash * 31 + other;
}

// For the eyes only.
JNIEXPORT void JNICALL
Java_org_example_geo_Session_print(JNIEnv *env, jobject self)
{
    (void)env;
    printf("session %p %08x\n", (void *)self, (unsigned)(uintptr_t)self); // ok: ref-as-pointer
}

// Is there one?
JNIEXPORT jboolean JNICALL
Java_org_example_geo_Session_isSet(JNIEnv *env, jclass cls, jobject listener)
{
    (void)env;
    (void)cls;
    return (jboolean)(listener != NULL && (intptr_t)listener != 0); // ok: ref-as-pointer
}

// A struct on this stack carries local references, for the time of the call.
struct walk {
    JNIEnv *env;
    void *listener;
};

static void visit(void *data, const struct point *p)
{
    struct walk *walk = data;
    JNIEnv *env = walk->env;
    (void)p;
    if (!(*env)->ExceptionCheck(env))
        (*env)->CallVoidMethod(env, (jobject)walk->listener, gOnEvent);
}

JNIEXPORT void JNICALL
Java_org_example_geo_Session_each(JNIEnv *env, jclass cls, jobject listener)
{
    struct walk walk = {.env = env, .listener = listener}; // ok: ref-as-pointer
    (void)cls;
    each_point(visit, &walk);
}
