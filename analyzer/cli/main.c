// SPDX-License-Identifier: Apache-2.0
//
// jniguard: picks the subcommand.

#include "analyzer/cli/cli.h"

#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int print_version(void)
{
    puts("jniguard " JG_VERSION);
    return jg_finish_stdout(JG_EXIT_OK);
}

static int run(enum jg_command command, int argc, char **argv)
{
    struct jg_options o;
    char *error = jg_options_parse(command, argc, argv, &o);
    int code;
    // --help wins over what is wrong behind it.
    if (jg_options_has(&o, JG_OPT_HELP)) {
        jg_print_help(command, stdout);
        code = jg_finish_stdout(JG_EXIT_OK);
    } else if (error) {
        code = jg_error("%s", error);
    } else if (jg_options_has(&o, JG_OPT_VERSION)) {
        code = print_version();
    } else {
        code = jg_command_info(command)->run(&o);
    }
    free(error);
    jg_options_fini(&o);
    return code;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); // a closed pipe is a write error, told or not where it happens
    setlocale(LC_CTYPE, "C.UTF-8");

    if (argc < 2) {
        jg_print_usage(stderr);
        return JG_EXIT_ERROR;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        jg_print_usage(stdout);
        return jg_finish_stdout(JG_EXIT_OK);
    }
    if (strcmp(argv[1], "--version") == 0)
        return print_version();

    enum jg_command command;
    if (jg_command_find(argv[1], &command))
        return run(command, argc - 2, argv + 2);
    if (argv[1][0] == '-')
        return jg_error("option '%s' stands before the command; 'jniguard --help' shows the order",
                        argv[1]);
    const char *near = jg_command_nearest(argv[1]);
    if (near)
        return jg_error("unknown command '%s'; did you mean '%s'?", argv[1], near);
    return jg_error("unknown command '%s'; 'jniguard --help' lists them", argv[1]);
}
