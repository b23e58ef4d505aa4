// SPDX-License-Identifier: Apache-2.0
//
// The hash of contents: known answers (`b2sum -l 256`), pieces against the whole, text.

#include "analyzer/ir/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void known_answers(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hex;
    } rows[] = {
        {"", "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"},
        {"abc", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char hex[JG_HASH_HEX];
        struct jg_hash hash = jg_hash_of(rows[i].text, strlen(rows[i].text));
        assert_string_equal(jg_hash_hex(&hash, hex), rows[i].hex);
    }
}

static void pieces_make_the_whole(void **state)
{
    (void)state;
    char data[1000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(i * 31);
    struct jg_hash whole = jg_hash_of(data, sizeof data);
    for (size_t step = 1; step < sizeof data; step += 111) {
        struct jg_hasher h;
        jg_hasher_init(&h);
        for (size_t at = 0; at < sizeof data; at += step)
            jg_hasher_add(&h, data + at, sizeof data - at < step ? sizeof data - at : step);
        struct jg_hash hash = jg_hasher_final(&h);
        assert_true(jg_hash_equal(&hash, &whole));
    }
}

static struct jg_hash hash_two(const char *a, const char *b)
{
    struct jg_hasher h;
    jg_hasher_init(&h);
    jg_hasher_add_str(&h, a);
    jg_hasher_add_str(&h, b);
    return jg_hasher_final(&h);
}

static void strings_keep_their_ends(void **state)
{
    (void)state;
    struct jg_hash a = hash_two("ab", "c"), b = hash_two("a", "bc");
    assert_false(jg_hash_equal(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(pieces_make_the_whole),
        cmocka_unit_test(strings_keep_their_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
