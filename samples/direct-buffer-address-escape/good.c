// SPDX-License-Identifier: Apache-2.0
//
// Addresses that are kept together with the buffer, or for the time of a call.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct mixer {
    float *output;
    jobject buffer; // global reference
};

static uint8_t *gFrame;
static jfieldID gBuffer;
static jobject gShared;

void process(void);
void hold_buffer(JNIEnv *env, jobject buffer);

// With a global reference beside it.
JNIEXPORT jlong JNICALL
Java_org_example_Mixer_create(JNIEnv *env, jclass cls, jobject buffer)
{
    struct mixer *mixer = malloc(sizeof *mixer);
    (void)cls;
    if (mixer == NULL)
        return 0;
    mixer->buffer = (*env)->NewGlobalRef(env, buffer);
    mixer->output = (*env)->GetDirectBufferAddress(env, buffer); // ok: direct-buffer-address-escape
    return (jlong)(intptr_t)mixer;
}

JNIEXPORT void JNICALL
Java_org_example_Mixer_destroy(JNIEnv *env, jclass cls, jlong handle)
{
    struct mixer *mixer = (struct mixer *)(intptr_t)handle;
    (void)cls;
    (*env)->DeleteGlobalRef(env, mixer->buffer);
    free(mixer);
}

// The Java object keeps the buffer.
JNIEXPORT void JNICALL
Java_org_example_Mixer_setFrame(JNIEnv *env, jobject self, jobject buffer)
{
    gFrame = (*env)->GetDirectBufferAddress(env, buffer); // ok: direct-buffer-address-escape
    (*env)->SetObjectField(env, self, gBuffer, buffer);
}

// Set for the time of a call.
JNIEXPORT void JNICALL
Java_org_example_Mixer_process(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    gFrame = (*env)->GetDirectBufferAddress(env, buffer); // ok: direct-buffer-address-escape
    if (gFrame != NULL)
        process();
    gFrame = NULL;
}

// A function of the project gets the buffer.
JNIEXPORT void JNICALL
Java_org_example_Mixer_hold(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    hold_buffer(env, buffer);
    gFrame = (*env)->GetDirectBufferAddress(env, buffer); // ok: direct-buffer-address-escape
}

// The buffer is held by a global reference already.
JNIEXPORT void JNICALL
Java_org_example_Mixer_useShared(JNIEnv *env, jclass cls)
{
    (void)cls;
    if (gShared != NULL)
        gFrame = (*env)->GetDirectBufferAddress(env, gShared); // ok: direct-buffer-address-escape
}

JNIEXPORT void JNICALL
Java_org_example_Mixer_share(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    if (gShared != NULL)
        (*env)->DeleteGlobalRef(env, gShared);
    gShared = (*env)->NewGlobalRef(env, buffer);
}

// The contents are copied.
JNIEXPORT jint JNICALL
Java_org_example_Mixer_first(JNIEnv *env, jclass cls, jobject buffer)
{
    static float first;
    (void)cls;
    const float *samples = (*env)->GetDirectBufferAddress(env, buffer);
    if (samples == NULL)
        return -1;
    memcpy(&first, samples, sizeof first);
    return (jint)first;
}

// An address as a number for Java code, which holds the buffer.
JNIEXPORT jlong JNICALL
Java_org_example_Mixer_address(JNIEnv *env, jclass cls, jobject buffer)
{
    (void)cls;
    return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer); // ok: direct-buffer-address-escape
}
