// SPDX-License-Identifier: Apache-2.0
//
// Local references that outlive the frame they were made in, by the letter of the code alone:
// PopLocalFrame has freed them all but for the one it was given.

#include <jni.h>

static jmethodID gGetName; // String getName()
static jfieldID gLast;     // Object last

// The result of the block is returned, but not carried out of the frame.
JNIEXPORT jobject JNICALL
Java_org_example_tree_Node_first(JNIEnv *env, jobject self, jobjectArray children)
{
    (void)self;
    if ((*env)->PushLocalFrame(env, 16) < 0)
        return NULL;
    jobject child = (*env)->GetObjectArrayElement(env, children, 0);
    if ((*env)->ExceptionCheck(env))
        child = NULL;
    (*env)->PopLocalFrame(env, NULL);
    return child; // expect: ref-use-after-frame
}

// Popped one line too early.
JNIEXPORT void JNICALL
Java_org_example_tree_Node_remember(JNIEnv *env, jobject self, jobject item)
{
    if ((*env)->PushLocalFrame(env, 4) < 0)
        return;
    jobject copy = (*env)->NewLocalRef(env, item);
    (*env)->PopLocalFrame(env, NULL);
    (*env)->SetObjectField(env, self, gLast, copy); // expect: ref-use-after-frame
}

// PopLocalFrame gives a new reference; the old one is as dead as the others.
JNIEXPORT jint JNICALL
Java_org_example_tree_Node_nameLength(JNIEnv *env, jobject self)
{
    if ((*env)->PushLocalFrame(env, 8) < 0)
        return -1;
    jstring name = (jstring)(*env)->CallObjectMethod(env, self, gGetName);
    if ((*env)->ExceptionCheck(env) || name == NULL) {
        (*env)->PopLocalFrame(env, NULL);
        return -1;
    }
    (*env)->PopLocalFrame(env, name);
    return (*env)->GetStringLength(env, name); // expect: ref-use-after-frame
}

// Deleting what the frame has freed hits whatever took its slot.
JNIEXPORT jboolean JNICALL
Java_org_example_tree_Node_isLeaf(JNIEnv *env, jobject self, jclass leaf)
{
    if ((*env)->PushLocalFrame(env, 8) < 0)
        return JNI_FALSE;
    jclass type = (*env)->GetObjectClass(env, self);
    jboolean is = (*env)->IsSameObject(env, type, leaf);
    (*env)->PopLocalFrame(env, NULL);
    (*env)->DeleteLocalRef(env, type); // expect: ref-use-after-frame
    return is;
}

// A frame for each turn, and a reference that is to live for all of them.
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
        if (item != NULL)
            last = item;
        (*env)->PopLocalFrame(env, NULL);
    }
    return last; // expect: ref-use-after-frame
}

// The inner frame ends before its reference is looked at.
JNIEXPORT jboolean JNICALL
Java_org_example_tree_Node_sameType(JNIEnv *env, jobject self, jobject other)
{
    jboolean same = JNI_FALSE;
    if ((*env)->PushLocalFrame(env, 8) < 0)
        return same;
    jclass mine = (*env)->GetObjectClass(env, self);
    if ((*env)->PushLocalFrame(env, 8) == 0) {
        jclass theirs = (*env)->GetObjectClass(env, other);
        (*env)->PopLocalFrame(env, NULL);
        same = (*env)->IsSameObject(env, mine, theirs); // expect: ref-use-after-frame
    }
    (*env)->PopLocalFrame(env, NULL);
    return same;
}

// The other of two is carried out.
JNIEXPORT jobjectArray JNICALL
Java_org_example_tree_Node_wrap(JNIEnv *env, jobject self)
{
    if ((*env)->PushLocalFrame(env, 8) < 0)
        return NULL;
    jclass type = (*env)->GetObjectClass(env, self);
    jobjectArray array = (*env)->NewObjectArray(env, 1, type, self);
    type = (jclass)(*env)->PopLocalFrame(env, type);
    if (array != NULL && type == NULL)
        return NULL;
    return array; // expect: ref-use-after-frame
}
