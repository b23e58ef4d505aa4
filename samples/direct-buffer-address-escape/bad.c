// SPDX-License-Identifier: Apache-2.0
//
// Addresses of direct buffers that are kept, while the buffers are not.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct mixer {
    float *output;
    jlong capacity;
};

static uint8_t *gFrame;
static struct mixer gMixer;

// In a static variable.
JNIEXPORT jboolean JNICALL
Java_org_example_Mixer_setFrame(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    uint8_t *address = (*env)->GetDirectBufferAddress(env, buffer);
    if (address == NULL)
        return JNI_FALSE;
    gFrame = address; // expect: direct-buffer-address-escape
    return JNI_TRUE;
}

// In a static struct.
JNIEXPORT void JNICALL
Java_org_example_Mixer_setOutput(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    gMixer.output = (*env)->GetDirectBufferAddress(env, buffer); // expect: direct-buffer-address-escape
    gMixer.capacity = (*env)->GetDirectBufferCapacity(env, buffer);
}

// In an object that Java code holds by a handle.
JNIEXPORT void JNICALL
Java_org_example_Mixer_attach(JNIEnv *env, jclass cls, jlong handle, jobject buffer)
{
    struct mixer *mixer = (struct mixer *)(intptr_t)handle;
    (void)cls;
    mixer->output = (*env)->GetDirectBufferAddress(env, buffer); // expect: direct-buffer-address-escape
}

// In a new object that is returned as a handle.
JNIEXPORT jlong JNICALL
Java_org_example_Mixer_create(JNIEnv *env, jclass cls, jobject buffer)
{
    struct mixer *mixer = malloc(sizeof *mixer);
    (void)cls;
    if (mixer == NULL)
        return 0;
    mixer->output = (*env)->GetDirectBufferAddress(env, buffer); // expect: direct-buffer-address-escape
    mixer->capacity = 0;
    return (jlong)(intptr_t)mixer;
}

// Behind the header.
JNIEXPORT void JNICALL
Java_org_example_Mixer_setBody(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    uint8_t *start = (*env)->GetDirectBufferAddress(env, buffer);
    if (start != NULL)
        gFrame = start + 16; // expect: direct-buffer-address-escape
}
