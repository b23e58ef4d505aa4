// SPDX-License-Identifier: Apache-2.0
//
// Regions that cannot be: the call throws and copies nothing, or it copies more than the native
// buffer holds, which nobody notices. The finding is at the call, or at the access for an index
// that Java passes unchecked.

#include <jni.h>
#include <stdlib.h>

// The arguments are in the wrong order.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_last(JNIEnv *env, jclass cls, jintArray values)
{
    jint last;
    (void)cls;
    (*env)->GetIntArrayRegion(env, values, -1, 1, &last); // expect: region-bounds
}

// An error code is taken for a length.
JNIEXPORT jbyteArray JNICALL
Java_org_example_math_Vectors_fetch(JNIEnv *env, jclass cls, jint count)
{
    jbyte data[64] = {0};
    jsize got = count > 64 ? -1 : count;
    (void)cls;
    jbyteArray result = (*env)->NewByteArray(env, 64);
    if (result == NULL)
        return NULL;
    if (got < 0)
        (*env)->SetByteArrayRegion(env, result, 0, got, data); // expect: region-bounds
    return result;
}

// More than the array has.
JNIEXPORT jintArray JNICALL
Java_org_example_math_Vectors_limits(JNIEnv *env, jclass cls)
{
    const jint limits[6] = {1, 2, 3, 4, 5, 6};
    (void)cls;
    jintArray result = (*env)->NewIntArray(env, 4);
    if (result == NULL)
        return NULL;
    (*env)->SetIntArrayRegion(env, result, 0, 6, limits); // expect: region-bounds
    return result;
}

// sizeof counts bytes, the function elements.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_first(JNIEnv *env, jclass cls, jintArray values)
{
    jint first[8];
    (void)cls;
    (*env)->GetIntArrayRegion(env, values, 0, sizeof first, first); // expect: region-bounds
    if ((*env)->ExceptionCheck(env))
        return -1;
    return first[0] + first[7];
}

// The whole array, from the second element on.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_tail(JNIEnv *env, jclass cls, jbyteArray from)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, from);
    jbyte *copy = malloc((size_t)length + 1);
    if (copy == NULL)
        return;
    (*env)->GetByteArrayRegion(env, from, 1, length, copy); // expect: region-bounds
    free(copy);
}

// Memory from malloc, a few elements short.
JNIEXPORT jboolean JNICALL
Java_org_example_math_Vectors_check(JNIEnv *env, jclass cls, jlongArray keys)
{
    jboolean good = JNI_FALSE;
    (void)cls;
    jlong *k = malloc(16);
    if (k == NULL)
        return JNI_FALSE;
    (*env)->GetLongArrayRegion(env, keys, 0, 4, k); // expect: region-bounds
    if (!(*env)->ExceptionCheck(env))
        good = k[0] != 0;
    free(k);
    return good;
}

// Characters into half the room, from the middle of the buffer on.
JNIEXPORT void JNICALL
Java_org_example_math_Names_prefix(JNIEnv *env, jclass cls, jstring name)
{
    jchar prefix[16];
    (void)cls;
    (*env)->GetStringRegion(env, name, 0, 12, prefix + 8); // expect: region-bounds
}

// Whatever Java passes is the index.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_at(JNIEnv *env, jclass cls, jintArray values, jint index)
{
    (void)cls;
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return -1;
    jint result = v[index]; // expect: region-bounds
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
    jlong *k = engine_array(3, sizeof *k);
    if (k == NULL)
        return JNI_FALSE;
    (*env)->GetLongArrayRegion(env, keys, 0, 4, k); // expect: region-bounds
    if (!(*env)->ExceptionCheck(env))
        good = k[0] != 0;
    engine_free(k);
    return good;
}
