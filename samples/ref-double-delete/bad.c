// SPDX-License-Identifier: Apache-2.0
//
// References deleted twice: on the error path and again behind its label, through a second name, in
// a loop, by a case that falls through, by a macro that leaves the variable as it is.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>

struct listener {
    jobject target; // global
    jweak owner;    // weak
    int active;
};

static jmethodID gOnEvent; // void onEvent(int)

void log_text(const char *text);

#define FREE_REF(env, ref)                                                                         \
    do {                                                                                           \
        if ((ref) != NULL)                                                                         \
            (*(env))->DeleteLocalRef((env), (ref));                                                \
    } while (0)

// The error branch cleans up, then joins the common cleanup.
JNIEXPORT jint JNICALL
Java_org_example_event_Bus_count(JNIEnv *env, jobject self)
{
    jint count = -1;
    jclass type = (*env)->GetObjectClass(env, self);
    jfieldID field = (*env)->GetFieldID(env, type, "count", "I");
    if (field == NULL) {
        (*env)->DeleteLocalRef(env, type);
        goto done;
    }
    count = (*env)->GetIntField(env, self, field);
done:
    (*env)->DeleteLocalRef(env, type); // expect: ref-double-delete
    return count;
}

// Both the reference and its second name are deleted.
JNIEXPORT jboolean JNICALL
Java_org_example_event_Bus_sameType(JNIEnv *env, jobject self, jobject other)
{
    jclass mine = (*env)->GetObjectClass(env, self);
    jclass type = mine;
    jboolean same = (*env)->IsInstanceOf(env, other, type);
    (*env)->DeleteLocalRef(env, mine);
    (*env)->DeleteLocalRef(env, type); // expect: ref-double-delete
    return same;
}

// Made once in front of the loop, deleted in every turn of it.
JNIEXPORT void JNICALL
Java_org_example_event_Bus_fire(JNIEnv *env, jobject self, jobject event, jint times)
{
    jobject copy = (*env)->NewLocalRef(env, event);
    if (copy == NULL)
        return;
    for (jint i = 0; i < times; i++) {
        (*env)->CallVoidMethod(env, self, gOnEvent, i);
        if ((*env)->ExceptionCheck(env))
            break;
        (*env)->DeleteLocalRef(env, copy); // expect: ref-double-delete
    }
}

// The local reference is deleted as soon as the global one is there, and on its failure again.
JNIEXPORT jlong JNICALL
Java_org_example_event_Bus_listen(JNIEnv *env, jobject self)
{
    struct listener *l = calloc(1, sizeof *l);
    if (l == NULL)
        return 0;
    jclass type = (*env)->GetObjectClass(env, self);
    l->target = (*env)->NewGlobalRef(env, type);
    (*env)->DeleteLocalRef(env, type);
    if (l->target == NULL) {
        (*env)->DeleteLocalRef(env, type); // expect: ref-double-delete
        free(l);
        return 0;
    }
    return (jlong)(intptr_t)l;
}

// A global reference in a struct that Java holds as a long.
JNIEXPORT void JNICALL
Java_org_example_event_Bus_close(JNIEnv *env, jclass cls, jlong handle)
{
    (void)cls;
    struct listener *l = (struct listener *)(intptr_t)handle;
    if (l->active) {
        (*env)->DeleteGlobalRef(env, l->target);
        l->active = 0;
    }
    (*env)->DeleteGlobalRef(env, l->target); // expect: ref-double-delete
    free(l);
}

// A weak reference that was tested, found dead and deleted.
JNIEXPORT jboolean JNICALL
Java_org_example_event_Bus_isAlive(JNIEnv *env, jclass cls, jobject value)
{
    (void)cls;
    jweak weak = (*env)->NewWeakGlobalRef(env, value);
    if (weak == NULL)
        return JNI_FALSE;
    jboolean dead = (*env)->IsSameObject(env, weak, NULL);
    if (dead)
        (*env)->DeleteWeakGlobalRef(env, weak);
    (*env)->DeleteWeakGlobalRef(env, weak); // expect: ref-double-delete
    return !dead;
}

// The macro tests the variable, which nobody has set to NULL.
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
        FREE_REF(env, copy);
    }
    FREE_REF(env, copy); // expect: ref-double-delete
    return length;
}

// A case that falls through into one that deletes as well.
JNIEXPORT void JNICALL
Java_org_example_event_Bus_drop(JNIEnv *env, jobject self, jobject item, jint mode)
{
    (void)self;
    jobject copy = (*env)->NewGlobalRef(env, item);
    if (copy == NULL)
        return;
    switch (mode) {
    case 0:
        log_text("dropped");
        (*env)->DeleteGlobalRef(env, copy);
        /* fall through */
    default:
        (*env)->DeleteGlobalRef(env, copy); // expect: ref-double-delete
        break;
    }
}

// The loop deletes its reference, and so does the code behind the early exit.
JNIEXPORT jint JNICALL
Java_org_example_event_Bus_find(JNIEnv *env, jobject self, jobjectArray items, jclass type)
{
    (void)self;
    jobject item = NULL;
    jsize i;
    for (i = 0; i < 8; i++) {
        item = (*env)->GetObjectArrayElement(env, items, i);
        if ((*env)->ExceptionCheck(env))
            return -1;
        if (item == NULL)
            continue;
        jboolean found = (*env)->IsInstanceOf(env, item, type);
        (*env)->DeleteLocalRef(env, item);
        if (found)
            break;
    }
    if (item != NULL)
        (*env)->DeleteLocalRef(env, item); // expect: ref-double-delete
    return i;
}

// What the function is called says nothing, but it does nothing else.
static void forget(JNIEnv *env, jobject target)
{
    (*env)->DeleteGlobalRef(env, target);
}

JNIEXPORT void JNICALL
Java_org_example_event_Bus_ping(JNIEnv *env, jobject self, jobject target)
{
    jobject kept = (*env)->NewGlobalRef(env, target);
    (void)self;
    if (kept == NULL)
        return;
    (*env)->CallVoidMethod(env, kept, gOnEvent, 0);
    forget(env, kept);
    (*env)->DeleteGlobalRef(env, kept); // expect: ref-double-delete
}
