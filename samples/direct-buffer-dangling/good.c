// SPDX-License-Identifier: Apache-2.0
//
// Memory that lives as long as the buffer, or longer than anybody uses it.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

static uint8_t gShared[256];
static jmethodID gOnData;
static jfieldID gData;

struct stream {
    uint8_t ring[1024];
};

size_t packet_size(jlong handle);
int read_packet(jlong handle, uint8_t *out, size_t size);

// Static memory.
JNIEXPORT jobject JNICALL
Java_org_example_Capture_shared(JNIEnv *env, jclass cls)
{
    (void)cls;
    return (*env)->NewDirectByteBuffer(env, gShared, sizeof gShared); // ok: direct-buffer-dangling
}

JNIEXPORT jobject JNICALL
Java_org_example_Capture_scratch(JNIEnv *env, jclass cls)
{
    static uint8_t scratch[64];
    (void)cls;
    return (*env)->NewDirectByteBuffer(env, scratch, sizeof scratch); // ok: direct-buffer-dangling
}

// Java code frees it with a method of its own.
JNIEXPORT jobject JNICALL
Java_org_example_Capture_allocate(JNIEnv *env, jclass cls, jint size)
{
    void *data = malloc((size_t)size);
    (void)cls;
    if (data == NULL)
        return NULL;
    jobject buffer = (*env)->NewDirectByteBuffer(env, data, size); // ok: direct-buffer-dangling
    if (buffer == NULL)
        free(data);
    return buffer;
}

JNIEXPORT void JNICALL
Java_org_example_Capture_release(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    free((*env)->GetDirectBufferAddress(env, buffer));
}

// Freed where nothing is returned.
JNIEXPORT jobject JNICALL
Java_org_example_Capture_read(JNIEnv *env, jclass cls, jlong handle)
{
    size_t size = packet_size(handle);
    uint8_t *data = malloc(size);
    jobject buffer;
    (void)cls;
    if (data == NULL)
        return NULL;
    buffer = (*env)->NewDirectByteBuffer(env, data, (jlong)size); // ok: direct-buffer-dangling
    if (read_packet(handle, data, size) != 0) {
        free(data);
        buffer = NULL;
    }
    return buffer;
}

// Lent to Java code for the time of a call.
JNIEXPORT jboolean JNICALL
Java_org_example_Capture_poll(JNIEnv *env, jobject self, jlong handle)
{
    uint8_t packet[512];
    if (read_packet(handle, packet, sizeof packet) != 0)
        return JNI_FALSE;
    jobject buffer = (*env)->NewDirectByteBuffer(env, packet, sizeof packet); // ok: direct-buffer-dangling
    if (buffer == NULL)
        return JNI_FALSE;
    (*env)->CallVoidMethod(env, self, gOnData, buffer);
    return !(*env)->ExceptionCheck(env);
}

// The same with memory that is freed afterwards.
JNIEXPORT void JNICALL
Java_org_example_Capture_pollLarge(JNIEnv *env, jobject self, jlong handle)
{
    size_t size = packet_size(handle);
    uint8_t *data = malloc(size);
    if (data == NULL)
        return;
    jobject buffer = (*env)->NewDirectByteBuffer(env, data, (jlong)size); // ok: direct-buffer-dangling
    if (buffer != NULL) {
        (*env)->CallVoidMethod(env, self, gOnData, buffer);
        (*env)->DeleteLocalRef(env, buffer);
    }
    free(data);
}

// Another block is freed than the one behind the buffer.
JNIEXPORT void JNICALL
Java_org_example_Capture_replace(JNIEnv *env, jobject self, jlong handle)
{
    size_t size = packet_size(handle);
    uint8_t *data = malloc(size), *temporary = malloc(size);
    if (data == NULL || temporary == NULL) {
        free(data);
        free(temporary);
        return;
    }
    read_packet(handle, temporary, size);
    jobject buffer = (*env)->NewDirectByteBuffer(env, data, (jlong)size); // ok: direct-buffer-dangling
    if (buffer != NULL)
        (*env)->SetObjectField(env, self, gData, buffer);
    else
        free(data);
    free(temporary);
}

// Inside memory that Java code holds by its handle.
JNIEXPORT jobject JNICALL
Java_org_example_Capture_ring(JNIEnv *env, jclass cls, jlong handle)
{
    struct stream *stream = (struct stream *)(intptr_t)handle;
    (void)cls;
    return (*env)->NewDirectByteBuffer(env, stream->ring, sizeof stream->ring); // ok: direct-buffer-dangling
}
