// SPDX-License-Identifier: Apache-2.0
//
// The names of native functions: Java_<class>_<method>, with __<parameters> where the native method
// is overloaded, and the way back.
//
//   /  _      _  _1      ;  _2      [  _3      any other but 0-9 A-Z a-z  _0xxxx (UTF-16, hex)
//
// Strings end in NUL; Java names are modified UTF-8. Nothing is allocated; results go to the
// caller's buffer. Time is linear. Safe from any thread.
//
// Source: Java Native Interface Specification, chapter 2, "Resolving Native Method Names".

#ifndef JG_RULES_MANGLE_H
#define JG_RULES_MANGLE_H

#include "rules/descriptor.h"

// Writes the name of the function that implements a native method. Called by tests alone, as the
// inverse of jg_unmangle: that no two methods share a symbol, and none is lost, is seen by the
// pair.
//
// class_name   "java/lang/Object"; not an array
// method       "wait0"
// descriptor   "(J)V" gives the long name that an overloaded method needs; NULL gives the short one
// out, size    receives the name, ends in NUL and is cut off at size - 1 bytes; size may be 0
//
// Returns the length of the whole name, the NUL not counted. Returns 0 and sets *error (which may
// be NULL) when an argument is malformed, or when no native function can have the name: a virtual
// machine refuses a part of a name that begins with 0, 1, 2 or 3, for it would read like an escape.
// error->text is then the argument at fault.
size_t jg_mangle(const char *class_name, const char *method, const char *descriptor, char *out,
                 size_t size, struct jg_text_error *error);

// What the name of a native function says. The strings lie in the buffer given to jg_unmangle.
struct jg_unmangled {
    const char *class_name; // "java/lang/Object"
    const char *method;     // "wait0"
    const char *parameters; // "(J)": a method descriptor without its result; NULL in a short name
};

// Reads the name of a native function. A buffer of strlen(symbol) + 1 bytes is always large enough.
//
// False and *error (which may be NULL) when it is no well-formed name, that is, when no virtual
// machine would ever look for it; *result is then unspecified. error->offset counts in `symbol`.
bool jg_unmangle(const char *symbol, char *buffer, size_t size, struct jg_unmangled *result,
                 struct jg_text_error *error);

#endif
