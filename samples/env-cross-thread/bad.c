// SPDX-License-Identifier: Apache-2.0
//
// The environment of one thread in the hands of another.

#include <jni.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
    JNIEnv *env;
    jobject target; // global reference
    jint turns;
};

static void *run_direct(void *argument)
{
    JNIEnv *env = argument;
    if ((*env)->PushLocalFrame(env, 8) == 0)
        (*env)->PopLocalFrame(env, NULL);
    return NULL;
}

static void work(struct job *job)
{
    JNIEnv *env = job->env;
    (*env)->DeleteGlobalRef(env, job->target);
}

static void *run_job(void *argument)
{
    struct job *job = argument;
    work(job);
    free(job);
    return NULL;
}

// As the argument.
JNIEXPORT jint JNICALL
Java_org_example_Worker_start(JNIEnv *env, jclass cls)
{
    pthread_t thread;
    (void)cls;
    return pthread_create(&thread, NULL, run_direct, env); // expect: env-cross-thread
}

// In a struct on the heap.
JNIEXPORT jboolean JNICALL
Java_org_example_Worker_submit(JNIEnv *env, jclass cls, jobject target, jint turns)
{
    pthread_t thread;
    (void)cls;
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
        return JNI_FALSE;
    job->env = env;
    job->target = (*env)->NewGlobalRef(env, target);
    job->turns = turns;
    // expect-next: env-cross-thread
    if (pthread_create(&thread, NULL, run_job, job) != 0)
        return JNI_FALSE;
    return JNI_TRUE;
}

// In a struct on the stack, until the thread has ended: still another thread.
JNIEXPORT void JNICALL
Java_org_example_Worker_wait(JNIEnv *env, jclass cls, jobject target)
{
    pthread_t thread;
    (void)cls;
    struct job job = {env, NULL, 1};
    job.target = (*env)->NewGlobalRef(env, target);
    if (pthread_create(&thread, NULL, run_job, &job) == 0) // expect: env-cross-thread
        pthread_join(thread, NULL);
}
