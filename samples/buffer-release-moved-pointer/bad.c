// SPDX-License-Identifier: Apache-2.0
//
// The pointer that was handed out is walked along, and what is left of it is given back.

#include <jni.h>

struct reader {
    const jbyte *at;
    jint left;
};

void put_byte(int byte);
jint parse_header(const jbyte *data);
const char *skip_prefix(const char *text);

// `*p++` over the whole array.
JNIEXPORT jint JNICALL
Java_org_example_wav_Reader_sum(JNIEnv *env, jclass cls, jintArray samples, jint count)
{
    jint sum = 0;
    (void)cls;
    jint *p = (*env)->GetIntArrayElements(env, samples, NULL);
    if (p == NULL)
        return 0;
    while (count-- > 0)
        sum += *p++;
    (*env)->ReleaseIntArrayElements(env, samples, p, JNI_ABORT); // expect: buffer-release-moved-pointer
    return sum;
}

// Up to the terminator; a string of length 0 is the only one that goes well.
JNIEXPORT void JNICALL
Java_org_example_wav_Reader_print(JNIEnv *env, jclass cls, jstring text)
{
    (void)cls;
    const char *c = (*env)->GetStringUTFChars(env, text, NULL);
    if (c == NULL)
        return;
    for (; *c != '\0'; c++)
        put_byte(*c);
    (*env)->ReleaseStringUTFChars(env, text, c); // expect: buffer-release-moved-pointer
}

// Behind the header.
JNIEXPORT jint JNICALL
Java_org_example_wav_Reader_channels(JNIEnv *env, jclass cls, jbyteArray file)
{
    (void)cls;
    jbyte *data = (*env)->GetByteArrayElements(env, file, NULL);
    if (data == NULL)
        return -1;
    jint header = parse_header(data);
    data += 44;
    jint channels = header + data[0];
    (*env)->ReleaseByteArrayElements(env, file, data, JNI_ABORT); // expect: buffer-release-moved-pointer
    return channels;
}

// An offset that the caller gives.
JNIEXPORT jint JNICALL
Java_org_example_wav_Reader_at(JNIEnv *env, jclass cls, jshortArray samples, jint offset)
{
    (void)cls;
    jshort *p = (*env)->GetShortArrayElements(env, samples, NULL);
    if (p == NULL || offset <= 0)
        goto out;
    p += offset;
    offset = *p;
out:
    if (p != NULL)
        (*env)->ReleaseShortArrayElements(env, samples, p, JNI_ABORT); // expect: buffer-release-moved-pointer
    return offset;
}

// One step to the left, to index from 1.
JNIEXPORT jdouble JNICALL
Java_org_example_wav_Reader_last(JNIEnv *env, jclass cls, jdoubleArray values, jint n)
{
    (void)cls;
    jdouble *v = (*env)->GetDoubleArrayElements(env, values, NULL);
    if (v == NULL)
        return 0;
    v--;
    jdouble last = v[n];
    (*env)->ReleaseDoubleArrayElements(env, values, v, JNI_ABORT); // expect: buffer-release-moved-pointer
    return last;
}

// Right on success, wrong where the loop was left early.
JNIEXPORT jint JNICALL
Java_org_example_wav_Reader_find(JNIEnv *env, jclass cls, jlongArray marks, jint count, jlong wanted)
{
    jint found = -1;
    (void)cls;
    jlong *p = (*env)->GetLongArrayElements(env, marks, NULL);
    if (p == NULL)
        return -1;
    for (jint i = 0; i < count; i++, p++) {
        if (*p == wanted) {
            found = i;
            break;
        }
    }
    (*env)->ReleaseLongArrayElements(env, marks, p, JNI_ABORT); // expect: buffer-release-moved-pointer
    return found;
}

// In a field of a struct on the stack.
JNIEXPORT jint JNICALL
Java_org_example_wav_Reader_skip(JNIEnv *env, jclass cls, jbyteArray file, jint length)
{
    struct reader r;
    (void)cls;
    r.at = (*env)->GetByteArrayElements(env, file, NULL);
    if (r.at == NULL)
        return -1;
    r.left = length;
    while (r.left > 0 && *r.at == 0) {
        r.at++;
        r.left--;
    }
    (*env)->ReleaseByteArrayElements(env, file, (jbyte *)r.at, JNI_ABORT); // expect: buffer-release-moved-pointer
    return r.left;
}
