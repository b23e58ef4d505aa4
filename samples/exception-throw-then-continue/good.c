// SPDX-License-Identifier: Apache-2.0
//
// What is right after a throw: leaving, cleaning up, reporting, and work that is meant for that
// case.

#include <fcntl.h>
#include <jni.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct device {
    int fd;
    int speed;
    int table[16];
};

static jclass gIllegalArgument; // global references to exception classes
static jclass gIOException;

int start_device(struct device *device, int speed);
int apply_speed(int speed);
void device_free(struct device *device);
int default_speed(void);

#define REQUIRE(env, condition, message, value)                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (*(env))->ThrowNew((env), gIllegalArgument, (message));                                \
            return value;                                                                          \
        }                                                                                          \
    } while (0)

JNIEXPORT jint JNICALL
Java_org_example_io_Device_speed(JNIEnv *env, jclass cls, jlong handle)
{
    (void)cls;
    struct device *device = (struct device *)(intptr_t)handle;
    if (device == NULL) {
        (*env)->ThrowNew(env, gIllegalArgument, "closed"); // ok: exception-throw-then-continue
        return -1;
    }
    return device->speed;
}

JNIEXPORT jint JNICALL
Java_org_example_io_Device_entry(JNIEnv *env, jclass cls, jlong handle, jint index)
{
    (void)cls;
    REQUIRE(env, index >= 0 && index < 16, "index", 0); // ok: exception-throw-then-continue
    return ((struct device *)(intptr_t)handle)->table[index];
}

// Cleaning up comes for all.
JNIEXPORT jint JNICALL
Java_org_example_io_Device_probe(JNIEnv *env, jclass cls)
{
    (void)cls;
    char first = 0;
    int fd = open("/dev/device", O_RDONLY);
    if (fd < 0) {
        (*env)->ThrowNew(env, gIOException, "open"); // ok: exception-throw-then-continue
        return -1;
    }
    ssize_t count = read(fd, &first, 1);
    if (count < 0)
        (*env)->ThrowNew(env, gIOException, "read"); // ok: exception-throw-then-continue
    close(fd);
    return count == 1 ? first : -1;
}

// The label decides what is left to do.
JNIEXPORT jint JNICALL
Java_org_example_io_Device_start(JNIEnv *env, jclass cls, jlong handle, jint speed)
{
    (void)cls;
    struct device *device = (struct device *)(intptr_t)handle;
    int result = -1;
    if (speed > 3) {
        (*env)->ThrowNew(env, gIllegalArgument, "speed"); // ok: exception-throw-then-continue
        goto out;
    }
    result = start_device(device, speed);
out:
    apply_speed(0);
    return result;
}

// The other branch does the work.
JNIEXPORT void JNICALL
Java_org_example_io_Device_setSpeed(JNIEnv *env, jclass cls, jint speed)
{
    (void)cls;
    if (speed > 3)
        (*env)->ThrowNew(env, gIllegalArgument, "speed"); // ok: exception-throw-then-continue
    else
        apply_speed(speed);
}

// A flag remembers it.
JNIEXPORT jint JNICALL
Java_org_example_io_Device_open(JNIEnv *env, jclass cls, jint speed)
{
    (void)cls;
    int ok = 1;
    if (speed > 3) {
        (*env)->ThrowNew(env, gIllegalArgument, "speed"); // ok: exception-throw-then-continue
        ok = 0;
    }
    if (ok)
        return apply_speed(speed);
    return -1;
}

// Freed and reported: neither is work.
JNIEXPORT jlong JNICALL
Java_org_example_io_Device_create(JNIEnv *env, jclass cls, jint speed)
{
    (void)cls;
    struct device *device = malloc(sizeof *device);
    jlong result = 0;
    if (device == NULL || start_device(device, speed) != 0) {
        (*env)->ThrowNew(env, gIOException, "device"); // ok: exception-throw-then-continue
        device_free(device);
        fprintf(stderr, "speed %d failed\n", (int)speed);
    } else {
        result = (jlong)(intptr_t)device;
    }
    return result;
}

// Work that is done for this case only.
JNIEXPORT jint JNICALL
Java_org_example_io_Device_fallback(JNIEnv *env, jclass cls, jlong handle, jint speed)
{
    (void)cls;
    struct device *device = (struct device *)(intptr_t)handle;
    if (start_device(device, speed) != 0) {
        (*env)->ThrowNew(env, gIOException, "using the default"); // ok: exception-throw-then-continue
        return apply_speed(default_speed());
    }
    return 0;
}

// Cleared again.
JNIEXPORT jint JNICALL
Java_org_example_io_Device_tryStart(JNIEnv *env, jclass cls, jlong handle, jint speed)
{
    (void)cls;
    struct device *device = (struct device *)(intptr_t)handle;
    if (speed > 3) {
        (*env)->ThrowNew(env, gIllegalArgument, "speed"); // ok: exception-throw-then-continue
        (*env)->ExceptionDescribe(env);
    }
    return start_device(device, 3);
}

static void throwIOException(JNIEnv *env, const char *message)
{
    jclass type = (*env)->FindClass(env, "java/io/IOException");
    if (type != NULL)
        (*env)->ThrowNew(env, type, message);
}

// A helper throws, and what follows is what has to be done.
JNIEXPORT jint JNICALL
Java_org_example_io_Device_drain(JNIEnv *env, jclass cls, jint fd, jint size)
{
    (void)cls;
    jint n = -1;
    char *buffer = malloc(64);
    if (buffer == NULL)
        throwIOException(env, "no memory"); // ok: exception-throw-then-continue
    else
        n = (jint)read(fd, buffer, size < 64 ? 64 : 32);
    free(buffer);
    return n;
}
