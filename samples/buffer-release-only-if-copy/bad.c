// SPDX-License-Identifier: Apache-2.0
//
// Buffers that are given back only when they are copies. One that is none is pinned, or blocks the
// collector, and stays so. HotSpot copies elements always, so it goes unnoticed there; critical
// arrays it hands out in place. The finding is at the acquisition.

#include <jni.h>
#include <string.h>

int open_file(const char *path);
int parse(const jbyte *data, jint length);

// The comment in the example this was copied from said: free the copy.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_parse(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    jboolean isCopy = JNI_FALSE;
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, input, &isCopy); // expect: buffer-release-only-if-copy
    if (data == NULL)
        return -1;
    jint result = parse(data, length);
    if (isCopy)
        (*env)->ReleaseByteArrayElements(env, input, data, JNI_ABORT);
    return result;
}

// Compared with JNI_TRUE, and a string.
JNIEXPORT jint JNICALL
Java_org_example_fs_Files_open(JNIEnv *env, jclass cls, jstring path)
{
    jboolean copied;
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, &copied); // expect: buffer-release-only-if-copy
    if (name == NULL)
        return -1;
    int fd = open_file(name);
    if (copied == JNI_TRUE)
        (*env)->ReleaseStringUTFChars(env, path, name);
    return fd;
}

// A critical region that ends only where there was none.
JNIEXPORT jint JNICALL
Java_org_example_fs_Reader_sum(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    jboolean copied;
    jint sum = 0;
    (void)cls;
    jint *data = (*env)->GetPrimitiveArrayCritical(env, values, &copied); // expect: buffer-release-only-if-copy
    if (data == NULL)
        return -1;
    for (jint i = 0; i < count; i++)
        sum += data[i];
    if (copied != JNI_FALSE)
        (*env)->ReleasePrimitiveArrayCritical(env, values, data, JNI_ABORT);
    return sum;
}

// Left early when it is no copy.
JNIEXPORT jint JNICALL
Java_org_example_fs_Names_hash(JNIEnv *env, jclass cls, jstring name)
{
    jboolean copied = JNI_TRUE;
    jint hash = 0;
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    const jchar *chars = (*env)->GetStringChars(env, name, &copied); // expect: buffer-release-only-if-copy
    if (chars == NULL)
        return 0;
    for (jsize i = 0; i < length; i++)
        hash = hash * 31 + chars[i];
    if (!copied)
        return hash;
    (*env)->ReleaseStringChars(env, name, chars);
    return hash;
}

// Together with another condition, which is right, and in a loop.
JNIEXPORT void JNICALL
Java_org_example_fs_Reader_fill(JNIEnv *env, jclass cls, jobjectArray rows, jint count)
{
    (void)cls;
    for (jint i = 0; i < count; i++) {
        jboolean copied;
        jintArray row = (jintArray)(*env)->GetObjectArrayElement(env, rows, i);
        if ((*env)->ExceptionCheck(env) || row == NULL)
            return;
        jint *data = (*env)->GetIntArrayElements(env, row, &copied); // expect: buffer-release-only-if-copy
        if (data != NULL)
            data[0] = i;
        if (data != NULL && copied)
            (*env)->ReleaseIntArrayElements(env, row, data, 0);
        (*env)->DeleteLocalRef(env, row);
    }
}
