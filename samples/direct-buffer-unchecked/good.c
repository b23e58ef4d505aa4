// SPDX-License-Identifier: Apache-2.0
//
// Addresses of direct buffers that are tested, in the shapes that real code has for it, or that
// somebody else gets.

#include <jni.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct image {
    uint8_t *pixels;
    jlong size;
    jobject buffer; // global reference
};

static jclass gIllegalArgument; // global reference

int compress_block(const void *from, void *to, jint length);

#define CHECK_NULL_RETURN(x, value)                                                                \
    do {                                                                                           \
        if ((x) == NULL)                                                                           \
            return (value);                                                                        \
    } while (0)

// Tested, and the caller is told.
JNIEXPORT jint JNICALL
Java_org_example_nio_Packets_type(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    const uint8_t *data = (*env)->GetDirectBufferAddress(env, buffer); // ok: direct-buffer-unchecked
    if (data == NULL) {
        (*env)->ThrowNew(env, gIllegalArgument, "no direct buffer");
        return -1;
    }
    return data[0];
}

// In the condition itself.
JNIEXPORT jint JNICALL
Java_org_example_nio_Packets_first(JNIEnv *env, jclass cls, jobject buffer)
{
    jint *data;
    (void)cls;
    if (!(data = (*env)->GetDirectBufferAddress(env, buffer))) // ok: direct-buffer-unchecked
        return -1;
    return *data;
}

// Both at once, by a macro, and with the capacity, which need not be tested then.
JNIEXPORT jint JNICALL
Java_org_example_nio_Packets_copy(JNIEnv *env, jclass cls, jobject from, jobject to)
{
    (void)cls;
    char *target = (*env)->GetDirectBufferAddress(env, to);         // ok: direct-buffer-unchecked
    const char *source = (*env)->GetDirectBufferAddress(env, from); // ok: direct-buffer-unchecked
    jlong length = (*env)->GetDirectBufferCapacity(env, from);
    CHECK_NULL_RETURN(target, -1);
    CHECK_NULL_RETURN(source, -1);
    memcpy(target, source, (size_t)length);
    return (jint)length;
}

// With an offset that is added before the test of the base.
JNIEXPORT jint JNICALL
Java_org_example_nio_Packets_at(JNIEnv *env, jclass cls, jobject buffer, jint offset)
{
    (void)cls;
    uint8_t *base = (uint8_t *)(*env)->GetDirectBufferAddress(env, buffer); // ok: direct-buffer-unchecked
    const uint8_t *at = base + offset;
    return base != NULL && offset >= 0 ? *at : -1;
}

// As a number, which Java gives back some day.
JNIEXPORT jlong JNICALL
Java_org_example_nio_Packets_address(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer); // ok: direct-buffer-unchecked
}

// Tested as a number.
JNIEXPORT jint JNICALL
Java_org_example_nio_Packets_peek(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    intptr_t address = (intptr_t)(*env)->GetDirectBufferAddress(env, buffer); // ok: direct-buffer-unchecked
    if (address == 0)
        return -1;
    return *(jint *)address;
}

// A function of the project gets it: that one may test.
JNIEXPORT jint JNICALL
Java_org_example_nio_Packets_compress(JNIEnv *env, jclass cls, jobject from, jobject to, jint length)
{
    (void)cls;
    return compress_block((*env)->GetDirectBufferAddress(env, from), // ok: direct-buffer-unchecked
                          (*env)->GetDirectBufferAddress(env, to), length);
}

// Kept for later; whoever uses it has to look.
JNIEXPORT void JNICALL
Java_org_example_nio_Images_open(JNIEnv *env, jclass cls, jobject buffer, jlong handle)
{
    struct image *image = (struct image *)(intptr_t)handle;
    (void)cls;
    image->pixels = (*env)->GetDirectBufferAddress(env, buffer); // ok: direct-buffer-unchecked
    image->buffer = (*env)->NewGlobalRef(env, buffer);
    image->size = (*env)->GetDirectBufferCapacity(env, buffer);
}

// Only printed.
JNIEXPORT void JNICALL
Java_org_example_nio_Packets_trace(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    void *data = (*env)->GetDirectBufferAddress(env, buffer); // ok: direct-buffer-unchecked
    printf("buffer at %p\n", data);
}

static int isDirect(const void *address)
{
    return address != NULL;
}

// A function tests it.
JNIEXPORT jint JNICALL
Java_org_example_io_Buffers_peek(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    const jbyte *data = (*env)->GetDirectBufferAddress(env, buffer); // ok: direct-buffer-unchecked
    if (!isDirect(data))
        return -1;
    return data[0];
}
