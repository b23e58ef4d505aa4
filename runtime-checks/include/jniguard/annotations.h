/* SPDX-License-Identifier: Apache-2.0
 *
 * What a declaration can tell the analyzer, jniguard check. The macros stand before a function or,
 * where that is said, before a parameter:
 *
 *   JG_NO_JNI int decode(const unsigned char *from, size_t length);
 *
 * This version of the analyzer reads JG_NO_JNI and JG_NATIVE_THREAD; it lets the others pass.
 *
 * They go into the declaration that callers see; the definition need not repeat them. To compilers
 * other than clang, which is what the analyzer reads code with, they are nothing. No code is made
 * for them anywhere.
 */

#ifndef JNIGUARD_ANNOTATIONS_H
#define JNIGUARD_ANNOTATIONS_H

#if defined(__clang__)
#define JG_ANNOTATE(text) __attribute__((annotate("jniguard::" text)))
#else
#define JG_ANNOTATE(text)
#endif

/* The function makes no JNI call, nor does anything that it calls: it may run inside a critical
 * region, in a signal handler or on a thread that Java does not know. Rule no-jni-violated. */
#define JG_NO_JNI JG_ANNOTATE("no_jni")

/* The function runs on a thread that was not started by Java: nobody deletes its local references
 * when it returns. For entries of threads that the analyzer cannot see started. */
#define JG_NATIVE_THREAD JG_ANNOTATE("native_thread")

/* The result is a local reference that the caller has to delete where it makes many. */
#define JG_RETURNS_LOCAL_REF JG_ANNOTATE("returns_local_ref")

/* The result is a global reference that the caller has to delete. */
#define JG_RETURNS_GLOBAL_REF JG_ANNOTATE("returns_global_ref")

/* Before a parameter: the function deletes the reference that it is given. */
#define JG_TAKES_REF JG_ANNOTATE("takes_ref")

/* The function may return with an exception pending. */
#define JG_MAY_THROW JG_ANNOTATE("may_throw")

/* The function may wait: for another thread, a device, or time. */
#define JG_BLOCKING JG_ANNOTATE("blocking")

#endif
