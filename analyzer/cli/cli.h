// SPDX-License-Identifier: Apache-2.0
//
// The command line: options and subcommands, from options.def.

#ifndef JG_CLI_CLI_H
#define JG_CLI_CLI_H

#include "analyzer/ir/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum jg_exit { JG_EXIT_OK, JG_EXIT_FINDINGS, JG_EXIT_ERROR, JG_EXIT_INCOMPLETE };

enum jg_command {
#define JG_COMMAND(symbol, ...) JG_COMMAND_##symbol,
#include "analyzer/cli/options.def"
    JG_COMMAND_COUNT
};

enum jg_option {
#define JG_OPTION(symbol, ...) JG_OPT_##symbol,
#include "analyzer/cli/options.def"
    JG_OPT_COUNT
};

struct jg_given {
    enum jg_option option;
    const char *value; // NULL when the option takes none
};

// A parsed command line. Everything points into argv.
struct jg_options {
    struct JG_VEC(struct jg_given) given;  // in order
    struct JG_VEC(const char *) arguments; // what is no option
    bool has_rest;                         // there was a `--`
    const char *const *rest;               // what follows it
    size_t rest_count;
};

// Parses what follows the name of the subcommand. NULL, or a heap string that says what is wrong.
char *jg_options_parse(enum jg_command command, int argc, char **argv, struct jg_options *out);
void jg_options_fini(struct jg_options *o);

bool jg_options_has(const struct jg_options *o, enum jg_option option);
const char *jg_options_last(const struct jg_options *o, enum jg_option option); // NULL: not given

void jg_print_help(enum jg_command command, FILE *out);
void jg_print_usage(FILE *out); // all subcommands

// Returns the exit code.
typedef int jg_command_run(const struct jg_options *o);
struct jg_command_info {
    const char *name, *arguments, *summary;
    jg_command_run *run;
};
const struct jg_command_info *jg_command_info(enum jg_command command);
bool jg_command_find(const char *name, enum jg_command *out);
const char *jg_command_nearest(const char *name);

jg_command_run jg_cmd_cache, jg_cmd_check, jg_cmd_explain, jg_cmd_link, jg_cmd_models, jg_cmd_rules,
    jg_cmd_unit;

// "jniguard: ..." on stderr, control characters escaped. Returns JG_EXIT_ERROR.
__attribute__((format(printf, 1, 2))) int jg_error(const char *fmt, ...);

// Flushes standard output. The exit code: `code`, or JG_EXIT_ERROR when it could not be written.
int jg_finish_stdout(int code);

#endif
