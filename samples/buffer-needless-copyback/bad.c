// SPDX-License-Identifier: Apache-2.0
//
// Elements that are only read and released with mode 0: where the virtual machine made a copy, all
// of it is copied back into the array, over whatever other threads have stored there meanwhile. The
// finding is at the release.

#include <jni.h>
#include <string.h>

static jclass gFailure; // global reference, java.lang.IllegalStateException

unsigned checksum(const void *data, size_t length);

#define RELEASE(env, array, data) (*(env))->ReleaseByteArrayElements((env), (array), (data), 0)

JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_sum(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    jint sum = 0;
    (void)cls;
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return 0;
    for (jint i = 0; i < count; i++)
        sum += v[i];
    (*env)->ReleaseIntArrayElements(env, values, v, 0); // expect: buffer-needless-copyback
    return sum;
}

// Given to a function that takes it as const.
JNIEXPORT jint JNICALL
Java_org_example_zip_Sums_sum(JNIEnv *env, jclass cls, jbyteArray data, jint offset, jint length)
{
    (void)cls;
    jbyte *d = (*env)->GetByteArrayElements(env, data, NULL);
    if (d == NULL)
        return 0;
    unsigned sum = checksum(d + offset, (size_t)length);
    RELEASE(env, data, d); // expect: buffer-needless-copyback
    return (jint)sum;
}

// Critical access makes a copy on some virtual machines, too.
JNIEXPORT jboolean JNICALL
Java_org_example_zip_Sums_equal(JNIEnv *env, jclass cls, jbyteArray a, jbyteArray b, jint length)
{
    jboolean equal = JNI_FALSE;
    (void)cls;
    void *x = (*env)->GetPrimitiveArrayCritical(env, a, NULL);
    if (x == NULL)
        return JNI_FALSE;
    void *y = (*env)->GetPrimitiveArrayCritical(env, b, NULL);
    if (y != NULL) {
        equal = memcmp(x, y, (size_t)length) == 0;
        (*env)->ReleasePrimitiveArrayCritical(env, b, y, 0); // expect: buffer-needless-copyback
    }
    (*env)->ReleasePrimitiveArrayCritical(env, a, x, JNI_ABORT);
    return equal;
}

// The array is copied by hand.
JNIEXPORT void JNICALL
Java_org_example_zip_Sums_load(JNIEnv *env, jclass cls, jbyteArray table)
{
    static jbyte copy[256];
    (void)cls;
    if ((*env)->GetArrayLength(env, table) < 256)
        return;
    jbyte *t = (*env)->GetByteArrayElements(env, table, NULL);
    if (t == NULL)
        return;
    memcpy(copy, t, sizeof copy);
    RELEASE(env, table, t); // expect: buffer-needless-copyback
}

// Two ways out.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_find(JNIEnv *env, jclass cls, jintArray values, jint count, jint x)
{
    (void)cls;
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return -1;
    for (jint i = 0; i < count; i++)
        if (v[i] == x) {
            (*env)->ReleaseIntArrayElements(env, values, v, JNI_ABORT);
            return i;
        }
    (*env)->ReleaseIntArrayElements(env, values, v, 0); // expect: buffer-needless-copyback
    (*env)->ThrowNew(env, gFailure, "not there");
    return -1;
}
