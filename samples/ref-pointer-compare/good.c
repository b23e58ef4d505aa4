// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of handles that are meant as such: against NULL, of a variable against what it was
// given, before a deletion, as a short cut.

#include <jni.h>

struct cursor {
    jobject start, at;
};

static jclass gStringClass; // global
static jobject gCurrent;    // global
static jmethodID gNext;     // Object next()
static jmethodID gSize;
static jfieldID gOwner; // Object owner

jobject resolve(JNIEnv *env, jobject object);

JNIEXPORT void JNICALL
Java_org_example_ui_Focus_init(JNIEnv *env, jclass cls, jclass string)
{
    (void)cls;
    gStringClass = (*env)->NewGlobalRef(env, string); // expect: global-ref-never-deleted
}

// The question in its right form.
JNIEXPORT jboolean JNICALL
Java_org_example_ui_Focus_isString(JNIEnv *env, jclass cls, jobject value)
{
    (void)cls;
    jclass type = (*env)->GetObjectClass(env, value);
    return (*env)->IsSameObject(env, type, gStringClass); // ok: ref-pointer-compare
}

JNIEXPORT jboolean JNICALL
Java_org_example_ui_Focus_hasOwner(JNIEnv *env, jclass cls, jobject value)
{
    (void)cls;
    return (*env)->GetObjectField(env, value, gOwner) != NULL; // ok: ref-pointer-compare
}

// Equal handles are the same object; others have to be asked about.
JNIEXPORT jboolean JNICALL
Java_org_example_ui_Focus_same(JNIEnv *env, jclass cls, jobject a, jobject b)
{
    (void)cls;
    return a == b || (*env)->IsSameObject(env, a, b); // ok: ref-pointer-compare
}

// Is the array the one that was given, or a new one that must be deleted?
JNIEXPORT jint JNICALL
Java_org_example_ui_Focus_count(JNIEnv *env, jclass cls, jobjectArray given, jint wanted)
{
    jobjectArray used = given;
    (void)cls;
    if ((*env)->GetArrayLength(env, given) < wanted) {
        used = (*env)->NewObjectArray(env, wanted, gStringClass, NULL);
        if (used == NULL)
            return -1;
    }
    jint count = (*env)->GetArrayLength(env, used);
    if (used != given) // ok: ref-pointer-compare
        (*env)->DeleteLocalRef(env, used);
    return count;
}

// The element with the longest name so far; the first one belongs to the caller.
JNIEXPORT jint JNICALL
Java_org_example_ui_Focus_longest(JNIEnv *env, jclass cls, jstring first, jobjectArray others)
{
    jstring best = first;
    (void)cls;
    jstring other = (jstring)(*env)->GetObjectArrayElement(env, others, 0);
    if ((*env)->ExceptionCheck(env))
        return -1;
    if (other != NULL && (*env)->GetStringLength(env, other) > (*env)->GetStringLength(env, best))
        best = other;
    jint length = (*env)->GetStringLength(env, best);
    jboolean own = best == first; // ok: ref-pointer-compare
    return own ? -length : length;
}

// Is there an old one to give back?
JNIEXPORT void JNICALL
Java_org_example_ui_Focus_setCurrent(JNIEnv *env, jclass cls, jobject component)
{
    jobject old = gCurrent;
    (void)cls;
    gCurrent = (*env)->NewGlobalRef(env, component);
    if (old != gCurrent) // ok: ref-pointer-compare
        (*env)->DeleteGlobalRef(env, old);
}

// A helper may return what it was given.
JNIEXPORT jint JNICALL
Java_org_example_ui_Focus_size(JNIEnv *env, jclass cls, jobject model)
{
    jobject resolved = resolve(env, model);
    (void)cls;
    jint size = (*env)->CallIntMethod(env, resolved, gSize);
    if ((*env)->ExceptionCheck(env))
        size = -1;
    jboolean own = resolved != model; // ok: ref-pointer-compare
    if (own)
        (*env)->DeleteLocalRef(env, resolved);
    return size;
}

// Both fields hold the same handle to begin with.
JNIEXPORT jobject JNICALL
Java_org_example_ui_Focus_next(JNIEnv *env, jclass cls, jobject start)
{
    struct cursor cursor = {.start = start, .at = start};
    (void)cls;
    jobject next = (*env)->CallObjectMethod(env, cursor.at, gNext);
    if ((*env)->ExceptionCheck(env))
        return NULL;
    if (next != NULL)
        cursor.at = next;
    return cursor.at == cursor.start ? NULL : cursor.at; // ok: ref-pointer-compare
}

// IDs are no references: equal IDs are the same member.
JNIEXPORT jboolean JNICALL
Java_org_example_ui_Focus_isNext(JNIEnv *env, jclass cls, jclass type)
{
    (void)cls;
    jmethodID found = (*env)->GetMethodID(env, type, "next", "()Ljava/lang/Object;");
    if (found == NULL)
        return JNI_FALSE;
    return found == gNext; // ok: ref-pointer-compare
}

static void drop(JNIEnv *env, jobject object)
{
    (*env)->DeleteLocalRef(env, object);
}

// Whether it is a reference of its own decides who deletes it; a helper does.
JNIEXPORT void JNICALL
Java_org_example_set_Sets_forget(JNIEnv *env, jclass cls, jobject first, jobject second)
{
    (void)cls;
    if (first != second) // ok: ref-pointer-compare
        drop(env, second);
}
