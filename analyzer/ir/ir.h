// SPDX-License-Identifier: Apache-2.0
//
// The unit: what the frontend makes of one translation unit and all that later stages read.
//
// Flat arrays that refer to each other by index, never by pointer, so that a unit can be written to
// a file and mapped back (unit_file.h). Strings are offsets into one blob. A unit is built by one
// thread (the frontend) and read-only afterwards; it is freed whole. Structs have no hidden
// padding: equal units are equal bytes.
//
// Per function: basic blocks in reverse post-order, block 0 being the entry; instructions on
// temporaries and places. A temporary is assigned exactly once in the text of the function (by the
// instruction whose `dst` it is) and read by later instructions of the same block, of dominated
// blocks, or through a PHI. Variables are places, not temporaries: there is no SSA for them.
//
// Evaluation order: the operands of an assignment are lowered right side first, calls in the order
// of the arguments. `&&`, `||`, `?:` and `,` become control flow with a PHI where a value is
// needed.

#ifndef JG_IR_IR_H
#define JG_IR_IR_H

#include "analyzer/ir/hash.h"
#include "analyzer/ir/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JG_NONE UINT32_MAX // "no such index": temporary, place, location, ...

typedef uint32_t jg_str; // offset of a NUL-terminated string in jg_unit.strings; 0 is ""

// ---- source map ---------------------------------------------------------------------------------

struct jg_file {
    // Absolute, unless `jniguard unit --path-map` says else; without "." and "..", unless a link
    // makes that another file.
    jg_str path;
    bool system; // found through a system include folder
    uint8_t unused[3];
};

// Where something was written. The primary position is the line the user wrote: outside macro
// bodies, exact inside macro arguments (clang's *file location*).
struct jg_loc {
    uint32_t file;                 // index into jg_unit.files
    uint32_t line, column;         // 1-based; column in bytes
    uint32_t end_line, end_column; // exclusive; 0 when unknown
    uint32_t expansion;            // index into jg_unit.expansions, JG_NONE outside macro bodies
};

// The code lies in the body of a macro: its name and where in the body.
struct jg_expansion {
    jg_str macro;
    uint32_t file, line, column;
};

// ---- types, variables, fields, symbols ----------------------------------------------------------

enum jg_type_kind {
    JG_TYPE_VOID,
    JG_TYPE_BOOL,
    JG_TYPE_INT, // integers and enumerations
    JG_TYPE_FLOAT,
    JG_TYPE_POINTER,
    JG_TYPE_RECORD, // struct or union
    JG_TYPE_ARRAY,
    JG_TYPE_FUNCTION,
    JG_TYPE_OTHER, // complex, vector, C++ reference and whatever else: opaque
};

// What JNI knows the type as: by typedef name, through further typedefs.
enum jg_type_role {
    JG_ROLE_NONE,
    JG_ROLE_OBJECT, // jobject
    JG_ROLE_CLASS,
    JG_ROLE_STRING,
    JG_ROLE_THROWABLE,
    JG_ROLE_ARRAY, // jarray, jobjectArray, j<type>Array
    JG_ROLE_WEAK,  // jweak
    JG_ROLE_FIELD_ID,
    JG_ROLE_METHOD_ID,
    JG_ROLE_ENV, // JNIEnv *
    JG_ROLE_VM,  // JavaVM *
    JG_ROLE_JBOOLEAN,
    JG_ROLE_NATIVE_METHOD, // JNINativeMethod (record, or array of it)
};

static inline bool jg_role_is_ref(enum jg_type_role r)
{
    return r >= JG_ROLE_OBJECT && r <= JG_ROLE_WEAK;
}

struct jg_type {
    uint8_t kind; // enum jg_type_kind
    uint8_t role; // enum jg_type_role
    uint8_t is_unsigned;
    uint8_t const_pointee; // pointer to const
    uint32_t size;         // bytes; 0 when incomplete
    uint32_t pointee;      // pointer, array: element type; else JG_NONE
    uint32_t array_count;  // array: number of elements; 0 when unknown (VLA, flexible)
    jg_str name;           // as the user spells it
};

enum jg_var_kind { JG_VAR_LOCAL, JG_VAR_PARAM, JG_VAR_STATIC /* static storage, any scope */ };

struct jg_var {
    jg_str name;
    uint32_t type;
    uint32_t loc;
    uint8_t kind; // enum jg_var_kind
    bool address_taken;
    bool is_volatile;
    bool thread_local_storage;
    bool external; // JG_VAR_STATIC with external linkage
    uint8_t unused[3];
};

struct jg_field {
    jg_str record; // "struct ctx"; "" for anonymous records: then `name` is qualified by location
    jg_str name;
    uint32_t type;
    uint32_t storage; // the first pointer of its union, for pointers in unions; else itself
};

enum jg_symbol_flag {
    JG_SYM_NORETURN = 1u << 0,
    JG_SYM_VARIADIC = 1u << 1,
    JG_SYM_STATIC = 1u << 2,        // internal linkage
    JG_SYM_ADDRESS_GIVEN = 1u << 3, // its address is used other than to call it
    JG_SYM_NATIVE_METHOD = 1u << 4, // Java_*, or listed in a JNINativeMethod table of this unit
    JG_SYM_ONLOAD = 1u << 5,        // JNI_OnLoad, JNI_OnUnload
    JG_SYM_BUILTIN = 1u << 6,
    JG_SYM_IMPLICIT = 1u << 7, // called without a declaration
    // Annotations of <jniguard/annotations.h>
    JG_SYM_NO_JNI = 1u << 8,        // makes no JNI call, nor does anything that it calls
    JG_SYM_NATIVE_THREAD = 1u << 9, // runs on a thread that was not started by Java
    JG_SYM_WEAK = 1u << 10,         // its body here gives way to one elsewhere that is not weak
};

// A function that is defined, declared or called.
struct jg_symbol {
    jg_str name;
    jg_str usr; // clang's USR: tells static functions of the same name apart
    uint32_t flags;
    uint32_t return_type;
    uint32_t first_param, param_count; // types, in jg_unit.param_types
    uint32_t function;                 // index into jg_unit.functions, JG_NONE without body
};

// ---- places -------------------------------------------------------------------------------------

enum jg_place_base { JG_BASE_VAR, JG_BASE_DEREF };
enum jg_elem_kind {
    JG_ELEM_FIELD, // value: index into jg_unit.fields
    JG_ELEM_INDEX, // value: constant element index
    JG_ELEM_ANY,   // value: temporary that holds the index, or JG_NONE
};

struct jg_elem {
    uint32_t kind;
    uint32_t value;
};

// An lvalue: a variable, or what a temporary points to, and a path into it.
// `*p` and `p[0]` are DEREF of the temporary with an empty path; `p[3].f` is DEREF, INDEX 3, FIELD
// f; `a[i]` of an array variable is VAR, ANY i. Anonymous struct and union levels are elided.
struct jg_place {
    uint32_t base_kind; // enum jg_place_base
    uint32_t base;      // variable (unit-wide index) or temporary
    uint32_t first_elem, elem_count;
    uint32_t type;
};

// ---- instructions -------------------------------------------------------------------------------

enum jg_op {
    JG_OP_CONST,  // dst = imm (integers, enumerators, sizeof, characters; wraps to 64 bits)
    JG_OP_FLOAT,  // dst = some floating constant
    JG_OP_NULL,   // dst = null pointer
    JG_OP_STR,    // dst = address of string literal `a` (jg_str); imm: bytes without the final NUL
    JG_OP_FNADDR, // dst = address of symbol `a`
    JG_OP_LOAD,   // dst = *place a
    JG_OP_STORE,  // *place a = temporary b
    JG_OP_COPY,   // *place a = *place b, records and arrays whole
    JG_OP_ADDR,   // dst = &place a; arrays that decay too
    JG_OP_BIN,    // dst = a <sub> b; pointer arithmetic counts elements
    JG_OP_UN,     // dst = <sub> a
    JG_OP_CAST,   // dst = (type) a, only where the type class or the size changes
    JG_OP_CALL,   // dst = callee(args)
    JG_OP_PHI,    // dst = args[2k+1] when control came from block args[2k]
    JG_OP_HAVOC,  // place a (or dst, when set) becomes unknown
    JG_OP_SCOPE_EXIT, // variable `a` ends; b: symbol of its cleanup function, or JG_NONE
    JG_OP_COUNT
};

enum jg_bin {
    JG_BIN_ADD,
    JG_BIN_SUB,
    JG_BIN_MUL,
    JG_BIN_DIV,
    JG_BIN_REM,
    JG_BIN_SHL,
    JG_BIN_SHR,
    JG_BIN_AND,
    JG_BIN_OR,
    JG_BIN_XOR,
    JG_BIN_EQ,
    JG_BIN_NE,
    JG_BIN_LT,
    JG_BIN_LE,
    JG_BIN_GT,
    JG_BIN_GE
};
enum jg_un { JG_UN_NEG, JG_UN_BITNOT, JG_UN_NOT };

enum jg_callee_kind {
    JG_CALLEE_JNI,    // a: slot, enum jg_jni_slot; args[0] is env
    JG_CALLEE_INVOKE, // a: slot, enum jg_invoke_slot; args[0] is the VM
    JG_CALLEE_SYMBOL, // a: index into jg_unit.symbols
    JG_CALLEE_FIELD,  // a: index into jg_unit.fields: a callback; b: temporary with the pointer
    JG_CALLEE_TEMP,   // a: temporary with the function pointer
};

enum jg_insn_flag {
    JG_INSN_UNUSED = 1u << 0,     // CALL: an expression statement; nobody reads the result
    JG_INSN_UNMODELLED = 1u << 1, // HAVOC: stands for a construct the lowering does not model
    JG_INSN_VOID_CAST = 1u << 2,  // CALL: the result was cast to void
    JG_INSN_DECL = 1u << 3,       // STORE: the initialiser of a declaration
    JG_INSN_LOGICAL = 1u << 4,    // PHI of 1 and 0: the value of `a && b`, `a || b`
};

struct jg_insn {
    uint8_t op;     // enum jg_op
    uint8_t sub;    // enum jg_bin, jg_un, jg_callee_kind
    uint16_t flags; // enum jg_insn_flag
    uint32_t dst;   // temporary, numbered from 0 within the function; JG_NONE
    uint32_t a, b;
    uint32_t first_arg, arg_count; // in jg_unit.args
    uint32_t type;                 // of dst, or of what is stored; CAST: the target type
    uint32_t loc;
    int64_t imm;
};

// ---- control flow -------------------------------------------------------------------------------

enum jg_term {
    JG_TERM_JUMP,     // succ[0]
    JG_TERM_BRANCH,   // cond; succ[0] when non-zero (non-NULL), succ[1] otherwise
    JG_TERM_SWITCH,   // cond; cases in jg_unit.cases, succ[i] for case i, the last succ is the
                      // default
    JG_TERM_INDIRECT, // cond: computed goto; every possible target is a successor
    JG_TERM_RETURN,   // cond: returned temporary or JG_NONE
    JG_TERM_THROW,    // C++ throw that leaves the function
    JG_TERM_UNREACHABLE,
};

struct jg_case {
    int64_t low, high; // inclusive
};

struct jg_block {
    uint32_t first_insn, insn_count; // in jg_unit.insns
    uint32_t first_succ, succ_count; // block numbers within the function, in jg_unit.succs
    uint32_t first_case, case_count; // SWITCH only
    uint32_t term;                   // enum jg_term
    uint32_t cond;                   // temporary
    uint32_t loc;     // of the terminator: the condition, the return, the closing brace
    bool loop_header; // target of a back edge
    uint8_t unused[3];
};

enum jg_function_flag {
    JG_FN_DEGRADED = 1u << 0,   // a compile error lies inside
    JG_FN_HEADER = 1u << 1,     // defined in an included file
    JG_FN_UNMODELLED = 1u << 2, // contains at least one construct that is not modelled
    JG_FN_CXX = 1u << 3,        // C++ code
};

// Its instructions lie in one piece: see jg_function_insns.
struct jg_function {
    uint32_t symbol;
    uint32_t flags;
    uint32_t loc;     // of the name
    uint32_t end_loc; // of the closing brace
    uint32_t first_var,
        var_count; // its parameters (first `param_count`), then its locals, in jg_unit.vars
    uint32_t param_count;
    uint32_t first_block, block_count;
    uint32_t temp_count;
};

// ---- the unit -----------------------------------------------------------------------------------

enum jg_unit_status { JG_UNIT_OK, JG_UNIT_DEGRADED, JG_UNIT_FAILED };

struct jg_diagnostic {
    jg_str text;  // one line, without position
    uint32_t loc; // JG_NONE: about the command line
    bool fatal;   // a missing header and the like
    uint8_t unused[3];
};

// One row of a statically initialised JNINativeMethod table.
struct jg_native_method {
    jg_str name, signature;
    uint32_t symbol; // JG_NONE when the function is not a plain function name
    uint32_t loc;
};

// A function whose address lies in the initialiser of a variable of static storage, a table of
// operations for one: those initialisers are no code, so no STORE says it.
struct jg_static_function {
    uint32_t var;    // the variable
    uint32_t field;  // the field that holds the address, JG_NONE for a plain function pointer
    uint32_t symbol; // the function
    uint32_t loc;
};

// An ExceptionCheck or ExceptionOccurred that no path reaches: it comes after a return, a jump or a
// call that does not return. What a constant condition cuts off is not listed.
struct jg_dead_check {
    uint32_t function; // index into jg_unit.functions
    uint32_t slot;     // enum jg_jni_slot
    uint32_t loc;
};

// A construct the lowering does not model, and how often it met it.
struct jg_unmodelled {
    jg_str construct; // cursor kind, or a short description
    uint32_t count;
};

// What begins a comment that is meant for the tool.
#define JG_DIRECTIVE_PREFIX "jniguard-"

// A file that was read while parsing, system headers included, and the hash of what it held then.
struct jg_input_file {
    jg_str path; // absolute
    struct jg_hash hash;
};

// The whole text of a file: of those that are not system headers, each one that has code in this
// unit or a comment meant for the tool. Reports quote, compare and suppress by it, so that they
// need no source tree, nor care whether that has changed since.
struct jg_source_text {
    uint32_t file;         // index into jg_unit.files
    uint32_t offset, size; // in jg_unit.texts; a NUL follows
};

// Where the vectors of a unit lie.
enum jg_unit_memory {
    JG_MEMORY_OWN,      // on the heap, each on its own: a unit under construction
    JG_MEMORY_BORROWED, // in bytes that belong to somebody else
    JG_MEMORY_HEAP,     // in one heap block, freed with the unit
    JG_MEMORY_MAPPED,   // in a mapped file
};

struct jg_unit {
    jg_str path;      // the main file, absolute
    jg_str directory; // of the command, absolute
    enum jg_unit_status status;
    enum jg_unit_memory memory;
    void *block; // HEAP, MAPPED: all bytes
    size_t block_size;
#define JG_VECTOR(name, type) struct JG_VEC(type) name;
#include "analyzer/ir/unit.def"
};

void jg_unit_init(struct jg_unit *u);
void jg_unit_fini(struct jg_unit *u);

static inline const char *jg_unit_str(const struct jg_unit *u, jg_str s)
{
    return u->strings.data + s;
}

// The instructions of a function, [*first, *end): its blocks hold them one after the other.
static inline void jg_function_insns(const struct jg_unit *u, const struct jg_function *f,
                                     uint32_t *first, uint32_t *end)
{
    const struct jg_block *blocks = &u->blocks.data[f->first_block];
    *first = *end = 0;
    if (f->block_count == 0)
        return;
    *first = blocks[0].first_insn;
    *end = blocks[f->block_count - 1].first_insn + blocks[f->block_count - 1].insn_count;
}

// What the operator makes of two constants, in *r: signed or unsigned numbers of 64 bits, which
// wrap around as the machine's do. False where C does not say: a division by zero, a shift too far.
bool jg_fold(enum jg_bin op, bool is_unsigned, int64_t a, int64_t b, int64_t *r);

// The variable that a place is, without any part of it; JG_NONE.
static inline uint32_t jg_place_variable(const struct jg_unit *u, uint32_t place)
{
    const struct jg_place *p = &u->places.data[place];
    return p->base_kind == JG_BASE_VAR && p->elem_count == 0 ? p->base : JG_NONE;
}

// Does the instruction store to the variable, to a part of it, or change it unseen?
static inline bool jg_insn_writes(const struct jg_unit *u, const struct jg_insn *in, uint32_t var)
{
    bool stores = in->op == JG_OP_STORE || in->op == JG_OP_COPY || in->op == JG_OP_HAVOC;
    return stores && in->a != JG_NONE && u->places.data[in->a].base_kind == JG_BASE_VAR &&
           u->places.data[in->a].base == var;
}

// Adds a string of `length` bytes (NUL inside allowed: the length is then kept elsewhere). Not
// deduplicated; the frontend interns through its own table.
jg_str jg_unit_add_str(struct jg_unit *u, const char *s, size_t length);

const char *jg_function_name(const struct jg_unit *u, const struct jg_function *f);

// Checks every index, the order of blocks and single assignment of temporaries. NULL when sound,
// otherwise a static text that says what is wrong. Linear in the size of the unit.
const char *jg_unit_verify(const struct jg_unit *u);

// Reverse post-order, pruning of unreachable blocks, merging of empty ones and loop headers are
// done by the frontend before it hands the unit out.

// The control-flow graph of one function for people and for tests: one line per instruction, or
// DOT.
void jg_dump_function(const struct jg_unit *u, uint32_t function, FILE *out);
void jg_dump_dot(const struct jg_unit *u, uint32_t function, FILE *out);

#endif
