// SPDX-License-Identifier: Apache-2.0

#include "names.h"

jlong names_length(JNIEnv *env, jobjectArray names)
{
    jlong total = 0;
    jsize count = (*env)->GetArrayLength(env, names);
    for (jsize i = 0; i < count; i++) {
        jstring name = (*env)->GetObjectArrayElement(env, names, i);
        if ((*env)->ExceptionCheck(env))
            return -1;
        if (name != NULL)
            total += (*env)->GetStringLength(env, name);
    }
    return total;
}
