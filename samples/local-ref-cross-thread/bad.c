// SPDX-License-Identifier: Apache-2.0
//
// Local references in the hands of another thread.

#include <jni.h>
#include <pthread.h>
#include <stdlib.h>

static JavaVM *gVm;
static jmethodID gRun;

struct job {
    jobject target;
    jclass type;
};

static void call(jobject target)
{
    JNIEnv *env;
    if ((*gVm)->AttachCurrentThread(gVm, (void **)&env, NULL) != JNI_OK)
        return;
    (*env)->CallVoidMethod(env, target, gRun);
    if ((*env)->ExceptionCheck(env))
        (*env)->ExceptionDescribe(env);
    (*gVm)->DetachCurrentThread(gVm);
}

static void *run_target(void *target)
{
    call(target);
    return NULL;
}

static void *run_job(void *argument)
{
    struct job *job = argument;
    call(job->type != NULL ? job->target : NULL);
    free(job);
    return NULL;
}

// A parameter of the native method.
JNIEXPORT jint JNICALL
Java_org_example_Worker_start(JNIEnv *env, jobject self)
{
    pthread_t thread;
    (void)env;
    return pthread_create(&thread, NULL, run_target, self); // expect: local-ref-cross-thread
}

// In a struct: the object is global, its class is not.
JNIEXPORT jboolean JNICALL
Java_org_example_Worker_submit(JNIEnv *env, jclass cls, jobject target)
{
    pthread_t thread;
    (void)cls;
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
        return JNI_FALSE;
    job->target = (*env)->NewGlobalRef(env, target);
    job->type = (*env)->GetObjectClass(env, target);
    // expect-next: local-ref-cross-thread
    return pthread_create(&thread, NULL, run_job, job) == 0;
}

// On the stack, until the thread has ended.
JNIEXPORT void JNICALL
Java_org_example_Worker_wait(JNIEnv *env, jclass cls, jobjectArray targets)
{
    pthread_t thread;
    jobject first = (*env)->GetObjectArrayElement(env, targets, 0);
    if ((*env)->ExceptionCheck(env))
        return;
    // expect-next: local-ref-cross-thread
    if (pthread_create(&thread, NULL, run_target, first) == 0)
        pthread_join(thread, NULL);
    (void)cls;
}
