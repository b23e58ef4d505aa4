// SPDX-License-Identifier: Apache-2.0
//
// Local references, given to another thread.

#include <jni.h>
#include <pthread.h>
#include <stdlib.h>

struct task {
    JavaVM *vm;
    jobject listener;
    jstring name;
};

static JavaVM *gVM;
static pthread_t gThread;
static jfieldID gListener;

void notify(jobject listener);

static void *run(void *argument)
{
    notify(argument);
    return NULL;
}

static void *run_task(void *argument)
{
    struct task *task = argument;
    notify(task->listener);
    free(task);
    return NULL;
}

static void *run_stack_task(void *argument)
{
    struct task *task = argument;
    notify(task->listener);
    return NULL;
}

// A parameter of a native method.
JNIEXPORT jint JNICALL
Java_org_example_Loader_start(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    if ((*env)->GetJavaVM(env, &gVM) != 0)
        return -1;
    return pthread_create(&gThread, NULL, run, listener); // expect: local-ref-cross-thread
}

// `this`, in a struct.
JNIEXPORT jint JNICALL
Java_org_example_Loader_run(JNIEnv *env, jobject self)
{
    struct task *task = calloc(1, sizeof *task);
    if (task == NULL)
        return -1;
    if ((*env)->GetJavaVM(env, &task->vm) != 0) {
        free(task);
        return -1;
    }
    task->listener = self;
    int error = pthread_create(&gThread, NULL, run_task, task); // expect: local-ref-cross-thread
    if (error != 0)
        free(task);
    return error;
}

// Made here, by a helper.
int start_for(JNIEnv *env, jobject owner)
{
    jobject listener = (*env)->GetObjectField(env, owner, gListener);
    if (listener == NULL)
        return -1;
    return pthread_create(&gThread, NULL, run, (void *)listener); // expect: local-ref-cross-thread
}

// One of two; the other is right.
JNIEXPORT jint JNICALL
Java_org_example_Loader_load(JNIEnv *env, jclass cls, jobject listener, jstring name)
{
    struct task task = {.vm = gVM};
    pthread_t thread;
    (void)cls;
    task.listener = (*env)->NewGlobalRef(env, listener);
    task.name = name;
    if (pthread_create(&thread, NULL, run_stack_task, &task) == 0) // expect: local-ref-cross-thread
        pthread_join(thread, NULL);
    (*env)->DeleteGlobalRef(env, task.listener);
    return 0;
}
