// SPDX-License-Identifier: Apache-2.0

#include "rules/control_function.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void every_row_is_found_so_the_table_is_sorted(void **state)
{
    (void)state;
    static const char *const names[] = {
#define JG_CONTROL(name, ...) #name,
#include "rules/control_functions.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct jg_control_function *fn = jg_control_find(names[i]);
        assert_non_null(fn);
        assert_string_equal(fn->name, names[i]);
    }
    assert_null(jg_control_find("forks"));
    assert_null(jg_control_find(""));
}

static void kinds_say_which_parameter(void **state)
{
    (void)state;
    assert_int_equal(jg_control_find("pthread_create")->kind, JG_CONTROL_THREAD);
    assert_int_equal(jg_control_find("pthread_create")->param, 2);
    assert_int_equal(jg_control_find("pthread_create")->argument, 3);
    assert_int_equal(jg_control_find("fork")->param, JG_CONTROL_NONE);
    assert_int_equal(jg_control_find("signal")->argument, JG_CONTROL_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_found_so_the_table_is_sorted),
        cmocka_unit_test(kinds_say_which_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
