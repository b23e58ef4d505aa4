// SPDX-License-Identifier: Apache-2.0
//
// Walks that leave the first address intact, or come back to it.

#include <jni.h>

struct reader {
    jbyte *start;
    const jbyte *at;
};

void put_byte(int byte);
const char *skip_prefix(const char *text);

// A second pointer walks.
JNIEXPORT jint JNICALL
Java_org_example_wav_Reader_sum(JNIEnv *env, jclass cls, jintArray samples, jint count)
{
    jint sum = 0;
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, samples, NULL);
    if (data == NULL)
        return 0;
    for (const jint *p = data; p < data + count; p++)
        sum += *p;
    (*env)->ReleaseIntArrayElements(env, samples, data, JNI_ABORT); // ok: buffer-release-moved-pointer
    return sum;
}

JNIEXPORT void JNICALL
Java_org_example_wav_Reader_print(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    const char *chars, *c;
    if ((c = chars = (*env)->GetStringUTFChars(env, text, NULL)) == NULL)
        return;
    while (*c != '\0')
        put_byte(*c++);
    (*env)->ReleaseStringUTFChars(env, text, chars); // ok: buffer-release-moved-pointer
}

// There and back by the same amount.
JNIEXPORT jint JNICALL
Java_org_example_wav_Reader_channels(JNIEnv *env, jclass cls, jbyteArray file, jint offset)
{
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, file, NULL);
    if (data == NULL)
        return -1;
    data += 44;
    jint channels = data[0];
    data -= 44;
    data += offset;
    channels += data[0];
    (*env)->ReleaseByteArrayElements(env, file, data - offset, JNI_ABORT); // ok: buffer-release-moved-pointer
    return channels;
}

// Through the whole array, and back by its length.
JNIEXPORT jint JNICALL
Java_org_example_wav_Reader_max(JNIEnv *env, jclass cls, jshortArray samples, jint count)
{
    jshort most = 0;
    (void)cls;
    jshort *p = (*env)->GetShortArrayElements(env, samples, NULL);
    if (p == NULL)
        return 0;
    jshort *end = p + count;
    while (p < end) {
        if (*p > most)
            most = *p;
        p++;
    }
    p -= count;
    (*env)->ReleaseShortArrayElements(env, samples, p, JNI_ABORT); // ok: buffer-release-moved-pointer
    return most;
}

// Downwards with an index, or with a pointer that is 1 too large.
JNIEXPORT jint JNICALL
Java_org_example_wav_Reader_last(JNIEnv *env, jclass cls, jintArray samples, jint count)
{
    jint last = 0;
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, samples, NULL);
    if (data == NULL)
        return 0;
    jint *p = data + count;
    while (p > data && last == 0)
        last = *--p;
    (*env)->ReleaseIntArrayElements(env, samples, &data[0], JNI_ABORT); // ok: buffer-release-moved-pointer
    return last;
}

// A struct that knows both.
JNIEXPORT jint JNICALL
Java_org_example_wav_Reader_skip(JNIEnv *env, jclass cls, jbyteArray file, jint length)
{
    struct reader r;
    (void)cls;
    r.start = (*env)->GetByteArrayElements(env, file, NULL);
    r.at = r.start;
    if (r.start == NULL)
        return -1;
    while (length > 0 && *r.at == 0) {
        r.at++;
        length--;
    }
    (*env)->ReleaseByteArrayElements(env, file, r.start, JNI_ABORT); // ok: buffer-release-moved-pointer
    return length;
}

// The variable is used for something else, and set back.
JNIEXPORT jint JNICALL
Java_org_example_wav_Reader_prefix(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    const char *chars = (*env)->GetStringUTFChars(env, text, NULL);
    if (chars == NULL)
        return -1;
    const char *saved = chars;
    chars = skip_prefix(chars);
    jint first = chars != NULL ? chars[0] : 0;
    chars = saved;
    (*env)->ReleaseStringUTFChars(env, text, chars); // ok: buffer-release-moved-pointer
    return first;
}

// Nothing was taken when the pointer is NULL: the offset is that of another buffer.
JNIEXPORT jint JNICALL
Java_org_example_wav_Reader_window(JNIEnv *env, jclass cls, jintArray samples, jint from, jint to)
{
    jint sum = 0;
    (void)cls;
    jint *data = (*env)->GetIntArrayElements(env, samples, NULL);
    if (data == NULL)
        return -1;
    jint *window = data + from;
    for (jint i = 0; i < to - from; i++)
        sum += window[i];
    (*env)->ReleaseIntArrayElements(env, samples, data, JNI_ABORT); // ok: buffer-release-moved-pointer
    return sum;
}
