// SPDX-License-Identifier: Apache-2.0
//
// References taken for addresses or numbers: read through, cut off, calculated with, and local ones
// that leave the call disguised as a jlong or a void *.

#include <jni.h>
#include <stdint.h>

struct point {
    jint x, y;
};

struct callback {
    void *data;
};

static struct callback gCallback;
static intptr_t gLast;
static jfieldID gHandle; // long handle
static jmethodID gChild; // Object child()

// A cast does not turn an object into a struct.
JNIEXPORT jint JNICALL
Java_org_example_geo_Point_x(JNIEnv *env, jobject self)
{
    (void)env;
    struct point *p = (struct point *)self;
    return p->x; // expect: ref-as-pointer
}

// Nor an array into its elements.
JNIEXPORT jint JNICALL
Java_org_example_geo_Point_first(JNIEnv *env, jclass cls, jintArray values)
{
    if ((*env)->GetArrayLength(env, values) == 0)
        return 0;
    (void)cls;
    return ((jint *)values)[0]; // expect: ref-as-pointer
}

// Half of a handle.
JNIEXPORT jint JNICALL
Java_org_example_geo_Point_id(JNIEnv *env, jobject self)
{
    (void)env;
    return (jint)(intptr_t)self; // expect: ref-as-pointer
}

// A hash that differs from call to call.
JNIEXPORT jboolean JNICALL
Java_org_example_geo_Index_contains(JNIEnv *env, jclass cls, jobject key, jbyteArray table)
{
    jbyte used = 0;
    jsize size = (*env)->GetArrayLength(env, table);
    (void)cls;
    if (size == 0)
        return JNI_FALSE;
    (*env)->GetByteArrayRegion(env, table, (jsize)((uintptr_t)key % (uintptr_t)size), 1, &used); // expect: ref-as-pointer
    if ((*env)->ExceptionCheck(env))
        return JNI_FALSE;
    return used != 0;
}

// A field of an object is not at a fixed place behind the handle.
static jint readAt(JNIEnv *env, jobject holder)
{
    jobject child = (*env)->CallObjectMethod(env, holder, gChild);
    if ((*env)->ExceptionCheck(env) || child == NULL)
        return 0;
    jint x = *(jint *)child; // expect: ref-as-pointer
    (*env)->DeleteLocalRef(env, child);
    return x;
}

JNIEXPORT jint JNICALL
Java_org_example_geo_Point_childX(JNIEnv *env, jobject self)
{
    return readAt(env, self);
}

// A local reference is invalid when it comes back.
JNIEXPORT jlong JNICALL
Java_org_example_geo_Session_open(JNIEnv *env, jclass cls, jobject listener)
{
    (void)env;
    (void)cls;
    return (jlong)(intptr_t)listener; // expect: ref-as-pointer
}

// The same through a field of the Java object.
JNIEXPORT void JNICALL
Java_org_example_geo_Session_attach(JNIEnv *env, jobject self)
{
    jobject child = (*env)->CallObjectMethod(env, self, gChild);
    if ((*env)->ExceptionCheck(env))
        return;
    (*env)->SetLongField(env, self, gHandle, (jlong)(intptr_t)child); // expect: ref-as-pointer
}

// User data of a native library.
JNIEXPORT void JNICALL
Java_org_example_geo_Session_onEvent(JNIEnv *env, jclass cls, jobject listener)
{
    (void)env;
    (void)cls;
    gCallback.data = listener; // expect: ref-as-pointer
}

JNIEXPORT void JNICALL
Java_org_example_geo_Session_remember(JNIEnv *env, jobject self)
{
    (void)env;
    gLast = (intptr_t)self; // expect: ref-as-pointer
}
