// SPDX-License-Identifier: Apache-2.0
//
// References deleted and not used again, though their variables are: assigned anew, set to NULL
// and tested, deleted under one condition and used under the opposite one, or one of two
// references to the same object.

#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct client {
    jobject callback; // global
    int state;
};

static jmethodID gOnClose; // void onClose()
static jfieldID gLast;     // Object last

void log_text(const char *text);

#define FREE_REF(env, ref)                                                                         \
    do {                                                                                           \
        if ((ref) != NULL) {                                                                       \
            (*(env))->DeleteLocalRef((env), (ref));                                                \
            (ref) = NULL;                                                                          \
        }                                                                                          \
    } while (0)

JNIEXPORT jint JNICALL
Java_org_example_mail_Box_count(JNIEnv *env, jobject self)
{
    jclass type = (*env)->GetObjectClass(env, self);
    jfieldID field = (*env)->GetFieldID(env, type, "count", "I"); // ok: ref-use-after-delete
    (*env)->DeleteLocalRef(env, type);
    if (field == NULL)
        return -1;
    return (*env)->GetIntField(env, self, field); // an id outlives the reference to its class
}

// Released first, then deleted; the next iteration has a new reference in the same variable.
JNIEXPORT void JNICALL
Java_org_example_mail_Box_logSubjects(JNIEnv *env, jobject self, jobjectArray subjects)
{
    jstring subject;
    (void)self;
    jsize count = (*env)->GetArrayLength(env, subjects);
    for (jsize i = 0; i < count; i++) {
        subject = (jstring)(*env)->GetObjectArrayElement(env, subjects, i);
        if (subject == NULL)
            continue;
        const char *text = (*env)->GetStringUTFChars(env, subject, NULL); // ok: ref-use-after-delete
        if (text == NULL) {
            (*env)->DeleteLocalRef(env, subject);
            return;
        }
        log_text(text);
        (*env)->ReleaseStringUTFChars(env, subject, text); // ok: ref-use-after-delete
        (*env)->DeleteLocalRef(env, subject);
    }
}

// The deleted handle is forgotten by its variable.
JNIEXPORT jboolean JNICALL
Java_org_example_mail_Box_lastIs(JNIEnv *env, jobject self, jobjectArray items, jclass type)
{
    (void)self;
    jobject last = NULL;
    for (jsize i = 0; i < 8; i++) {
        jobject item = (*env)->GetObjectArrayElement(env, items, i);
        if ((*env)->ExceptionCheck(env))
            return JNI_FALSE;
        if (item == NULL)
            continue;
        if (last != NULL)
            (*env)->DeleteLocalRef(env, last);
        last = item;
    }
    if (last == NULL)
        return JNI_FALSE;
    return (*env)->IsInstanceOf(env, last, type); // ok: ref-use-after-delete
}

// Deleted under a condition, used under the opposite one.
JNIEXPORT jint JNICALL
Java_org_example_mail_Box_nameLength(JNIEnv *env, jobject self, jstring name, jboolean trim)
{
    jint length = 0;
    (void)self;
    jstring copy = (jstring)(*env)->NewLocalRef(env, name);
    if (copy == NULL)
        return 0;
    if (!trim)
        (*env)->DeleteLocalRef(env, copy);
    length++;
    if (trim) {
        length += (*env)->GetStringLength(env, copy); // ok: ref-use-after-delete
        (*env)->DeleteLocalRef(env, copy);
    }
    return length;
}

// Set to NULL by the macro, and tested.
JNIEXPORT jint JNICALL
Java_org_example_mail_Box_optionalLength(JNIEnv *env, jobject self, jstring name, jboolean trim)
{
    (void)self;
    jstring copy = (jstring)(*env)->NewLocalRef(env, name);
    if (!trim)
        FREE_REF(env, copy);
    if (copy == NULL)
        return 0;
    return (*env)->GetStringLength(env, copy); // ok: ref-use-after-delete
}

JNIEXPORT void JNICALL
Java_org_example_mail_Client_close(JNIEnv *env, jclass cls, jlong handle)
{
    (void)cls;
    struct client *client = (struct client *)(intptr_t)handle;
    (*env)->CallVoidMethod(env, client->callback, gOnClose); // ok: ref-use-after-delete
    (*env)->DeleteGlobalRef(env, client->callback);
    client->callback = NULL;
    free(client);
}

JNIEXPORT jlong JNICALL
Java_org_example_mail_Client_open(JNIEnv *env, jclass cls, jobject callback)
{
    (void)cls;
    struct client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return 0;
    client->callback = (*env)->NewGlobalRef(env, callback);
    if (client->callback == NULL) {
        free(client);
        return 0;
    }
    return (jlong)(intptr_t)client;
}

// The global reference lives on when the local one it was made from is deleted.
JNIEXPORT jboolean JNICALL
Java_org_example_mail_Box_viaGlobal(JNIEnv *env, jobject self, jobject other)
{
    jclass local = (*env)->GetObjectClass(env, self);
    jclass global = (jclass)(*env)->NewGlobalRef(env, local);
    (*env)->DeleteLocalRef(env, local);
    if (global == NULL)
        return JNI_FALSE;
    jboolean result = (*env)->IsInstanceOf(env, other, global); // ok: ref-use-after-delete
    (*env)->DeleteGlobalRef(env, global);
    return result;
}

// One of two references to the object is deleted, the other one used.
JNIEXPORT void JNICALL
Java_org_example_mail_Box_remember(JNIEnv *env, jobject self, jobject item)
{
    jobject copy = (*env)->NewLocalRef(env, item);
    if (copy == NULL)
        return;
    (*env)->DeleteLocalRef(env, copy);
    (*env)->SetObjectField(env, self, gLast, item); // ok: ref-use-after-delete
}

// Promoted while it lives; the strong reference does not need the weak one.
JNIEXPORT jboolean JNICALL
Java_org_example_mail_Client_isAlive(JNIEnv *env, jclass cls, jobject value, jclass type)
{
    (void)cls;
    jweak weak = (*env)->NewWeakGlobalRef(env, value);
    if (weak == NULL)
        return JNI_FALSE;
    jobject strong = (*env)->NewLocalRef(env, weak); // ok: ref-use-after-delete
    (*env)->DeleteWeakGlobalRef(env, weak);
    if (strong == NULL)
        return JNI_FALSE;
    jboolean result = (*env)->IsInstanceOf(env, strong, type); // ok: ref-use-after-delete
    (*env)->DeleteLocalRef(env, strong);
    return result;
}

// A failure branch that deletes and leaves; a variable that is assigned again after its deletion.
JNIEXPORT jobject JNICALL
Java_org_example_mail_Box_superType(JNIEnv *env, jobject self, jint levels)
{
    jclass type = (*env)->GetObjectClass(env, self);
    while (levels-- > 0) {
        jclass super = (*env)->GetSuperclass(env, type); // ok: ref-use-after-delete
        (*env)->DeleteLocalRef(env, type);
        if (super == NULL)
            return NULL;
        type = super;
    }
    return type; // ok: ref-use-after-delete
}

static jboolean isSame(JNIEnv *env, jobject a, jobject b)
{
    return (*env)->IsSameObject(env, a, b);
}

// A helper uses it before, and only compares what came of it after.
JNIEXPORT jboolean JNICALL
Java_org_example_mail_Box_alike(JNIEnv *env, jobject self, jobjectArray items, jobject other)
{
    (void)self;
    jobject item = (*env)->GetObjectArrayElement(env, items, 0);
    if ((*env)->ExceptionCheck(env))
        return JNI_FALSE;
    jboolean same = isSame(env, item, other); // ok: ref-use-after-delete
    (*env)->DeleteLocalRef(env, item);
    item = other;
    return same && isSame(env, item, other); // ok: ref-use-after-delete
}

// The last of its users deletes it.
struct counted {
    jobject ref; // global
    int users;
};

static void retain(struct counted *c)
{
    c->users++;
}

static void release(JNIEnv *env, struct counted *c)
{
    if (--c->users == 0)
        (*env)->DeleteGlobalRef(env, c->ref);
}

JNIEXPORT jboolean JNICALL
Java_org_example_mail_Box_shared(JNIEnv *env, jobject self, jobject other)
{
    struct counted c = {(*env)->NewGlobalRef(env, self), 1};
    if (c.ref == NULL)
        return JNI_FALSE;
    retain(&c);
    release(env, &c);
    jboolean same = (*env)->IsSameObject(env, c.ref, other); // ok: ref-use-after-delete
    release(env, &c);
    return same;
}

static void trace(JNIEnv *env, jobject item, jboolean verbose)
{
    if (verbose)
        (*env)->CallVoidMethod(env, item, gOnClose);
}

// A helper that would use it does not, by what it is told.
JNIEXPORT void JNICALL
Java_org_example_mail_Box_drop(JNIEnv *env, jobject self, jobject item)
{
    jobject copy = (*env)->NewLocalRef(env, item);
    (void)self;
    (*env)->DeleteLocalRef(env, copy);
    trace(env, copy, JNI_FALSE); // ok: ref-use-after-delete
}
