// SPDX-License-Identifier: Apache-2.0
//
// Addresses of direct buffers that are used untested. A heap buffer, `ByteBuffer.allocate` in
// place of `allocateDirect`, has none: NULL is returned, and nothing thrown. The finding is at the
// call that may return it.

#include <jni.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct header {
    uint32_t magic;
    uint32_t length;
};

void checksum(const uint8_t *data, jlong length);

// Read through.
JNIEXPORT jint JNICALL
Java_org_example_nio_Packets_type(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    const uint8_t *data = (*env)->GetDirectBufferAddress(env, buffer); // expect: direct-buffer-unchecked
    return data[0];
}

// Written through, as a struct, at an offset.
JNIEXPORT void JNICALL
Java_org_example_nio_Packets_begin(JNIEnv *env, jclass cls, jobject buffer, jint offset)
{
    (void)cls;
    char *base = (char *)(*env)->GetDirectBufferAddress(env, buffer); // expect: direct-buffer-unchecked
    struct header *header = (struct header *)(base + offset);
    header->magic = 0x4a4e49;
    header->length = 0;
}

// Copied from, by a function that does not test either.
JNIEXPORT jint JNICALL
Java_org_example_nio_Packets_copy(JNIEnv *env, jclass cls, jobject from, jobject to, jint length)
{
    (void)cls;
    void *target = (*env)->GetDirectBufferAddress(env, to);
    const void *source = (*env)->GetDirectBufferAddress(env, from); // expect: direct-buffer-unchecked
    if (target == NULL || length < 0)
        return -1;
    memcpy(target, source, (size_t)length);
    return length;
}

// The capacity was asked for and says nothing about this call.
JNIEXPORT jint JNICALL
Java_org_example_nio_Channel_read(JNIEnv *env, jclass cls, jint fd, jobject buffer)
{
    (void)cls;
    jlong capacity = (*env)->GetDirectBufferCapacity(env, buffer);
    void *data = (*env)->GetDirectBufferAddress(env, buffer); // expect: direct-buffer-unchecked
    if (capacity <= 0)
        return -1;
    return (jint)read(fd, data, (size_t)capacity);
}

// Straight into an array.
JNIEXPORT void JNICALL
Java_org_example_nio_Packets_export(JNIEnv *env, jclass cls, jobject buffer, jbyteArray target)
{
    (void)cls;
    jbyte *data = (*env)->GetDirectBufferAddress(env, buffer); // expect: direct-buffer-unchecked
    (*env)->SetByteArrayRegion(env, target, 0, 16, data);
}

// Tested, but too late; two uses, one finding.
JNIEXPORT jlong JNICALL
Java_org_example_nio_Packets_sum(JNIEnv *env, jclass cls, jobject buffer, jint count)
{
    jlong sum = 0;
    (void)cls;
    jint *data = (*env)->GetDirectBufferAddress(env, buffer); // expect: direct-buffer-unchecked
    jint first = data[0];
    if (data == NULL)
        return -1;
    for (jint i = 0; i < count; i++)
        sum += data[i];
    return sum - first;
}

// On one of the paths.
JNIEXPORT jint JNICALL
Java_org_example_nio_Packets_magic(JNIEnv *env, jclass cls, jobject buffer, jboolean trusted)
{
    (void)cls;
    struct header *header = (*env)->GetDirectBufferAddress(env, buffer); // expect: direct-buffer-unchecked
    if (!trusted) {
        if (header == NULL)
            return -1;
        checksum((const uint8_t *)header, sizeof *header);
    }
    return (jint)header->magic;
}
