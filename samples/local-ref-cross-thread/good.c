// SPDX-License-Identifier: Apache-2.0
//
// Threads that are given global references, or copies of what they need.

#include <jni.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct task {
    jobject listener; // global reference
    jobject owner;
    char *name;
};

static JavaVM *gVM;
static pthread_t gThread;
static jobject gShared; // global reference

void notify(JNIEnv *env, jobject listener, const char *name);
void use(JNIEnv *env, jobject object);

static void *run(void *argument)
{
    JNIEnv *env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return NULL;
    notify(env, argument, "");
    (*env)->DeleteGlobalRef(env, argument);
    (*gVM)->DetachCurrentThread(gVM);
    return NULL;
}

static void *run_task(void *argument)
{
    struct task *task = argument;
    JNIEnv *env;
    if ((*gVM)->AttachCurrentThread(gVM, (void **)&env, NULL) != JNI_OK)
        return NULL;
    notify(env, task->listener, task->name);
    (*env)->DeleteGlobalRef(env, task->listener);
    (*gVM)->DetachCurrentThread(gVM);
    free(task->name);
    free(task);
    return NULL;
}

// A global reference, that the thread deletes.
JNIEXPORT jint JNICALL
Java_org_example_Loader_start(JNIEnv *env, jclass cls, jobject listener)
{
    (void)cls;
    jobject global = (*env)->NewGlobalRef(env, listener);
    if (global == NULL)
        return -1;
    int error = pthread_create(&gThread, NULL, run, global); // ok: local-ref-cross-thread
    if (error != 0)
        (*env)->DeleteGlobalRef(env, global);
    return error;
}

// In a struct, with a copy of the string.
JNIEXPORT jint JNICALL
Java_org_example_Loader_load(JNIEnv *env, jclass cls, jobject listener, jstring name)
{
    (void)cls;
    struct task *task = calloc(1, sizeof *task);
    const char *chars = task == NULL ? NULL : (*env)->GetStringUTFChars(env, name, NULL);
    if (chars == NULL) {
        free(task);
        return -1;
    }
    task->name = strdup(chars);
    (*env)->ReleaseStringUTFChars(env, name, chars);
    task->listener = (*env)->NewGlobalRef(env, listener);
    int error = pthread_create(&gThread, NULL, run_task, task); // ok: local-ref-cross-thread
    if (error != 0) {
        (*env)->DeleteGlobalRef(env, task->listener);
        free(task->name);
        free(task);
    }
    return error;
}

// A reference that is global already.
JNIEXPORT jint JNICALL
Java_org_example_Loader_share(JNIEnv *env, jobject self)
{
    if (gShared == NULL)
        gShared = (*env)->NewGlobalRef(env, self);
    if (gShared == NULL)
        return -1;
    return pthread_create(&gThread, NULL, run, gShared); // ok: local-ref-cross-thread
}

JNIEXPORT void JNICALL
Java_org_example_Loader_unshare(JNIEnv *env, jobject self)
{
    (void)self;
    (*env)->DeleteGlobalRef(env, gShared);
    gShared = NULL;
}

// Of a helper's parameter nobody knows what it is.
int start_with(jobject listener)
{
    return pthread_create(&gThread, NULL, run, listener); // ok: local-ref-cross-thread
}

// Used here, not there.
JNIEXPORT jint JNICALL
Java_org_example_Loader_inspect(JNIEnv *env, jobject self)
{
    struct task *task = calloc(1, sizeof *task);
    if (task == NULL)
        return -1;
    task->owner = self;
    use(env, task->owner);
    task->owner = NULL;
    int error = pthread_create(&gThread, NULL, run_task, task); // ok: local-ref-cross-thread
    if (error != 0)
        free(task);
    return error;
}
