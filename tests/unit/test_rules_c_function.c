// SPDX-License-Identifier: Apache-2.0

#include "rules/c_function.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void every_row_is_found_so_the_table_is_sorted(void **state)
{
    (void)state;
    static const char *const names[] = {
#define JG_C_FUNCTION(name, ...) #name,
#include "rules/c_functions.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct jg_c_function *fn = jg_c_find(names[i]);
        assert_non_null(fn);
        assert_string_equal(fn->name, names[i]);
    }
    assert_null(jg_c_find("memcpyx"));
    assert_null(jg_c_find(""));
}

static void roles_follow_the_columns(void **state)
{
    (void)state;
    const struct jg_c_function *copy = jg_c_find("memcpy"), *print = jg_c_find("printf");
    assert_int_equal(jg_c_role(copy, 0), JG_C_OUT);
    assert_int_equal(jg_c_role(copy, 1), JG_C_IN);
    assert_int_equal(jg_c_size(copy), 2);
    assert_int_equal(jg_c_size(print), -1);
    assert_int_equal(jg_c_role(print, 17), JG_C_PRINTED); // the last column goes on
    assert_true(print->flags & JG_C_BLOCKS);
    assert_false(copy->flags & JG_C_BLOCKS);
    assert_int_equal(jg_c_role(jg_c_find("free"), 0), JG_C_FREED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_found_so_the_table_is_sorted),
        cmocka_unit_test(roles_follow_the_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
