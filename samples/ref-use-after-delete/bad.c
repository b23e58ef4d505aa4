// SPDX-License-Identifier: Apache-2.0
//
// References used after they were deleted. The handle names a free slot of the table by then,
// or a slot that another reference has taken: the call fails, crashes, or works on the wrong
// object.

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
        if ((ref) != NULL)                                                                         \
            (*(env))->DeleteLocalRef((env), (ref));                                                \
    } while (0)

// Deleted one line too early.
JNIEXPORT jint JNICALL
Java_org_example_mail_Box_count(JNIEnv *env, jobject self)
{
    jclass type = (*env)->GetObjectClass(env, self);
    (*env)->DeleteLocalRef(env, type);
    jfieldID field = (*env)->GetFieldID(env, type, "count", "I"); // expect: ref-use-after-delete
    if (field == NULL)
        return -1;
    return (*env)->GetIntField(env, self, field);
}

// The characters must be released with their string, and before the string is deleted.
JNIEXPORT void JNICALL
Java_org_example_mail_Box_logSubjects(JNIEnv *env, jobject self, jobjectArray subjects)
{
    (void)self;
    jsize count = (*env)->GetArrayLength(env, subjects);
    for (jsize i = 0; i < count; i++) {
        jstring subject = (jstring)(*env)->GetObjectArrayElement(env, subjects, i);
        if (subject == NULL)
            continue;
        const char *text = (*env)->GetStringUTFChars(env, subject, NULL);
        if (text == NULL) {
            (*env)->DeleteLocalRef(env, subject);
            return;
        }
        log_text(text);
        (*env)->DeleteLocalRef(env, subject);
        (*env)->ReleaseStringUTFChars(env, subject, text); // expect: ref-use-after-delete
    }
}

// The loop deletes the reference that the code below it still needs.
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
        last = item;
        (*env)->DeleteLocalRef(env, item);
    }
    if (last == NULL)
        return JNI_FALSE;
    return (*env)->IsInstanceOf(env, last, type); // expect: ref-use-after-delete
}

// An error branch that deletes, and forgets to leave.
JNIEXPORT jint JNICALL
Java_org_example_mail_Box_nameLength(JNIEnv *env, jobject self, jstring name, jboolean trim)
{
    (void)self;
    jstring copy = (jstring)(*env)->NewLocalRef(env, name);
    if (copy == NULL)
        return 0;
    if (!trim)
        FREE_REF(env, copy);
    return (*env)->GetStringLength(env, copy); // expect: ref-use-after-delete
}

// A global reference in a struct.
JNIEXPORT void JNICALL
Java_org_example_mail_Client_close(JNIEnv *env, jclass cls, jlong handle)
{
    (void)cls;
    struct client *client = (struct client *)(intptr_t)handle;
    (*env)->DeleteGlobalRef(env, client->callback);
    client->state = 0;
    (*env)->CallVoidMethod(env, client->callback, gOnClose); // expect: ref-use-after-delete
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

// A weak reference asked for its object after it is gone.
JNIEXPORT jboolean JNICALL
Java_org_example_mail_Client_isAlive(JNIEnv *env, jclass cls, jobject value)
{
    (void)cls;
    jweak weak = (*env)->NewWeakGlobalRef(env, value);
    if (weak == NULL)
        return JNI_FALSE;
    (*env)->DeleteWeakGlobalRef(env, weak);
    jobject strong = (*env)->NewLocalRef(env, weak); // expect: ref-use-after-delete
    jboolean alive = strong != NULL;
    (*env)->DeleteLocalRef(env, strong);
    return alive;
}

// Two names for one reference.
JNIEXPORT jboolean JNICALL
Java_org_example_mail_Box_sameType(JNIEnv *env, jobject self, jobject other)
{
    jclass mine = (*env)->GetObjectClass(env, self);
    jclass first = mine;
    (*env)->DeleteLocalRef(env, mine);
    jclass second = (*env)->GetObjectClass(env, other);
    return (*env)->IsSameObject(env, first, second); // expect: ref-use-after-delete
}

// A case that falls through into one that uses the reference.
JNIEXPORT void JNICALL
Java_org_example_mail_Box_remember(JNIEnv *env, jobject self, jobject item, jint mode)
{
    jobject copy = (*env)->NewLocalRef(env, item);
    if (copy == NULL)
        return;
    switch (mode) {
    case 0:
        (*env)->DeleteLocalRef(env, copy);
        /* fall through */
    case 1:
        (*env)->SetObjectField(env, self, gLast, copy); // expect: ref-use-after-delete
        break;
    default:
        break;
    }
}

static jboolean isList(JNIEnv *env, jobject item, jclass list)
{
    return (*env)->IsInstanceOf(env, item, list);
}

// A helper uses it.
JNIEXPORT jboolean JNICALL
Java_org_example_mail_Box_listed(JNIEnv *env, jobject self, jobjectArray items, jclass list)
{
    (void)self;
    jobject item = (*env)->GetObjectArrayElement(env, items, 0);
    if ((*env)->ExceptionCheck(env) || item == NULL)
        return JNI_FALSE;
    (*env)->DeleteLocalRef(env, item);
    return isList(env, item, list); // expect: ref-use-after-delete
}
