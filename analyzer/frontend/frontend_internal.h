// SPDX-License-Identifier: Apache-2.0
//
// What the files of the frontend share. Start reading at parse.c (one translation unit), then
// stmt.c and expr.c (the lowering proper), then cfg.c (what a finished function looks like).
//
//   args.c       the command of the database -> the arguments libclang gets
//   parse.c      libclang's translation unit -> unit, function by function
//   map.c        hash map from pointers and other 64-bit keys to indices
//   inputs.c     what the unit was made from: command, files, hashes, texts
//   locations.c  clang positions -> jg_loc        types.c    clang types -> jg_type, jg_field
//   symbols.c    functions and variables          tables.c   initialisers of static storage
//   function.c stmt.c asm.c expr.c place.c cond.c init.c callee.c builtin.c
//                one function -> blocks, instructions
//   forloop.c    which parts of a `for (;;)` are there, which libclang does not say
//   cfg.c        blocks under construction, scopes, jumps    emit.c   the finished function -> unit
//
// Everything belongs to one thread. Cursors and types are libclang's and die with `struct tu`; the
// unit gets copies. A declaration is known by the pointer in data[0] of its cursor, a statement by
// that in data[1]: clang_equalCursors says no for two cursors of one label.

#ifndef JG_FRONTEND_INTERNAL_H
#define JG_FRONTEND_INTERNAL_H

#include "analyzer/frontend/frontend.h"
#include "analyzer/ir/ir.h"

#include <clang-c/Index.h>

struct jg_frontend {
    CXIndex index;
    char *resource_dir;    // NULL: libclang finds its own
    struct memory *memory; // of the files read so far; see inputs.c
};

// ---- map.c -------------------------------------------------------------------------------------

// From a 64-bit key other than 0 to an index. Zero-initialised is empty.
struct map {
    struct map_slot {
        uint64_t key;
        uint32_t value;
    } * slots;
    uint32_t count, capacity;
};

static inline uint32_t map_slot_of(const struct map *m, uint64_t key)
{
    uint32_t mask = m->capacity - 1;
    uint32_t i = (uint32_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & mask;
    while (m->slots[i].key && m->slots[i].key != key)
        i = (i + 1) & mask;
    return i;
}

// JG_NONE when absent.
static inline uint32_t map_get(const struct map *m, uint64_t key)
{
    if (!m->count)
        return JG_NONE;
    const struct map_slot *s = &m->slots[map_slot_of(m, key)];
    return s->key ? s->value : JG_NONE;
}

void map_put(struct map *m, uint64_t key, uint32_t value);
void map_clear(struct map *m);
void map_free(struct map *m);

static inline uint64_t key_of(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}

// ---- one translation unit ----------------------------------------------------------------------

struct file_info {
    CXFile handle;
    bool is_main;
};

struct error_position {
    CXFile file;
    unsigned offset;
};

// What the lowering knows of a symbol beyond the unit.
struct symbol_info {
    CXCursor definition; // null: none, or in a system header
    bool queued;         // its body is or will be lowered
    uint8_t builtin;     // enum builtin
};

struct field_info {
    int jni, invoke; // slot of the function table that this field is, or -1
};

struct kids {
    const CXCursor *at;
    uint32_t count;
};

struct fn;

struct tu {
    struct jg_frontend *frontend;
    struct jg_unit *u;
    CXTranslationUnit clang;
    const char *directory; // of the command
    bool cxx;
    bool has_va_list;     // a type that is a va_list was met
    struct jg_bump arena; // per function: children of cursors, scopes
    struct JG_VEC(CXCursor) scratch;

    struct map strings; // hash of the text -> offset
    struct map files, locs, expansions;
    struct map types, pointers, fields;
    struct map decls; // FunctionDecl -> symbol, VarDecl -> variable (or local variable)
    struct map usrs;  // hash of a USR -> symbol
    struct JG_VEC(struct file_info) file_info;
    struct JG_VEC(CXType) clang_types; // by type: null for those made here
    struct JG_VEC(bool) va_lists;      // by type
    struct JG_VEC(struct field_info) field_info;
    struct JG_VEC(struct symbol_info) symbol_info;
    struct JG_VEC(uint32_t) queue; // symbols whose bodies are to be lowered
    struct JG_VEC(struct error_position) errors;
    struct map names; // hash of a name -> index into named: built for __attribute__((cleanup))
    struct JG_VEC(CXCursor) named;

    uint32_t type_void, type_int, type_size, type_char_pointer, type_void_pointer;
    struct fn *fn; // scratch memory for the function being lowered
};

// Direct children; the array lives until the next function.
struct kids kids_of(struct tu *t, CXCursor c);

// A string of the unit; equal strings get equal offsets.
jg_str intern(struct tu *t, const char *s, size_t length);
uint64_t hash_text(const char *s, size_t length); // never 0: a key of a map
jg_str intern_cx(struct tu *t, CXString s);       // disposes of s

void count_unmodelled(struct tu *t, const char *construct);

// ---- inputs.c ----------------------------------------------------------------------------------

void record_command(struct tu *t, const struct jg_compile_command *command);
void record_files(struct tu *t); // after the lowering: it says whose texts are wanted
void forget_files(struct memory *m);

// ---- args.c ------------------------------------------------------------------------------------

struct args {
    const char **argv;
    int argc;
    const char *target;   // of a cross compiler, by its name or its arguments; NULL: none is named
    struct jg_bump arena; // owns argv and its strings
};

// How much of the command to keep.
enum args_mode {
    ARGS_ALL,       // all but what writes files or fails on the wrong compiler
    ARGS_ESSENTIAL, // include folders, macros, language: for when libclang refuses the rest
};

void args_init(struct args *a, const struct jg_frontend *f,
               const struct jg_compile_command *command, enum args_mode mode);
void args_fini(struct args *a);

// "@name" where the reader of the command found no such file and left the word; NULL when there is
// none.
const char *unread_response_file(const struct jg_compile_command *command);

// ---- locations.c -------------------------------------------------------------------------------

uint32_t file_of(struct tu *t, CXFile file);
jg_str absolute_path(struct tu *t, const char *name); // seen from the folder of the command
jg_str path_of(struct tu *t, CXFile file);
bool is_system_file(struct tu *t, CXFile file);
bool in_main_file(struct tu *t, CXSourceLocation at);
uint32_t loc_of(struct tu *t, CXCursor c);          // where the cursor points
uint32_t loc_with_end(struct tu *t, CXCursor c);    // its whole extent, when written in a file
uint32_t loc_at(struct tu *t, CXSourceLocation at); // any position; JG_NONE for the null location
uint32_t loc_of_end(struct tu *t, CXCursor c);      // the last character: the closing brace
bool has_error_inside(struct tu *t, CXCursor c);

// ---- types.c -----------------------------------------------------------------------------------

uint32_t type_of(struct tu *t, CXType type);
uint32_t pointer_to(struct tu *t, uint32_t type);
uint32_t basic_type(struct tu *t, const char *name, enum jg_type_kind kind, uint32_t size,
                    uint32_t pointee);
uint32_t field_of(struct tu *t, CXCursor field); // FieldDecl
bool is_va_list(struct tu *t, uint32_t type);
bool is_anonymous_level(CXCursor field); // a field without a name that holds a record

static inline const struct jg_type *type_at(const struct tu *t, uint32_t type)
{
    return &t->u->types.data[type];
}

static inline uint32_t cursor_type(struct tu *t, CXCursor c)
{
    return type_of(t, clang_getCursorType(c));
}

// Of a value: never an array. libclang shows parameters declared as arrays, and all that is
// computed from them, with the type that was written.
uint32_t decayed(struct tu *t, uint32_t type);

static inline uint32_t value_type(struct tu *t, CXCursor c)
{
    return decayed(t, cursor_type(t, c));
}

// The fields of a record in order, as FieldDecl cursors.
struct kids record_fields(struct tu *t, CXType record);

// ---- symbols.c ---------------------------------------------------------------------------------

uint32_t symbol_of(struct tu *t, CXCursor function, CXSourceLocation use);
uint32_t symbol_named(struct tu *t, const char *name); // for cleanup functions; JG_NONE
void queue_symbol(struct tu *t, uint32_t symbol);      // lower its body too, wherever it is
uint32_t static_var_of(struct tu *t, CXCursor var);
bool has_static_storage(CXCursor var);

// ---- tables.c ----------------------------------------------------------------------------------

// The initialiser of a variable of static storage: native method tables, function addresses.
void static_initialiser(struct tu *t, CXCursor var, uint32_t var_index);
// A native method table in the initialiser of any variable.
void native_methods(struct tu *t, CXCursor initialiser);
// The text of a string literal, decoded, with its length; false when c is none.
bool string_literal(struct tu *t, CXCursor c, jg_str *text, size_t *length);

// ---- one function ------------------------------------------------------------------------------

// Local variables are numbered from here until the function is finished.
#define LOCAL_VAR 0x80000000u

// One variable that is alive, and those declared before it: the path to the root is what a jump out
// of the function ends. Immutable, so a position is a pointer. `kind` leaves room for destructors.
struct scope {
    struct scope *outer;
    uint32_t depth;
    uint32_t var, cleanup;
    uint32_t loc;
};

struct draft_insn {
    struct jg_insn n;
    uint32_t next; // in the same block
};

struct draft_block {
    uint32_t first, last; // instructions
    uint32_t first_succ, succ_count;
    uint32_t first_case, case_count;
    uint32_t cond, loc;
    uint8_t term;
    bool terminated, has_phi;
    bool constant; // what comes after a constant condition, taken or not
};

// Where a break, a continue or a case label belongs.
struct target {
    struct target *outer;
    uint32_t break_to, continue_to; // JG_NONE: not here
    struct scope *scope;
    struct switch_draft *cases; // of a switch
};

struct switch_draft {
    struct JG_VEC(struct jg_case) ranges;
    struct JG_VEC(uint32_t) blocks;
    uint32_t default_to;
    uint32_t type;
};

struct label {
    jg_str name;
    uint32_t block;
    struct scope *scope;
    bool placed, address_taken;
};

// A goto met before its label: the scopes it leaves are known at the end of the function.
struct pending_jump {
    uint32_t block, label;
    struct scope *scope;
};

// A block that ends in a computed goto, or in an `asm goto`, which may also go on.
struct indirect_jump {
    uint32_t block;
    uint32_t through; // of `asm goto`: where it goes on
    jg_str labels;    // of `asm goto`: the text that names them, "" when not known
};

struct fn {
    struct tu *t;
    CXCursor cursor, body;
    uint32_t symbol, flags;
    uint32_t return_type;
    struct JG_VEC(struct draft_insn) insns;
    struct JG_VEC(struct draft_block) blocks;
    struct JG_VEC(uint32_t) args, succs;
    struct JG_VEC(struct jg_case) cases;
    struct JG_VEC(struct jg_var) vars;
    struct JG_VEC(struct jg_place) places;
    struct JG_VEC(struct jg_elem) elems;
    struct JG_VEC(uint32_t) temps; // temporary -> the instruction that assigns it
    struct JG_VEC(struct label) labels;
    struct JG_VEC(struct pending_jump) jumps;
    struct JG_VEC(struct indirect_jump) indirect;
    struct map label_map, var_places;
    struct JG_VEC(uint64_t) for_order; // ForStmts in the order of the text, for forloop.c
    char *printed;                     // the function as clang prints it, for forloop.c
    uint32_t param_count, this_var;
    uint32_t block; // the current one; JG_NONE after a jump
    uint32_t loc;   // of the expression being lowered
    struct scope *scope;
    struct target *targets;
    uint32_t handlers; // C++: where a throw goes; JG_NONE: out of the function
    struct scope *handler_scope;
    bool full; // over the instruction cap: the rest is skipped
};

void lower_function(struct tu *t, uint32_t symbol, CXCursor definition);

// ---- cfg.c -------------------------------------------------------------------------------------

void fn_reset(struct fn *f);
void fn_free(struct fn *f);
uint32_t new_block(struct fn *f);
void use_block(struct fn *f, uint32_t block); // goes on there; the current block must have ended
void jump(struct fn *f, uint32_t to);         // ends the current block, if any
void enter(struct fn *f, uint32_t block);     // jump there and go on
void branch(struct fn *f, uint32_t temp, uint32_t yes, uint32_t no, uint32_t loc);
void end_block(struct fn *f, enum jg_term term, uint32_t cond, uint32_t loc);
void leave_scopes(struct fn *f, struct scope *until); // SCOPE_EXITs; the scope itself stays
void close_scope(struct fn *f, struct scope *until);  // the same, and goes back to `until`
void open_var(struct fn *f, uint32_t var, uint32_t cleanup, uint32_t loc);
uint32_t label_of(struct fn *f, CXCursor label_stmt);
void place_label(struct fn *f, uint32_t label);
void jump_to_label(struct fn *f, uint32_t label);
void resolve_jumps(struct fn *f); // at the end of the function

uint32_t add_insn(struct fn *f,
                  const struct jg_insn *n);         // to the current block; returns its number
uint32_t add_value(struct fn *f, struct jg_insn n); // gives it a temporary and returns that
struct jg_insn *def_of(struct fn *f, uint32_t temp);
uint32_t temp_type(struct fn *f, uint32_t temp);

uint32_t make_const(struct fn *f, int64_t value, uint32_t type);
uint32_t make_null(struct fn *f, uint32_t type);
uint32_t make_havoc(struct fn *f, uint32_t type, const char *unmodelled);
uint32_t make_bin(struct fn *f, enum jg_bin op, uint32_t a, uint32_t b, uint32_t type,
                  uint32_t loc);
uint32_t make_un(struct fn *f, enum jg_un op, uint32_t a, uint32_t type);
uint32_t make_load(struct fn *f, uint32_t place, uint32_t loc);
uint32_t make_addr(struct fn *f, uint32_t place, uint32_t type);
uint32_t make_fnaddr(struct fn *f, uint32_t symbol, uint32_t type);
void make_store(struct fn *f, uint32_t place, uint32_t temp, uint16_t flags, uint32_t loc);
void make_copy(struct fn *f, uint32_t to, uint32_t from, uint16_t flags, uint32_t loc);
void havoc_place(struct fn *f, uint32_t place);
// Value of two joined paths: from `from1` came v1, from `from2` v2.
uint32_t make_phi(struct fn *f, uint32_t from1, uint32_t v1, uint32_t from2, uint32_t v2,
                  uint32_t type);
// To another type: nothing, a folded constant or a CAST.
uint32_t convert(struct fn *f, uint32_t temp, uint32_t type);
bool const_value(struct fn *f, uint32_t temp, int64_t *value); // NULL counts as 0
int64_t wrap(const struct jg_type *type, int64_t value);

// ---- emit.c ------------------------------------------------------------------------------------

// Prunes, merges, orders and appends the function to the unit.
void emit_function(struct fn *f, uint32_t loc, uint32_t end_loc);

// ---- place.c -----------------------------------------------------------------------------------

uint32_t place_of(struct fn *f, CXCursor c); // lowers an lvalue
bool is_place(struct fn *f, CXCursor c);     // would place_of yield an object that exists already?
uint32_t place_var(struct fn *f, uint32_t var);
uint32_t place_deref(struct fn *f, uint32_t temp, uint32_t type);
uint32_t place_elem(struct fn *f, uint32_t place, uint32_t kind, uint32_t value, uint32_t type);
uint32_t new_temporary_var(struct fn *f, uint32_t type);
uint32_t local_var(struct fn *f, CXCursor decl, enum jg_var_kind kind);
uint32_t var_of(struct fn *f, CXCursor decl); // VarDecl, ParmDecl
void take_address(struct fn *f, uint32_t place);

// ---- expr.c ------------------------------------------------------------------------------------

CXCursor strip(struct tu *t, CXCursor c);           // parentheses and implicit casts
CXCursor strip_casts(struct tu *t, CXCursor c);     // explicit casts too
CXCursor last_expression(struct tu *t, CXCursor c); // last child that is an expression
bool is_expression(CXCursor c);
uint32_t expr(struct fn *f, CXCursor c);  // its value; JG_NONE for void
void discard(struct fn *f, CXCursor c);   // its effects
uint32_t value(struct fn *f, CXCursor c); // its value, never JG_NONE
uint32_t read_place(struct fn *f, uint32_t place,
                    uint32_t loc);              // LOAD, or the address it decays to
bool is_reference(struct tu *t, uint32_t type); // of C++: a pointer that is never spelled
bool evaluate(CXCursor c, int64_t *value);      // by clang, integers only
void lower_kids(struct fn *f, CXCursor c);      // every sub-expression for its effects
uint32_t unmodelled(struct fn *f, CXCursor c, const char *what); // the same, and a HAVOC value

// ---- cond.c ------------------------------------------------------------------------------------

void cond(struct fn *f, CXCursor c, uint32_t yes, uint32_t no);  // ends the current block
uint32_t logical_value(struct fn *f, CXCursor c);                // && || !
uint32_t conditional(struct fn *f, CXCursor c, bool want_value); // c ? a : b
uint32_t gnu_conditional(struct fn *f, struct kids k, uint32_t type, bool want_value); // a ?: b
bool is_gnu_conditional(struct tu *t, struct kids k);

// ---- callee.c, builtin.c -----------------------------------------------------------------------

uint32_t call(struct fn *f, CXCursor c, uint16_t flags);

enum builtin {
    BUILTIN_NONE,
    BUILTIN_EXPECT,      // the first argument
    BUILTIN_UNREACHABLE, // and trap
    BUILTIN_CONSTANT_P,
    BUILTIN_CONSTANT, // evaluated by clang, arguments not evaluated
    BUILTIN_VA_START, // fills its first argument
    BUILTIN_VA_END,
    BUILTIN_SYNC, // __sync_*: changes what its first argument points to
};

enum builtin builtin_of(const char *name);
// True when the call was one that needs no CALL; *result is its value, JG_NONE for void.
bool builtin_call(struct fn *f, CXCursor c, struct kids k, uint8_t which, uint32_t *result);
bool atomic(struct fn *f, CXCursor c, struct kids k, uint32_t *result);

// ---- init.c, stmt.c, asm.c, forloop.c ----------------------------------------------------------

void initialise(struct fn *f, uint32_t place, CXType type, CXCursor init, uint16_t flags);
void statement(struct fn *f, CXCursor c);
void asm_statement(struct fn *f, CXCursor c);
uint32_t statement_expression(struct fn *f, CXCursor c, bool want_value);

struct for_parts {
    CXCursor init, var, cond, inc, body; // null where missing
};
struct for_parts for_parts(struct fn *f, CXCursor c);

#endif
