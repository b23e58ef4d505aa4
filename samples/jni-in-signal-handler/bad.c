// SPDX-License-Identifier: Apache-2.0
//
// JNI in signal handlers.

#include <jni.h>
#include <signal.h>
#include <string.h>

static JavaVM *gVm;
static jclass gMonitor; // global reference
static jmethodID gNotify;

static void notify_java(int number)
{
    JNIEnv *env;
    if ((*gVm)->GetEnv(gVm, (void **)&env, JNI_VERSION_1_8) == JNI_OK)
        (*env)->CallStaticVoidMethod(env, gMonitor, gNotify, (jint)number);
}

// Directly.
static void on_interrupt(int number)
{
    JNIEnv *env;
    // expect-next: jni-in-signal-handler
    if ((*gVm)->AttachCurrentThread(gVm, (void **)&env, NULL) == JNI_OK) {
        (*env)->CallStaticVoidMethod(env, gMonitor, gNotify, (jint)number);
        (*gVm)->DetachCurrentThread(gVm);
    }
}

// By way of another function.
static void on_hangup(int number)
{
    notify_java(number); // expect: jni-in-signal-handler
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)info;
    (void)context;
    notify_java(number); // expect: jni-in-signal-handler
}

static void set_handler(int number, void (*handler)(int))
{
    signal(number, handler);
}

static void on_user_signal(int number)
{
    notify_java(number); // expect: jni-in-signal-handler
}

JNIEXPORT void JNICALL
Java_org_example_Signals_install(JNIEnv *env, jclass cls)
{
    struct sigaction action, old;
    (void)cls;
    if ((*env)->GetJavaVM(env, &gVm) != JNI_OK)
        return;
    signal(SIGINT, on_interrupt);
    set_handler(SIGUSR1, on_user_signal);
    memset(&action, 0, sizeof action);
    action.sa_handler = on_hangup;
    sigaction(SIGHUP, &action, &old);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &action, &old);
}
