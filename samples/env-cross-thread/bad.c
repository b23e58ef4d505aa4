// SPDX-License-Identifier: Apache-2.0
//
// The environment of one thread, given to another one.

#include <jni.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
    JNIEnv *env;
    int count;
};

static JavaVM *gVM;
static pthread_t gThread;

void work(JNIEnv *env, int count);

static void *run(void *argument)
{
    JNIEnv *env = argument;
    work(env, 1);
    return NULL;
}

static void *run_job(void *argument)
{
    struct job *job = argument;
    work(job->env, job->count);
    free(job);
    return NULL;
}

static void *run_stack_job(void *argument)
{
    struct job *job = argument;
    work(job->env, job->count);
    return NULL;
}

// As the argument.
JNIEXPORT jint JNICALL
Java_org_example_Worker_start(JNIEnv *env, jclass cls)
{
    (void)cls;
    jint status = (*env)->GetJavaVM(env, &gVM);
    if (status != 0)
        return status;
    return pthread_create(&gThread, NULL, run, env); // expect: env-cross-thread
}

// In a struct on the heap.
JNIEXPORT jint JNICALL
Java_org_example_Worker_submit(JNIEnv *env, jclass cls, jintArray items)
{
    (void)cls;
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
        return -1;
    job->env = env;
    job->count = (*env)->GetArrayLength(env, items);
    int error = pthread_create(&gThread, NULL, run_job, job); // expect: env-cross-thread
    if (error != 0)
        free(job);
    return error;
}

// In a struct on the stack, although the thread ends first.
JNIEXPORT jint JNICALL
Java_org_example_Worker_runTo(JNIEnv *env, jclass cls, jintArray items)
{
    (void)cls;
    struct job job = {.env = env, .count = (*env)->GetArrayLength(env, items)};
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_stack_job, &job) != 0) // expect: env-cross-thread
        return -1;
    return pthread_join(thread, NULL);
}

// From GetEnv, in a helper.
int start_worker(void)
{
    JNIEnv *env;
    if ((*gVM)->GetEnv(gVM, (void **)&env, JNI_VERSION_1_8) != JNI_OK)
        return -1;
    return pthread_create(&gThread, NULL, run, (void *)env); // expect: env-cross-thread
}

// A parameter of a helper.
int start_with(JNIEnv *env, pthread_t *thread)
{
    return pthread_create(thread, NULL, run, env); // expect: env-cross-thread
}
