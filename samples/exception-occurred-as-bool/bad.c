// SPDX-License-Identifier: Apache-2.0
//
// ExceptionOccurred as a question. Its answer is a new local reference each time.

#include <jni.h>

static jmethodID gRun;   // void run()
static jmethodID gNext;  // Object next()
static jmethodID gCount; // int count()

#define FAILED(env) ((*(env))->ExceptionOccurred(env) != NULL)

// The common form.
JNIEXPORT void JNICALL
Java_org_example_job_Job_run(JNIEnv *env, jobject self)
{
    (*env)->CallVoidMethod(env, self, gRun);
    if ((*env)->ExceptionOccurred(env)) // expect: exception-occurred-as-bool
        (*env)->ExceptionClear(env);
}

// Negated.
JNIEXPORT jint JNICALL
Java_org_example_job_Job_count(JNIEnv *env, jobject self)
{
    jint count = (*env)->CallIntMethod(env, self, gCount);
    if (!(*env)->ExceptionOccurred(env)) // expect: exception-occurred-as-bool
        return count;
    return -1;
}

// In a macro.
JNIEXPORT jobject JNICALL
Java_org_example_job_Job_next(JNIEnv *env, jobject self)
{
    jobject next = (*env)->CallObjectMethod(env, self, gNext);
    if (FAILED(env)) // expect: exception-occurred-as-bool
        return NULL;
    return next;
}

// As a jboolean.
JNIEXPORT jboolean JNICALL
Java_org_example_job_Job_tryRun(JNIEnv *env, jobject self)
{
    (*env)->CallVoidMethod(env, self, gRun);
    jboolean failed = (*env)->ExceptionOccurred(env) != NULL; // expect: exception-occurred-as-bool
    (*env)->ExceptionClear(env);
    return !failed;
}

// In a variable that is tested and nothing else.
JNIEXPORT jint JNICALL
Java_org_example_job_Job_safeCount(JNIEnv *env, jobject self)
{
    jint count = (*env)->CallIntMethod(env, self, gCount);
    jthrowable thrown = (*env)->ExceptionOccurred(env); // expect: exception-occurred-as-bool
    if (thrown != NULL) {
        (*env)->ExceptionClear(env);
        return 0;
    }
    return count;
}

// Together with another condition.
static jboolean done(JNIEnv *env, jobject next)
{
    return next == NULL || (*env)->ExceptionOccurred(env) != NULL; // expect: exception-occurred-as-bool
}

JNIEXPORT jboolean JNICALL
Java_org_example_job_Job_isDone(JNIEnv *env, jobject self)
{
    return done(env, (*env)->CallObjectMethod(env, self, gNext));
}
