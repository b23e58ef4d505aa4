// SPDX-License-Identifier: Apache-2.0
//
// Places that do not outlive the call or the thread, and the JavaVM pointer, which may be kept.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct session {
    JavaVM *vm;
    JNIEnv *env; // during a call
    jobject listener;
};

struct walk {
    JNIEnv *env;
    jmethodID visit;
    jobject visitor;
};

static JavaVM *gVM;
static JNIEnv *gEnv; // during a call
static _Thread_local JNIEnv *gThreadEnv;
static JNIEnv *gCurrent; // between enter and leave

#define WITH_ENV(env) gEnv = (env)
#define END_WITH_ENV() gEnv = NULL

int run_loop(int turns);
void walk_tree(int depth, void (*each)(void *context, int node), void *context);

JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    gVM = vm; // ok: env-cached
    return JNI_VERSION_1_8;
}

// A struct on this stack goes with the call.
static void visit_node(void *context, int node)
{
    struct walk *walk = context;
    JNIEnv *env = walk->env;
    if (!(*env)->ExceptionCheck(env))
        (*env)->CallVoidMethod(env, walk->visitor, walk->visit, node);
}

JNIEXPORT void JNICALL
Java_org_example_tree_Tree_walk(JNIEnv *env, jclass cls, jint depth, jobject visitor, jlong visit)
{
    (void)cls;
    struct walk walk = {.env = env, .visit = (jmethodID)(intptr_t)visit, .visitor = visitor};
    walk_tree(depth, visit_node, &walk); // ok: env-cached
}

// Set and reset around the work.
JNIEXPORT jint JNICALL
Java_org_example_audio_Player_run(JNIEnv *env, jclass cls, jint turns)
{
    (void)cls;
    jint result = -1;
    WITH_ENV(env); // ok: env-cached
    if (turns > 0)
        result = run_loop(turns);
    END_WITH_ENV();
    return result;
}

// The same in a struct that Java holds as a long.
JNIEXPORT jint JNICALL
Java_org_example_audio_Player_play(JNIEnv *env, jclass cls, jlong handle, jint turns)
{
    (void)cls;
    struct session *session = (struct session *)(intptr_t)handle;
    session->env = env; // ok: env-cached
    jint result = run_loop(turns);
    session->env = NULL;
    return result;
}

// Every thread has a place of its own.
JNIEXPORT void JNICALL
Java_org_example_audio_Player_attach(JNIEnv *env, jclass cls)
{
    (void)cls;
    gThreadEnv = env; // ok: env-cached
}

// Two halves: one function sets it, another one ends the time in which it holds.
static void enter(JNIEnv *env)
{
    gCurrent = env; // ok: env-cached
}

static void leave(void)
{
    gCurrent = NULL;
}

JNIEXPORT jint JNICALL
Java_org_example_audio_Player_turn(JNIEnv *env, jclass cls)
{
    (void)cls;
    enter(env);
    jint result = run_loop(1);
    leave();
    return result;
}

// The JavaVM pointer serves every thread.
JNIEXPORT jlong JNICALL
Java_org_example_audio_Player_create(JNIEnv *env, jobject self)
{
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return 0;
    if ((*env)->GetJavaVM(env, &session->vm) != JNI_OK) { // ok: env-cached
        free(session);
        return 0;
    }
    session->listener = (*env)->NewGlobalRef(env, self);
    return (jlong)(intptr_t)session;
}

// A struct that does not leave the function.
JNIEXPORT jint JNICALL
Java_org_example_audio_Player_once(JNIEnv *env, jobject self)
{
    struct session *session = malloc(sizeof *session);
    if (session == NULL)
        return -1;
    session->env = env; // ok: env-cached
    session->listener = self;
    jint result = run_loop(1);
    free(session);
    return result;
}
