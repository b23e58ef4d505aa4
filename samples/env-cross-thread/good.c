// SPDX-License-Identifier: Apache-2.0
//
// Threads that fetch an environment of their own.

#include <jni.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
    JavaVM *vm;
    JNIEnv *env;    // of the thread, once it runs
    JNIEnv *caller; // for the caller alone
    jobject target; // global reference
};

static void *run_job(void *argument)
{
    struct job *job = argument;
    if ((*job->vm)->AttachCurrentThread(job->vm, (void **)&job->env, NULL) == JNI_OK) {
        (*job->env)->DeleteGlobalRef(job->env, job->target);
        (*job->vm)->DetachCurrentThread(job->vm);
    }
    return NULL;
}

static void *run_other(void *argument)
{
    JavaVM *vm = argument;
    JNIEnv *env;
    if ((*vm)->AttachCurrentThread(vm, (void **)&env, NULL) == JNI_OK)
        (*vm)->DetachCurrentThread(vm);
    return NULL;
}

static void *ignore(void *argument)
{
    (void)argument;
    return NULL;
}

// The virtual machine may be handed over.
JNIEXPORT jint JNICALL
Java_org_example_Worker_start(JNIEnv *env, jclass cls)
{
    JavaVM *vm;
    pthread_t thread;
    (void)cls;
    if ((*env)->GetJavaVM(env, &vm) != JNI_OK)
        return -1;
    return pthread_create(&thread, NULL, run_other, vm); // ok: env-cross-thread
}

// The thread stores its own; the field for the caller it leaves alone.
JNIEXPORT void JNICALL
Java_org_example_Worker_wait(JNIEnv *env, jclass cls, jobject target)
{
    pthread_t thread;
    (void)cls;
    struct job job = {NULL, env, env, NULL};
    if ((*env)->GetJavaVM(env, &job.vm) != JNI_OK)
        return;
    job.target = (*env)->NewGlobalRef(env, target);
    if (pthread_create(&thread, NULL, run_job, &job) == 0) // ok: env-cross-thread
        pthread_join(thread, NULL);
    else
        (*job.caller)->DeleteGlobalRef(job.caller, job.target);
}

// Started without an argument, and one that does not look at it.
JNIEXPORT jint JNICALL
Java_org_example_Worker_idle(JNIEnv *env, jclass cls)
{
    pthread_t first, second;
    (void)cls;
    if (pthread_create(&first, NULL, ignore, NULL) != 0) // ok: env-cross-thread
        return -1;
    return pthread_create(&second, NULL, ignore, env); // ok: env-cross-thread
}
