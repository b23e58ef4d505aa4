// SPDX-License-Identifier: Apache-2.0
//
// Frames, and references that are used behind them: carried out by PopLocalFrame, made outside the
// frame, promoted to global ones, or made anew.

#include <jni.h>

static jobject gLastSeen;  // global
static jmethodID gGetName; // String getName()
static jfieldID gLast;     // Object last

#define POP_AND_RETURN(env, ref) return (*(env))->PopLocalFrame((env), (ref))
#define WITH_LOCAL_FRAME(env, n)                                                                   \
    if ((*(env))->PushLocalFrame((env), (n)) < 0)                                                  \
        return -1;                                                                                 \
    {
#define END_LOCAL_FRAME(env)                                                                       \
    (*(env))->PopLocalFrame((env), NULL);                                                          \
    }

// What PopLocalFrame returns is valid in the frame outside.
JNIEXPORT jobject JNICALL
Java_org_example_tree_Node_first(JNIEnv *env, jobject self, jobjectArray children)
{
    (void)self;
    if ((*env)->PushLocalFrame(env, 16) < 0)
        return NULL;
    jobject child = (*env)->GetObjectArrayElement(env, children, 0);
    if ((*env)->ExceptionCheck(env))
        child = NULL;
    return (*env)->PopLocalFrame(env, child); // ok: ref-use-after-frame
}

// In the same variable.
JNIEXPORT jint JNICALL
Java_org_example_tree_Node_nameLength(JNIEnv *env, jobject self)
{
    if ((*env)->PushLocalFrame(env, 8) < 0)
        return -1;
    jstring name = (jstring)(*env)->CallObjectMethod(env, self, gGetName);
    if ((*env)->ExceptionCheck(env))
        name = NULL;
    name = (jstring)(*env)->PopLocalFrame(env, name);
    return name == NULL ? -1 : (*env)->GetStringLength(env, name); // ok: ref-use-after-frame
}

JNIEXPORT jclass JNICALL
Java_org_example_tree_Node_type(JNIEnv *env, jobject self)
{
    if ((*env)->PushLocalFrame(env, 8) < 0)
        return NULL;
    jclass type = (*env)->GetObjectClass(env, self);
    if ((*env)->IsInstanceOf(env, self, type))
        POP_AND_RETURN(env, type); // ok: ref-use-after-frame
    POP_AND_RETURN(env, NULL);
}

// Made outside the frame, or given by the caller.
JNIEXPORT jboolean JNICALL
Java_org_example_tree_Node_sameType(JNIEnv *env, jobject self, jobject other)
{
    jboolean same = JNI_FALSE;
    jclass mine = (*env)->GetObjectClass(env, self);
    if ((*env)->PushLocalFrame(env, 8) < 0)
        return same;
    jclass theirs = (*env)->GetObjectClass(env, other);
    same = (*env)->IsSameObject(env, mine, theirs);
    (*env)->PopLocalFrame(env, NULL);
    (*env)->SetObjectField(env, self, gLast, other); // ok: ref-use-after-frame
    if ((*env)->IsSameObject(env, mine, other))      // ok: ref-use-after-frame
        same = JNI_TRUE;
    (*env)->DeleteLocalRef(env, mine);
    return same;
}

// The macros hide both ends of the frame.
JNIEXPORT jint JNICALL
Java_org_example_tree_Node_walk(JNIEnv *env, jobject self, jobjectArray items, jint count)
{
    jint found = 0;
    for (jint i = 0; i < count; i++) {
        WITH_LOCAL_FRAME(env, 4)
        jobject item = (*env)->GetObjectArrayElement(env, items, i);
        if ((*env)->ExceptionCheck(env)) {
            (*env)->PopLocalFrame(env, NULL);
            return -1;
        }
        found += (*env)->IsSameObject(env, self, item) == JNI_TRUE; // ok: ref-use-after-frame
        END_LOCAL_FRAME(env)
    }
    return found;
}

// The one that survives a turn is carried out of its frame.
JNIEXPORT jobject JNICALL
Java_org_example_tree_Node_last(JNIEnv *env, jobject self, jobjectArray items, jint count)
{
    (void)self;
    jobject last = NULL;
    for (jint i = 0; i < count; i++) {
        if ((*env)->PushLocalFrame(env, 4) < 0)
            return NULL;
        jobject item = (*env)->GetObjectArrayElement(env, items, i);
        if ((*env)->ExceptionCheck(env)) {
            (*env)->PopLocalFrame(env, NULL);
            return NULL;
        }
        item = (*env)->PopLocalFrame(env, item);
        if (item == NULL)
            continue;
        if (last != NULL)
            (*env)->DeleteLocalRef(env, last); // ok: ref-use-after-frame
        last = item;
    }
    return last; // ok: ref-use-after-frame
}

// A global reference does not belong to the frame.
JNIEXPORT void JNICALL
Java_org_example_tree_Node_remember(JNIEnv *env, jobject self, jobject item)
{
    jobject kept = NULL;
    (void)self;
    if ((*env)->PushLocalFrame(env, 4) < 0)
        return;
    jclass type = (*env)->GetObjectClass(env, item);
    kept = (*env)->NewGlobalRef(env, type);
    (*env)->PopLocalFrame(env, NULL);
    if (gLastSeen != NULL)
        (*env)->DeleteGlobalRef(env, gLastSeen);
    gLastSeen = kept; // ok: ref-use-after-frame
}

// Pushed only where there is much to do; popped by the same flag.
JNIEXPORT jint JNICALL
Java_org_example_tree_Node_depth(JNIEnv *env, jobject self, jint levels)
{
    jboolean framed = JNI_FALSE;
    if (levels > 8) {
        if ((*env)->PushLocalFrame(env, 32) < 0)
            return -1;
        framed = JNI_TRUE;
    }
    jclass type = (*env)->GetObjectClass(env, self);
    if (!framed) {
        jint modifiers = (*env)->IsInstanceOf(env, self, type); // ok: ref-use-after-frame
        (*env)->DeleteLocalRef(env, type);
        return modifiers;
    }
    (*env)->PopLocalFrame(env, NULL);
    type = (*env)->GetObjectClass(env, self);
    levels += (*env)->IsInstanceOf(env, self, type); // ok: ref-use-after-frame
    return levels;
}
