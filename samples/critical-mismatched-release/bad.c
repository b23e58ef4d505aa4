// SPDX-License-Identifier: Apache-2.0
//
// Critical regions that are not ended by the call that should end them: another function, another
// array or string, another pointer, or a region that has ended already.

#include <jni.h>
#include <stdlib.h>
#include <string.h>

int compress_block(const void *in, jsize inLength, void *out, jsize outLength);

#define RELEASE_CRITICAL(env, array, data, mode)                                                   \
    do {                                                                                           \
        if ((data) != NULL)                                                                        \
            (*(env))->ReleasePrimitiveArrayCritical((env), (array), (data), (mode));               \
    } while (0)

// The function for ordinary elements.
JNIEXPORT void JNICALL
Java_org_example_zip_Deflater_clear(JNIEnv *env, jclass cls, jbyteArray bytes, jsize length)
{
    (void)cls;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, bytes, NULL);
    if (data == NULL)
        return;
    memset(data, 0, (size_t)length);
    (*env)->ReleaseByteArrayElements(env, bytes, data, 0); // expect: critical-mismatched-release
}

// Input and output swapped.
JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_block(JNIEnv *env, jclass cls, jbyteArray in, jsize inLength,
                                    jbyteArray out, jsize outLength)
{
    int size = -1;
    (void)cls;
    void *from = (*env)->GetPrimitiveArrayCritical(env, in, NULL);
    if (from == NULL)
        return -1;
    void *to = (*env)->GetPrimitiveArrayCritical(env, out, NULL);
    if (to != NULL) {
        size = compress_block(from, inLength, to, outLength);
        (*env)->ReleasePrimitiveArrayCritical(env, in, to, 0); // expect: critical-mismatched-release
    }
    (*env)->ReleasePrimitiveArrayCritical(env, out, from, JNI_ABORT); // expect: critical-mismatched-release
    return size;
}

// Walked to the end.
JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_sum(JNIEnv *env, jclass cls, jintArray values, jsize count)
{
    jint sum = 0;
    (void)cls;
    jint *p = (*env)->GetPrimitiveArrayCritical(env, values, NULL);
    if (p == NULL)
        return 0;
    for (jsize i = 0; i < count; i++)
        sum += *p++;
    (*env)->ReleasePrimitiveArrayCritical(env, values, p, JNI_ABORT); // expect: critical-mismatched-release
    return sum;
}

// Ended before the error branch, and in it.
JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_check(JNIEnv *env, jclass cls, jbyteArray bytes, jsize length)
{
    (void)cls;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, bytes, NULL);
    if (data == NULL)
        return -1;
    int bad = data[length - 1] != 0;
    (*env)->ReleasePrimitiveArrayCritical(env, bytes, data, JNI_ABORT);
    if (bad) {
        (*env)->ReleasePrimitiveArrayCritical(env, bytes, data, JNI_ABORT); // expect: critical-mismatched-release
        return -1;
    }
    return 0;
}

// The failure of the second region ends the first one, and so does the label.
JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_pair(JNIEnv *env, jclass cls, jbyteArray in, jsize inLength,
                                   jbyteArray out, jsize outLength)
{
    jint size = -1;
    void *to = NULL;
    (void)cls;
    void *from = (*env)->GetPrimitiveArrayCritical(env, in, NULL);
    if (from == NULL)
        return -1;
    to = (*env)->GetPrimitiveArrayCritical(env, out, NULL);
    if (to == NULL) {
        (*env)->ReleasePrimitiveArrayCritical(env, in, from, JNI_ABORT);
        goto out;
    }
    size = compress_block(from, inLength, to, outLength);
out:
    RELEASE_CRITICAL(env, out, to, 0);
    RELEASE_CRITICAL(env, in, from, JNI_ABORT); // expect: critical-mismatched-release
    return size;
}

// A string's region, ended as if it were made by GetStringChars.
JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_hash(JNIEnv *env, jclass cls, jstring name, jsize length)
{
    jint hash = 0;
    (void)cls;
    const jchar *chars = (*env)->GetStringCritical(env, name, NULL);
    if (chars == NULL)
        return 0;
    for (jsize i = 0; i < length; i++)
        hash = hash * 31 + chars[i];
    (*env)->ReleaseStringChars(env, name, chars); // expect: critical-mismatched-release
    return hash;
}

// Fresh memory on one path, the heap of the virtual machine on the other; free for both.
JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_try(JNIEnv *env, jclass cls, jbyteArray bytes, jsize length)
{
    (void)cls;
    char *data = length > 64 ? malloc((size_t)length) : NULL;
    if (data == NULL)
        data = (*env)->GetPrimitiveArrayCritical(env, bytes, NULL);
    if (data == NULL)
        return -1;
    memset(data, 0, (size_t)length);
    free(data); // expect: critical-mismatched-release
    return 0;
}

// Another string than the one the region was begun with.
JNIEXPORT jboolean JNICALL
Java_org_example_zip_Deflater_startsAlike(JNIEnv *env, jclass cls, jstring a, jstring b)
{
    jboolean alike = JNI_FALSE;
    (void)cls;
    const jchar *first = (*env)->GetStringCritical(env, a, NULL);
    if (first == NULL)
        return JNI_FALSE;
    const jchar *second = (*env)->GetStringCritical(env, b, NULL);
    if (second != NULL) {
        alike = first[0] == second[0];
        (*env)->ReleaseStringCritical(env, b, second);
    }
    (*env)->ReleaseStringCritical(env, b, first); // expect: critical-mismatched-release
    return alike;
}

// The failure of the acquisition is remembered, and forgotten at the end.
JNIEXPORT jint JNICALL
Java_org_example_zip_Deflater_total(JNIEnv *env, jclass cls, jintArray values, jint count)
{
    jint sum = 0;
    (void)cls;
    jint *data = (*env)->GetPrimitiveArrayCritical(env, values, NULL);
    if (data) {
        for (jint i = 0; i < count; i++)
            sum += data[i];
    }
    // expect-next: critical-mismatched-release
    (*env)->ReleasePrimitiveArrayCritical(env, values, data, JNI_ABORT);
    return sum;
}

static void giveBack(JNIEnv *env, jbyteArray bytes, jbyte *data)
{
    (*env)->ReleaseByteArrayElements(env, bytes, data, 0);
}

// A helper uses the wrong function: one finding, not a second one for the call in the region.
JNIEXPORT void JNICALL
Java_org_example_zip_Deflater_mark(JNIEnv *env, jclass cls, jbyteArray bytes)
{
    (void)cls;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, bytes, NULL);
    if (data == NULL)
        return;
    data[0] = 1;
    giveBack(env, bytes, data); // expect: critical-mismatched-release
}
