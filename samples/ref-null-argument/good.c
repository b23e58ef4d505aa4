// SPDX-License-Identifier: Apache-2.0
//
// NULL where it is legal, and values that are NULL on other paths than the one that uses them.

#include <jni.h>

static jclass gNodeClass; // global, filled by Node.initIDs
static jmethodID gNodeInit;
static jmethodID gFind;  // Object find(String)
static jfieldID gParent; // Node parent
static jclass gIllegalArgument;

void fatal_error(JNIEnv *env, const char *message);

JNIEXPORT void JNICALL
Java_org_example_tree_Node_initIDs(JNIEnv *env, jclass cls)
{
    gNodeInit = (*env)->GetMethodID(env, cls, "<init>", "(Lorg/example/tree/Node;)V");
    if (gNodeInit == NULL)
        return;
    gNodeClass = (*env)->NewGlobalRef(env, cls); // expect: global-ref-never-deleted
}

// Deletion, promotion and comparison take NULL.
JNIEXPORT jboolean JNICALL
Java_org_example_tree_Tree_isRoot(JNIEnv *env, jobject self, jobject node)
{
    jobject parent = NULL;
    (void)self;
    if (node != NULL)
        parent = (*env)->GetObjectField(env, node, gParent);
    jboolean root = (*env)->IsSameObject(env, parent, NULL); // ok: ref-null-argument
    (*env)->DeleteLocalRef(env, parent);                     // ok: ref-null-argument
    return root;
}

// null is a value like any other: in a field, in an array, as an argument of a Java method.
JNIEXPORT jobjectArray JNICALL
Java_org_example_tree_Tree_fresh(JNIEnv *env, jobject self, jint size)
{
    (*env)->SetObjectField(env, self, gParent, NULL); // ok: ref-null-argument
    jobject root = (*env)->NewObject(env, gNodeClass, gNodeInit, NULL); // ok: ref-null-argument
    if (root == NULL)
        return NULL;
    jobjectArray all = (*env)->NewObjectArray(env, size, gNodeClass, NULL); // ok: ref-null-argument
    if (all == NULL)
        return NULL;
    (*env)->SetObjectArrayElement(env, all, 0, NULL); // ok: ref-null-argument
    return all;
}

// No message, no isCopy, no result of a frame.
JNIEXPORT void JNICALL
Java_org_example_tree_Tree_refuse(JNIEnv *env, jclass cls, jbyteArray data)
{
    (void)cls;
    if (data == NULL) {
        (*env)->ThrowNew(env, gIllegalArgument, NULL); // ok: ref-null-argument
        return;
    }
    if ((*env)->PushLocalFrame(env, 8) < 0)
        return;
    jbyte *bytes = (*env)->GetByteArrayElements(env, data, NULL); // ok: ref-null-argument
    if (bytes != NULL)
        (*env)->ReleaseByteArrayElements(env, data, bytes, JNI_ABORT);
    (*env)->PopLocalFrame(env, NULL); // ok: ref-null-argument
}

// The length says whether there is an array.
JNIEXPORT jint JNICALL
Java_org_example_tree_Tree_sum(JNIEnv *env, jobject self, jintArray values)
{
    jsize count = values != NULL ? (*env)->GetArrayLength(env, values) : 0;
    jint sum = 0;
    (void)self;
    for (jsize i = 0; i < count; i++) {
        jint value = 0;
        (*env)->GetIntArrayRegion(env, values, i, 1, &value); // ok: ref-null-argument
        if ((*env)->ExceptionCheck(env))
            return 0;
        sum += value;
    }
    return sum;
}

// A class that is chosen; every choice is one.
JNIEXPORT jclass JNICALL
Java_org_example_tree_Tree_typeOf(JNIEnv *env, jobject self, jint kind)
{
    const char *name = NULL;
    (void)self;
    switch (kind) {
    case 0:
        name = "org/example/tree/Leaf";
        break;
    case 1:
        name = "org/example/tree/Inner";
        break;
    }
    if (name == NULL)
        return NULL;
    return (*env)->FindClass(env, name); // ok: ref-null-argument
}

// A default in place of what was not found.
JNIEXPORT jclass JNICALL
Java_org_example_tree_Tree_classOf(JNIEnv *env, jobject self, jstring name)
{
    jobject found = (*env)->CallObjectMethod(env, self, gFind, name);
    if ((*env)->ExceptionCheck(env))
        return NULL;
    if (found == NULL)
        found = self;
    return (*env)->GetObjectClass(env, found); // ok: ref-null-argument
}

// Loading the class runs its initialiser, and that fills the static.
JNIEXPORT jobject JNICALL
Java_org_example_tree_Tree_newNode(JNIEnv *env, jobject self, jobject parent)
{
    (void)self;
    if (gNodeClass == NULL) {
        jclass loaded = (*env)->FindClass(env, "org/example/tree/Node");
        if (loaded == NULL)
            return NULL;
        (*env)->DeleteLocalRef(env, loaded);
    }
    return (*env)->NewObject(env, gNodeClass, gNodeInit, parent); // ok: ref-null-argument
}

// The branch for NULL ends the process, or supplies a value.
JNIEXPORT jint JNICALL
Java_org_example_tree_Tree_length(JNIEnv *env, jobject self, jstring text)
{
    (void)self;
    if (text == NULL)
        fatal_error(env, "no text");
    return (*env)->GetStringLength(env, text); // ok: ref-null-argument
}

JNIEXPORT jobject JNICALL
Java_org_example_tree_Tree_parentOf(JNIEnv *env, jobject self, jobject node)
{
    if (node == NULL)
        node = self;
    return (*env)->GetObjectField(env, node, gParent); // ok: ref-null-argument
}

// Tested twice; the second test finds nothing.
JNIEXPORT jint JNICALL
Java_org_example_tree_Tree_measure(JNIEnv *env, jobject self, jstring text)
{
    jstring copy = (*env)->NewLocalRef(env, text);
    (void)self;
    if (copy == NULL)
        return 0;
    jint length = 1;
    if (copy != NULL)
        length++;
    return length + (*env)->GetStringLength(env, copy); // ok: ref-null-argument
}

// Two tests that belong together.
JNIEXPORT jint JNICALL
Java_org_example_tree_Tree_lengths(JNIEnv *env, jobject self, jstring a, jstring b)
{
    jboolean both = a != NULL && b != NULL;
    (void)self;
    if (!both)
        return 0;
    return (*env)->GetStringLength(env, a) + (*env)->GetStringLength(env, b); // ok: ref-null-argument
}
