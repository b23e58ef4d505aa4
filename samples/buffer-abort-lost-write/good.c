// SPDX-License-Identifier: Apache-2.0
//
// JNI_ABORT where it belongs: for what was only read, for what an error has spoilt, for secrets
// that are wiped, and beside another release that copies back.

#include <jni.h>
#include <string.h>

static jclass gFailure; // global reference, java.lang.IllegalStateException

int transform(jint *values, jint count);
void throw_failure(JNIEnv *env, const char *text);
int log_in(const jbyte *password, jsize length);

// Only read.
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
    (*env)->ReleaseIntArrayElements(env, values, v, JNI_ABORT);
    return sum;
}

// Half decoded data is of no use: abort when it goes wrong, copy back otherwise.
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
    (*env)->ReleaseByteArrayElements(env, data, d, 0);
}

// The mode is a variable: aborts unless everything went well.
JNIEXPORT jboolean JNICALL
Java_org_example_math_Vectors_apply(JNIEnv *env, jclass cls, jintArray array, jint count)
{
    jint mode = JNI_ABORT;
    (void)cls;
    jint *v = (*env)->GetIntArrayElements(env, array, NULL);
    if (v == NULL)
        return JNI_FALSE;
    v[0] = count;
    if (transform(v, count) == 0)
        mode = 0;
    (*env)->ReleaseIntArrayElements(env, array, v, mode);
    return mode == 0 ? JNI_TRUE : JNI_FALSE;
}

// One release whose mode is chosen on the spot.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_tryApply(JNIEnv *env, jclass cls, jintArray array, jint count)
{
    (void)cls;
    jint *v = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (v == NULL)
        return -1;
    v[0] = count;
    int status = transform(v, count);
    (*env)->ReleasePrimitiveArrayCritical(env, array, v, status < 0 ? JNI_ABORT : 0);
    return status;
}

static jint largest(jint *values, jint count)
{
    jint most = 0;
    for (jint i = 0; i < count; i++)
        if (values[i] > most)
            most = values[i];
    return most;
}

// A function of the same file that only reads, though its parameter is not const.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_largest(JNIEnv *env, jclass cls, jintArray array, jint count)
{
    (void)cls;
    jint *v = (*env)->GetIntArrayElements(env, array, NULL);
    if (v == NULL)
        return -1;
    jint most = largest(v, count);
    (*env)->ReleaseIntArrayElements(env, array, v, JNI_ABORT);
    return most;
}

// Whether an unknown function writes is not known.
JNIEXPORT jint JNICALL
Java_org_example_math_Vectors_check(JNIEnv *env, jclass cls, jintArray array, jint count)
{
    (void)cls;
    jint *v = (*env)->GetIntArrayElements(env, array, NULL);
    if (v == NULL)
        return -1;
    int status = transform(v, count);
    (*env)->ReleaseIntArrayElements(env, array, v, JNI_ABORT);
    return status;
}

// JNI_COMMIT after the last store; the final release has nothing left to copy.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_mark(JNIEnv *env, jclass cls, jintArray marks, jint count)
{
    (void)cls;
    jint *m = (*env)->GetIntArrayElements(env, marks, NULL);
    if (m == NULL)
        return;
    m[0] = count;
    (*env)->ReleaseIntArrayElements(env, marks, m, JNI_COMMIT);
    (*env)->ReleaseIntArrayElements(env, marks, m, JNI_ABORT);
}

// A secret is wiped before its copy is freed; the Java array is not meant.
JNIEXPORT jint JNICALL
Java_org_example_auth_Session_logIn(JNIEnv *env, jclass cls, jbyteArray password)
{
    (void)cls;
    jsize length = (*env)->GetArrayLength(env, password);
    jbyte *secret = (*env)->GetByteArrayElements(env, password, NULL);
    if (secret == NULL)
        return -1;
    int status = log_in(secret, length);
    memset(secret, 0, (size_t)length);
    (*env)->ReleaseByteArrayElements(env, password, secret, JNI_ABORT);
    return status;
}

// Whatever the path, the single release of this branch is followed by a throw.
JNIEXPORT void JNICALL
Java_org_example_auth_Session_fail(JNIEnv *env, jclass cls, jintArray state, jint code)
{
    (void)cls;
    jint *s = (*env)->GetIntArrayElements(env, state, NULL);
    if (s == NULL)
        return;
    s[0] = code;
    (*env)->ReleaseIntArrayElements(env, state, s, JNI_ABORT);
    throw_failure(env, "no session");
}

// The elements serve as room to work in; the result is set explicitly.
JNIEXPORT void JNICALL
Java_org_example_math_Vectors_reverse(JNIEnv *env, jclass cls, jintArray from, jintArray to)
{
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, from);
    jint *v = (*env)->GetIntArrayElements(env, from, NULL);
    if (v == NULL)
        return;
    for (jsize i = 0; i < count / 2; i++) {
        jint t = v[i];
        v[i] = v[count - 1 - i];
        v[count - 1 - i] = t;
    }
    (*env)->SetIntArrayRegion(env, to, 0, count, v);
    (*env)->ReleaseIntArrayElements(env, from, v, JNI_ABORT);
}

// A helper gives them back with the mode that it is told, or with one that depends on success.
static void putPixels(JNIEnv *env, jintArray pixels, jint *data, jint mode)
{
    (*env)->ReleaseIntArrayElements(env, pixels, data, mode);
}

static void endPixels(JNIEnv *env, jintArray pixels, jint *data, jboolean ok)
{
    (*env)->ReleaseIntArrayElements(env, pixels, data, ok ? 0 : JNI_ABORT);
}

JNIEXPORT jint JNICALL
Java_org_example_img_Filter_invert(JNIEnv *env, jclass cls, jintArray pixels, jint last)
{
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return -1;
    data[0] = ~data[0];
    putPixels(env, pixels, data, 0); // ok: buffer-abort-lost-write
    data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return -1;
    data[1] = last;
    endPixels(env, pixels, data, last > 0); // ok: buffer-abort-lost-write
    data = (*env)->GetIntArrayElements(env, pixels, NULL);
    if (data == NULL)
        return -1;
    jint first = data[0];
    putPixels(env, pixels, data, JNI_ABORT); // ok: buffer-abort-lost-write
    return first;
}
