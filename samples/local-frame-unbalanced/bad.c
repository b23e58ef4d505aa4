// SPDX-License-Identifier: Apache-2.0
//
// Local frames that a path does not pop, and frames popped that were not pushed here. The
// finding is at the PushLocalFrame that stays open, or at the PopLocalFrame that has nothing of
// this function to pop.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

static jmethodID gAccept; // boolean accept(Object)
static jmethodID gGet;    // Object get(int)

#define PUSH_FRAME_OR_RETURN(env, capacity, value)                                                 \
    do {                                                                                           \
        if ((*(env))->PushLocalFrame((env), (capacity)) < 0)                                       \
            return (value);                                                                        \
    } while (0)

// An exception leaves without the pop.
JNIEXPORT jboolean JNICALL
Java_org_example_tree_Walker_visit(JNIEnv *env, jobject self, jobject visitor)
{
    if ((*env)->PushLocalFrame(env, 8) < 0) // expect: local-frame-unbalanced
        return JNI_FALSE;
    jboolean accepted = (*env)->CallBooleanMethod(env, visitor, gAccept, self);
    if ((*env)->ExceptionCheck(env))
        return JNI_FALSE;
    (*env)->PopLocalFrame(env, NULL);
    return accepted;
}

// A frame for each iteration, and `continue` keeps it.
JNIEXPORT jint JNICALL
Java_org_example_tree_Walker_count(JNIEnv *env, jclass cls, jobjectArray nodes, jclass type)
{
    jint found = 0;
    (void)cls;
    jsize count = (*env)->GetArrayLength(env, nodes);
    for (jsize i = 0; i < count; i++) {
        if ((*env)->PushLocalFrame(env, 4) != JNI_OK) // expect: local-frame-unbalanced
            return -1;
        jobject node = (*env)->GetObjectArrayElement(env, nodes, i);
        if (node == NULL)
            continue;
        if ((*env)->IsInstanceOf(env, node, type))
            found++;
        (*env)->PopLocalFrame(env, NULL);
    }
    return found;
}

// The frame that failed to open is popped: the caller's frame goes instead.
JNIEXPORT jint JNICALL
Java_org_example_tree_Walker_depth(JNIEnv *env, jclass cls, jobject node)
{
    jint depth = -1;
    (void)cls;
    if ((*env)->PushLocalFrame(env, 4) < 0)
        goto out;
    jclass type = (*env)->GetObjectClass(env, node);
    depth = (*env)->GetSuperclass(env, type) == NULL ? 0 : 1;
out:
    (*env)->PopLocalFrame(env, NULL); // expect: local-frame-unbalanced
    return depth;
}

// Pushed under a condition, popped without one.
JNIEXPORT jint JNICALL
Java_org_example_tree_Walker_sum(JNIEnv *env, jclass cls, jobjectArray nodes, jint limit)
{
    jint used = 0;
    (void)cls;
    if (limit > 16) {
        if ((*env)->PushLocalFrame(env, limit) < 0)
            return -1;
    }
    for (jint i = 0; i < 8; i++) {
        jobject node = (*env)->GetObjectArrayElement(env, nodes, i);
        if ((*env)->ExceptionCheck(env))
            break;
        if (node != NULL)
            used++;
    }
    (*env)->PopLocalFrame(env, NULL); // expect: local-frame-unbalanced
    return used;
}

// Popped in the branch, and once more at the end.
JNIEXPORT jobject JNICALL
Java_org_example_tree_Walker_first(JNIEnv *env, jclass cls, jobject list, jboolean wanted)
{
    jobject result = NULL;
    (void)cls;
    PUSH_FRAME_OR_RETURN(env, 4, NULL);
    jobject first = (*env)->CallObjectMethod(env, list, gGet, 0);
    if ((*env)->ExceptionCheck(env) || !wanted) {
        (*env)->PopLocalFrame(env, NULL);
    } else {
        result = first;
    }
    return (*env)->PopLocalFrame(env, result); // expect: local-frame-unbalanced
}

// Through a macro; one arm of the switch returns.
JNIEXPORT jint JNICALL
Java_org_example_tree_Walker_kind(JNIEnv *env, jclass cls, jobject node, jint mode)
{
    jint kind;
    (void)cls;
    PUSH_FRAME_OR_RETURN(env, 4, -1); // expect: local-frame-unbalanced
    jclass type = (*env)->GetObjectClass(env, node);
    switch (mode) {
    case 0:
        kind = (*env)->GetSuperclass(env, type) == NULL;
        break;
    case 1:
        kind = (*env)->IsInstanceOf(env, node, type);
        break;
    default:
        return -1;
    }
    (*env)->PopLocalFrame(env, NULL);
    return kind;
}

// Two frames, and the inner failure pops none of them.
JNIEXPORT jint JNICALL
Java_org_example_tree_Walker_nested(JNIEnv *env, jclass cls, jobjectArray outer, jobjectArray inner)
{
    jint nulls = 0;
    (void)cls;
    if ((*env)->PushLocalFrame(env, 8)) // expect: local-frame-unbalanced
        return -1;
    jobject a = (*env)->GetObjectArrayElement(env, outer, 0);
    if (!(*env)->ExceptionCheck(env)) {
        if ((*env)->PushLocalFrame(env, 8))
            return -1;
        jobject b = (*env)->GetObjectArrayElement(env, inner, 0);
        if (a == NULL || b == NULL)
            nulls++;
        (*env)->PopLocalFrame(env, NULL);
    }
    (*env)->PopLocalFrame(env, NULL);
    return nulls;
}

// The label lies behind the pop.
JNIEXPORT jboolean JNICALL
Java_org_example_tree_Walker_same(JNIEnv *env, jclass cls, jobject a, jobject b)
{
    jboolean same = JNI_FALSE;
    (void)cls;
    jint status = (*env)->PushLocalFrame(env, 4); // expect: local-frame-unbalanced
    if (status != 0)
        goto done;
    if (a == NULL || b == NULL)
        goto done;
    jclass first = (*env)->GetObjectClass(env, a);
    jclass second = (*env)->GetObjectClass(env, b);
    same = (*env)->IsSameObject(env, first, second);
    (*env)->PopLocalFrame(env, NULL);
done:
    return same;
}

// ---- helpers

static jboolean openFrame(JNIEnv *env, jint capacity)
{
    return (*env)->PushLocalFrame(env, capacity) == JNI_OK;
}

static jobject closeFrame(JNIEnv *env, jobject kept)
{
    return (*env)->PopLocalFrame(env, kept);
}

// The twin of the helper is not called on one path.
JNIEXPORT jobject JNICALL
Java_org_example_frame_Walker_root(JNIEnv *env, jobject self, jobject list, jint index)
{
    (void)self;
    if (!openFrame(env, 8)) // expect: local-frame-unbalanced
        return NULL;
    jobject first = (*env)->CallObjectMethod(env, list, gGet, index);
    if ((*env)->ExceptionCheck(env))
        return NULL;
    return closeFrame(env, first);
}

// Closed where it was not opened.
JNIEXPORT jobject JNICALL
Java_org_example_frame_Walker_rootOf(JNIEnv *env, jobject self, jobject list, jint index)
{
    jobject first = NULL;
    (void)self;
    if (!openFrame(env, 8))
        goto out;
    first = (*env)->CallObjectMethod(env, list, gGet, index);
out:
    return closeFrame(env, first); // expect: local-frame-unbalanced
}

static int openWide(JNIEnv *env)
{
    return openFrame(env, 64) ? 0 : -1;
}

// A helper that calls both, and leaves out one of them.
static jint countTrue(JNIEnv *env, jobjectArray visitors, jobject node)
{
    jint count = 0;
    jsize n = (*env)->GetArrayLength(env, visitors);
    if (openWide(env) < 0) // expect: local-frame-unbalanced
        return -1;
    for (jsize i = 0; i < n; i++) {
        jobject visitor = (*env)->GetObjectArrayElement(env, visitors, i);
        if (visitor == NULL)
            return -1;
        count += (*env)->CallBooleanMethod(env, visitor, gAccept, node);
        if ((*env)->ExceptionCheck(env))
            break;
    }
    closeFrame(env, NULL);
    return count;
}

JNIEXPORT jint JNICALL
Java_org_example_frame_Walker_countTrue(JNIEnv *env, jobject self, jobjectArray visitors)
{
    return countTrue(env, visitors, self);
}

// ---- functions of which a model says that they push or pop (models.yaml)

int scope_enter(JNIEnv *env);
jboolean scope_begin(JNIEnv *env, jint capacity);
void scope_leave(JNIEnv *env);
jobject scope_leave_with(JNIEnv *env, jobject kept);

JNIEXPORT jint JNICALL
Java_org_example_scope_Walker_kind(JNIEnv *env, jobject self, jobject list, jint index)
{
    if (scope_enter(env) < 0) // expect: local-frame-unbalanced
        return -1;
    jobject item = (*env)->CallObjectMethod(env, list, gGet, index);
    if ((*env)->ExceptionCheck(env))
        return -1;
    jint kind = (*env)->IsSameObject(env, item, self);
    scope_leave(env);
    return kind;
}

JNIEXPORT jobject JNICALL
Java_org_example_scope_Walker_get(JNIEnv *env, jobject self, jobject list, jint index)
{
    jobject item = NULL;
    (void)self;
    if (scope_begin(env, 8)) {
        item = (*env)->CallObjectMethod(env, list, gGet, index);
        item = scope_leave_with(env, item);
    }
    scope_leave(env); // expect: local-frame-unbalanced
    return item;
}
