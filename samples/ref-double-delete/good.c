// SPDX-License-Identifier: Apache-2.0
//
// Deleted once on every path, though two deletions can be read one below the other: the variable is
// NULL by then, holds another reference, or the conditions exclude each other.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct listener {
    jobject target, fallback; // global
    int active;
};

static jobject gSink;      // global
static jmethodID gOnEvent; // void onEvent(int)

int reload_listener(JNIEnv *env, struct listener *l);

#define FREE_REF(env, ref)                                                                         \
    do {                                                                                           \
        if ((ref) != NULL) {                                                                       \
            (*(env))->DeleteLocalRef((env), (ref));                                                \
            (ref) = NULL;                                                                          \
        }                                                                                          \
    } while (0)

// One label, reached with the reference or without it.
JNIEXPORT jint JNICALL
Java_org_example_event_Bus_count(JNIEnv *env, jobject self)
{
    jint count = -1;
    jclass type = (*env)->GetObjectClass(env, self);
    jfieldID field = (*env)->GetFieldID(env, type, "count", "I");
    if (field == NULL)
        goto done;
    count = (*env)->GetIntField(env, self, field);
done:
    (*env)->DeleteLocalRef(env, type); // ok: ref-double-delete
    return count;
}

// Deleted early and forgotten; DeleteLocalRef(NULL) does nothing.
JNIEXPORT jint JNICALL
Java_org_example_event_Bus_nameLength(JNIEnv *env, jobject self, jstring name, jboolean trim)
{
    (void)self;
    jint length = 0;
    jstring copy = (jstring)(*env)->NewLocalRef(env, name);
    if (copy == NULL)
        return 0;
    if (!trim) {
        length = (*env)->GetStringLength(env, copy);
        (*env)->DeleteLocalRef(env, copy);
        copy = NULL;
    }
    (*env)->DeleteLocalRef(env, copy); // ok: ref-double-delete
    return length;
}

// The macro does the same; the flag below goes with the reference.
JNIEXPORT jint JNICALL
Java_org_example_event_Bus_typeCode(JNIEnv *env, jobject self, jstring name, jboolean keep)
{
    (void)self;
    jboolean held = JNI_TRUE;
    jstring first = (jstring)(*env)->NewLocalRef(env, name);
    jstring second = (jstring)(*env)->NewLocalRef(env, name);
    jint code = first != NULL ? 1 : 0;
    if (!keep) {
        FREE_REF(env, first);
        (*env)->DeleteLocalRef(env, second);
        held = JNI_FALSE;
    }
    FREE_REF(env, first); // ok: ref-double-delete
    if (held)
        (*env)->DeleteLocalRef(env, second); // ok: ref-double-delete
    return code;
}

// A new reference in the same variable; in each turn, and after it.
JNIEXPORT jint JNICALL
Java_org_example_event_Bus_find(JNIEnv *env, jobject self, jobjectArray items, jclass type)
{
    (void)self;
    jobject item = NULL;
    jint found = -1;
    for (jsize i = 0; i < 8; i++) {
        if (item != NULL)
            (*env)->DeleteLocalRef(env, item); // ok: ref-double-delete
        item = (*env)->GetObjectArrayElement(env, items, i);
        if ((*env)->ExceptionCheck(env))
            return -1;
        if (item != NULL && (*env)->IsInstanceOf(env, item, type)) {
            found = i;
            break;
        }
    }
    if (item != NULL)
        (*env)->DeleteLocalRef(env, item); // ok: ref-double-delete
    return found;
}

// Deleted in the loop only when it is left, or after the loop.
JNIEXPORT void JNICALL
Java_org_example_event_Bus_fire(JNIEnv *env, jobject self, jobject event, jint times)
{
    jobject copy = (*env)->NewLocalRef(env, event);
    if (copy == NULL)
        return;
    for (jint i = 0; i < times; i++) {
        (*env)->CallVoidMethod(env, self, gOnEvent, i);
        if ((*env)->ExceptionCheck(env)) {
            (*env)->DeleteLocalRef(env, copy);
            return;
        }
    }
    (*env)->DeleteLocalRef(env, copy); // ok: ref-double-delete
}

// Two references to one object, two fields of one struct, two elements of one array.
JNIEXPORT void JNICALL
Java_org_example_event_Bus_close(JNIEnv *env, jclass cls, jlong handle, jobject value)
{
    jobject pair[2];
    (void)cls;
    struct listener *l = (struct listener *)(intptr_t)handle;
    if (l == NULL)
        return;
    pair[0] = (*env)->NewLocalRef(env, value);
    pair[1] = (*env)->NewLocalRef(env, value);
    (*env)->DeleteGlobalRef(env, l->target);
    if (l->fallback != l->target)
        (*env)->DeleteGlobalRef(env, l->fallback); // ok: ref-double-delete
    for (int i = 0; i < 2; i++)
        (*env)->DeleteLocalRef(env, pair[i]); // ok: ref-double-delete
    free(l);
}

// Another function fills the field again.
JNIEXPORT void JNICALL
Java_org_example_event_Bus_restart(JNIEnv *env, jclass cls, jlong handle)
{
    (void)cls;
    struct listener *l = (struct listener *)(intptr_t)handle;
    (*env)->DeleteGlobalRef(env, l->target);
    if (reload_listener(env, l) < 0)
        return;
    if (!l->active) {
        (*env)->DeleteGlobalRef(env, l->target); // ok: ref-double-delete
        l->target = NULL;
    }
}

// A list of structs, each with a reference of its own.
struct node {
    jobject value; // global
    struct node *next;
};

static void freeList(JNIEnv *env, struct node *head)
{
    while (head != NULL) {
        struct node *next = head->next;
        (*env)->DeleteGlobalRef(env, head->value); // ok: ref-double-delete
        free(head);
        head = next;
    }
}

// A helper that deletes and forgets, called wherever the reference may be done with.
static void dropRef(JNIEnv *env, jobject *ref)
{
    if (*ref != NULL)
        (*env)->DeleteGlobalRef(env, *ref);
    *ref = NULL;
}

JNIEXPORT void JNICALL
Java_org_example_event_Bus_setSink(JNIEnv *env, jclass cls, jobject sink, jlong list)
{
    (void)cls;
    dropRef(env, &gSink);
    if (sink != NULL)
        gSink = (*env)->NewGlobalRef(env, sink);
    freeList(env, (struct node *)(intptr_t)list);
}

// The old one goes when the new one comes, in a static.
JNIEXPORT void JNICALL
Java_org_example_event_Bus_clearSink(JNIEnv *env, jclass cls)
{
    (void)cls;
    if (gSink != NULL) {
        (*env)->DeleteGlobalRef(env, gSink);
        gSink = NULL;
    }
    dropRef(env, &gSink); // ok: ref-double-delete
}
