// SPDX-License-Identifier: Apache-2.0
//
// ExceptionCheck where a flag is wanted, and ExceptionOccurred where the exception is.

#include <jni.h>

struct result {
    jthrowable thrown;
    jint count;
};

static jmethodID gRun;   // void run()
static jmethodID gCount; // int count()
static jclass gTimeout;  // global

void log_throwable(JNIEnv *env, jthrowable thrown);

JNIEXPORT void JNICALL
Java_org_example_job_Job_run(JNIEnv *env, jobject self)
{
    (*env)->CallVoidMethod(env, self, gRun);
    if ((*env)->ExceptionCheck(env)) // ok: exception-occurred-as-bool
        (*env)->ExceptionClear(env);
}

// Taken, cleared and thrown again.
JNIEXPORT void JNICALL
Java_org_example_job_Job_runAndTidy(JNIEnv *env, jobject self, jobject other)
{
    (*env)->CallVoidMethod(env, self, gRun);
    jthrowable thrown = (*env)->ExceptionOccurred(env); // ok: exception-occurred-as-bool
    if (thrown != NULL)
        (*env)->ExceptionClear(env);
    (*env)->CallVoidMethod(env, other, gRun);
    if ((*env)->ExceptionCheck(env))
        return;
    if (thrown != NULL)
        (*env)->Throw(env, thrown);
}

// Looked at.
JNIEXPORT jboolean JNICALL
Java_org_example_job_Job_timedOut(JNIEnv *env, jobject self)
{
    (*env)->CallVoidMethod(env, self, gRun);
    jthrowable thrown = (*env)->ExceptionOccurred(env); // ok: exception-occurred-as-bool
    if (thrown == NULL)
        return JNI_FALSE;
    (*env)->ExceptionClear(env);
    jboolean timeout = (*env)->IsInstanceOf(env, thrown, gTimeout);
    (*env)->DeleteLocalRef(env, thrown);
    return timeout;
}

// Tested, and deleted.
JNIEXPORT jint JNICALL
Java_org_example_job_Job_count(JNIEnv *env, jobject self)
{
    jint count = (*env)->CallIntMethod(env, self, gCount);
    jthrowable thrown = (*env)->ExceptionOccurred(env); // ok: exception-occurred-as-bool
    if (thrown != NULL) {
        (*env)->ExceptionClear(env);
        (*env)->DeleteLocalRef(env, thrown);
        return -1;
    }
    return count;
}

// Returned as a value.
static jthrowable take(JNIEnv *env)
{
    jthrowable thrown = (*env)->ExceptionOccurred(env); // ok: exception-occurred-as-bool
    if (thrown != NULL)
        (*env)->ExceptionClear(env);
    return thrown;
}

JNIEXPORT jthrowable JNICALL
Java_org_example_job_Job_failure(JNIEnv *env, jobject self)
{
    (*env)->CallVoidMethod(env, self, gRun);
    return take(env);
}

// Handed to a function, kept in a struct.
JNIEXPORT jint JNICALL
Java_org_example_job_Job_logged(JNIEnv *env, jobject self)
{
    struct result result = {0};
    result.count = (*env)->CallIntMethod(env, self, gCount);
    result.thrown = (*env)->ExceptionOccurred(env); // ok: exception-occurred-as-bool
    if (result.thrown == NULL)
        return result.count;
    (*env)->ExceptionClear(env);
    log_throwable(env, result.thrown);
    return -1;
}

// A frame takes the reference with it.
JNIEXPORT jboolean JNICALL
Java_org_example_job_Job_framed(JNIEnv *env, jobject self)
{
    if ((*env)->PushLocalFrame(env, 4) < 0)
        return JNI_FALSE;
    (*env)->CallVoidMethod(env, self, gRun);
    jboolean failed = (*env)->ExceptionOccurred(env) != NULL; // ok: exception-occurred-as-bool
    (*env)->ExceptionClear(env);
    (*env)->PopLocalFrame(env, NULL);
    return !failed;
}
