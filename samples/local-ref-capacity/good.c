// SPDX-License-Identifier: Apache-2.0
//
// Many local references, but few at once, or with room reserved.

#include <jni.h>

static jfieldID gFields[20]; // Object fields of a record
static jclass gClasses[18];  // global
static jmethodID gAdd;       // void add(Object)

#define FIELD(n) (*env)->GetObjectField(env, record, gFields[n])

// Each is deleted before the next is made.
#define CACHE(n, name)                                                                             \
    do {                                                                                           \
        jclass found = (*env)->FindClass(env, "java/lang/" name);                                  \
        if (found == NULL)                                                                         \
            return JNI_FALSE;                                                                      \
        gClasses[n] = (*env)->NewGlobalRef(env, found); /* ok: local-ref-capacity */               \
        (*env)->DeleteLocalRef(env, found);                                                        \
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
    CACHE(16, "Iterable");
    CACHE(17, "Process");
    return JNI_TRUE;
}

// Room for twenty more.
JNIEXPORT jint JNICALL
Java_org_example_csv_Row_count(JNIEnv *env, jclass cls, jobject record)
{
    jobject f[18];
    (void)cls;
    if ((*env)->EnsureLocalCapacity(env, 20) != JNI_OK)
        return -1;
    f[0] = FIELD(0), f[1] = FIELD(1), f[2] = FIELD(2), f[3] = FIELD(3), f[4] = FIELD(4);
    f[5] = FIELD(5), f[6] = FIELD(6), f[7] = FIELD(7), f[8] = FIELD(8), f[9] = FIELD(9);
    f[10] = FIELD(10), f[11] = FIELD(11), f[12] = FIELD(12), f[13] = FIELD(13);
    f[14] = FIELD(14), f[15] = FIELD(15), f[16] = FIELD(16);
    f[17] = FIELD(17); // ok: local-ref-capacity
    return f[17] != NULL && f[0] != NULL;
}

// Two frames, each with room enough.
static jboolean both(JNIEnv *env, jobject record, jobject list)
{
    if ((*env)->PushLocalFrame(env, 10) != JNI_OK)
        return JNI_FALSE;
    jobject a[9] = {FIELD(0), FIELD(1), FIELD(2), FIELD(3), FIELD(4),
                    FIELD(5), FIELD(6), FIELD(7), FIELD(8)};
    jboolean first = a[0] != NULL && a[8] != NULL;
    (*env)->PopLocalFrame(env, NULL);
    if ((*env)->PushLocalFrame(env, 10) != JNI_OK)
        return JNI_FALSE;
    jobject b[9] = {FIELD(9),  FIELD(10), FIELD(11), FIELD(12), FIELD(13),
                    FIELD(14), FIELD(15), FIELD(16), FIELD(17)}; // ok: local-ref-capacity
    (*env)->CallVoidMethod(env, list, gAdd, b[8]);
    (*env)->PopLocalFrame(env, NULL);
    return first;
}

JNIEXPORT jboolean JNICALL
Java_org_example_csv_Row_both(JNIEnv *env, jclass cls, jobject record, jobject list)
{
    (void)cls;
    return both(env, record, list);
}

// Only one case of the switch runs.
JNIEXPORT jobject JNICALL
Java_org_example_csv_Row_field(JNIEnv *env, jclass cls, jobject record, jint which)
{
    jobject result = NULL;
    (void)cls;
    switch (which) {
    case 0: result = FIELD(0); break;
    case 1: result = FIELD(1); break;
    case 2: result = FIELD(2); break;
    case 3: result = FIELD(3); break;
    case 4: result = FIELD(4); break;
    case 5: result = FIELD(5); break;
    case 6: result = FIELD(6); break;
    case 7: result = FIELD(7); break;
    case 8: result = FIELD(8); break;
    case 9: result = FIELD(9); break;
    case 10: result = FIELD(10); break;
    case 11: result = FIELD(11); break;
    case 12: result = FIELD(12); break;
    case 13: result = FIELD(13); break;
    case 14: result = FIELD(14); break;
    case 15: result = FIELD(15); break;
    case 16: result = FIELD(16); break;
    case 17: result = FIELD(17); break; // ok: local-ref-capacity
    default: break;
    }
    return result;
}

// Ids and global references take no room.
JNIEXPORT jboolean JNICALL
Java_org_example_csv_Row_initIDs(JNIEnv *env, jclass cls)
{
    static const char *const names[18] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                          "j", "k", "l", "m", "n", "o", "p", "q", "r"};
    for (int i = 0; i < 18; i++) {
        gFields[i] = (*env)->GetFieldID(env, cls, names[i], "Ljava/lang/Object;"); // ok: local-ref-capacity
        if (gFields[i] == NULL)
            return JNI_FALSE;
    }
    return JNI_TRUE;
}

// Deleted all at once, in the middle.
JNIEXPORT jint JNICALL
Java_org_example_csv_Row_halves(JNIEnv *env, jclass cls, jobject record)
{
    jobject f[10];
    jint found = 0;
    (void)cls;
    f[0] = FIELD(0), f[1] = FIELD(1), f[2] = FIELD(2), f[3] = FIELD(3), f[4] = FIELD(4);
    f[5] = FIELD(5), f[6] = FIELD(6), f[7] = FIELD(7), f[8] = FIELD(8), f[9] = FIELD(9);
    for (int i = 0; i < 10; i++) {
        found += f[i] != NULL;
        (*env)->DeleteLocalRef(env, f[i]);
    }
    f[0] = FIELD(10), f[1] = FIELD(11), f[2] = FIELD(12), f[3] = FIELD(13);
    f[4] = FIELD(14), f[5] = FIELD(15), f[6] = FIELD(16), f[7] = FIELD(17);
    return found + (f[7] != NULL) + (f[0] != NULL); // ok: local-ref-capacity
}
