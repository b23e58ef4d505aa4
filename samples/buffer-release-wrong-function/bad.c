// SPDX-License-Identifier: Apache-2.0
//
// Buffers given back by the function for another kind: another element type, another encoding, the
// critical function for an ordinary buffer, or free.

#include <jni.h>
#include <stdlib.h>
#include <string.h>

void log_text(const char *text);
jint checksum(const jbyte *data, jsize length);
void fill(void *data, jsize length);

#define RELEASE_BYTES(env, array, data)                                                            \
    (*(env))->ReleaseByteArrayElements((env), (array), (jbyte *)(data), JNI_ABORT)

// A cast makes the compiler content; one byte in four is copied back.
JNIEXPORT void JNICALL
Java_org_example_codec_Codec_clear(JNIEnv *env, jclass cls, jintArray samples, jsize length)
{
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, samples, NULL);
    if (data == NULL)
        return;
    for (jsize i = 0; i < length; i++)
        data[i] = 0;
    (*env)->ReleaseByteArrayElements(env, samples, (jbyte *)data, 0); // expect: buffer-release-wrong-function
}

// jchar and jshort are both sixteen bits wide.
JNIEXPORT jint JNICALL
Java_org_example_codec_Codec_first(JNIEnv *env, jclass cls, jcharArray text)
{
    (void)cls;
    jchar *chars = (*env)->GetCharArrayElements(env, text, NULL);
    if (chars == NULL)
        return -1;
    jint first = chars[0];
    (*env)->ReleaseShortArrayElements(env, text, (jshort *)chars, JNI_ABORT); // expect: buffer-release-wrong-function
    return first;
}

// UTF-8 characters, given back as UTF-16 ones.
JNIEXPORT void JNICALL
Java_org_example_codec_Codec_log(JNIEnv *env, jclass cls, jstring message)
{
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, message, NULL);
    if (text == NULL)
        return;
    log_text(text);
    (*env)->ReleaseStringChars(env, message, (const jchar *)text); // expect: buffer-release-wrong-function
}

// What the virtual machine has allocated is not malloc's to free.
JNIEXPORT jint JNICALL
Java_org_example_codec_Codec_length(JNIEnv *env, jclass cls, jstring message)
{
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, message, NULL);
    if (text == NULL)
        return -1;
    jint length = (jint)strlen(text);
    free((void *)text); // expect: buffer-release-wrong-function
    return length;
}

// A cleanup label that frees everything.
JNIEXPORT jint JNICALL
Java_org_example_codec_Codec_checksum(JNIEnv *env, jclass cls, jbyteArray bytes, jsize length)
{
    jint sum = -1;
    jbyte *data = NULL;
    char *scratch = malloc(64);
    (void)cls;
    if (scratch == NULL)
        return -1;
    data = (*env)->GetByteArrayElements(env, bytes, NULL);
    if (data == NULL)
        goto out;
    sum = checksum(data, length);
out:
    free(data); // expect: buffer-release-wrong-function
    free(scratch);
    return sum;
}

// An ordinary buffer, given back as if it were a critical region.
JNIEXPORT void JNICALL
Java_org_example_codec_Codec_fill(JNIEnv *env, jclass cls, jfloatArray samples, jsize length)
{
    (void)cls;
    jfloat *data = (*env)->GetFloatArrayElements(env, samples, NULL);
    if (data == NULL)
        return;
    fill(data, length);
    (*env)->ReleasePrimitiveArrayCritical(env, samples, data, 0); // expect: buffer-release-wrong-function
}

// The macro names the type that its author had in mind.
JNIEXPORT jdouble JNICALL
Java_org_example_codec_Codec_sum(JNIEnv *env, jclass cls, jdoubleArray values, jint count)
{
    jdouble sum = 0;
    (void)cls;
    jdouble *data = (*env)->GetDoubleArrayElements(env, values, NULL);
    if (data == NULL)
        return 0;
    for (jint i = 0; i < count; i++)
        sum += data[i];
    RELEASE_BYTES(env, values, data); // expect: buffer-release-wrong-function
    return sum;
}

// realloc frees, too.
JNIEXPORT jint JNICALL
Java_org_example_codec_Codec_join(JNIEnv *env, jclass cls, jstring left)
{
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, left, NULL);
    if (text == NULL)
        return -1;
    char *longer = realloc((char *)text, 512); // expect: buffer-release-wrong-function
    if (longer == NULL)
        return -1;
    jint length = (jint)strlen(longer);
    free(longer);
    return length;
}

static jint *openInts(JNIEnv *env, jintArray array)
{
    return (*env)->GetIntArrayElements(env, array, NULL);
}

// A helper has acquired it.
JNIEXPORT jint JNICALL
Java_org_example_num_Numbers_head(JNIEnv *env, jclass cls, jintArray array)
{
    (void)cls;
    jint *data = openInts(env, array);
    if (data == NULL)
        return -1;
    jint first = data[0];
    // expect-next: buffer-release-wrong-function
    (*env)->ReleaseLongArrayElements(env, (jlongArray)array, (jlong *)data, JNI_ABORT);
    return first;
}
