// SPDX-License-Identifier: Apache-2.0
//
// Each buffer goes back the way it came, through casts, macros and helpers; copies of one's own go
// to free.

#include <jni.h>
#include <stdlib.h>
#include <string.h>

typedef union {
    jint *ints;
    jfloat *floats;
    void *any;
} buffer;

void log_text(const char *text);
jint checksum(const jbyte *data, jsize length);

#define GET(env, Type, array) (*(env))->Get##Type##ArrayElements((env), (array), NULL)
#define RELEASE(env, Type, array, data)                                                            \
    (*(env))->Release##Type##ArrayElements((env), (array), (data), JNI_ABORT)

// Unsigned bytes are what C works on; the function is still that of the array's type.
JNIEXPORT jint JNICALL
Java_org_example_codec_Codec_sum(JNIEnv *env, jclass cls, jbyteArray bytes, jsize length)
{
    jint sum = 0;
    (void)cls;
    unsigned char *data = (unsigned char *)(*env)->GetByteArrayElements(env, bytes, NULL);
    if (data == NULL)
        return -1;
    for (jsize i = 0; i < length; i++)
        sum += data[i];
    (*env)->ReleaseByteArrayElements(env, bytes, (jbyte *)data, JNI_ABORT); // ok: buffer-release-wrong-function
    return sum;
}

// A copy made with strdup, and the buffer it was made from.
JNIEXPORT jint JNICALL
Java_org_example_codec_Codec_words(JNIEnv *env, jclass cls, jstring message)
{
    jint words = 0;
    (void)cls;
    const char *text = (*env)->GetStringUTFChars(env, message, NULL);
    if (text == NULL)
        return -1;
    char *copy = strdup(text);
    (*env)->ReleaseStringUTFChars(env, message, text); // ok: buffer-release-wrong-function
    if (copy == NULL)
        return -1;
    for (char *c = strchr(copy, ' '); c != NULL; c = strchr(c + 1, ' '))
        words++;
    free(copy); // ok: buffer-release-wrong-function
    return words;
}

// One variable for both: malloc for long inputs, the array's elements for short ones.
JNIEXPORT jint JNICALL
Java_org_example_codec_Codec_checksum(JNIEnv *env, jclass cls, jbyteArray bytes, jsize length)
{
    jbyte *data = NULL;
    jboolean own = length > 4096;
    (void)cls;
    if (own) {
        data = malloc((size_t)length);
        if (data != NULL)
            (*env)->GetByteArrayRegion(env, bytes, 0, length, data);
        if ((*env)->ExceptionCheck(env)) {
            free(data);
            return -1;
        }
    } else {
        data = (*env)->GetByteArrayElements(env, bytes, NULL);
    }
    if (data == NULL)
        return -1;
    jint sum = checksum(data, length);
    if (own)
        free(data); // ok: buffer-release-wrong-function
    else
        (*env)->ReleaseByteArrayElements(env, bytes, data, JNI_ABORT); // ok: buffer-release-wrong-function
    return sum;
}

// The type is pasted in.
JNIEXPORT jint JNICALL
Java_org_example_codec_Codec_firstOf(JNIEnv *env, jclass cls, jshortArray shorts, jlongArray longs)
{
    (void)cls;
    jshort *s = GET(env, Short, shorts);
    if (s == NULL)
        return -1;
    jint first = s[0];
    RELEASE(env, Short, shorts, s); // ok: buffer-release-wrong-function
    jlong *l = GET(env, Long, longs);
    if (l == NULL)
        return -1;
    first += (jint)l[0];
    RELEASE(env, Long, longs, l); // ok: buffer-release-wrong-function
    return first;
}

// By kind, in one function: the kind decides about both calls.
JNIEXPORT jint JNICALL
Java_org_example_codec_Codec_any(JNIEnv *env, jclass cls, jobject array, jboolean floats)
{
    buffer b;
    jint first;
    (void)cls;
    if (floats)
        b.floats = (*env)->GetFloatArrayElements(env, array, NULL);
    else
        b.ints = (*env)->GetIntArrayElements(env, array, NULL);
    if (b.any == NULL)
        return -1;
    first = floats ? (jint)b.floats[0] : b.ints[0];
    if (floats)
        (*env)->ReleaseFloatArrayElements(env, array, b.floats, JNI_ABORT); // ok: buffer-release-wrong-function
    else
        (*env)->ReleaseIntArrayElements(env, array, b.ints, JNI_ABORT); // ok: buffer-release-wrong-function
    return first;
}

// A pair of helpers around both kinds of characters.
static const char *textOf(JNIEnv *env, jstring s)
{
    return s != NULL ? (*env)->GetStringUTFChars(env, s, NULL) : NULL;
}

static void doneWith(JNIEnv *env, jstring s, const char *text)
{
    if (text != NULL)
        (*env)->ReleaseStringUTFChars(env, s, text); // ok: buffer-release-wrong-function
}

JNIEXPORT void JNICALL
Java_org_example_codec_Codec_log(JNIEnv *env, jclass cls, jstring message)
{
    (void)cls;
    const char *text = textOf(env, message);
    if (text != NULL)
        log_text(text);
    doneWith(env, message, text);
    const jchar *chars = (*env)->GetStringChars(env, message, NULL);
    if (chars == NULL)
        return;
    log_text(chars[0] == '#' ? "comment" : "text");
    (*env)->ReleaseStringChars(env, message, chars); // ok: buffer-release-wrong-function
}

// The result of a struct's own allocation, freed beside the buffer's release.
JNIEXPORT jint JNICALL
Java_org_example_codec_Codec_lines(JNIEnv *env, jclass cls, jstring message)
{
    const char *text = NULL;
    char *scratch = NULL;
    jint lines = -1;
    (void)cls;
    if ((text = (*env)->GetStringUTFChars(env, message, NULL)) == NULL)
        goto out;
    if ((scratch = malloc(strlen(text) + 1)) == NULL)
        goto out;
    strcpy(scratch, text);
    lines = strchr(scratch, '\n') != NULL ? 2 : 1;
out:
    free(scratch); // ok: buffer-release-wrong-function
    if (text != NULL)
        (*env)->ReleaseStringUTFChars(env, message, text); // ok: buffer-release-wrong-function
    return lines;
}

// A helper acquires elements of either type, and its caller knows which.
static void *openEither(JNIEnv *env, jarray array, jboolean wide)
{
    return wide ? (void *)(*env)->GetLongArrayElements(env, array, NULL)
                : (void *)(*env)->GetIntArrayElements(env, array, NULL);
}

JNIEXPORT jint JNICALL
Java_org_example_num_Numbers_head(JNIEnv *env, jclass cls, jintArray array)
{
    (void)cls;
    jint *data = openEither(env, array, JNI_FALSE);
    if (data == NULL)
        return -1;
    jint first = data[0];
    (*env)->ReleaseIntArrayElements(env, array, data, JNI_ABORT); // ok: buffer-release-wrong-function
    return first;
}
