// SPDX-License-Identifier: Apache-2.0

#include "names.h"

void names_fail(JNIEnv *env, const char *why)
{
    jclass cls = (*env)->FindClass(env, "java/lang/IllegalStateException");
    if (cls != NULL)
        (*env)->ThrowNew(env, cls, why);
}
