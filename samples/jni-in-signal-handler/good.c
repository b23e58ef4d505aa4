// SPDX-License-Identifier: Apache-2.0
//
// Signal handlers that leave JNI alone.

#include <jni.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;
static int wake_up[2];
static void (*previous)(int);

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1; // ok: jni-in-signal-handler
}

// The pipe of a thread that waits for it.
static void on_hangup(int number)
{
    char byte = (char)number;
    if (write(wake_up[1], &byte, 1) < 0) // ok: jni-in-signal-handler
        interrupted = 1;
}

// Whoever was there before is called as well.
static void on_user_signal(int number)
{
    interrupted = number;
    if (previous != NULL && previous != SIG_DFL && previous != SIG_IGN)
        previous(number); // ok: jni-in-signal-handler
}

// What takes a number and is no handler.
static void report(JNIEnv *env, jclass cls, jmethodID id)
{
    (*env)->CallStaticVoidMethod(env, cls, id, (jint)interrupted); // ok: jni-in-signal-handler
}

JNIEXPORT void JNICALL
Java_org_example_Signals_wait(JNIEnv *env, jclass cls)
{
    struct sigaction action;
    char byte;
    jmethodID id = (*env)->GetStaticMethodID(env, cls, "signalled", "(I)V");
    if (id == NULL || pipe(wake_up) != 0)
        return;
    signal(SIGINT, on_interrupt);
    signal(SIGPIPE, SIG_IGN);
    previous = signal(SIGUSR1, on_user_signal);
    memset(&action, 0, sizeof action);
    action.sa_handler = on_hangup;
    sigaction(SIGHUP, &action, NULL);
    if (read(wake_up[0], &byte, 1) == 1)
        report(env, cls, id);
}
