// SPDX-License-Identifier: Apache-2.0
//
// Suppressions that match a finding: on its line, on the line before it, in a region around it,
// in a block comment, and at the exit that a leak's finding lists.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

static jmethodID gOnEvent; // void onEvent()
static jfieldID gDone;     // boolean done

int open_file(const char *path);

// On the line before.
JNIEXPORT jint JNICALL
Java_org_example_log_Writer_open(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    // jniguard-ignore: buffer-unreleased -- the process ends with this call
    const char *name = (*env)->GetStringUTFChars(env, path, NULL); // ok: buffer-unreleased
    if (name == NULL)
        return -1;
    return open_file(name);
}

// At the end of the line.
JNIEXPORT void JNICALL
Java_org_example_log_Writer_finish(JNIEnv *env, jobject self, jobject listener)
{
    (*env)->CallVoidMethod(env, listener, gOnEvent); // jniguard-ignore: exception-unchecked-call -- cannot throw
    (*env)->SetBooleanField(env, self, gDone, JNI_TRUE);
}

// A block comment, which also fits into a macro.
#define FIRST_EVENT(env, listener)                                                                 \
    (*(env))->CallVoidMethod((env), (listener), gOnEvent)

JNIEXPORT void JNICALL
Java_org_example_log_Writer_twice(JNIEnv *env, jobject self, jobject listener)
{
    (void)self;
    /* jniguard-ignore: exception-unchecked-call -- onEvent cannot throw */
    FIRST_EVENT(env, listener); // ok: exception-unchecked-call
    (*env)->CallVoidMethod(env, listener, gOnEvent);
}

// Several rules in one comment.
JNIEXPORT jint JNICALL
Java_org_example_log_Writer_events(JNIEnv *env, jobject self, jobject listener, jint count)
{
    (void)self;
    // jniguard-ignore-begin: exception-unchecked-call, local-ref-leak-in-loop -- three events
    // at most
    for (jint i = 0; i < count; i++) {
        jclass type = (*env)->GetObjectClass(env, listener); // ok: local-ref-leak-in-loop
        if (type != NULL)
            (*env)->CallVoidMethod(env, listener, gOnEvent); // ok: exception-unchecked-call
    }
    // jniguard-ignore-end
    return count;
}

// At the exit that leaks; the finding itself is at the acquisition.
JNIEXPORT jint JNICALL
Java_org_example_log_Writer_append(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    const char *name = (*env)->GetStringUTFChars(env, path, NULL); // ok: buffer-unreleased
    if (name == NULL)
        return -1;
    int fd = open_file(name);
    if (fd < 0)
        return -1; // jniguard-ignore: buffer-unreleased -- the caller ends the process
    (*env)->ReleaseStringUTFChars(env, path, name);
    return fd;
}
