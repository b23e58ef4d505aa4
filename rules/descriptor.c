// SPDX-License-Identifier: Apache-2.0
//
// A recursive descent parser of descriptors that has nothing to recurse on: an array type is a
// count of dimensions and an element. Every function scan_x reads one x at the cursor, moves past
// it and returns true, or records the error and returns false.

#include "rules/descriptor.h"

#include <string.h>

struct scan {
    const char *text;
    size_t length;
    size_t at;
    struct jg_text_error *error;
};

static bool fail(const struct scan *s, size_t offset, const char *message)
{
    if (s->error)
        *s->error = (struct jg_text_error){s->text, offset, message};
    return false;
}

static bool at_end(const struct scan *s)
{
    return s->at == s->length;
}

// True at a byte of that value.
static bool looking_at(const struct scan *s, char c)
{
    return !at_end(s) && s->text[s->at] == c;
}

static bool begin(struct scan *s, const char *text, size_t length, struct jg_text_error *error,
                  const char *when_empty)
{
    *s = (struct scan){text, length, 0, error};
    if (length == 0)
        return fail(s, 0, when_empty);
    if (length > JG_MAX_NAME_LENGTH)
        return fail(s, JG_MAX_NAME_LENGTH, "longer than the 65535 bytes a class file can hold");
    return true;
}

static bool is_continuation(const char *text, size_t length, size_t i)
{
    return i < length && ((unsigned char)text[i] & 0xc0) == 0x80;
}

unsigned jg_modified_utf8_unit(const char *text, size_t length, uint16_t *unit)
{
    unsigned first = (unsigned char)text[0];
    unsigned value;

    if (first < 0x80) {
        *unit = (uint16_t)first;
        return first != 0; // NUL is written C0 80
    }
    if (!is_continuation(text, length, 1))
        return 0;
    if (first >> 5 == 0x6) {
        value = (first & 0x1f) << 6 | ((unsigned char)text[1] & 0x3f);
        *unit = (uint16_t)value;
        return value >= 0x80 || value == 0 ? 2 : 0;
    }
    if (first >> 4 == 0xe && is_continuation(text, length, 2)) {
        value = (first & 0xf) << 12 | ((unsigned)text[1] & 0x3f) << 6 | ((unsigned)text[2] & 0x3f);
        *unit = (uint16_t)value;
        return value >= 0x800 ? 3 : 0;
    }
    return 0;
}

static bool scan_character(struct scan *s)
{
    uint16_t unit;
    unsigned bytes = jg_modified_utf8_unit(s->text + s->at, s->length - s->at, &unit);
    if (bytes == 0) {
        bool four = (unsigned char)s->text[s->at] >> 3 == 0x1e;
        return fail(s, s->at,
                    four ? "modified UTF-8 has no four-byte sequences; write two surrogates"
                         : "no modified UTF-8");
    }
    s->at += bytes;
    return true;
}

// Identifiers with '/' between them, up to the byte `end` or, when that is NUL, to the end of the
// text.
static bool scan_class_name(struct scan *s, char end)
{
    size_t start = s->at;
    size_t component = s->at;

    while (!at_end(s) && !(end && s->text[s->at] == end)) {
        switch (s->text[s->at]) {
        case '.':
            return fail(s, s->at, "a class name is written with '/', not '.'");
        case '[':
            return fail(s, s->at, "'[' within a class name");
        case ';':
            return fail(s, s->at, "';' within a class name");
        case '/':
            if (s->at == component)
                return fail(s, s->at, "'/' with no name before it");
            component = ++s->at;
            break;
        default:
            if (!scan_character(s))
                return false;
        }
    }
    if (end && at_end(s))
        return fail(s, start, "no ';' ends this class name");
    if (s->at == component)
        return fail(s, s->at, s->at == start ? "empty class name" : "'/' with no name after it");
    return true;
}

static bool scan_type(struct scan *s, struct jg_type *type)
{
    size_t start = s->at;

    *type = (struct jg_type){.text = s->text + start};
    for (; looking_at(s, '['); s->at++) {
        if (type->dimensions == JG_MAX_DIMENSIONS)
            return fail(s, s->at, "more than 255 dimensions");
        type->dimensions++;
    }
    if (at_end(s))
        return fail(s, s->at, type->dimensions ? "no element type after '['" : "no type");

    type->base = s->text[s->at++];
    switch (type->base) {
    case 'B':
    case 'C':
    case 'D':
    case 'F':
    case 'I':
    case 'J':
    case 'S':
    case 'Z':
        break;
    case 'V':
        if (type->dimensions)
            return fail(s, s->at - 1, "an array of void");
        break;
    case 'L':
        type->class_name = s->text + s->at;
        if (!scan_class_name(s, ';'))
            return false;
        type->class_length = (size_t)(s->text + s->at - type->class_name);
        s->at++;
        break;
    default:
        return fail(s, s->at - 1, "no type begins like this; one of BCDFIJSZ, L or [ does");
    }
    type->length = s->at - start;
    return true;
}

// Any type but void.
static bool scan_value_type(struct scan *s, const char *when_void, struct jg_type *type)
{
    size_t start = s->at;
    if (!scan_type(s, type))
        return false;
    return type->base != 'V' || fail(s, start, when_void);
}

bool jg_field_descriptor_parse(const char *text, size_t length, struct jg_type *type,
                               struct jg_text_error *error)
{
    struct scan s;

    if (!begin(&s, text, length, error, "empty field descriptor"))
        return false;
    if (looking_at(&s, '('))
        return fail(&s, 0, "a method descriptor where a field descriptor is needed");
    if (!scan_value_type(&s, "a field cannot be void", type))
        return false;
    return at_end(&s) || fail(&s, s.at, "more text after the type");
}

// The parameters and the ')' after them.
static bool scan_parameters(struct scan *s, struct jg_method_descriptor *method)
{
    struct jg_type type = {0};

    while (!looking_at(s, ')')) {
        if (at_end(s)) {
            // A class name may contain ')'. That one does, and that no ')' follows, comes of a lost
            // ';'.
            if (type.base == 'L' && memchr(type.class_name, ')', type.class_length))
                return fail(s, (size_t)(type.class_name - s->text), "no ';' ends this class name");
            return fail(s, s->at, "no ')' ends the parameters");
        }
        size_t start = s->at;
        if (!scan_value_type(s, "a parameter cannot be void; no parameters are written ()", &type))
            return false;
        method->parameters++;
        method->slots += jg_type_slots(&type);
        if (method->slots > JG_MAX_ARGUMENT_SLOTS)
            return fail(s, start, "more than 255 argument slots");
    }
    s->at++;
    return true;
}

bool jg_method_descriptor_parse(const char *text, size_t length,
                                struct jg_method_descriptor *method, struct jg_text_error *error)
{
    struct scan s;

    *method = (struct jg_method_descriptor){.text = text, .length = length};
    if (!begin(&s, text, length, error, "empty method descriptor"))
        return false;
    if (!looking_at(&s, '('))
        return fail(&s, 0, "a method descriptor begins with '('");
    s.at++;
    if (!scan_parameters(&s, method))
        return false;
    if (at_end(&s))
        return fail(&s, s.at, "no result type after ')'");
    if (!scan_type(&s, &method->result))
        return false;
    return at_end(&s) || fail(&s, s.at, "more text after the result type");
}

bool jg_method_next_parameter(const struct jg_method_descriptor *method, size_t *cursor,
                              struct jg_type *type)
{
    struct scan s = {method->text, method->length, *cursor ? *cursor : 1, NULL};

    if (looking_at(&s, ')') || !scan_type(&s, type))
        return false;
    *cursor = s.at;
    return true;
}

bool jg_class_name_check(const char *text, size_t length, struct jg_text_error *error)
{
    struct scan s;
    struct jg_type type;

    if (!begin(&s, text, length, error, "empty class name"))
        return false;
    if (looking_at(&s, '[')) {
        if (!scan_type(&s, &type))
            return false;
        return at_end(&s) || fail(&s, s.at, "more text after the type");
    }
    if (text[0] == 'L' && text[length - 1] == ';')
        return fail(&s, 0, "a descriptor where a class name is needed; drop the L and the ;");
    return scan_class_name(&s, '\0');
}

static bool is_special_name(const char *text, size_t length)
{
    return (length == 6 && memcmp(text, "<init>", 6) == 0) ||
           (length == 8 && memcmp(text, "<clinit>", 8) == 0);
}

bool jg_member_name_check(const char *text, size_t length, struct jg_text_error *error)
{
    struct scan s;

    if (!begin(&s, text, length, error, "empty member name"))
        return false;
    if (is_special_name(text, length))
        return true;
    while (!at_end(&s)) {
        if (text[s.at] && strchr(".;[/<>", text[s.at]))
            return fail(&s, s.at, "a member name cannot contain any of . ; [ / < >");
        if (!scan_character(&s))
            return false;
    }
    return true;
}
