// SPDX-License-Identifier: Apache-2.0
//
// Critical regions that end on every path, in the shapes that real code gives them, and
// functions that open a region for a caller who closes it.

#include <jni.h>
#include <stdint.h>
#include <string.h>

struct raster;
struct raster_ops {
    jboolean (*lock)(JNIEnv *env, struct raster *raster);
    void (*release)(JNIEnv *env, struct raster *raster);
};

struct raster {
    const struct raster_ops *ops;
    jintArray array;
    jint *pixels;
    jint length;
};

jint decode(const jbyte *data, jint length);
jint checksum(const void *data, size_t length);

#define WITH_PINNED(env, array, pointer)                                                           \
    do {                                                                                           \
        jbyte *pointer = (*(env))->GetPrimitiveArrayCritical((env), (array), NULL);                \
        if (pointer == NULL)                                                                       \
            goto end_##pointer;

#define END_PINNED(env, array, pointer)                                                            \
    (*(env))->ReleasePrimitiveArrayCritical((env), (array), pointer, JNI_ABORT);                   \
    end_##pointer:;                                                                                \
    }                                                                                              \
    while (0)

// Both ways release.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_decode(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    (void)cls;
    jbyte *data = (*env)->GetPrimitiveArrayCritical(env, input, NULL); // ok: critical-unreleased
    if (data == NULL)
        return -1;
    jint result = decode(data, length);
    if (result < 0) {
        (*env)->ReleasePrimitiveArrayCritical(env, input, data, JNI_ABORT);
        return result;
    }
    (*env)->ReleasePrimitiveArrayCritical(env, input, data, JNI_ABORT);
    return result;
}

// Released in reverse order, each under its own test.
JNIEXPORT jboolean JNICALL
Java_org_example_codec_Decoder_same(JNIEnv *env, jclass cls, jbyteArray a, jbyteArray b, jint length)
{
    jboolean same = JNI_FALSE;
    jbyte *first = NULL, *second = NULL;
    (void)cls;
    first = (*env)->GetPrimitiveArrayCritical(env, a, NULL); // ok: critical-unreleased
    if (first == NULL)
        goto out;
    second = (*env)->GetPrimitiveArrayCritical(env, b, NULL); // ok: critical-unreleased
    if (second == NULL)
        goto out;
    same = memcmp(first, second, (size_t)length) == 0;
out:
    if (second != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, b, second, JNI_ABORT);
    if (first != NULL)
        (*env)->ReleasePrimitiveArrayCritical(env, a, first, JNI_ABORT);
    return same;
}

// An optional array: the guard of the acquisition is the guard of the release.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_masked(JNIEnv *env, jclass cls, jbyteArray input, jbyteArray mask,
                                      jint length)
{
    jint result = -1;
    jbyte *data = NULL;
    jbyte *bits = NULL;
    (void)cls;
    if (mask)
        if ((bits = (*env)->GetPrimitiveArrayCritical(env, mask, NULL)) == NULL) // ok: critical-unreleased
            goto fail;
    if ((data = (*env)->GetPrimitiveArrayCritical(env, input, NULL)) == NULL) // ok: critical-unreleased
        goto fail;
    result = decode(data, length);
    if (bits != NULL)
        result ^= decode(bits, length);
fail:
    if (data)
        (*env)->ReleasePrimitiveArrayCritical(env, input, data, JNI_ABORT);
    if (mask && bits)
        (*env)->ReleasePrimitiveArrayCritical(env, mask, bits, JNI_ABORT);
    return result;
}

// A flag that was set with the acquisition.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_maybe(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    jint result = 0;
    jboolean pinned = JNI_FALSE;
    jbyte *data = NULL;
    (void)cls;
    if (length > 16) {
        data = (*env)->GetPrimitiveArrayCritical(env, input, NULL); // ok: critical-unreleased
        if (data == NULL)
            return -1;
        pinned = JNI_TRUE;
        result = decode(data, length);
    }
    result++;
    if (pinned)
        (*env)->ReleasePrimitiveArrayCritical(env, input, data, JNI_ABORT);
    return result;
}

// Three arrays acquired by one loop and released by another one, also after a failure half way.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_planes(JNIEnv *env, jclass cls, jbyteArray y, jbyteArray u, jbyteArray v,
                                      jint length)
{
    jbyteArray arrays[3] = {y, u, v};
    jbyte *planes[3];
    jint total = -1;
    int pinned = 0;
    (void)cls;
    while (pinned < 3) {
        planes[pinned] = (*env)->GetPrimitiveArrayCritical(env, arrays[pinned], NULL); // ok: critical-unreleased
        if (planes[pinned] == NULL)
            goto unpin;
        pinned++;
    }
    total = decode(planes[0], length) + decode(planes[1], length / 4) + decode(planes[2], length / 4);
unpin:
    while (pinned > 0) {
        pinned--;
        (*env)->ReleasePrimitiveArrayCritical(env, arrays[pinned], planes[pinned], JNI_ABORT);
    }
    return total;
}

// Released at the end of each turn, and before `continue`.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_each(JNIEnv *env, jclass cls, jbyteArray input, jint length, jint rounds)
{
    jint total = 0;
    (void)cls;
    for (jint i = 0; i < rounds; i++) {
        jbyte *data = (*env)->GetPrimitiveArrayCritical(env, input, NULL); // ok: critical-unreleased
        if (data == NULL)
            break;
        jint size = decode(data, length);
        if (size == 0) {
            (*env)->ReleasePrimitiveArrayCritical(env, input, data, JNI_ABORT);
            continue;
        }
        total += size;
        (*env)->ReleasePrimitiveArrayCritical(env, input, data, JNI_ABORT);
    }
    return total;
}

// The acquisition in one macro, the release in the other one, with a label in it.
JNIEXPORT jint JNICALL
Java_org_example_codec_Decoder_size(JNIEnv *env, jclass cls, jbyteArray input, jint length)
{
    jint result = -1;
    (void)cls;
    WITH_PINNED(env, input, data) // ok: critical-unreleased
        result = decode(data, length);
    END_PINNED(env, input, data);
    return result;
}

// One exit of the switch, all arms lead to it.
JNIEXPORT jint JNICALL
Java_org_example_codec_Names_hash(JNIEnv *env, jclass cls, jstring name, jint kind)
{
    jint result;
    (void)cls;
    jsize length = (*env)->GetStringLength(env, name);
    const jchar *chars = (*env)->GetStringCritical(env, name, NULL); // ok: critical-unreleased
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
        result = -1;
        break;
    }
    (*env)->ReleaseStringCritical(env, name, chars);
    return result;
}

// The first function of a table of operations opens the region, the second one closes it.
static jboolean lockRaster(JNIEnv *env, struct raster *raster)
{
    raster->pixels = (*env)->GetPrimitiveArrayCritical(env, raster->array, NULL); // ok: critical-unreleased
    return raster->pixels != NULL;
}

static void releaseRaster(JNIEnv *env, struct raster *raster)
{
    if (raster->pixels != NULL) {
        (*env)->ReleasePrimitiveArrayCritical(env, raster->array, raster->pixels, 0);
        raster->pixels = NULL;
    }
}

static const struct raster_ops kHeapRaster = {lockRaster, releaseRaster};

JNIEXPORT void JNICALL
Java_org_example_codec_Bitmap_clear(JNIEnv *env, jclass cls, jintArray pixels)
{
    struct raster raster = {&kHeapRaster, pixels, NULL, 0};
    (void)cls;
    raster.length = (*env)->GetArrayLength(env, pixels);
    if (!raster.ops->lock(env, &raster))
        return;
    memset(raster.pixels, 0, (size_t)raster.length * sizeof *raster.pixels);
    raster.ops->release(env, &raster);
}

// A helper that hands the pinned memory to its caller, by its result.
static jint *pinPixels(JNIEnv *env, jintArray pixels)
{
    return (*env)->GetPrimitiveArrayCritical(env, pixels, NULL); // ok: critical-unreleased
}

// And one that uses an out-parameter.
static int pinInto(JNIEnv *env, jintArray pixels, jint **result)
{
    jint *data = (*env)->GetPrimitiveArrayCritical(env, pixels, NULL); // ok: critical-unreleased
    if (data == NULL)
        return -1;
    *result = data;
    return 0;
}

JNIEXPORT jint JNICALL
Java_org_example_codec_Bitmap_first(JNIEnv *env, jclass cls, jintArray pixels, jboolean direct)
{
    jint *data = NULL;
    (void)cls;
    if (direct)
        data = pinPixels(env, pixels);
    else if (pinInto(env, pixels, &data) < 0)
        return 0;
    if (data == NULL)
        return 0;
    jint first = data[0];
    (*env)->ReleasePrimitiveArrayCritical(env, pixels, data, JNI_ABORT);
    return first;
}
