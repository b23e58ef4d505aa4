// SPDX-License-Identifier: Apache-2.0
//
// Accesses that stay inside, some of them by a reason that is not the loop condition alone.

#include <jni.h>
#include <string.h>

JNIEXPORT void JNICALL
Java_org_example_math_Vectors_clear(JNIEnv *env, jclass cls, jintArray values)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, values);
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return;
    for (jsize i = 0; i < count; i++)
        v[i] = 0; // ok: buffer-overrun
    (*env)->ReleaseIntArrayElements(env, values, v, 0);
}

// From 1 to the length, one to the left.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_number(JNIEnv *env, jclass cls, jintArray values)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, values);
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return;
    for (jsize i = 1; i <= count; i++)
        v[i - 1] = i; // ok: buffer-overrun
    (*env)->ReleaseIntArrayElements(env, values, v, 0);
}

// The last turn does something else.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_runs(JNIEnv *env, jclass cls, jintArray values)
{
    jint runs = 0, last = 0;
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, values);
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return -1;
    for (jsize i = 0; i <= count; i++) {
        if (i == count) {
            runs++;
            break;
        }
        runs += v[i] != last; // ok: buffer-overrun
        last = v[i];
    }
    (*env)->ReleaseIntArrayElements(env, values, v, JNI_ABORT);
    return runs;
}

// Counting down, minus one before use.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_negate(JNIEnv *env, jclass cls, jlongArray values)
{
    (void)cls;
    jsize i = (*env)->GetArrayLength(env, values);
    jlong *v = (*env)->GetPrimitiveArrayCritical(env, values, NULL);
    if (v == NULL)
        return;
    while (i-- > 0)
        v[i] = -v[i]; // ok: buffer-overrun
    (*env)->ReleasePrimitiveArrayCritical(env, values, v, 0);
}

// One element longer than the parameter says.
JNIEXPORT jbyteArray JNICALL
Java_org_example_math_Text_terminated(JNIEnv *env, jclass cls, jint count)
{
    (void)cls;
    jbyteArray result = (*env)->NewByteArray(env, count + 1);
    if (result == NULL)
        return NULL;
    jbyte *r = (*env)->GetByteArrayElements(env, result, NULL);
    if (r == NULL)
        return NULL;
    r[count] = 0; // ok: buffer-overrun
    (*env)->ReleaseByteArrayElements(env, result, r, 0);
    return result;
}

// Eight integers seen as thirty-two bytes.
JNIEXPORT jintArray JNICALL
Java_org_example_math_Vectors_bytes(JNIEnv *env, jclass cls)
{
    (void)cls;
    jintArray result = (*env)->NewIntArray(env, 8);
    if (result == NULL)
        return NULL;
    jint *r = (*env)->GetIntArrayElements(env, result, NULL);
    if (r == NULL)
        return NULL;
    char *bytes = (char *)r;
    bytes[31] = 1;               // ok: buffer-overrun
    *(jint *)(bytes + 12) = 2;   // ok: buffer-overrun
    memset(r, 0, 8 * sizeof *r); // ok: buffer-overrun
    (*env)->ReleaseIntArrayElements(env, result, r, 0);
    return result;
}

// A pointer that was moved up may look back.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_differences(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    (void)cls;
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return;
    jint *p = v + 1;
    for (jint i = 1; i < count; i++, p++)
        p[0] -= p[-1]; // ok: buffer-overrun
    (*env)->ReleaseIntArrayElements(env, values, v, 0);
}

// The length of another array.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_get(JNIEnv *env, jclass cls, jintArray values, jintArray other)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, other);
    jint *v = (*env)->GetIntArrayElements(env, values, NULL);
    if (v == NULL)
        return -1;
    jint result = v[count]; // ok: buffer-overrun
    (*env)->ReleaseIntArrayElements(env, values, v, JNI_ABORT);
    return result;
}
