// SPDX-License-Identifier: Apache-2.0
//
// jniguard: picks the subcommand.

#include "analyzer/cli/cli.h"
#include "analyzer/report/report.h"

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

static int unknown_command(const char *word)
{
    const char *near = jg_command_nearest(word);
    if (near)
        return jg_error("unknown command '%s'; did you mean '%s'?", word, near);
    return jg_error("unknown command '%s'; 'jniguard --help' lists them", word);
}

static int misplaced_option(const char *word)
{
    static const char *const names[] = {"--help", "--version"};
    const char *near = jg_nearest_within(word, names, sizeof names / sizeof *names, 2);
    if (near)
        return jg_error("unknown option '%s'; did you mean '%s'?", word, near);
    return jg_error("option '%s' stands before the command; 'jniguard --help' shows the order",
                    word);
}

// `jniguard help COMMAND`; NULL: all of them.
static int print_help(const char *name)
{
    enum jg_command command;
    if (!name)
        jg_print_usage(stdout);
    else if (jg_command_find(name, &command))
        jg_print_help(command, stdout);
    else
        return unknown_command(name);
    return jg_finish_stdout(JG_EXIT_OK);
}

static bool is(const char *word, const char *name)
{
    return strcmp(word, name) == 0;
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); // a closed pipe is a write error, told or not where it happens
    signal(SIGXFSZ, SIG_IGN); // so is a file that may not grow any more
    signal(SIGCHLD, SIG_DFL); // ignored, which a parent may leave, it loses how a worker ended
    setlocale(LC_CTYPE, "C.UTF-8");

    if (argc < 2) {
        jg_print_usage(stderr);
        return JG_EXIT_ERROR;
    }
    const char *word = argv[1];
    if (is(word, "--help") || is(word, "-h"))
        return print_help(NULL);
    if (is(word, "help"))
        return print_help(argv[2]);
    if (is(word, "--version") || is(word, "version"))
        return print_version();

    enum jg_command command;
    if (jg_command_find(word, &command))
        return run(command, argc - 2, argv + 2);
    return word[0] == '-' ? misplaced_option(word) : unknown_command(word);
}
