// SPDX-License-Identifier: Apache-2.0
//
// Code that throws and does not leave: the exception is pending only, and the work that it was to
// prevent is done all the same. The finding is at the throw.

#include <fcntl.h>
#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct device {
    int fd;
    int speed;
    int table[16];
};

static jclass gIllegalArgument; // global references to exception classes
static jclass gIOException;
static jclass gOutOfMemory;

int start_device(struct device *device, int speed);
int apply_speed(int speed);

// The handle is zero, and is used.
JNIEXPORT jint JNICALL
Java_org_example_io_Device_speed(JNIEnv *env, jclass cls, jlong handle)
{
    (void)cls;
    struct device *device = (struct device *)(intptr_t)handle;
    if (device == NULL)
        (*env)->ThrowNew(env, gIllegalArgument, "closed"); // expect: exception-throw-then-continue
    return device->speed;
}

// Memory is short, and written.
JNIEXPORT jlong JNICALL
Java_org_example_io_Device_create(JNIEnv *env, jclass cls, jint speed)
{
    (void)cls;
    struct device *device = malloc(sizeof *device);
    if (!device) {
        (*env)->ThrowNew(env, gOutOfMemory, "device"); // expect: exception-throw-then-continue
    }
    device->speed = speed;
    return (jlong)(intptr_t)device;
}

// The file was not opened, and is read.
JNIEXPORT jint JNICALL
Java_org_example_io_Device_probe(JNIEnv *env, jclass cls)
{
    (void)cls;
    char first = 0;
    int fd = open("/dev/device", O_RDONLY);
    if (fd < 0)
        (*env)->ThrowNew(env, gIOException, "open"); // expect: exception-throw-then-continue
    ssize_t count = read(fd, &first, 1);
    close(fd);
    return count == 1 ? first : -1;
}

// The index is out of range, and used as one.
JNIEXPORT jint JNICALL
Java_org_example_io_Device_entry(JNIEnv *env, jclass cls, jlong handle, jint index)
{
    (void)cls;
    const int *table = ((struct device *)(intptr_t)handle)->table;
    if (index < 0 || index >= 16)
        (*env)->ThrowNew(env, gIllegalArgument, "index"); // expect: exception-throw-then-continue
    return table[index];
}

// The speed is refused, and set.
JNIEXPORT void JNICALL
Java_org_example_io_Device_setSpeed(JNIEnv *env, jclass cls, jint speed)
{
    (void)cls;
    if (speed > 3)
        (*env)->ThrowNew(env, gIllegalArgument, "speed"); // expect: exception-throw-then-continue
    apply_speed(speed);
}

// The class is looked up first; then it is the same.
JNIEXPORT void JNICALL
Java_org_example_io_Device_start(JNIEnv *env, jclass cls, jlong handle, jint speed)
{
    (void)cls;
    struct device *device = (struct device *)(intptr_t)handle;
    if (device == NULL) {
        jclass type = (*env)->FindClass(env, "java/lang/IllegalStateException");
        if (type != NULL)
            (*env)->ThrowNew(env, type, "closed"); // expect: exception-throw-then-continue
    }
    start_device(device, speed);
}

// Work that does not use what was bad.
JNIEXPORT jint JNICALL
Java_org_example_io_Device_configure(JNIEnv *env, jclass cls, jlong handle, jboolean strict)
{
    (void)cls;
    struct device *device = (struct device *)(intptr_t)handle;
    if (strict)
        (*env)->ThrowNew(env, gIllegalArgument, "strict"); // expect: exception-throw-then-continue
    return start_device(device, 1);
}

// One missing return is one finding, although a JNI call comes after the work.
JNIEXPORT void JNICALL
Java_org_example_io_Device_update(JNIEnv *env, jobject self, jint speed, jfieldID field)
{
    if (speed > 3)
        (*env)->ThrowNew(env, gIllegalArgument, "speed"); // expect: exception-throw-then-continue
    jint actual = apply_speed(speed);
    (*env)->SetIntField(env, self, field, actual); // ok: exception-pending-call
}

static void throwIOException(JNIEnv *env, const char *message)
{
    jclass type = (*env)->FindClass(env, "java/io/IOException");
    if (type != NULL)
        (*env)->ThrowNew(env, type, message);
}

// A helper throws.
JNIEXPORT jint JNICALL
Java_org_example_io_Device_slot(JNIEnv *env, jclass cls, jlong handle, jint i)
{
    (void)cls;
    struct device *device = (struct device *)(intptr_t)handle;
    if (device == NULL)
        throwIOException(env, "closed"); // expect: exception-throw-then-continue
    return device->table[i & 15];
}
