// SPDX-License-Identifier: Apache-2.0
//
// The environment of one thread, kept for whoever comes later.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct session {
    JNIEnv *env;
    jobject listener; // global reference
};

static JavaVM *gVM;
static JNIEnv *gEnv;
static struct session gSession;
static struct session *gMixer;
static struct {
    int running;
    JNIEnv *env;
} gLoop;

void prepare(JNIEnv *env);
int run_loop(int turns);

// For callbacks, which come on threads of their own.
JNIEXPORT void JNICALL
Java_org_example_audio_Player_init(JNIEnv *env, jclass cls)
{
    (void)cls;
    gEnv = env; // expect: env-cached
    prepare(env);
}

// The environment of the thread that loads the library.
JNIEXPORT jint JNICALL
JNI_OnLoad(JavaVM *vm, void *reserved)
{
    (void)reserved;
    gVM = vm;
    if ((*vm)->GetEnv(vm, (void **)&gEnv, JNI_VERSION_1_8) != JNI_OK) // expect: env-cached
        return JNI_ERR;
    return JNI_VERSION_1_8;
}

// In a static struct.
JNIEXPORT void JNICALL
Java_org_example_audio_Player_open(JNIEnv *env, jobject self)
{
    jobject listener = (*env)->NewGlobalRef(env, self);
    gSession.env = env; // expect: env-cached
    gSession.listener = listener;
}

// Reset, but not on every way out.
JNIEXPORT jint JNICALL
Java_org_example_audio_Player_run(JNIEnv *env, jclass cls, jint turns)
{
    (void)cls;
    gLoop.env = env; // expect: env-cached
    if (turns <= 0)
        return -1;
    gLoop.running = 1;
    jint result = run_loop(turns);
    gLoop.running = 0;
    gLoop.env = NULL;
    return result;
}

// In a struct that Java holds as a long.
JNIEXPORT void JNICALL
Java_org_example_audio_Player_bind(JNIEnv *env, jclass cls, jlong handle)
{
    (void)cls;
    struct session *session = (struct session *)(intptr_t)handle;
    session->env = env; // expect: env-cached
}

// ... or gets here.
JNIEXPORT jlong JNICALL
Java_org_example_audio_Player_create(JNIEnv *env, jobject self)
{
    struct session *session = malloc(sizeof *session);
    if (session == NULL)
        return 0;
    session->env = env; // expect: env-cached
    session->listener = (*env)->NewGlobalRef(env, self);
    return (jlong)(intptr_t)session;
}

// In a struct that a static variable keeps.
JNIEXPORT jboolean JNICALL
Java_org_example_audio_Mixer_open(JNIEnv *env, jclass cls)
{
    (void)cls;
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return JNI_FALSE;
    session->env = env; // expect: env-cached
    gMixer = session;
    return JNI_TRUE;
}
