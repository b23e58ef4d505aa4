// SPDX-License-Identifier: Apache-2.0
//
// Where code runs: which functions are entered from Java, on threads of their own, as callbacks, in
// signal handlers. Decides what a leaked local reference costs and which calls are legal.
//
// A function runs wherever one of its callers runs; `static` functions that nobody calls, and
// external ones that nobody in the program calls, run somewhere unknown. What is known comes from
//   native:   native methods, JNI_OnLoad and its like, event functions of JVMTI: the virtual
//             machine drops the local references of these on return
//   thread:   what is given to pthread_create and its like (rules/models), also by
//             way of a function of the program that passes it on; functions that call
//             AttachCurrentThread without asking GetEnv first, unless that is a getter of env; what
//             is marked JG_NATIVE_THREAD
//   callback: what is given to any other function without a body, or stored where the program
//             itself never looks. What lies in a table through which the program calls is no
//             callback: those calls are edges of the call graph
//   signal:   what is given to signal or stored in a struct sigaction
//   fetches:  functions that get env from GetEnv, or from a function that does: they may be called
//             from Java or from threads of any kind
// Functions that units have alike run where any of them does. Nothing is known of threads made by
// C++ constructors (std::thread).

#ifndef JG_ENGINE_CONTEXTS_H
#define JG_ENGINE_CONTEXTS_H

#include "analyzer/engine/program.h"

enum jg_context {
    JG_CONTEXT_NATIVE = 1u << 0,
    JG_CONTEXT_THREAD = 1u << 1,
    JG_CONTEXT_CALLBACK = 1u << 2,
    JG_CONTEXT_SIGNAL = 1u << 3,
    JG_CONTEXT_FETCHES = 1u << 4,
    JG_CONTEXT_UNKNOWN = 1u << 5,
};
#define JG_CONTEXT_COUNT 6

// Why a function runs somewhere: a chain of callers up to the one that something is known of.
struct jg_context_reason {
    uint32_t root;    // the function that something is known of (id)
    uint32_t caller;  // the next function on the way there; JG_NONE when this one is the root
    uint32_t unit;    // where the root is given away, stored, or attaches; JG_NONE: by its name,
    uint32_t loc;     // or by a table of native methods
    const char *what; // "pthread_create", the name of the field; "" when nothing has a name
};

// The contexts of a function, a set; never empty.
uint8_t jg_program_contexts(const struct jg_program *p, uint32_t id);

// False when the function does not run there.
bool jg_program_context_reason(const struct jg_program *p, uint32_t id, enum jg_context context,
                               struct jg_context_reason *out);

#endif
