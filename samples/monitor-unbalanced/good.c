// SPDX-License-Identifier: Apache-2.0
//
// Monitors exited once for each time they were entered: by a label, under the condition they were
// entered under, by the second of two helpers, by the macro that closes the block.

#include <jni.h>
#include <stdint.h>

static jobject gLock;      // global
static jmethodID gOnEvent; // void onEvent(int)
static jfieldID gCount;    // int count
static jfieldID gOwner;    // Object owner

int poll_device(int *event);
void signal_waiters(void);

#define LOCK(env, object)                                                                          \
    if ((*(env))->MonitorEnter((env), (object)) != JNI_OK)                                         \
        return -1
#define UNLOCK(env, object) (void)(*(env))->MonitorExit((env), (object))
#define BEGIN_LOCKED(env, object)                                                                  \
    if ((*(env))->MonitorEnter((env), (object)) == JNI_OK) {
#define END_LOCKED(env, object)                                                                    \
    if ((*(env))->MonitorExit((env), (object)) != JNI_OK)                                          \
        return -1;                                                                                 \
    }

// MonitorExit is legal with an exception pending.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_fire(JNIEnv *env, jobject self, jint event)
{
    if ((*env)->MonitorEnter(env, self) != JNI_OK) // ok: monitor-unbalanced
        return -1;
    (*env)->CallVoidMethod(env, self, gOnEvent, event);
    UNLOCK(env, self);
    return (*env)->ExceptionCheck(env) ? -1 : 0;
}

// A label, and a failed enter that does not get there.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_poll(JNIEnv *env, jobject self)
{
    int event = 0;
    jint status = -1;
    LOCK(env, gLock); // ok: monitor-unbalanced
    if (poll_device(&event) < 0)
        goto out;
    (*env)->SetIntField(env, self, gCount, event);
    status = event;
out:
    UNLOCK(env, gLock);
    return status;
}

// Two locks, unwound one by one.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_move(JNIEnv *env, jobject self, jobject other)
{
    jint count = -1;
    if ((*env)->MonitorEnter(env, self) != JNI_OK) // ok: monitor-unbalanced
        return -1;
    if ((*env)->MonitorEnter(env, other) != JNI_OK) // ok: monitor-unbalanced
        goto unlock;
    count = (*env)->GetIntField(env, self, gCount);
    (*env)->SetIntField(env, other, gCount, count);
    UNLOCK(env, other);
unlock:
    UNLOCK(env, self);
    return count;
}

// Entered only where there is something to protect; the same test guards the exit.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_count(JNIEnv *env, jobject self, jobject lock)
{
    if (lock != NULL && (*env)->MonitorEnter(env, lock) != JNI_OK) // ok: monitor-unbalanced
        return -1;
    jint count = (*env)->GetIntField(env, self, gCount);
    if (lock != NULL)
        UNLOCK(env, lock);
    return count;
}

// A flag that says so.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_tryRead(JNIEnv *env, jobject self, jboolean exclusive)
{
    jboolean locked = JNI_FALSE;
    int event = 0;
    if (exclusive) {
        locked = (*env)->MonitorEnter(env, self) == JNI_OK; // ok: monitor-unbalanced
        if (!locked)
            return -1;
    }
    if (poll_device(&event) < 0)
        event = -1;
    if (locked)
        UNLOCK(env, self);
    return event;
}

// Each turn enters and exits, the early ends of the loop as well.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_drain(JNIEnv *env, jobject self, jint rounds)
{
    jint total = 0;
    for (jint i = 0; i < rounds; i++) {
        int event = 0;
        if ((*env)->MonitorEnter(env, self) != JNI_OK) // ok: monitor-unbalanced
            return -1;
        int failed = poll_device(&event) < 0;
        UNLOCK(env, self);
        if (failed)
            break;
        total += event;
    }
    return total;
}

// Given up for a moment, and taken again.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_await(JNIEnv *env, jobject self, jint rounds)
{
    int event = 0;
    if ((*env)->MonitorEnter(env, self) != JNI_OK) // ok: monitor-unbalanced
        return -1;
    while (rounds-- > 0 && poll_device(&event) == 0) {
        UNLOCK(env, self);
        signal_waiters();
        if ((*env)->MonitorEnter(env, self) != JNI_OK) // ok: monitor-unbalanced
            return -1;
    }
    UNLOCK(env, self);
    return event;
}

// Entered twice by the same thread: exited twice.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_nested(JNIEnv *env, jobject self)
{
    LOCK(env, self); // ok: monitor-unbalanced
    if ((*env)->MonitorEnter(env, self) != JNI_OK) { // ok: monitor-unbalanced
        UNLOCK(env, self);
        return -1;
    }
    jint count = (*env)->GetIntField(env, self, gCount);
    UNLOCK(env, self);
    UNLOCK(env, self);
    return count;
}

// Macros that open and close a block.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_reset(JNIEnv *env, jobject self)
{
    BEGIN_LOCKED(env, gLock) // ok: monitor-unbalanced
    (*env)->SetIntField(env, self, gCount, 0);
    END_LOCKED(env, gLock)
    return 0;
}

// A pair of helpers: each does one half.
static int lockOwner(JNIEnv *env, jobject self)
{
    jobject owner = (*env)->GetObjectField(env, self, gOwner);
    if (owner == NULL)
        return -1;
    int status = (*env)->MonitorEnter(env, owner); // ok: monitor-unbalanced
    (*env)->DeleteLocalRef(env, owner);
    return status;
}

static void unlockOwner(JNIEnv *env, jobject self)
{
    jobject owner = (*env)->GetObjectField(env, self, gOwner);
    if (owner != NULL)
        UNLOCK(env, owner); // ok: monitor-unbalanced
    (*env)->DeleteLocalRef(env, owner);
}

JNIEXPORT jint JNICALL
Java_org_example_dev_Device_ownerCount(JNIEnv *env, jobject self)
{
    if (lockOwner(env, self) != JNI_OK)
        return -1;
    jint count = (*env)->GetIntField(env, self, gCount);
    unlockOwner(env, self);
    return count;
}

// The helper enters, the native method exits.
JNIEXPORT jint JNICALL
Java_org_example_dev_Device_ownerReset(JNIEnv *env, jobject self)
{
    jobject owner = (*env)->GetObjectField(env, self, gOwner);
    if (owner == NULL || lockOwner(env, self) != JNI_OK)
        return -1;
    (*env)->SetIntField(env, self, gCount, 0);
    UNLOCK(env, owner); // ok: monitor-unbalanced
    (*env)->DeleteLocalRef(env, owner);
    return 0;
}

// The helper says in its own way whether it entered.
static int tryLock(JNIEnv *env, jobject object)
{
    if ((*env)->MonitorEnter(env, object) != JNI_OK) // ok: monitor-unbalanced
        return 0;
    return 1;
}

JNIEXPORT jint JNICALL
Java_org_example_dev_Device_tryCount(JNIEnv *env, jobject self)
{
    if (!tryLock(env, self))
        return -1;
    jint count = (*env)->GetIntField(env, self, gCount);
    UNLOCK(env, self); // ok: monitor-unbalanced
    return count;
}

// A helper that enters and says nothing of it, and its twin.
static void lock(JNIEnv *env)
{
    if ((*env)->MonitorEnter(env, gLock) != JNI_OK) // ok: monitor-unbalanced
        (*env)->FatalError(env, "MonitorEnter");
}

static void unlock(JNIEnv *env)
{
    UNLOCK(env, gLock); // ok: monitor-unbalanced
}

JNIEXPORT void JNICALL
Java_org_example_dev_Device_clear(JNIEnv *env, jobject self)
{
    lock(env);
    (*env)->SetIntField(env, self, gCount, 0);
    unlock(env);
}

// ---- helpers

static jboolean lockObject(JNIEnv *env, jobject o)
{
    return (*env)->MonitorEnter(env, o) == JNI_OK; // ok: monitor-unbalanced
}

static void unlockObject(JNIEnv *env, jobject o)
{
    (*env)->MonitorExit(env, o); // ok: monitor-unbalanced
}

JNIEXPORT jint JNICALL
Java_org_example_sync_Queue_next(JNIEnv *env, jobject self, jint n)
{
    if (!lockObject(env, self)) // ok: monitor-unbalanced
        return -1;
    if (n < 0)
        n = -1;
    unlockObject(env, self);
    return n;
}

struct queue {
    jobject lock;
    int length;
    jboolean shared, locked;
};

static int lockQueue(JNIEnv *env, struct queue *queue)
{
    return (*env)->MonitorEnter(env, queue->lock); // ok: monitor-unbalanced
}

static void unlockQueue(JNIEnv *env, struct queue *queue)
{
    (*env)->MonitorExit(env, queue->lock); // ok: monitor-unbalanced
}

JNIEXPORT jint JNICALL
Java_org_example_sync_Queue_shorten(JNIEnv *env, jobject self, jint rounds)
{
    struct queue queue = {.lock = self, .length = 8};
    for (jint i = 0; i < rounds; i++) {
        if (lockQueue(env, &queue) != JNI_OK) // ok: monitor-unbalanced
            return -1;
        if (poll_device(&queue.length) < 0) {
            unlockQueue(env, &queue);
            break;
        }
        unlockQueue(env, &queue);
    }
    return queue.length;
}

// Only where others can see it; and the struct remembers.
static void lockShared(JNIEnv *env, struct queue *queue)
{
    if (queue->shared)
        queue->locked = (*env)->MonitorEnter(env, queue->lock) == JNI_OK; // ok: monitor-unbalanced
}

static void unlockShared(JNIEnv *env, struct queue *queue)
{
    if (queue->locked)
        (*env)->MonitorExit(env, queue->lock); // ok: monitor-unbalanced
    queue->locked = JNI_FALSE;
}

static int lengthOf(JNIEnv *env, struct queue *queue)
{
    lockShared(env, queue); // ok: monitor-unbalanced
    int length = queue->length;
    if (queue->shared)
        (*env)->MonitorExit(env, queue->lock); // ok: monitor-unbalanced
    return length;
}

JNIEXPORT jint JNICALL
Java_org_example_sync_Queue_length(JNIEnv *env, jobject self, jboolean shared)
{
    struct queue queue = {.lock = self, .length = 8, .shared = shared};
    lockShared(env, &queue); // ok: monitor-unbalanced
    queue.length++;
    unlockShared(env, &queue);
    return lengthOf(env, &queue);
}

struct locking {
    jboolean (*lock)(JNIEnv *env, jobject o);
    void (*unlock)(JNIEnv *env, jobject o);
};

void finish_locked(JNIEnv *env, void *work);

static void finishAll(JNIEnv *env, void *work)
{
    finish_locked(env, work);
}

// Its twin may be called through something that is not known.
JNIEXPORT jint JNICALL
Java_org_example_sync_Queue_hidden(JNIEnv *env, jobject self, jlong handle)
{
    const struct locking *locking = (const struct locking *)(intptr_t)handle;
    if (!lockObject(env, self)) // ok: monitor-unbalanced
        return -1;
    jint count = (*env)->GetIntField(env, self, gCount);
    locking->unlock(env, self);
    if (!lockObject(env, self)) // ok: monitor-unbalanced
        return -1;
    finishAll(env, &count);
    return count;
}

// A helper that is given the two of them by what it is asked for.
static jint setLocked(JNIEnv *env, jobject o, jboolean locked)
{
    if (locked)
        return (*env)->MonitorEnter(env, o); // ok: monitor-unbalanced
    return (*env)->MonitorExit(env, o);      // ok: monitor-unbalanced
}

JNIEXPORT jint JNICALL
Java_org_example_sync_Queue_counted(JNIEnv *env, jobject self)
{
    if (setLocked(env, self, JNI_TRUE) != JNI_OK) // ok: monitor-unbalanced
        return -1;
    jint count = (*env)->GetIntField(env, self, gCount);
    setLocked(env, self, JNI_FALSE);
    return count;
}

// Two, in one order and in the other.
static jboolean lockTwo(JNIEnv *env, jobject a, jobject b)
{
    if (!lockObject(env, a)) // ok: monitor-unbalanced
        return JNI_FALSE;
    if (lockObject(env, b)) // ok: monitor-unbalanced
        return JNI_TRUE;
    unlockObject(env, a);
    return JNI_FALSE;
}

JNIEXPORT jint JNICALL
Java_org_example_sync_Queue_both(JNIEnv *env, jobject self, jobject other)
{
    if (!lockTwo(env, self, other))
        return -1;
    jint count = (*env)->GetIntField(env, self, gCount);
    unlockObject(env, other);
    unlockObject(env, self);
    return count;
}

// A lock that counts how often it is held.
struct counting {
    jobject object;
    int count;
};

static int lockCounting(JNIEnv *env, struct counting *l)
{
    if (l->count == 0 && (*env)->MonitorEnter(env, l->object) != JNI_OK)
        return -1;
    l->count++;
    return 0;
}

static void unlockCounting(JNIEnv *env, struct counting *l)
{
    if (--l->count == 0)
        (*env)->MonitorExit(env, l->object);
}

JNIEXPORT void JNICALL
Java_org_example_sync_Counter_twice(JNIEnv *env, jclass cls, jobject object)
{
    struct counting l = {object, 0};
    (void)cls;
    if (lockCounting(env, &l) < 0) // ok: monitor-unbalanced
        return;
    if (lockCounting(env, &l) == 0)
        unlockCounting(env, &l);
    unlockCounting(env, &l);
}
