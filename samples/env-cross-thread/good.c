// SPDX-License-Identifier: Apache-2.0
//
// Threads that are given what is valid everywhere.

#include <jni.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
    JavaVM *vm;
    JNIEnv *env;
    jobject listener; // global reference
    int count;
};

static pthread_t gThread;
static JavaVM *gVM;

void work(JNIEnv *env, int count);

static void *run(void *argument)
{
    JavaVM *vm = argument;
    JNIEnv *env;
    if ((*vm)->AttachCurrentThread(vm, (void **)&env, NULL) != JNI_OK)
        return NULL;
    work(env, 1);
    (*vm)->DetachCurrentThread(vm);
    return NULL;
}

// The thread fills in its own environment.
static void *run_job(void *argument)
{
    struct job *job = argument;
    if ((*job->vm)->AttachCurrentThread(job->vm, (void **)&job->env, NULL) != JNI_OK)
        return NULL;
    work(job->env, job->count);
    (*job->env)->DeleteGlobalRef(job->env, job->listener);
    (*job->vm)->DetachCurrentThread(job->vm);
    free(job);
    return NULL;
}

// The virtual machine.
JNIEXPORT jint JNICALL
Java_org_example_Worker_start(JNIEnv *env, jclass cls)
{
    JavaVM *vm;
    (void)cls;
    if ((*env)->GetJavaVM(env, &vm) != 0)
        return -1;
    return pthread_create(&gThread, NULL, run, vm); // ok: env-cross-thread
}

// In a struct, with a global reference.
JNIEXPORT jint JNICALL
Java_org_example_Worker_submit(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL)
        return -1;
    if ((*env)->GetJavaVM(env, &job->vm) != 0) {
        free(job);
        return -1;
    }
    job->listener = (*env)->NewGlobalRef(env, listener);
    int error = pthread_create(&gThread, NULL, run_job, job); // ok: env-cross-thread
    if (error != 0) {
        (*env)->DeleteGlobalRef(env, job->listener);
        free(job);
    }
    return error;
}

// Used here, and taken out before the thread is started.
JNIEXPORT jint JNICALL
Java_org_example_Worker_prepare(JNIEnv *env, jclass cls, jintArray items)
{
    (void)cls;
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL)
        return -1;
    job->env = env;
    job->count = (*job->env)->GetArrayLength(job->env, items);
    job->env = NULL;
    job->vm = gVM;
    int error = pthread_create(&gThread, NULL, run_job, job); // ok: env-cross-thread
    if (error != 0)
        free(job);
    return error;
}

// Nothing at all.
static void *idle(void *argument)
{
    return argument;
}

JNIEXPORT jint JNICALL
Java_org_example_Worker_idle(JNIEnv *env, jclass cls)
{
    (void)cls;
    if ((*env)->GetJavaVM(env, &gVM) != 0)
        return -1;
    return pthread_create(&gThread, NULL, idle, NULL); // ok: env-cross-thread
}
