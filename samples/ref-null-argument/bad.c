// SPDX-License-Identifier: Apache-2.0
//
// NULL where JNI needs an object, a class, a string or an ID: written so, or found by the code's
// own test and passed all the same.

#include <jni.h>
#include <stdio.h>

static jmethodID gAppend; // void append(String)
static jmethodID gFind;   // Object find(String)
static jfieldID gParent;  // Node parent

void log_text(const char *text);

// A static method has no object, but it has a class.
JNIEXPORT void JNICALL
Java_org_example_tree_Tree_reset(JNIEnv *env, jobject self, jmethodID reset)
{
    (void)self;
    (*env)->CallStaticVoidMethod(env, NULL, reset); // expect: ref-null-argument
    if ((*env)->ExceptionCheck(env))
        return;
}

// The test is there; the way out is missing.
JNIEXPORT jint JNICALL
Java_org_example_tree_Tree_nameLength(JNIEnv *env, jobject self, jstring name)
{
    (void)self;
    if (name == NULL)
        log_text("no name");
    return (*env)->GetStringUTFLength(env, name); // expect: ref-null-argument
}

// The wrong branch.
JNIEXPORT jobject JNICALL
Java_org_example_tree_Node_parent(JNIEnv *env, jclass cls, jobject node)
{
    (void)cls;
    if (node != NULL)
        return NULL;
    return (*env)->GetObjectField(env, node, gParent); // expect: ref-null-argument
}

// A Java method may return null without throwing.
JNIEXPORT jclass JNICALL
Java_org_example_tree_Tree_typeOf(JNIEnv *env, jobject self, jstring name)
{
    jobject found = (*env)->CallObjectMethod(env, self, gFind, name);
    if ((*env)->ExceptionCheck(env))
        return NULL;
    if (found == NULL)
        log_text("not found");
    return (*env)->GetObjectClass(env, found); // expect: ref-null-argument
}

// The exception is cleared, and the work goes on with what the failed lookup left.
JNIEXPORT jint JNICALL
Java_org_example_tree_Node_depth(JNIEnv *env, jobject self, jclass type)
{
    jfieldID depth = (*env)->GetFieldID(env, type, "depth", "I");
    if (depth == NULL)
        (*env)->ExceptionClear(env);
    return (*env)->GetIntField(env, self, depth); // expect: ref-null-argument
}

// A variable that is NULL whichever way the code comes here.
JNIEXPORT jsize JNICALL
Java_org_example_tree_Tree_count(JNIEnv *env, jobject self, jobjectArray roots, jboolean deep)
{
    jobjectArray chosen = NULL;
    (void)self;
    (void)roots;
    if (deep)
        log_text("deep");
    return (*env)->GetArrayLength(env, chosen); // expect: ref-null-argument
}

// No superclass above Object and none above an interface.
JNIEXPORT jobject JNICALL
Java_org_example_tree_Tree_superInstance(JNIEnv *env, jclass cls, jclass type)
{
    (void)cls;
    jclass super = (*env)->GetSuperclass(env, type);
    if (super == NULL)
        fprintf(stderr, "no superclass\n");
    return (*env)->AllocObject(env, super); // expect: ref-null-argument
}

// The monitor of nothing.
JNIEXPORT void JNICALL
Java_org_example_tree_Tree_lock(JNIEnv *env, jobject self, jobject lock)
{
    (void)self;
    if (lock == NULL)
        log_text("nothing to lock");
    if ((*env)->MonitorEnter(env, lock) != JNI_OK) // expect: ref-null-argument
        return;
    (*env)->MonitorExit(env, lock);
}

// An ID that is missing.
JNIEXPORT void JNICALL
Java_org_example_tree_Tree_append(JNIEnv *env, jobject self, jstring text)
{
    jmethodID append = gAppend;
    if (!append)
        log_text("no append");
    (*env)->CallVoidMethod(env, self, append, text); // expect: ref-null-argument
    if ((*env)->ExceptionCheck(env))
        return;
}
