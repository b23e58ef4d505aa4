// SPDX-License-Identifier: Apache-2.0
//
// Global and weak global references whose handle is lost: on an error path, when the only variable
// that has it is overwritten, when a promotion is meant to be a cast, when a loop makes one more.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct task {
    jobject target; // global
    int priority;
};

static jmethodID gRun;   // void run()
static jclass gTaskType; // global

int start_thread(void *(*run)(void *), int priority);
int is_allowed(int priority);

// The second allocation fails, and the first reference goes with the stack.
JNIEXPORT jlong JNICALL
Java_org_example_job_Pool_prepare(JNIEnv *env, jclass cls, jobject target, jint priority)
{
    (void)cls;
    jobject global = (*env)->NewGlobalRef(env, target); // expect: global-ref-leak
    if (global == NULL)
        return 0;
    struct task *t = malloc(sizeof *t);
    if (t == NULL)
        return 0;
    t->target = global;
    t->priority = priority;
    return (jlong)(intptr_t)t;
}

// An exception leaves early.
JNIEXPORT jboolean JNICALL
Java_org_example_job_Pool_runNow(JNIEnv *env, jclass cls, jobject target)
{
    (void)cls;
    jobject global = (*env)->NewGlobalRef(env, target); // expect: global-ref-leak
    if (global == NULL)
        return JNI_FALSE;
    (*env)->CallVoidMethod(env, global, gRun);
    if ((*env)->ExceptionCheck(env))
        return JNI_FALSE;
    (*env)->DeleteGlobalRef(env, global);
    return JNI_TRUE;
}

// The only variable is overwritten with another reference.
JNIEXPORT jboolean JNICALL
Java_org_example_job_Pool_either(JNIEnv *env, jclass cls, jobject first, jobject second)
{
    (void)cls;
    jobject target = (*env)->NewGlobalRef(env, first); // expect: global-ref-leak
    if (second != NULL)
        target = (*env)->NewGlobalRef(env, second);
    if (target == NULL)
        return JNI_FALSE;
    (*env)->CallVoidMethod(env, target, gRun);
    jboolean ok = !(*env)->ExceptionCheck(env);
    (*env)->DeleteGlobalRef(env, target);
    return ok;
}

// A global reference made where a local one would do, and never deleted.
JNIEXPORT jint JNICALL
Java_org_example_job_Pool_nameLength(JNIEnv *env, jclass cls, jstring name)
{
    (void)cls;
    jstring kept = (jstring)(*env)->NewGlobalRef(env, name); // expect: global-ref-leak
    if (kept == NULL)
        return 0;
    return (*env)->GetStringLength(env, kept);
}

// Handed to a JNI function at once: nobody ever has the handle.
JNIEXPORT void JNICALL
Java_org_example_job_Pool_store(JNIEnv *env, jclass cls, jobjectArray into, jobject item)
{
    (void)cls;
    (*env)->SetObjectArrayElement(env, into, 0, (*env)->NewGlobalRef(env, item)); // expect: global-ref-leak
}

// One more in every turn.
JNIEXPORT void JNICALL
Java_org_example_job_Pool_runAll(JNIEnv *env, jclass cls, jobject task, jint count)
{
    (void)cls;
    for (jint i = 0; i < count; i++) {
        jobject global = (*env)->NewGlobalRef(env, task); // expect: global-ref-leak
        if (global == NULL)
            return;
        (*env)->CallVoidMethod(env, global, gRun);
        if ((*env)->ExceptionCheck(env)) {
            (*env)->DeleteGlobalRef(env, global);
            return;
        }
    }
}

// A weak reference takes a slot of its table, alive or not.
JNIEXPORT jboolean JNICALL
Java_org_example_job_Pool_isAlive(JNIEnv *env, jclass cls, jobject value, jint priority)
{
    (void)cls;
    jweak weak = (*env)->NewWeakGlobalRef(env, value); // expect: global-ref-leak
    if (weak == NULL || !is_allowed(priority))
        return JNI_FALSE;
    jboolean alive = !(*env)->IsSameObject(env, weak, NULL);
    (*env)->DeleteWeakGlobalRef(env, weak);
    return alive;
}

// The struct that holds it is freed without it.
JNIEXPORT jlong JNICALL
Java_org_example_job_Pool_submit(JNIEnv *env, jclass cls, jobject target, jint priority)
{
    (void)cls;
    struct task *t = malloc(sizeof *t);
    if (t == NULL)
        return 0;
    t->target = (*env)->NewGlobalRef(env, target); // expect: global-ref-leak
    if (!is_allowed(priority)) {
        free(t);
        return 0;
    }
    t->priority = priority;
    return (jlong)(intptr_t)t;
}

// The class is cached in the second variable only when the first lookup was the right one.
JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK)
        return JNI_ERR;
    jclass local = (*env)->FindClass(env, "org/example/job/Task");
    if (local == NULL)
        return JNI_ERR;
    jclass type = (jclass)(*env)->NewGlobalRef(env, local); // expect: global-ref-leak
    (*env)->DeleteLocalRef(env, local);
    if (type == NULL)
        return JNI_ERR;
    gRun = (*env)->GetMethodID(env, type, "run", "()V");
    if (gRun == NULL)
        return JNI_ERR;
    gTaskType = type;
    return JNI_VERSION_1_6;
}

// ---- helpers

static jobject globalOf(JNIEnv *env, jobject local)
{
    jobject global = (*env)->NewGlobalRef(env, local);
    (*env)->DeleteLocalRef(env, local);
    return global;
}

// Made by a helper.
JNIEXPORT jint JNICALL
Java_org_example_text_Text_first(JNIEnv *env, jclass cls, jobjectArray texts)
{
    (void)cls;
    jobject first = (*env)->GetObjectArrayElement(env, texts, 0);
    if ((*env)->ExceptionCheck(env))
        return -1;
    jobject kept = globalOf(env, first); // expect: global-ref-leak
    if (kept == NULL)
        return 0;
    return (*env)->GetStringLength(env, kept);
}

// Its model says that it looks at the reference and keeps nothing.
void engine_show(JNIEnv *env, jobject o);

JNIEXPORT void JNICALL
Java_org_example_text_Text_show(JNIEnv *env, jclass cls, jobject o)
{
    (void)cls;
    jobject global = (*env)->NewGlobalRef(env, o); // expect: global-ref-leak
    if (global != NULL)
        engine_show(env, global);
}

// What one native method opens, another one closes, and forgets the half of it.
struct channel {
    jobject input, output; // global
    jint state;
};

JNIEXPORT jlong JNICALL
Java_org_example_pipe_Channel_open(JNIEnv *env, jclass cls, jobject input, jobject output)
{
    struct channel *c = calloc(1, sizeof *c);
    (void)cls;
    if (c == NULL)
        return 0;
    c->input = (*env)->NewGlobalRef(env, input);
    c->output = (*env)->NewGlobalRef(env, output);
    return (jlong)(intptr_t)c;
}

JNIEXPORT void JNICALL
Java_org_example_pipe_Channel_close(JNIEnv *env, jclass cls, jlong handle)
{
    struct channel *c = (struct channel *)(intptr_t)handle;
    (void)cls;
    (*env)->DeleteGlobalRef(env, c->input);
    free(c); // expect: global-ref-leak
}
