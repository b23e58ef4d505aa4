// SPDX-License-Identifier: Apache-2.0
//
// Mangling maps each UTF-16 unit to a word of its own; unmangling reads those words from left to
// right. "__" is the mark before the parameters, for no part of a name is empty. Only where one of
// 0 to 3 follows is it a '/' and an escape, as in "Java_A__1f" for A._f: no parameter begins with a
// digit.

#include "rules/mangle.h"

#include <stdio.h>
#include <string.h>

static const char prefix[] = "Java_";

static bool is_alphanumeric(unsigned c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool fail(struct jg_text_error *error, const char *text, size_t offset, const char *message)
{
    if (error)
        *error = (struct jg_text_error){text, offset, message};
    return false;
}

// ---- mangling

// Receives text as snprintf does: counts all of it, keeps what fits.
struct sink {
    char *out;
    size_t size;
    size_t length;
};

static void put(struct sink *sink, const char *text)
{
    for (; *text; text++, sink->length++) {
        if (sink->length + 1 < sink->size)
            sink->out[sink->length] = *text;
    }
}

static void put_unit(struct sink *sink, uint16_t unit)
{
    char word[8] = {0};

    if (is_alphanumeric(unit))
        word[0] = (char)unit;
    else if (unit == '/')
        strcpy(word, "_");
    else if (unit == '_')
        strcpy(word, "_1");
    else if (unit == ';')
        strcpy(word, "_2");
    else if (unit == '[')
        strcpy(word, "_3");
    else
        snprintf(word, sizeof word, "_0%04x", (unsigned)unit);
    put(sink, word);
}

// Mangles text[from, to), of a text that was checked.
static bool put_mangled(struct sink *sink, const char *text, size_t from, size_t to,
                        struct jg_text_error *error)
{
    bool after_underscore = true;

    for (size_t i = from; i < to;) {
        uint16_t unit;
        if (after_underscore && text[i] >= '0' && text[i] <= '3')
            return fail(error, text, i,
                        "no native function can have a name with a part that begins with 0 to 3");
        after_underscore = text[i] == '/';
        i += jg_modified_utf8_unit(text + i, to - i, &unit);
        put_unit(sink, unit);
    }
    return true;
}

// Checks all three; *end becomes the length of "(" and the parameters in the descriptor.
static bool check_arguments(const char *class_name, const char *method, const char *descriptor,
                            size_t *end, struct jg_text_error *error)
{
    struct jg_method_descriptor parsed;
    struct jg_type type;
    size_t cursor = 0;

    if (class_name[0] == '[')
        return fail(error, class_name, 0, "an array class has no native methods");
    if (!jg_class_name_check(class_name, strlen(class_name), error))
        return false;
    if (method[0] == '<')
        return fail(error, method, 0, "constructors and initialisers are never native");
    if (!jg_member_name_check(method, strlen(method), error))
        return false;
    if (!descriptor)
        return true;
    if (!jg_method_descriptor_parse(descriptor, strlen(descriptor), &parsed, error))
        return false;
    while (jg_method_next_parameter(&parsed, &cursor, &type))
        ;
    *end = cursor ? cursor : 1;
    return true;
}

size_t jg_mangle(const char *class_name, const char *method, const char *descriptor, char *out,
                 size_t size, struct jg_text_error *error)
{
    struct sink sink = {out, size, 0};
    size_t end = 0;
    bool ok = check_arguments(class_name, method, descriptor, &end, error);

    if (ok) {
        put(&sink, prefix);
        ok = put_mangled(&sink, class_name, 0, strlen(class_name), error);
    }
    if (ok) {
        put(&sink, "_");
        ok = put_mangled(&sink, method, 0, strlen(method), error);
    }
    if (ok && descriptor) {
        put(&sink, "__");
        ok = put_mangled(&sink, descriptor, 1, end, error);
    }
    if (!ok)
        sink.length = 0;
    if (size)
        out[sink.length < size ? sink.length : size - 1] = '\0';
    return sink.length;
}

// ---- unmangling

struct reader {
    const char *symbol;
    size_t at;
    char *out; // never full: no word is shorter than what it stands for
    size_t length;
    struct jg_text_error *error;
};

enum word { WORD_UNIT, WORD_SLASH, WORD_PARAMETERS, WORD_END, WORD_BAD };

static enum word bad(const struct reader *r, const char *message)
{
    fail(r->error, r->symbol, r->at, message);
    return WORD_BAD;
}

static enum word read_hex(struct reader *r, uint16_t *unit)
{
    static const char digits[] = "0123456789abcdef";
    const char *text = r->symbol + r->at + 2;
    unsigned value = 0;

    for (int i = 0; i < 4; i++) {
        const char *digit = text[i] ? strchr(digits, text[i]) : NULL;
        if (!digit)
            return bad(r, "_0 needs four hexadecimal digits after it, in lower case");
        value = value << 4 | (unsigned)(digit - digits);
    }
    if (is_alphanumeric(value) || (value && value < 0x80 && strchr("/_;[", (int)value)))
        return bad(r, "a character that is not written as _0xxxx");
    r->at += 6;
    *unit = (uint16_t)value;
    return WORD_UNIT;
}

// Reads the next word of a mangled name; at a bad word the reader stays where it is.
static enum word read_word(struct reader *r, uint16_t *unit)
{
    static const char escaped[] = "_;["; // _1 _2 _3
    const char *text = r->symbol + r->at;

    if (text[0] == '\0')
        return WORD_END;
    if (is_alphanumeric((unsigned char)text[0])) {
        *unit = (uint16_t)text[0];
        r->at++;
        return WORD_UNIT;
    }
    if (text[0] != '_')
        return bad(r, "any character but a letter, a digit and _ is written as _0xxxx");

    switch (text[1]) {
    case '0':
        return read_hex(r, unit);
    case '1':
    case '2':
    case '3':
        *unit = (uint16_t)escaped[text[1] - '1'];
        r->at += 2;
        return WORD_UNIT;
    case '_':
        if (text[2] < '0' || text[2] > '3') {
            r->at += 2;
            return WORD_PARAMETERS;
        }
        break;
    default:
        break;
    }
    r->at++;
    return WORD_SLASH;
}

static void append(struct reader *r, unsigned byte)
{
    r->out[r->length++] = (char)byte;
}

static void append_unit(struct reader *r, unsigned unit)
{
    if (unit && unit < 0x80) {
        append(r, unit);
    } else if (unit < 0x800) {
        append(r, 0xc0 | unit >> 6);
        append(r, 0x80 | (unit & 0x3f));
    } else {
        append(r, 0xe0 | unit >> 12);
        append(r, 0x80 | (unit >> 6 & 0x3f));
        append(r, 0x80 | (unit & 0x3f));
    }
}

// An error in decoded text becomes one at the part of the symbol that it was decoded from.
static bool relocate(const struct reader *r, size_t at)
{
    if (r->error) {
        r->error->text = r->symbol;
        r->error->offset = at;
    }
    return false;
}

// Reads the class and the method, both ended by NUL in the buffer, and the "__" after them if there
// is one. *last is the word that ended them.
static bool read_names(struct reader *r, struct jg_unmangled *result, enum word *last)
{
    size_t part = r->length; // where the part being read begins, in the buffer
    size_t part_at = r->at;  // and in the symbol
    uint16_t unit = 0;

    if (r->symbol[r->at] >= '0' && r->symbol[r->at] <= '3')
        return fail(r->error, r->symbol, r->at, "the class name begins with one of 0 to 3");
    for (;;) {
        size_t at = r->at;
        *last = read_word(r, &unit);
        if (*last == WORD_BAD)
            return false;
        if (*last == WORD_UNIT) {
            if (unit == '.' || unit == ';' || unit == '[')
                return fail(r->error, r->symbol, at, "a class or method name cannot contain . ; [");
            append_unit(r, unit);
            continue;
        }
        if (r->length == part)
            return fail(r->error, r->symbol, at, "a part of the name is empty");
        if (*last != WORD_SLASH)
            break;
        append(r, '/');
        part = r->length;
        part_at = r->at;
    }
    if (part == 0)
        return fail(r->error, r->symbol, part_at, "a class, but no method");

    r->out[part - 1] = '\0';
    result->class_name = r->out;
    result->method = r->out + part;
    if (!jg_member_name_check(result->method, r->length - part, r->error))
        return relocate(r, part_at);
    append(r, '\0');
    return true;
}

static bool read_parameters(struct reader *r, struct jg_unmangled *result)
{
    size_t start = r->length;
    size_t start_at = r->at;
    struct jg_method_descriptor parsed;
    uint16_t unit = 0;
    enum word word;

    append(r, '(');
    while ((word = read_word(r, &unit)) != WORD_END) {
        if (word == WORD_BAD)
            return false;
        if (word == WORD_PARAMETERS)
            return fail(r->error, r->symbol, r->at - 2, "__ a second time");
        append_unit(r, word == WORD_SLASH ? '/' : unit);
    }
    append(r, ')');
    append(r, 'V');
    if (!jg_method_descriptor_parse(r->out + start, r->length - start, &parsed, r->error))
        return relocate(r, start_at);
    r->out[r->length - 1] = '\0'; // the result type is not in the name
    result->parameters = r->out + start;
    return true;
}

bool jg_unmangle(const char *symbol, char *buffer, size_t size, struct jg_unmangled *result,
                 struct jg_text_error *error)
{
    struct reader r = {symbol, strlen(prefix), buffer, 0, error};
    enum word last;

    *result = (struct jg_unmangled){0};
    if (strncmp(symbol, prefix, strlen(prefix)) != 0)
        return fail(error, symbol, 0, "a native function's name begins with Java_");
    if (size <= strlen(symbol))
        return fail(error, symbol, strlen(symbol), "the buffer is too small for this name");
    if (!read_names(&r, result, &last))
        return false;
    return last == WORD_END || read_parameters(&r, result);
}
