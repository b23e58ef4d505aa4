// SPDX-License-Identifier: Apache-2.0

#include "names.h"

JNIEXPORT jlong JNICALL
Java_org_example_Names_totalLength(JNIEnv *env, jclass cls, jobjectArray names)
{
    (void)cls;
    if (names == NULL) {
        names_fail(env, "no names");
        return 0;
    }
    return names_length(env, names);
}
