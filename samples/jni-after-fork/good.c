// SPDX-License-Identifier: Apache-2.0
//
// Forks that leave JNI to the parent, and a child that has a virtual machine of its own.

#include <jni.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static void throw_io(JNIEnv *env, const char *message)
{
    jclass failure = (*env)->FindClass(env, "java/io/IOException");
    if (failure != NULL)
        (*env)->ThrowNew(env, failure, message);
}

static void child(const char *file, int report)
{
    char failed = 1;
    execl(file, file, (char *)NULL);
    if (write(report, &failed, 1) != 1)
        _exit(126);
    _exit(127);
}

// The parent throws, and it releases.
JNIEXPORT jint JNICALL
Java_org_example_Process_start(JNIEnv *env, jclass cls, jstring path)
{
    int report[2];
    char failed;
    (void)cls;
    const char *file = (*env)->GetStringUTFChars(env, path, NULL);
    if (file == NULL)
        return -1;
    pid_t pid = pipe(report) == 0 ? fork() : -1;
    if (pid == 0)
        child(file, report[1]); // ok: jni-after-fork
    (*env)->ReleaseStringUTFChars(env, path, file);
    if (pid < 0)
        throw_io(env, "no process"); // ok: jni-after-fork
    else if (read(report[0], &failed, 1) == 1)
        throw_io(env, "exec failed"); // ok: jni-after-fork
    return (jint)pid;
}

// What comes after a child that never returns is the parent's.
JNIEXPORT void JNICALL
Java_org_example_Process_spawn(JNIEnv *env, jclass cls, jint report)
{
    (void)cls;
    pid_t pid = fork();
    if (pid == 0)
        child("/usr/bin/tool", report);
    if (pid == 0)
        throw_io(env, "the child came back"); // ok: jni-after-fork
}

// In the other order.
JNIEXPORT void JNICALL
Java_org_example_Process_run(JNIEnv *env, jclass cls, jmethodID done)
{
    pid_t pid = fork();
    if (pid > 0) {
        waitpid(pid, NULL, 0);
        (*env)->CallStaticVoidMethod(env, cls, done); // ok: jni-after-fork
    } else if (pid == 0) {
        _exit(0);
    }
}

// A launcher: the child starts the only virtual machine there is.
int main(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        JavaVM *vm;
        JNIEnv *env;
        JavaVMInitArgs args = {.version = JNI_VERSION_1_8};
        if (JNI_CreateJavaVM(&vm, (void **)&env, &args) != JNI_OK)
            _exit(1);
        (*vm)->DestroyJavaVM(vm); // ok: jni-after-fork
        _exit(0);
    }
    return pid < 0;
}

// Its model says that it starts a virtual machine.
JNIEnv *engine_boot(void);

int run_engine(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        JNIEnv *env = engine_boot();
        if (env == NULL)
            _exit(1);
        (*env)->FindClass(env, "java/lang/String"); // ok: jni-after-fork
        _exit(0);
    }
    return pid < 0;
}
