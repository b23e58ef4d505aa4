// SPDX-License-Identifier: Apache-2.0
//
// Jumps that stay below Java, and exits of threads that Java did not start.

#include <jni.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

// As libjpeg and libpng want it: the error manager jumps back into the same native method.
struct decoder {
    jmp_buf errors;
    void (*error_exit)(struct decoder *d);
};

static void on_error(struct decoder *d)
{
    longjmp(d->errors, 1);
}

static int decode(struct decoder *d, int value)
{
    if (value < 0)
        on_error(d);
    if (value > 9)
        d->error_exit(d);
    return value;
}

JNIEXPORT jint JNICALL
Java_org_example_Image_decode(JNIEnv *env, jclass cls, jint value)
{
    struct decoder d = {.error_exit = on_error};
    (void)env;
    (void)cls;
    if (setjmp(d.errors) != 0)
        return -1;
    return decode(&d, value); // ok: stack-unwound-over-java
}

// The helper sets the point to return to.
static int try_decode(int value)
{
    struct decoder d = {.error_exit = on_error};
    if (setjmp(d.errors) != 0)
        return -1;
    return decode(&d, value);
}

JNIEXPORT jint JNICALL
Java_org_example_Image_peek(JNIEnv *env, jclass cls, jint value)
{
    (void)env;
    (void)cls;
    return try_decode(value); // ok: stack-unwound-over-java
}

// A thread of its own has no Java below it.
static void *run(void *unused)
{
    if (unused != NULL)
        pthread_exit(NULL); // ok: stack-unwound-over-java
    return unused;
}

JNIEXPORT jboolean JNICALL
Java_org_example_Worker_start(JNIEnv *env, jclass cls)
{
    pthread_t thread;
    (void)env;
    (void)cls;
    return pthread_create(&thread, NULL, run, NULL) == 0; // ok: stack-unwound-over-java
}
