// SPDX-License-Identifier: Apache-2.0
//
// More than sixteen local references alive at once, and no room reserved for them.

#include <jni.h>

static jfieldID gFields[20]; // Object fields of a record
static jmethodID gAdd;       // void add(Object)

#define FIELD(n) (*env)->GetObjectField(env, record, gFields[n])

// A record read field by field.
JNIEXPORT jint JNICALL
Java_org_example_csv_Row_count(JNIEnv *env, jclass cls, jobject record)
{
    (void)cls;
    jobject f0 = FIELD(0), f1 = FIELD(1), f2 = FIELD(2), f3 = FIELD(3);
    jobject f4 = FIELD(4), f5 = FIELD(5), f6 = FIELD(6), f7 = FIELD(7);
    jobject f8 = FIELD(8), f9 = FIELD(9), f10 = FIELD(10), f11 = FIELD(11);
    jobject f12 = FIELD(12), f13 = FIELD(13), f14 = FIELD(14), f15 = FIELD(15);
    jobject f16 = FIELD(16); // expect: local-ref-capacity
    return (f0 != NULL) + (f1 != NULL) + (f2 != NULL) + (f3 != NULL) + (f4 != NULL) +
           (f5 != NULL) + (f6 != NULL) + (f7 != NULL) + (f8 != NULL) + (f9 != NULL) +
           (f10 != NULL) + (f11 != NULL) + (f12 != NULL) + (f13 != NULL) + (f14 != NULL) +
           (f15 != NULL) + (f16 != NULL);
}

static jclass gClasses[17]; // global

// Every class is made global, and every local reference stays.
#define CACHE(n, name)                                                                             \
    do {                                                                                           \
        jclass found = (*env)->FindClass(env, "java/lang/" name);                                  \
        if (found == NULL)                                                                         \
            return JNI_FALSE;                                                                      \
        gClasses[n] = (*env)->NewGlobalRef(env, found);                                            \
    } while (0)

JNIEXPORT jboolean JNICALL
Java_org_example_csv_Types_init(JNIEnv *env, jclass cls)
{
    (void)cls;
    CACHE(0, "Object"); // expect: global-ref-never-deleted
    CACHE(1, "String");
    CACHE(2, "Boolean");
    CACHE(3, "Byte");
    CACHE(4, "Character");
    CACHE(5, "Short");
    CACHE(6, "Integer");
    CACHE(7, "Long");
    CACHE(8, "Float");
    CACHE(9, "Double");
    CACHE(10, "Void");
    CACHE(11, "Number");
    CACHE(12, "Enum");
    CACHE(13, "Record");
    CACHE(14, "Thread");
    CACHE(15, "Runnable");
    CACHE(16, "Iterable"); // expect: local-ref-capacity
    return JNI_TRUE;
}

#define PUT(n)                                                                                     \
    (*env)->SetObjectArrayElement(env, out, n, (*env)->GetObjectField(env, record, gFields[n]));   \
    if ((*env)->ExceptionCheck(env))                                                               \
        return

// Room for eighteen more is reserved, and nineteen are made.
JNIEXPORT void JNICALL
Java_org_example_csv_Row_store(JNIEnv *env, jclass cls, jobject record, jobjectArray out)
{
    (void)cls;
    if ((*env)->EnsureLocalCapacity(env, 18) != JNI_OK)
        return;
    PUT(0);
    PUT(1);
    PUT(2);
    PUT(3);
    PUT(4);
    PUT(5);
    PUT(6);
    PUT(7);
    PUT(8);
    PUT(9);
    PUT(10);
    PUT(11);
    PUT(12);
    PUT(13);
    PUT(14);
    PUT(15);
    PUT(16);
    PUT(17);
    PUT(18); // expect: local-ref-capacity
}

// The frame has room for seventeen.
JNIEXPORT void JNICALL
Java_org_example_csv_Row_compare(JNIEnv *env, jclass cls, jobject record, jobject other)
{
    jobject seen[18];
    (void)cls;
    (void)other;
    if ((*env)->PushLocalFrame(env, 17) != JNI_OK)
        return;
    seen[0] = FIELD(0), seen[1] = FIELD(1), seen[2] = FIELD(2), seen[3] = FIELD(3);
    seen[4] = FIELD(4), seen[5] = FIELD(5), seen[6] = FIELD(6), seen[7] = FIELD(7);
    seen[8] = FIELD(8), seen[9] = FIELD(9), seen[10] = FIELD(10), seen[11] = FIELD(11);
    seen[12] = FIELD(12), seen[13] = FIELD(13), seen[14] = FIELD(14), seen[15] = FIELD(15);
    seen[16] = FIELD(16);
    seen[17] = FIELD(17); // expect: local-ref-capacity
    (*env)->CallVoidMethod(env, other, gAdd, seen[17]);
    (*env)->PopLocalFrame(env, NULL);
}

// The error exits do not change what the way to the end needs.
JNIEXPORT jint JNICALL
Java_org_example_csv_Row_check(JNIEnv *env, jclass cls, jobject record)
{
    jobject f[17];
    (void)cls;
    f[0] = FIELD(0), f[1] = FIELD(1), f[2] = FIELD(2), f[3] = FIELD(3), f[4] = FIELD(4);
    if (f[0] == NULL || f[4] == NULL)
        return -1;
    f[5] = FIELD(5), f[6] = FIELD(6), f[7] = FIELD(7), f[8] = FIELD(8), f[9] = FIELD(9);
    if (f[9] == NULL)
        return -2;
    f[10] = FIELD(10), f[11] = FIELD(11), f[12] = FIELD(12), f[13] = FIELD(13);
    f[14] = FIELD(14), f[15] = FIELD(15);
    f[16] = FIELD(16); // expect: local-ref-capacity
    return f[16] != NULL;
}
