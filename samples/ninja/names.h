// SPDX-License-Identifier: Apache-2.0
//
// What the files of this sample share.

#ifndef NAMES_H
#define NAMES_H

#include <jni.h>

#define NAMES_CLASS "org/example/Names"

// The length of all names, or -1 with an exception pending.
jlong names_length(JNIEnv *env, jobjectArray names);

// Throws an IllegalStateException.
void names_fail(JNIEnv *env, const char *why);

#endif
