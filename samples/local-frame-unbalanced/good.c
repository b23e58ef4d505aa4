// SPDX-License-Identifier: Apache-2.0
//
// Frames that are popped on every path: with a result, in a loop, nested, under the condition
// or the flag that they were pushed under, after a failed push not at all; and the two halves
// of a frame that a project has put into functions of its own.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct frame {
    JNIEnv *env;
    int active;
};

static jmethodID gAccept; // boolean accept(Object)
static jmethodID gGet;    // Object get(int)

#define PUSH_FRAME_OR_RETURN(env, capacity, value)                                                 \
    do {                                                                                           \
        if ((*(env))->PushLocalFrame((env), (capacity)) < 0)                                       \
            return (value);                                                                        \
    } while (0)
#define POP_AND_RETURN(env, value)                                                                 \
    do {                                                                                           \
        (*(env))->PopLocalFrame((env), NULL);                                                      \
        return (value);                                                                            \
    } while (0)

// Popping is legal with an exception pending.
JNIEXPORT jboolean JNICALL
Java_org_example_tree_Walker_visit(JNIEnv *env, jobject self, jobject visitor)
{
    if ((*env)->PushLocalFrame(env, 8) < 0) // ok: local-frame-unbalanced
        return JNI_FALSE;
    jboolean accepted = (*env)->CallBooleanMethod(env, visitor, gAccept, self);
    if ((*env)->ExceptionCheck(env)) {
        (*env)->PopLocalFrame(env, NULL); // ok: local-frame-unbalanced
        return JNI_FALSE;
    }
    (*env)->PopLocalFrame(env, NULL); // ok: local-frame-unbalanced
    return accepted;
}

// The result of a frame is returned in the frame around it.
JNIEXPORT jobject JNICALL
Java_org_example_tree_Walker_first(JNIEnv *env, jclass cls, jobject list)
{
    (void)cls;
    if ((*env)->PushLocalFrame(env, 4) != JNI_OK) // ok: local-frame-unbalanced
        return NULL;
    jobject first = (*env)->CallObjectMethod(env, list, gGet, 0);
    if ((*env)->ExceptionCheck(env))
        first = NULL;
    return (*env)->PopLocalFrame(env, first); // ok: local-frame-unbalanced
}

// A frame for each iteration.
JNIEXPORT jint JNICALL
Java_org_example_tree_Walker_count(JNIEnv *env, jclass cls, jobjectArray nodes, jclass type)
{
    jint found = 0;
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, nodes);
    for (jsize i = 0; i < count; i++) {
        PUSH_FRAME_OR_RETURN(env, 4, -1); // ok: local-frame-unbalanced
        jobject node = (*env)->GetObjectArrayElement(env, nodes, i);
        if (node == NULL) {
            (*env)->PopLocalFrame(env, NULL);
            continue;
        }
        if ((*env)->IsInstanceOf(env, node, type))
            found++;
        (*env)->PopLocalFrame(env, NULL); // ok: local-frame-unbalanced
    }
    return found;
}

// The best node so far is carried from frame to frame.
JNIEXPORT jobject JNICALL
Java_org_example_tree_Walker_last(JNIEnv *env, jclass cls, jobjectArray nodes, jclass type)
{
    jobject last = NULL;
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, nodes);
    for (jsize i = 0; i < count; i++) {
        if ((*env)->PushLocalFrame(env, 4) < 0) // ok: local-frame-unbalanced
            return NULL;
        jobject node = (*env)->GetObjectArrayElement(env, nodes, i);
        if (node != NULL && !(*env)->IsInstanceOf(env, node, type))
            node = NULL;
        node = (*env)->PopLocalFrame(env, node); // ok: local-frame-unbalanced
        if (node != NULL) {
            (*env)->DeleteLocalRef(env, last);
            last = node;
        }
    }
    return last;
}

// A failed push leads past the pop.
JNIEXPORT jint JNICALL
Java_org_example_tree_Walker_depth(JNIEnv *env, jclass cls, jobject node)
{
    jint depth = -1;
    (void)cls;
    jint status = (*env)->PushLocalFrame(env, 4); // ok: local-frame-unbalanced
    if (status < 0)
        goto out;
    jclass type = (*env)->GetObjectClass(env, node);
    depth = (*env)->GetSuperclass(env, type) == NULL ? 0 : 1;
    (*env)->PopLocalFrame(env, NULL); // ok: local-frame-unbalanced
out:
    return depth;
}

// The work is done only inside a frame.
JNIEXPORT jboolean JNICALL
Java_org_example_tree_Walker_same(JNIEnv *env, jclass cls, jobject a, jobject b)
{
    jboolean same = JNI_FALSE;
    (void)cls;
    if ((*env)->PushLocalFrame(env, 4) == 0) { // ok: local-frame-unbalanced
        jclass first = (*env)->GetObjectClass(env, a);
        jclass second = (*env)->GetObjectClass(env, b);
        same = (*env)->IsSameObject(env, first, second);
        (*env)->PopLocalFrame(env, NULL); // ok: local-frame-unbalanced
    }
    return same;
}

// A flag remembers the frame.
JNIEXPORT jint JNICALL
Java_org_example_tree_Walker_sum(JNIEnv *env, jclass cls, jobjectArray nodes, jint limit)
{
    jint used = 0;
    jboolean framed = JNI_FALSE;
    (void)cls;
    if (limit > 16) {
        if ((*env)->PushLocalFrame(env, limit) < 0) // ok: local-frame-unbalanced
            return -1;
        framed = JNI_TRUE;
    }
    for (jint i = 0; i < 8; i++) {
        jobject node = (*env)->GetObjectArrayElement(env, nodes, i);
        if ((*env)->ExceptionCheck(env))
            break;
        if (node != NULL)
            used++;
    }
    if (framed)
        (*env)->PopLocalFrame(env, NULL); // ok: local-frame-unbalanced
    return used;
}

// The condition itself, asked twice.
JNIEXPORT jint JNICALL
Java_org_example_tree_Walker_size(JNIEnv *env, jclass cls, jobjectArray nodes, jint limit)
{
    (void)cls;
    if (limit > 16 && (*env)->PushLocalFrame(env, limit) < 0) // ok: local-frame-unbalanced
        return -1;
    jint size = (*env)->GetArrayLength(env, nodes);
    if (limit > 16)
        (*env)->PopLocalFrame(env, NULL); // ok: local-frame-unbalanced
    return size;
}

// Macros, and every arm of the switch with its own way out.
JNIEXPORT jint JNICALL
Java_org_example_tree_Walker_kind(JNIEnv *env, jclass cls, jobject node, jint mode)
{
    jint kind;
    (void)cls;
    PUSH_FRAME_OR_RETURN(env, 4, -1); // ok: local-frame-unbalanced
    jclass type = (*env)->GetObjectClass(env, node);
    switch (mode) {
    case 0:
        kind = (*env)->GetSuperclass(env, type) == NULL;
        POP_AND_RETURN(env, kind); // ok: local-frame-unbalanced
    case 1:
        kind = (*env)->IsInstanceOf(env, node, type);
        break;
    default:
        POP_AND_RETURN(env, -1); // ok: local-frame-unbalanced
    }
    POP_AND_RETURN(env, kind); // ok: local-frame-unbalanced
}

// Two frames, unwound in reverse order.
JNIEXPORT jint JNICALL
Java_org_example_tree_Walker_nested(JNIEnv *env, jclass cls, jobjectArray outer, jobjectArray inner)
{
    jint nulls = -1;
    (void)cls;
    if ((*env)->PushLocalFrame(env, 8)) // ok: local-frame-unbalanced
        return -1;
    jobject a = (*env)->GetObjectArrayElement(env, outer, 0);
    if ((*env)->ExceptionCheck(env))
        goto pop_outer;
    if ((*env)->PushLocalFrame(env, 8)) // ok: local-frame-unbalanced
        goto pop_outer;
    jobject b = (*env)->GetObjectArrayElement(env, inner, 0);
    nulls = (a == NULL) + (b == NULL);
    (*env)->PopLocalFrame(env, NULL); // ok: local-frame-unbalanced
pop_outer:
    (*env)->PopLocalFrame(env, NULL); // ok: local-frame-unbalanced
    return nulls;
}

// A frame as an object of the project: one function opens it, the other one closes it.
static int frame_init(struct frame *frame, JNIEnv *env, jint capacity)
{
    frame->env = env;
    frame->active = 0;
    if ((*env)->PushLocalFrame(env, capacity) < 0) // ok: local-frame-unbalanced
        return -1;
    frame->active = 1;
    return 0;
}

static void frame_cleanup(struct frame *frame)
{
    JNIEnv *env = frame->env;
    if (frame->active)
        (*env)->PopLocalFrame(env, NULL); // ok: local-frame-unbalanced
    frame->active = 0;
}

JNIEXPORT jint JNICALL
Java_org_example_tree_Walker_superclasses(JNIEnv *env, jclass cls, jobject node)
{
    struct frame frame;
    (void)cls;
    if (frame_init(&frame, env, 4) < 0)
        return -1;
    jclass type = (*env)->GetObjectClass(env, node);
    jint result = (*env)->GetSuperclass(env, type) == NULL ? 0 : 1;
    frame_cleanup(&frame);
    return result;
}

// Pushed here and popped by a helper, and the other way round.
static void leaveFrame(JNIEnv *env)
{
    (*env)->PopLocalFrame(env, NULL); // ok: local-frame-unbalanced
}

static int enterFrame(JNIEnv *env)
{
    return (*env)->PushLocalFrame(env, 16) == 0; // ok: local-frame-unbalanced
}

JNIEXPORT void JNICALL
Java_org_example_tree_Walker_touch(JNIEnv *env, jobject self)
{
    if ((*env)->PushLocalFrame(env, 4) < 0) // ok: local-frame-unbalanced
        return;
    (*env)->GetObjectClass(env, self);
    leaveFrame(env);
}

JNIEXPORT void JNICALL
Java_org_example_tree_Walker_touchAgain(JNIEnv *env, jobject self)
{
    if (!enterFrame(env))
        return;
    (*env)->GetObjectClass(env, self);
    (*env)->PopLocalFrame(env, NULL); // ok: local-frame-unbalanced
}

// The attribute pops at the end of each iteration.
static void leaveScope(JNIEnv **env)
{
    leaveFrame(*env);
}

JNIEXPORT void JNICALL
Java_org_example_tree_Walker_touchAll(JNIEnv *env, jobject self, jint count)
{
    for (jint i = 0; i < count; i++) {
        if ((*env)->PushLocalFrame(env, 4) < 0) // ok: local-frame-unbalanced
            return;
        __attribute__((cleanup(leaveScope))) JNIEnv *scope = env;
        (*scope)->GetObjectClass(scope, self);
    }
}

// ---- helpers

static jboolean openFrame(JNIEnv *env, jint capacity)
{
    return (*env)->PushLocalFrame(env, capacity) == JNI_OK; // ok: local-frame-unbalanced
}

static jobject closeFrame(JNIEnv *env, jobject kept)
{
    return (*env)->PopLocalFrame(env, kept); // ok: local-frame-unbalanced
}

// One for each turn; what is kept of it is deleted.
JNIEXPORT jint JNICALL
Java_org_example_frame_Walker_count(JNIEnv *env, jobject self, jobject list, jint n)
{
    jint count = 0;
    for (jint i = 0; i < n; i++) {
        if (!openFrame(env, 8)) // ok: local-frame-unbalanced
            return -1;
        jobject item = (*env)->CallObjectMethod(env, list, gGet, i);
        if ((*env)->ExceptionCheck(env)) {
            closeFrame(env, NULL);
            return -1;
        }
        jobject kept = closeFrame(env, item);
        count += !(*env)->IsSameObject(env, kept, self);
        (*env)->DeleteLocalRef(env, kept);
    }
    return count;
}

// The status is not looked at; the table says who closes it.
static void closeAll(JNIEnv *env, int frames)
{
    while (frames-- > 0)
        closeFrame(env, NULL);
}

JNIEXPORT void JNICALL
Java_org_example_frame_Walker_each(JNIEnv *env, jobject self, jint n)
{
    int frames = 0;
    for (jint i = 0; i < n && i < 4; i++)
        frames += openFrame(env, 8); // ok: local-frame-unbalanced
    (*env)->GetObjectClass(env, self);
    closeAll(env, frames);
}

struct closer {
    int (*open)(JNIEnv *env, jint capacity);
    void (*close)(JNIEnv *env);
};

// Its twin is called through something that is not known.
JNIEXPORT jint JNICALL
Java_org_example_frame_Walker_hidden(JNIEnv *env, jobject self, jlong handle)
{
    const struct closer *closer = (const struct closer *)(intptr_t)handle;
    if (!openFrame(env, 8)) // ok: local-frame-unbalanced
        return -1;
    jclass type = (*env)->GetObjectClass(env, self);
    jint result = (*env)->GetSuperclass(env, type) == NULL;
    closer->close(env);
    return result;
}

// ---- functions of which a model says that they push or pop (models.yaml)

int scope_enter(JNIEnv *env);
jboolean scope_begin(JNIEnv *env, jint capacity);
void scope_leave(JNIEnv *env);
jobject scope_leave_with(JNIEnv *env, jobject kept);

JNIEXPORT jint JNICALL
Java_org_example_scope_Walker_kind(JNIEnv *env, jobject self, jobject list, jint n)
{
    jint same = 0;
    for (jint i = 0; i < n; i++) {
        if (scope_enter(env) != 0) // ok: local-frame-unbalanced
            return -1;
        jobject item = (*env)->CallObjectMethod(env, list, gGet, i);
        if (!(*env)->ExceptionCheck(env))
            same += (*env)->IsSameObject(env, item, self);
        else
            (*env)->ExceptionClear(env);
        scope_leave(env);
    }
    return same;
}

JNIEXPORT jobject JNICALL
Java_org_example_scope_Walker_get(JNIEnv *env, jobject self, jobject list, jint index)
{
    jobject item = NULL;
    (void)self;
    if (!scope_begin(env, 8)) // ok: local-frame-unbalanced
        return NULL;
    item = (*env)->CallObjectMethod(env, list, gGet, index);
    return scope_leave_with(env, item); // ok: local-frame-unbalanced
}
