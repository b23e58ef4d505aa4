// SPDX-License-Identifier: Apache-2.0
//
// Critical regions that some path leaves open, or that are still open when the native method
// returns to Java. The finding is at the call that opened the region.

#include <jni.h>
#include <stdint.h>
#include <string.h>

jint decode(const jbyte *data, jint length);
jint checksum(const void *data, size_t length);

static jint *gPixels;

#define PIN_OR_RETURN(env, pointer, array, value)                                                  \
    do {                                                                                           \
        (pointer) = (*(env))->GetPrimitiveArrayCritical((env), (array), NULL);                     \
        if ((pointer) == NULL)                                                                     \
            return (value);                                                                        \
    } while (0)

// An early return on bad input.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_decode(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    (void)cls;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, input, NULL); // expect: critical-unreleased
    if (data == NULL)
        return -1;
    jint result = decode(data, length);
    if (result < 0)
        return result;
    (*env)->ReleasePrimitiveArrayCritical(env, input, data, JNI_ABORT);
    return result;
}

// The second array fails, the first one stays pinned.
JNIEXPORT jboolean JNICALL
Java_org_example_codec_Decoder_copy(JNIEnv *env, jclass cls, jbyteArray target, jbyteArray source,
                                    jint length)
{
    void *to, *from;
    (void)cls;
    PIN_OR_RETURN(env, to, target, JNI_FALSE); // expect: critical-unreleased
    PIN_OR_RETURN(env, from, source, JNI_FALSE);
    memcpy(to, from, (size_t)length);
    (*env)->ReleasePrimitiveArrayCritical(env, source, from, JNI_ABORT);
    (*env)->ReleasePrimitiveArrayCritical(env, target, to, 0);
    return JNI_TRUE;
}

// The label lies behind the release.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_probe(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    jint result = -1;
    (void)cls;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, input, NULL); // expect: critical-unreleased
    if (data == NULL)
        goto out;
    if (length < 4 || data[0] != 'J')
        goto out;
    result = decode(data, length);
    (*env)->ReleasePrimitiveArrayCritical(env, input, data, JNI_ABORT);
out:
    return result;
}

// `continue` skips the release of this turn's region.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_planes(JNIEnv *env, jclass cls, jbyteArray y, jbyteArray u, jbyteArray v,
                                      jint length)
{
    jbyteArray planes[3] = {y, u, v};
    jint total = 0;
    (void)cls;
    for (int i = 0; i < 3; i++) {
        jbyte *data = (*env)->GetPrimitiveArrayCritical(env, planes[i], NULL); // expect: critical-unreleased
        if (data == NULL)
            break;
        jint size = decode(data, length);
        if (size == 0)
            continue;
        total += size;
        (*env)->ReleasePrimitiveArrayCritical(env, planes[i], data, JNI_ABORT);
    }
    return total;
}

// Released only where there was something to write back.
JNIEXPORT void JNICALL
Java_org_example_codec_Encoder_clear(JNIEnv *env, jclass cls, jintArray samples, jint count)
{
    (void)cls;
    jint *data = (*env)->GetPrimitiveArrayCritical(env, samples, NULL); // expect: critical-unreleased
    if (data != NULL) {
        if (count > 0) {
            memset(data, 0, (size_t)count * sizeof *data);
            (*env)->ReleasePrimitiveArrayCritical(env, samples, data, 0);
        }
    }
}

// The same for a string, and an arm of a switch.
JNIEXPORT jint JNICALL
Java_org_example_codec_Names_hash(JNIEnv *env, jclass cls, jstring name, jint kind)
{
    jint result;
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    const jchar *chars = (*env)->GetStringCritical(env, name, NULL); // expect: critical-unreleased
    if (chars == NULL)
        return 0;
    switch (kind) {
    case 0:
        result = length > 0 ? chars[0] : 0;
        break;
    case 1:
        result = checksum(chars, (size_t)length * sizeof *chars);
        break;
    default:
        return -1;
    }
    (*env)->ReleaseStringCritical(env, name, chars);
    return result;
}

// A pair of native methods, `lock` and `unlock`, keeps the region open while Java code runs.
JNIEXPORT jboolean JNICALL
Java_org_example_codec_Bitmap_lock(JNIEnv *env, jclass cls, jintArray pixels)
{
    (void)cls;
    gPixels = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL); // expect: critical-unreleased
    return gPixels != NULL;
}

JNIEXPORT void JNICALL
Java_org_example_codec_Bitmap_unlock(JNIEnv *env, jclass cls, jintArray pixels)
{
    (void)cls;
    if (gPixels != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, pixels, gPixels, 0);
    gPixels = NULL;
}

// Two regions; the second one is forgotten.
JNIEXPORT jboolean JNICALL
Java_org_example_codec_Decoder_same(JNIEnv *env, jclass cls, jbyteArray a, jbyteArray b, jint length)
{
    jboolean same = JNI_FALSE;
    jbyte *first = NULL, *second = NULL;
    (void)cls;
    first = (*env)->GetPrimitiveArrayCritical(env, a, NULL);
    if (first == NULL)
        goto out;
    second = (*env)->GetPrimitiveArrayCritical(env, b, NULL); // expect: critical-unreleased
    if (second == NULL)
        goto out;
    same = memcmp(first, second, (size_t)length) == 0;
out:
    if (first != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, a, first, JNI_ABORT);
    return same;
}

// ---- helpers

struct pin {
    jarray array;
    void *data;
};

static int enterPin(JNIEnv *env, struct pin *pin, jarray array)
{
    pin->array = array;
    pin->data = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    return pin->data != NULL;
}

static void leavePin(JNIEnv *env, struct pin *pin, jint mode)
{
    (*env)->ReleasePrimitiveArrayCritical(env, pin->array, pin->data, mode);
    pin->data = NULL;
}

// The helper's twin is not called on one path.
JNIEXPORT jint JNICALL
Java_org_example_img_Filter_first(JNIEnv *env, jobject self, jbyteArray from)
{
    struct pin pin;
    (void)self;
    if (!enterPin(env, &pin, from)) // expect: critical-unreleased
        return -1;
    jbyte first = *(jbyte *)pin.data;
    if (first < 0)
        return -2;
    leavePin(env, &pin, JNI_ABORT);
    return first;
}
