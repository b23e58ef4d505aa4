// SPDX-License-Identifier: Apache-2.0
//
// Monitors that are entered and not exited on some path, or exited too often.

#include <jni.h>

static jobject gLock;      // global
static jmethodID gOnEvent; // void onEvent(int)
static jfieldID gCount;    // int count
static jfieldID gOwner;    // Object owner

int poll_device(int *event);

#define LOCK(env, object)                                                                          \
    if ((*(env))->MonitorEnter((env), (object)) != JNI_OK)                                         \
        return -1
#define UNLOCK(env, object) (void)(*(env))->MonitorExit((env), (object))

// The exception leaves with the lock.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_fire(JNIEnv *env, jobject self, jint event)
{
    if ((*env)->MonitorEnter(env, self) != JNI_OK) // expect: monitor-unbalanced
        return -1;
    (*env)->CallVoidMethod(env, self, gOnEvent, event);
    if ((*env)->ExceptionCheck(env))
        return -1;
    UNLOCK(env, self);
    return 0;
}

// Through macros, with a return between them.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_poll(JNIEnv *env, jobject self)
{
    int event = 0;
    LOCK(env, gLock); // expect: monitor-unbalanced
    if (poll_device(&event) < 0)
        return -1;
    (*env)->SetIntField(env, self, gCount, event);
    UNLOCK(env, gLock);
    return event;
}

// The second lock fails, and the first one stays.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_move(JNIEnv *env, jobject self, jobject other)
{
    if ((*env)->MonitorEnter(env, self) != JNI_OK) // expect: monitor-unbalanced
        return -1;
    if ((*env)->MonitorEnter(env, other) != JNI_OK)
        return -1;
    jint count = (*env)->GetIntField(env, self, gCount);
    (*env)->SetIntField(env, other, gCount, count);
    UNLOCK(env, other);
    UNLOCK(env, self);
    return count;
}

// continue skips the exit: one level deeper each time.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_drain(JNIEnv *env, jobject self, jint rounds)
{
    jint total = 0;
    for (jint i = 0; i < rounds; i++) {
        int event = 0;
        if ((*env)->MonitorEnter(env, self) != JNI_OK) // expect: monitor-unbalanced
            return -1;
        if (poll_device(&event) < 0)
            continue;
        total += event;
        UNLOCK(env, self);
    }
    return total;
}

// The error branch exits, and then falls into the common exit.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_read(JNIEnv *env, jobject self)
{
    int event = 0;
    if ((*env)->MonitorEnter(env, self) != JNI_OK)
        return -1;
    if (poll_device(&event) < 0) {
        UNLOCK(env, self);
        event = -1;
    }
    UNLOCK(env, self); // expect: monitor-unbalanced
    return event;
}

// A label that exits also for those who never entered.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_reset(JNIEnv *env, jobject self, jint mode)
{
    jint status = -1;
    if (mode < 0)
        goto out;
    if ((*env)->MonitorEnter(env, self) != JNI_OK)
        return -1;
    (*env)->SetIntField(env, self, gCount, 0);
    status = 0;
out:
    UNLOCK(env, self); // expect: monitor-unbalanced
    return status;
}

// The exit takes another object.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_swap(JNIEnv *env, jobject self, jobject other)
{
    if ((*env)->MonitorEnter(env, self) != JNI_OK)
        return -1;
    jint count = (*env)->GetIntField(env, self, gCount);
    UNLOCK(env, other); // expect: monitor-unbalanced
    return count;
}

// ---- helpers

static jboolean lockObject(JNIEnv *env, jobject o)
{
    return (*env)->MonitorEnter(env, o) == JNI_OK;
}

static void unlockObject(JNIEnv *env, jobject o)
{
    (*env)->MonitorExit(env, o);
}

// Entered by a helper, and its twin is not called on one path.
JNIEXPORT jint JNICALL
Java_org_example_sync_Queue_next(JNIEnv *env, jobject self, jint n)
{
    if (!lockObject(env, self)) // expect: monitor-unbalanced
        return -1;
    if (n < 0)
        return -1;
    n++;
    unlockObject(env, self);
    return n;
}

struct queue {
    jobject lock;
    int length;
};

static int lockQueue(JNIEnv *env, struct queue *queue)
{
    return (*env)->MonitorEnter(env, queue->lock);
}

static void unlockQueue(JNIEnv *env, struct queue *queue)
{
    (*env)->MonitorExit(env, queue->lock);
}

// The monitor of what a struct holds.
static int shorten(JNIEnv *env, struct queue *queue, int by)
{
    if (lockQueue(env, queue) != JNI_OK) // expect: monitor-unbalanced
        return -1;
    if (queue->length < by)
        return -1;
    queue->length -= by;
    unlockQueue(env, queue);
    return 0;
}

JNIEXPORT jint JNICALL
Java_org_example_sync_Queue_shorten(JNIEnv *env, jobject self, jint by)
{
    struct queue queue = {.lock = self, .length = 8};
    if (shorten(env, &queue, by) < 0)
        return -1;
    if (lockQueue(env, &queue) != JNI_OK) // expect: monitor-unbalanced
        return -1;
    if (poll_device(&queue.length) < 0)
        return -1;
    unlockQueue(env, &queue);
    return queue.length;
}

static void lockAll(JNIEnv *env)
{
    if ((*env)->MonitorEnter(env, gLock) != JNI_OK)
        (*env)->FatalError(env, "MonitorEnter");
}

static void unlockAll(JNIEnv *env)
{
    (*env)->MonitorExit(env, gLock);
}

// That of a global variable, without a status.
JNIEXPORT jint JNICALL
Java_org_example_sync_Queue_event(JNIEnv *env, jobject self)
{
    int event = 0;
    lockAll(env); // expect: monitor-unbalanced
    if (poll_device(&event) < 0)
        return -1;
    (*env)->SetIntField(env, self, gCount, event);
    unlockAll(env);
    return event;
}

static jboolean lockOwner(JNIEnv *env, jobject self)
{
    jobject owner = (*env)->GetObjectField(env, self, gOwner);
    jboolean locked = owner != NULL && (*env)->MonitorEnter(env, owner) == JNI_OK;
    (*env)->DeleteLocalRef(env, owner);
    return locked;
}

static void unlockOwner(JNIEnv *env, jobject self)
{
    jobject owner = (*env)->GetObjectField(env, self, gOwner);
    (*env)->MonitorExit(env, owner);
    (*env)->DeleteLocalRef(env, owner);
}

// That of an object that only the helpers know; and through one more helper.
static jboolean lockBoth(JNIEnv *env, jobject self)
{
    return lockOwner(env, self);
}

JNIEXPORT jint JNICALL
Java_org_example_sync_Queue_owned(JNIEnv *env, jobject self)
{
    int event = 0;
    if (!lockBoth(env, self)) // expect: monitor-unbalanced
        return -1;
    if (poll_device(&event) < 0)
        return -1;
    unlockOwner(env, self);
    return event;
}

// Unlocked where it went wrong, and once more at the end.
JNIEXPORT jint JNICALL
Java_org_example_sync_Queue_twice(JNIEnv *env, jobject self)
{
    int event = 0;
    if (!lockObject(env, self))
        return -1;
    if (poll_device(&event) < 0)
        unlockObject(env, self);
    unlockObject(env, self); // expect: monitor-unbalanced
    return event;
}

// One level deeper with each turn.
JNIEXPORT jint JNICALL
Java_org_example_sync_Queue_drain(JNIEnv *env, jobject self, jint rounds)
{
    jint total = 0;
    for (jint i = 0; i < rounds; i++) {
        int event = 0;
        if (!lockObject(env, self)) // expect: monitor-unbalanced
            return -1;
        if (poll_device(&event) < 0)
            continue;
        total += event;
        unlockObject(env, self);
    }
    return total;
}
