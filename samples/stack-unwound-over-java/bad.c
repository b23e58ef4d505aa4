// SPDX-License-Identifier: Apache-2.0
//
// Jumps and exits that take Java frames off the stack.

#include <jni.h>
#include <pthread.h>
#include <setjmp.h>

static jmp_buf top;

static void fail(void)
{
    longjmp(top, 1);
}

static void parse(const char *text)
{
    if (*text == '\0')
        fail();
}

// The loop that it jumps back to lies below the Java code.
int run_loop(JNIEnv *env, jclass cls, jmethodID step)
{
    if (setjmp(top) != 0)
        return 1;
    (*env)->CallStaticVoidMethod(env, cls, step);
    return (*env)->ExceptionCheck(env) ? 2 : 0;
}

JNIEXPORT void JNICALL
Java_org_example_Script_parse(JNIEnv *env, jclass cls, jint empty)
{
    (void)env;
    (void)cls;
    parse(empty ? "" : "x"); // expect: stack-unwound-over-java
}

JNIEXPORT void JNICALL
Java_org_example_Script_abort(JNIEnv *env, jclass cls)
{
    (void)env;
    (void)cls;
    longjmp(top, 2); // expect: stack-unwound-over-java
}

// The thread was started by Java.
static void stop(void)
{
    pthread_exit(NULL);
}

JNIEXPORT void JNICALL
Java_org_example_Worker_stop(JNIEnv *env, jclass cls)
{
    (void)env;
    (void)cls;
    stop(); // expect: stack-unwound-over-java
}
