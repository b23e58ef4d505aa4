// SPDX-License-Identifier: Apache-2.0
//
// Regions that fit, and bounds that only the call knows: it checks them, and throws.

#include <jni.h>
#include <stdlib.h>

struct box {
    jint left, top, right, bottom;
};

int is_in_range(jint index, jsize length);

// The call checks what Java passes.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_at(JNIEnv *env, jclass cls, jintArray values, jint index)
{
    jint value;
    (void)cls;
    (*env)->GetIntArrayRegion(env, values, index, 1, &value); // ok: region-bounds
    if ((*env)->ExceptionCheck(env))
        return -1;
    return value;
}

// As many elements as there are.
JNIEXPORT jintArray JNICALL
Java_org_example_math_Vectors_limits(JNIEnv *env, jclass cls)
{
    const jint limits[6] = {1, 2, 3, 4, 5, 6};
    (void)cls;
    jintArray result = (*env)->NewIntArray(env, sizeof limits / sizeof *limits);
    if (result == NULL)
        return NULL;
    (*env)->SetIntArrayRegion(env, result, 0, 6, limits); // ok: region-bounds
    return result;
}

// The members of a struct, one after the other.
JNIEXPORT jint JNICALL
Java_org_example_math_Boxes_area(JNIEnv *env, jclass cls, jintArray corners)
{
    struct box b;
    (void)cls;
    (*env)->GetIntArrayRegion(env, corners, 0, 4, &b.left); // ok: region-bounds
    if ((*env)->ExceptionCheck(env))
        return -1;
    return (b.right - b.left) * (b.bottom - b.top);
}

// The tail, one shorter than the whole.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_tail(JNIEnv *env, jclass cls, jbyteArray from)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, from);
    if (length == 0)
        return;
    jbyte *copy = malloc((size_t)length);
    if (copy == NULL)
        return;
    (*env)->GetByteArrayRegion(env, from, 1, length - 1, copy); // ok: region-bounds
    free(copy);
}

// In pieces of the buffer's size.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_sum(JNIEnv *env, jclass cls, jbyteArray data)
{
    jbyte piece[256];
    jint sum = 0;
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, data);
    for (jsize at = 0; at < length; at += 256) {
        jsize n = length - at < 256 ? length - at : 256;
        (*env)->GetByteArrayRegion(env, data, at, n, piece); // ok: region-bounds
        if ((*env)->ExceptionCheck(env))
            return -1;
        for (jsize i = 0; i < n; i++)
            sum += piece[i];
    }
    return sum;
}

// An index that is compared, here or by somebody else.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_get(JNIEnv *env, jclass cls, jintArray values, jint i, jint k)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, values);
    if (i < 0 || i >= length || !is_in_range(k, length))
        return -1;
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return -1;
    jint result = v[i] + v[k]; // ok: region-bounds
    (*env)->ReleaseIntArrayElements(env, values, v, JNI_ABORT);
    return result;
}

// Models say how much these give.
void *engine_array(size_t count, size_t size);
void engine_free(void *memory);

JNIEXPORT jboolean JNICALL
Java_org_example_math_Vectors_verify(JNIEnv *env, jclass cls, jlongArray keys)
{
    jboolean good = JNI_FALSE;
    (void)cls;
    jlong *k = engine_array(4, sizeof *k);
    if (k == NULL)
        return JNI_FALSE;
    (*env)->GetLongArrayRegion(env, keys, 0, 4, k); // ok: region-bounds
    if (!(*env)->ExceptionCheck(env))
        good = k[0] != 0;
    engine_free(k);
    return good;
}
