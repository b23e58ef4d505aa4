// SPDX-License-Identifier: Apache-2.0
//
// The marks that checks leave on instructions (jg_engine_mark): one bit each, one meaning each,
// whichever check file sets or reads it. The lowest eight bits are the engine's.

#ifndef JG_CHECKS_MARKS_H
#define JG_CHECKS_MARKS_H

#include "analyzer/engine/watch.h"

// clang-format off
// Calls of JNI functions: parameter i, at most 7, ...
#define JG_MARK_GIVEN(i)         jg_mark_bit(8 + (i))  // was not NULL on some path
#define JG_MARK_MAYBE(i)         jg_mark_bit(16 + (i)) // was not known to be NULL on some path
// What makes a reference
#define JG_MARK_COMPARED         jg_mark_bit(24) // the weak one was tested against NULL, and used
#define JG_MARK_LEAKS            jg_mark_bit(25) // local-ref-leak-in-loop reports it
// Acquisitions of buffers
#define JG_MARK_RELEASED_IF_COPY jg_mark_bit(26) // a release hangs on isCopy
#define JG_MARK_RELEASED_ANYHOW  jg_mark_bit(27) // another one does not
#define JG_MARK_COPIED_BACK      jg_mark_bit(28) // a release or SetArrayRegion keeps the changes
#define JG_MARK_DATA             jg_mark_bit(29) // more than zeros is written
#define JG_MARK_LOOKED_AT        jg_mark_bit(30) // read, or given to somebody
#define JG_MARK_UNSURE           jg_mark_bit(31) // a store through a pointer of unknown origin
#define JG_MARK_LOST_SAID        jg_mark_bit(32) // buffer-abort-lost-write is reported
#define JG_MARK_BY_CALLEE        jg_mark_bit(33) // a function of this file stores there
// Variables, their highest bit set
#define JG_MARK_NULL_SAID        jg_mark_bit(36) // ref-null-argument is reported
// Throws, and what follows them
#define JG_MARK_THROW_SAID       jg_mark_bit(34) // exception-throw-then-continue is reported
#define JG_MARK_REACHED_WELL     jg_mark_bit(35) // some path comes here without an exception
// Calls of NewGlobalRef and NewWeakGlobalRef
#define JG_MARK_OVERWRITES       jg_mark_bit(37) // global-ref-overwrite is reported
// Calls of GetDirectBufferAddress
#define JG_MARK_ASKED_ABOUT      jg_mark_bit(41) // given to somebody who may test it
// Stores
#define JG_MARK_HANDED_OVER      jg_mark_bit(40) // it goes to another thread, which is reported
// clang-format on

#endif
