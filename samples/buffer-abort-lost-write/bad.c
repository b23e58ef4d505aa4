// SPDX-License-Identifier: Apache-2.0
//
// Array elements that are changed and then released with JNI_ABORT. Where the virtual machine made
// a copy, the Java array never sees the changes; where it did not, it does. The finding is at the
// release.

#include <jni.h>
#include <string.h>

static jclass gFailure; // global reference, java.lang.IllegalStateException

#define RELEASE(env, array, data)                                                                  \
    (*(env))->ReleasePrimitiveArrayCritical((env), (array), (data), JNI_ABORT)

// The whole purpose of the function is lost.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_scale(JNIEnv *env, jclass cls, jfloatArray vector, jfloat factor)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, vector);
    jfloat *v = (*env)->GetFloatArrayElements(env, vector, NULL);
    if (v == NULL)
        return;
    for (jsize i = 0; i < count; i++)
        v[i] *= factor;
    // expect-next: buffer-abort-lost-write
    (*env)->ReleaseFloatArrayElements(env, vector, v, JNI_ABORT);
}

// Both arrays go back the same way, the result too.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_add(JNIEnv *env, jclass cls, jintArray from, jintArray to, jint count)
{
    (void)cls;
    jint *a = (*env)->GetPrimitiveArrayCritical(env, from, NULL);
    if (a == NULL)
        return;
    jint *b = (*env)->GetPrimitiveArrayCritical(env, to, NULL);
    if (b != NULL) {
        for (jint i = 0; i < count; i++)
            b[i] += a[i];
        RELEASE(env, to, b); // expect: buffer-abort-lost-write
    }
    RELEASE(env, from, a);
}

// Filled by memcpy, through a pointer that was moved.
JNIEXPORT jint JNICALL
Java_org_example_math_Pixels_fetch(JNIEnv *env, jclass cls, jbyteArray target, jint offset)
{
    static const jbyte header[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    (void)cls;
    jbyte *bytes = (*env)->GetByteArrayElements(env, target, NULL);
    if (bytes == NULL)
        return -1;
    jbyte *p = bytes + offset;
    memcpy(p, header, sizeof header);
    // expect-next: buffer-abort-lost-write
    (*env)->ReleaseByteArrayElements(env, target, bytes, JNI_ABORT);
    return (jint)sizeof header;
}

// The only release that copies back is the one for the failure.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_count(JNIEnv *env, jobject self, jintArray result, jmethodID next)
{
    jint *counts = (*env)->GetIntArrayElements(env, result, NULL);
    if (counts == NULL)
        return;
    for (int i = 0; i < 4; i++) {
        counts[i] = (*env)->CallIntMethod(env, self, next);
        if ((*env)->ExceptionCheck(env)) {
            (*env)->ReleaseIntArrayElements(env, result, counts, 0);
            return;
        }
    }
    // expect-next: buffer-abort-lost-write
    (*env)->ReleaseIntArrayElements(env, result, counts, JNI_ABORT);
}

// JNI_COMMIT brings back what was there at that time; the last store comes later.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_mark(JNIEnv *env, jclass cls, jintArray marks, jint count)
{
    (void)cls;
    jint *m = (*env)->GetIntArrayElements(env, marks, NULL);
    if (m == NULL)
        return;
    m[0] = count;
    (*env)->ReleaseIntArrayElements(env, marks, m, JNI_COMMIT);
    m[1] = 1;
    (*env)->ReleaseIntArrayElements(env, marks, m,
                                    JNI_ABORT); // todo-expect: buffer-abort-lost-write
}

static void fill(jshort *to, jint count, jshort value)
{
    while (count-- > 0)
        *to++ = value;
}

static void fill_after(jshort *to, jint skip, jint count)
{
    jshort *from_there = skip > 0 ? to + skip : to;
    fill(from_there, count, 1);
}

// Written by a function of the same file, ...
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_fill(JNIEnv *env, jclass cls, jshortArray to, jint count)
{
    (void)cls;
    jshort *t = (*env)->GetShortArrayElements(env, to, NULL);
    if (t == NULL)
        return;
    fill(t, count, 1);
    // expect-next: buffer-abort-lost-write
    (*env)->ReleaseShortArrayElements(env, to, t, JNI_ABORT);
}

// ... by one that it calls.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_fillAfter(JNIEnv *env, jclass cls, jshortArray to, jint skip)
{
    (void)cls;
    jshort *t = (*env)->GetShortArrayElements(env, to, NULL);
    if (t == NULL)
        return;
    fill_after(t, skip, 1);
    // expect-next: buffer-abort-lost-write
    (*env)->ReleaseShortArrayElements(env, to, t, JNI_ABORT);
}

// The region function writes into the elements.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_copy(JNIEnv *env, jclass cls, jlongArray from, jlongArray to)
{
    (void)cls;
    jlong *target = (*env)->GetLongArrayElements(env, to, NULL);
    if (target == NULL)
        return;
    (*env)->GetLongArrayRegion(env, from, 0, 4, target);
    // expect-next: buffer-abort-lost-write
    (*env)->ReleaseLongArrayElements(env, to, target, JNI_ABORT);
}

// The mode is held in a variable that nothing ever changes.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_sum(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    jint sum = 0, mode = JNI_ABORT;
    (void)cls;
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return 0;
    for (jint i = 0; i < count; i++) {
        sum += v[i];
        v[i] = sum;
    }
    // expect-next: buffer-abort-lost-write
    (*env)->ReleaseIntArrayElements(env, values, v, mode);
    return sum;
}

// Two ways out, and neither of them copies back; one throws.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_decode(JNIEnv *env, jclass cls, jbyteArray data, jint count)
{
    (void)cls;
    jbyte *d = (*env)->GetByteArrayElements(env, data, NULL);
    if (d == NULL)
        return;
    for (jint i = 0; i < count; i++) {
        if (d[i] < 0) {
            (*env)->ReleaseByteArrayElements(env, data, d, JNI_ABORT);
            (*env)->ThrowNew(env, gFailure, "not encoded");
            return;
        }
        d[i] ^= 0x55;
    }
    // expect-next: buffer-abort-lost-write
    (*env)->ReleaseByteArrayElements(env, data, d, JNI_ABORT);
}

// A helper gives them back, with a mode of its own or the one that it is told.
static void dropPixels(JNIEnv *env, jintArray pixels, jint *data)
{
    (*env)->ReleaseIntArrayElements(env, pixels, data, JNI_ABORT);
}

static void putPixels(JNIEnv *env, jintArray pixels, jint *data, jint mode)
{
    (*env)->ReleaseIntArrayElements(env, pixels, data, mode);
}

JNIEXPORT void JNICALL
Java_org_example_img_Filter_invert(JNIEnv *env, jclass cls, jintArray pixels, jint last)
{
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return;
    data[0] = ~data[0];
    dropPixels(env, pixels, data); // expect: buffer-abort-lost-write
    data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return;
    data[1] = last;
    putPixels(env, pixels, data, JNI_ABORT); // expect: buffer-abort-lost-write
}
