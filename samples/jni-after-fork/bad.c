// SPDX-License-Identifier: Apache-2.0
//
// JNI in the child of fork.

#include <jni.h>
#include <sys/types.h>
#include <unistd.h>

static void throw_io(JNIEnv *env, const char *message)
{
    jclass failure = (*env)->FindClass(env, "java/io/IOException");
    if (failure != NULL)
        (*env)->ThrowNew(env, failure, message);
}

// What the child wants to say, the parent has to.
JNIEXPORT jint JNICALL
Java_org_example_Process_start(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    const char *file = (*env)->GetStringUTFChars(env, path, NULL);
    if (file == NULL)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        execl(file, file, (char *)NULL);
        throw_io(env, "exec failed"); // expect: jni-after-fork
        _exit(127);
    }
    (*env)->ReleaseStringUTFChars(env, path, file);
    return (jint)pid;
}

// The string is made too late.
JNIEXPORT jint JNICALL
Java_org_example_Process_launch(JNIEnv *env, jclass cls, jstring path)
{
    (void)cls;
    pid_t pid;
    switch (pid = vfork()) {
    case -1:
        throw_io(env, "no process");
        break;
    case 0: {
        // expect-next: jni-after-fork
        const char *file = (*env)->GetStringUTFChars(env, path, NULL);
        if (file != NULL) {
            execl(file, file, (char *)NULL);
            (*env)->ReleaseStringUTFChars(env, path, file); // expect: jni-after-fork
        }
        _exit(127);
    }
    default:
        break;
    }
    return (jint)pid;
}

// Everybody who is not the parent.
static pid_t start_child(void)
{
    return fork();
}

JNIEXPORT void JNICALL
Java_org_example_Process_daemon(JNIEnv *env, jclass cls, jmethodID run)
{
    if (start_child())
        return;
    (*env)->CallStaticVoidMethod(env, cls, run); // expect: jni-after-fork
    _exit((*env)->ExceptionCheck(env) ? 1 : 0);  // expect: jni-after-fork
}
