// SPDX-License-Identifier: Apache-2.0
//
// The JVM's names for types: field and method descriptors, and the class names of FindClass.
//
// Parsing allocates nothing. What it yields points into the text parsed, which must outlive it.
// Text is modified UTF-8 of a given length and need not end in NUL; no byte beyond the length is
// read. Time is linear in the length. Safe from any thread.
//
// Source: Java Virtual Machine Specification, 4.2 (names), 4.3 (descriptors), 4.4.7 (UTF-8).

#ifndef JG_RULES_DESCRIPTOR_H
#define JG_RULES_DESCRIPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JG_MAX_DIMENSIONS 255     // of an array type
#define JG_MAX_ARGUMENT_SLOTS 255 // of a method; long and double take two, `this` takes one
#define JG_MAX_NAME_LENGTH 65535  // bytes of any name or descriptor: a class file cannot hold more

// What is wrong with a text, and where.
struct jg_text_error {
    const char *text;    // the text at fault, as it was passed
    size_t offset;       // in bytes; the length where something is missing at the end
    const char *message; // one line, static, no full stop: "no ';' ends this class name"
};

// One type within a descriptor. For arrays, `base` and `class_name` describe the innermost element.
struct jg_type {
    const char *text; // the whole type: "[[Ljava/lang/String;"
    size_t length;
    char base;              // one of B C D F I J S Z, L for a class, V for void
    uint8_t dimensions;     // 0: no array
    const char *class_name; // "java/lang/String"; NULL unless base is L
    size_t class_length;
};

struct jg_method_descriptor {
    const char *text;
    size_t length;
    unsigned parameters; // how many
    unsigned slots;      // that they take, `this` not counted; at most JG_MAX_ARGUMENT_SLOTS
    struct jg_type result;
};

// Parses a field descriptor, "I" or "[Ljava/lang/String;". False and *error when it is malformed;
// *type is then unspecified. `error` may be NULL.
bool jg_field_descriptor_parse(const char *text, size_t length, struct jg_type *type,
                               struct jg_text_error *error);

// Parses a method descriptor, "(ILjava/lang/String;)V", likewise. 255 slots of parameters are
// accepted: an instance method may have 254, which only the caller can know.
bool jg_method_descriptor_parse(const char *text, size_t length,
                                struct jg_method_descriptor *method, struct jg_text_error *error);

// Yields the parameters of a parsed method descriptor one by one; *cursor is 0 before the first.
// False when there is no further one.
bool jg_method_next_parameter(const struct jg_method_descriptor *method, size_t *cursor,
                              struct jg_type *type);

// Checks a class name as FindClass wants it: "java/lang/String" for a class, "[I" or
// "[Ljava/lang/String;" for an array. False and *error when it is malformed; that no such class
// exists is not the question. `error` may be NULL.
bool jg_class_name_check(const char *text, size_t length, struct jg_text_error *error);

// Checks the name of a field or method: not empty and without any of . ; [ / < >, the names <init>
// and <clinit> excepted. `error` may be NULL.
bool jg_member_name_check(const char *text, size_t length, struct jg_text_error *error);

// The character that begins at text[0], as a UTF-16 unit (modified UTF-8 writes a supplementary
// character as two). Returns its bytes, 1 to 3, or 0 when they are no modified UTF-8. length > 0.
unsigned jg_modified_utf8_unit(const char *text, size_t length, uint16_t *unit);

// Slots that a value of the type takes: 2 for long and double, 0 for void, otherwise 1.
static inline unsigned jg_type_slots(const struct jg_type *type)
{
    if (type->dimensions)
        return 1;
    return type->base == 'J' || type->base == 'D' ? 2 : type->base != 'V';
}

#endif
