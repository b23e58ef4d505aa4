// SPDX-License-Identifier: Apache-2.0
//
// The three modes, and modes of which only the caller knows what they are.

#include <jni.h>

int parse(const jbyte *data, jint length);
void scale(jint *data, jint count);

// 0: copied back and released.
JNIEXPORT void JNICALL
Java_org_example_fs_Reader_fill(JNIEnv *env, jclass cls, jlongArray target, jlong value)
{
    (void)cls;
    jlong *data = (*env)->GetLongArrayElements(env, target, NULL);
    if (data == NULL)
        return;
    data[0] = value;
    (*env)->ReleaseLongArrayElements(env, target, data, 0); // ok: buffer-release-bad-mode
}

// JNI_ABORT: only read.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_parse(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, input, NULL);
    if (data == NULL)
        return -1;
    jint result = parse(data, length);
    (*env)->ReleaseByteArrayElements(env, input, data, JNI_ABORT); // ok: buffer-release-bad-mode
    return result;
}

// JNI_COMMIT in between, the release at the end.
JNIEXPORT void JNICALL
Java_org_example_fs_Reader_work(JNIEnv *env, jclass cls, jintArray values, jint rounds, jint count)
{
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, values, NULL);
    if (data == NULL)
        return;
    for (jint i = 0; i < rounds; i++) {
        scale(data, count);
        (*env)->ReleaseIntArrayElements(env, values, data, JNI_COMMIT); // ok: buffer-release-bad-mode
    }
    (*env)->ReleaseIntArrayElements(env, values, data, 0); // ok: buffer-release-bad-mode
}

// Chosen by a condition, right on both sides.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_sort(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, values, NULL);
    if (data == NULL)
        return -1;
    scale(data, count);
    (*env)->ReleaseIntArrayElements(env, values, data, data[0] < 0 ? JNI_ABORT : 0); // ok: buffer-release-bad-mode
    return count;
}

// Handed down.
void give_back(JNIEnv *env, jarray array, void *data, jint mode)
{
    (*env)->ReleasePrimitiveArrayCritical(env, array, data, mode); // ok: buffer-release-bad-mode
}

// JNI_FALSE reads oddly, and is 0.
JNIEXPORT void JNICALL
Java_org_example_fs_Reader_clear(JNIEnv *env, jclass cls, jcharArray target)
{
    (void)cls;
    jchar *data = (*env)->GetPrimitiveArrayCritical(env, target, NULL);
    if (data == NULL)
        return;
    data[0] = 0;
    (*env)->ReleasePrimitiveArrayCritical(env, target, data, JNI_FALSE); // ok: buffer-release-bad-mode
}
