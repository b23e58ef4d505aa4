// SPDX-License-Identifier: Apache-2.0
//
// Suppressions that match no finding: the code was mended, the wrong rule is named, the comment
// is too far away, or the region has moved. They hide the next defect that is written in their
// place.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

static jmethodID gOnEvent; // void onEvent()
static jfieldID gDone;     // boolean done

int open_file(const char *path);

// Mended long ago; the comment stayed.
JNIEXPORT jint JNICALL
Java_org_example_log_Writer_open(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    // expect-next: suppression-unused
    // jniguard-ignore: buffer-unreleased -- the process ends soon after
    const char *name = (*env)->GetStringUTFChars(env, path, NULL);
    if (name == NULL)
        return -1;
    int fd = open_file(name);
    (*env)->ReleaseStringUTFChars(env, path, name);
    return fd;
}

// At the end of the line.
JNIEXPORT void JNICALL
Java_org_example_log_Writer_finish(JNIEnv *env, jobject self, jobject listener)
{
    // expect-next: suppression-unused
    (*env)->CallVoidMethod(env, listener, gOnEvent); // jniguard-ignore: exception-unchecked-call -- void
    if ((*env)->ExceptionCheck(env))
        return;
    (*env)->SetBooleanField(env, self, gDone, JNI_TRUE);
}

// Names another rule than the one that speaks here.
JNIEXPORT jint JNICALL
Java_org_example_log_Writer_size(JNIEnv *env, jclass cls, jobjectArray lines)
{
    jint size = 0;
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, lines);
    for (jsize i = 0; i < count; i++) {
        // expect-next: suppression-unused
        // jniguard-ignore: local-ref-escape -- lines are few
        jstring line = (jstring)(*env)->GetObjectArrayElement(env, lines, i); // expect: local-ref-leak-in-loop
        if (line != NULL)
            size += (*env)->GetStringLength(env, line);
    }
    return size;
}

// Two lines above the finding, not one.
JNIEXPORT void JNICALL
Java_org_example_log_Writer_notify(JNIEnv *env, jobject self, jobject listener)
{
    // expect-next: suppression-unused
    // jniguard-ignore: exception-unchecked-call -- onEvent does not throw
    jobject target = listener;
    (*env)->CallVoidMethod(env, target, gOnEvent); // expect: exception-unchecked-call
    (*env)->SetBooleanField(env, self, gDone, JNI_TRUE);
}

// A region without anything in it to suppress; as a block comment.
JNIEXPORT jint JNICALL
Java_org_example_log_Writer_lines(JNIEnv *env, jclass cls, jobjectArray lines)
{
    (void)cls;
    // expect-next: suppression-unused
    /* jniguard-ignore-begin: local-ref-leak-in-loop -- generated code */
    jint count = (*env)->GetArrayLength(env, lines);
    /* jniguard-ignore-end */
    return count;
}
