// SPDX-License-Identifier: Apache-2.0
//
// What threads may get: global references, weak ones, numbers.

#include <jni.h>
#include <pthread.h>
#include <stdlib.h>

static JavaVM *gVm;
static jmethodID gRun;

struct job {
    jobject target; // global reference
    jobject caller; // for the caller alone
    jint turns;
};

static void *run_job(void *argument)
{
    struct job *job = argument;
    JNIEnv *env;
    if ((*gVm)->AttachCurrentThread(gVm, (void **)&env, NULL) == JNI_OK) {
        for (jint i = 0; i < job->turns && !(*env)->ExceptionCheck(env); i++)
            (*env)->CallVoidMethod(env, job->target, gRun);
        (*env)->DeleteGlobalRef(env, job->target);
        (*gVm)->DetachCurrentThread(gVm);
    }
    free(job);
    return NULL;
}

static void *run_target(void *target)
{
    JNIEnv *env;
    if ((*gVm)->AttachCurrentThread(gVm, (void **)&env, NULL) == JNI_OK) {
        (*env)->CallVoidMethod(env, target, gRun);
        if ((*env)->ExceptionCheck(env))
            (*env)->ExceptionDescribe(env);
        (*env)->DeleteGlobalRef(env, target);
        (*gVm)->DetachCurrentThread(gVm);
    }
    return NULL;
}

JNIEXPORT jint JNICALL
Java_org_example_Worker_start(JNIEnv *env, jobject self)
{
    pthread_t thread;
    jobject target = (*env)->NewGlobalRef(env, self);
    if (target == NULL)
        return -1;
    int status = pthread_create(&thread, NULL, run_target, target); // ok: local-ref-cross-thread
    if (status != 0)
        (*env)->DeleteGlobalRef(env, target);
    return status;
}

// A helper thread of the project: nobody knows who made what it is given.
int start_for(jobject target)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, run_target, target); // ok: local-ref-cross-thread
}

// The field with the local reference is never read over there.
JNIEXPORT jboolean JNICALL
Java_org_example_Worker_submit(JNIEnv *env, jclass cls, jobject target, jint turns)
{
    pthread_t thread;
    (void)cls;
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL)
        return JNI_FALSE;
    job->target = (*env)->NewGlobalRef(env, target);
    job->caller = target;
    job->turns = turns;
    if (job->target != NULL &&
        pthread_create(&thread, NULL, run_job, job) == 0) // ok: local-ref-cross-thread
        return JNI_TRUE;
    (*env)->DeleteGlobalRef(env, job->target);
    free(job);
    return JNI_FALSE;
}
