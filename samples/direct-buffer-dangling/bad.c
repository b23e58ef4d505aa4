// SPDX-License-Identifier: Apache-2.0
//
// Direct buffers that Java code has longer than there is memory behind them.

#include <alloca.h>
#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct frame {
    int width, height;
    uint8_t pixels[64];
};

static jfieldID gData;
static jclass gHolder;
static jmethodID gHolderInit;

int read_frame(struct frame *out);
size_t packet_size(jlong handle);
int read_packet(jlong handle, uint8_t *out, size_t size);

// An array on the stack.
JNIEXPORT jobject JNICALL
Java_org_example_Capture_header(JNIEnv *env, jclass cls, jlong handle)
{
    uint8_t header[16];
    (void)cls;
    if (read_packet(handle, header, sizeof header) != 0)
        return NULL;
    return (*env)->NewDirectByteBuffer(env, header, sizeof header); // expect: direct-buffer-dangling
}

// A part of a struct on the stack, through a variable.
JNIEXPORT jobject JNICALL
Java_org_example_Capture_frame(JNIEnv *env, jclass cls)
{
    struct frame frame;
    jobject buffer;
    (void)cls;
    if (read_frame(&frame) != 0)
        return NULL;
    buffer = (*env)->NewDirectByteBuffer(env, &frame.pixels[8], 32); // expect: direct-buffer-dangling
    return buffer;
}

// Memory of alloca is on the stack, too.
JNIEXPORT jobject JNICALL
Java_org_example_Capture_packet(JNIEnv *env, jclass cls, jlong handle)
{
    size_t size = packet_size(handle);
    uint8_t *data = alloca(size);
    (void)cls;
    if (read_packet(handle, data, size) != 0)
        return NULL;
    return (*env)->NewDirectByteBuffer(env, data, (jlong)size); // expect: direct-buffer-dangling
}

// Kept in a Java field.
JNIEXPORT void JNICALL
Java_org_example_Capture_update(JNIEnv *env, jobject self)
{
    int counters[4];
    memset(counters, 0, sizeof counters);
    jobject buffer = (*env)->NewDirectByteBuffer(env, counters, sizeof counters); // expect: direct-buffer-dangling
    if (buffer == NULL)
        return;
    (*env)->SetObjectField(env, self, gData, buffer);
}

// A Java object that is made with it keeps it.
JNIEXPORT jobject JNICALL
Java_org_example_Capture_holder(JNIEnv *env, jclass cls)
{
    uint8_t data[32] = {0};
    (void)cls;
    jobject buffer = (*env)->NewDirectByteBuffer(env, data, sizeof data); // expect: direct-buffer-dangling
    if (buffer == NULL)
        return NULL;
    return (*env)->NewObject(env, gHolder, gHolderInit, buffer);
}

// Freed before it is returned.
JNIEXPORT jobject JNICALL
Java_org_example_Capture_read(JNIEnv *env, jclass cls, jlong handle)
{
    size_t size = packet_size(handle);
    uint8_t *data = malloc(size);
    jobject buffer = NULL;
    (void)cls;
    if (data == NULL)
        return NULL;
    if (read_packet(handle, data, size) == 0)
        buffer = (*env)->NewDirectByteBuffer(env, data, (jlong)size); // expect: direct-buffer-dangling
    free(data);
    return buffer;
}

// Freed after it was stored.
JNIEXPORT jboolean JNICALL
Java_org_example_Capture_load(JNIEnv *env, jobject self, jlong handle)
{
    size_t size = packet_size(handle);
    uint8_t *data = malloc(size);
    if (data == NULL)
        return JNI_FALSE;
    jobject buffer = (*env)->NewDirectByteBuffer(env, data, (jlong)size); // expect: direct-buffer-dangling
    if (buffer != NULL)
        (*env)->SetObjectField(env, self, gData, buffer);
    free(data);
    return buffer != NULL;
}

// On the way out after an error only.
JNIEXPORT jobject JNICALL
Java_org_example_Capture_next(JNIEnv *env, jclass cls, jlong handle)
{
    size_t size = packet_size(handle);
    uint8_t *data = malloc(size);
    (void)cls;
    if (data == NULL)
        return NULL;
    jobject buffer = (*env)->NewDirectByteBuffer(env, data, (jlong)size); // expect: direct-buffer-dangling
    if (read_packet(handle, data, size) != 0)
        free(data);
    return buffer;
}
