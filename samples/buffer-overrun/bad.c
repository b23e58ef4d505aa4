// SPDX-License-Identifier: Apache-2.0
//
// Array elements accessed where the array has none. Behind the copy that HotSpot makes lies the
// heap of the C library, behind the array itself the next Java object. The finding is at the access.

#include <jni.h>
#include <string.h>

// The classical loop that runs one turn too often.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_clear(JNIEnv *env, jclass cls, jintArray values)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, values);
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return;
    for (jsize i = 0; i <= count; i++)
        v[i] = 0; // expect: buffer-overrun
    (*env)->ReleaseIntArrayElements(env, values, v, 0);
}

// A terminator where a byte array has no room for one.
JNIEXPORT void JNICALL
Java_org_example_math_Text_lower(JNIEnv *env, jclass cls, jbyteArray text)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, text);
    jbyte *t = (*env)->GetByteArrayElements(env, text, NULL);
    if (t == NULL)
        return;
    t[length] = '\0'; // expect: buffer-overrun
    for (jsize i = 0; i < length; i++)
        t[i] |= 0x20;
    (*env)->ReleaseByteArrayElements(env, text, t, 0);
}

// Counting down from the length; the first turn is the wrong one.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_negate(JNIEnv *env, jclass cls, jlongArray values)
{
    (void)cls;
    jsize i = (*env)->GetArrayLength(env, values);
    jlong *v = (*env)->GetPrimitiveArrayCritical(env, values, NULL);
    if (v == NULL)
        return;
    while (i >= 0) {
        v[i] = 1; // expect: buffer-overrun
        i--;
    }
    (*env)->ReleasePrimitiveArrayCritical(env, values, v, 0);
}

// An array that was made here, of known length.
JNIEXPORT jintArray JNICALL
Java_org_example_math_Vectors_table(JNIEnv *env, jclass cls)
{
    const jsize size = 16;
    (void)cls;
    jintArray result = (*env)->NewIntArray(env, size);
    if (result == NULL)
        return NULL;
    jint *r = (*env)->GetIntArrayElements(env, result, NULL);
    if (r == NULL)
        return NULL;
    r[0] = 1;
    r[16] = 2; // expect: buffer-overrun
    (*env)->ReleaseIntArrayElements(env, result, r, 0);
    return result;
}

// The same with a loop whose bound is a constant of its own.
JNIEXPORT jintArray JNICALL
Java_org_example_math_Vectors_squares(JNIEnv *env, jclass cls)
{
    (void)cls;
    jintArray result = (*env)->NewIntArray(env, 10);
    if (result == NULL)
        return NULL;
    jint *r = (*env)->GetIntArrayElements(env, result, NULL);
    if (r == NULL)
        return NULL;
    for (int i = 0; i < 12; i++)
        r[i] = i * i; // expect: buffer-overrun
    (*env)->ReleaseIntArrayElements(env, result, r, 0);
    return result;
}

// The test says that the array has four elements.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_version(JNIEnv *env, jclass cls, jintArray parts)
{
    (void)cls;
    if ((*env)->GetArrayLength(env, parts) != 4)
        return -1;
    jint *p = (*env)->GetIntArrayElements(env, parts, NULL);
    if (p == NULL)
        return -1;
    jint version = p[1] * 100 + p[4]; // expect: buffer-overrun
    (*env)->ReleaseIntArrayElements(env, parts, p, JNI_ABORT);
    return version;
}

// In front of the array.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_mark(JNIEnv *env, jclass cls, jshortArray marks)
{
    (void)cls;
    jshort *m = (*env)->GetShortArrayElements(env, marks, NULL);
    if (m == NULL)
        return;
    m[-1] = 1; // expect: buffer-overrun
    (*env)->ReleaseShortArrayElements(env, marks, m, 0);
}

// Sixty-four bytes into eight elements of four.
JNIEXPORT jintArray JNICALL
Java_org_example_math_Vectors_copy(JNIEnv *env, jclass cls)
{
    static const jint table[16] = {1, 2, 3};
    (void)cls;
    jintArray result = (*env)->NewIntArray(env, 8);
    if (result == NULL)
        return NULL;
    jint *r = (*env)->GetIntArrayElements(env, result, NULL);
    if (r == NULL)
        return NULL;
    memcpy(r, table, sizeof table); // expect: buffer-overrun
    (*env)->ReleaseIntArrayElements(env, result, r, 0);
    return result;
}

// The array has as many elements as the parameter says, numbered from 0.
JNIEXPORT jbyteArray JNICALL
Java_org_example_math_Text_pad(JNIEnv *env, jclass cls, jint count)
{
    (void)cls;
    jbyteArray result = (*env)->NewByteArray(env, count);
    if (result == NULL)
        return NULL;
    jbyte *r = (*env)->GetByteArrayElements(env, result, NULL);
    if (r == NULL)
        return NULL;
    r[count] = ' '; // expect: buffer-overrun
    (*env)->ReleaseByteArrayElements(env, result, r, 0);
    return result;
}
