// SPDX-License-Identifier: Apache-2.0
//
// Parses a command line by the tables of options.def, and prints help from them.
//
// Not getopt_long(3): it accepts abbreviations, which would turn every new option into a break of
// scripts, and it cannot name the nearest option.

#include "analyzer/cli/cli.h"
#include "analyzer/report/report.h"

#include <stdlib.h>
#include <string.h>

#define JG_IN(symbol) (1u << JG_COMMAND_##symbol)
#define JG_IN_ALL (~0u)

static const struct option_info {
    unsigned commands;
    const char *name;
    char letter;
    const char *argument, *help;
} options[] = {
#define JG_OPTION(symbol, commands, name, letter, argument, help)                                  \
    {commands, name, letter, argument, help},
#include "analyzer/cli/options.def"
};

static const struct jg_command_info commands[] = {
#define JG_COMMAND(symbol, name, function, arguments, summary) {name, arguments, summary, function},
#include "analyzer/cli/options.def"
};

// ---- names --------------------------------------------------------------------------------------

const struct jg_command_info *jg_command_info(enum jg_command command)
{
    return &commands[command];
}

bool jg_command_find(const char *name, enum jg_command *out)
{
    for (unsigned i = 0; i < JG_COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0) {
            *out = (enum jg_command)i;
            return true;
        }
    return false;
}

const char *jg_command_nearest(const char *name)
{
    const char *names[JG_COMMAND_COUNT];
    for (unsigned i = 0; i < JG_COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    return jg_nearest(name, names, JG_COMMAND_COUNT);
}

// ---- parsing ------------------------------------------------------------------------------------

static bool has(enum jg_command command, unsigned option)
{
    return options[option].commands & (1u << command);
}

// The only name that begins with `prefix`, or NULL.
static const char *completion(const char *prefix, const char *const *names, size_t count)
{
    const char *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(prefix, names[i], strlen(prefix)) != 0)
            continue;
        if (found)
            return NULL;
        found = names[i];
    }
    return found;
}

static char *unknown(enum jg_command command, const char *word)
{
    const char *names[JG_OPT_COUNT];
    size_t count = 0;
    for (unsigned i = 0; i < JG_OPT_COUNT; i++)
        if (has(command, i) && options[i].name)
            names[count++] = options[i].name;
    bool is_long = word[1] == '-';
    char *name = jg_strdup(is_long ? word + 2 : word + 1);
    name[strcspn(name, "=")] = '\0';
    const char *near = *name && is_long ? completion(name, names, count) : NULL;
    near = near || !*name ? near : jg_nearest(name, names, count);
    char *error;
    if (near)
        error = jg_format("unknown option '%s'; did you mean '--%s'?", word, near);
    else if ((command == JG_COMMAND_CHECK || command == JG_COMMAND_UNIT) && !is_long)
        error = jg_format("unknown option '%s'; compile arguments go after '--'", word);
    else
        error = jg_format("unknown option '%s'; 'jniguard %s --help' lists them", word,
                          commands[command].name);
    free(name);
    return error;
}

// The option that a word names; *value is what follows its `=` or its letter, or NULL.
static bool match(enum jg_command command, const char *word, enum jg_option *option,
                  const char **value)
{
    bool is_long = word[1] == '-';
    for (unsigned i = 0; i < JG_OPT_COUNT; i++) {
        if (!has(command, i))
            continue;
        *option = (enum jg_option)i;
        *value = NULL;
        size_t n = options[i].name ? strlen(options[i].name) : 0;
        if (is_long && n && strncmp(word + 2, options[i].name, n) == 0) {
            if (word[2 + n] == '=')
                *value = word + 2 + n + 1;
            if (word[2 + n] == '=' || word[2 + n] == '\0')
                return true;
        } else if (!is_long && options[i].letter && word[1] == options[i].letter) {
            if (word[2] && !options[i].argument)
                continue;
            if (word[2])
                *value = word + 2;
            return true;
        }
    }
    return false;
}

char *jg_options_parse(enum jg_command command, int argc, char **argv, struct jg_options *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--") == 0) {
            out->has_rest = true;
            out->rest = (const char *const *)(argv + i + 1);
            out->rest_count = (size_t)(argc - i - 1);
            break;
        }
        if (word[0] != '-' || word[1] == '\0') {
            *JG_VEC_PUSH(&out->arguments) = word;
            continue;
        }
        struct jg_given given;
        if (!match(command, word, &given.option, &given.value))
            return unknown(command, word);
        const struct option_info *info = &options[given.option];
        if (!info->argument && given.value)
            return jg_format("option '--%s' takes no value", info->name);
        if (info->argument && !given.value) {
            if (i + 1 == argc)
                return jg_format("option '%s' needs a value: %s", word, info->argument);
            given.value = argv[++i];
        }
        *JG_VEC_PUSH(&out->given) = given;
    }
    return NULL;
}

void jg_options_fini(struct jg_options *o)
{
    JG_VEC_FREE(&o->given);
    JG_VEC_FREE(&o->arguments);
}

bool jg_options_has(const struct jg_options *o, enum jg_option option)
{
    for (uint32_t i = 0; i < o->given.count; i++)
        if (o->given.data[i].option == option)
            return true;
    return false;
}

const char *jg_options_last(const struct jg_options *o, enum jg_option option)
{
    const char *value = NULL;
    for (uint32_t i = 0; i < o->given.count; i++)
        if (o->given.data[i].option == option)
            value = o->given.data[i].value;
    return value;
}

// ---- help ---------------------------------------------------------------------------------------

// Wraps `text` at 100 columns behind `indent` spaces.
static void print_wrapped(FILE *out, const char *text, int indent)
{
    int column = indent;
    while (*text) {
        int n = (int)strcspn(text, " ");
        if (column > indent && column + 1 + n > 100) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        }
        column += fprintf(out, "%s%.*s", column > indent ? " " : "", n, text);
        text += n;
        text += *text == ' ';
    }
    fputc('\n', out);
}

void jg_print_help(enum jg_command command, FILE *out)
{
    fprintf(out, "usage: jniguard %s %s\n%s\n\n", commands[command].name,
            commands[command].arguments, commands[command].summary);
    for (unsigned i = 0; i < JG_OPT_COUNT; i++) {
        const struct option_info *o = &options[i];
        if (!has(command, i))
            continue;
        char letter[] = {'-', o->letter, '\0'};
        char *left = jg_format("  %2s%s%s%s%s%s", o->letter ? letter : "",
                               !o->letter ? "  "
                               : o->name  ? ", "
                                          : "",
                               o->name ? "--" : "", o->name ? o->name : "", o->argument ? " " : "",
                               o->argument ? o->argument : "");
        if (strlen(left) > 34)
            fprintf(out, "%s\n%35s", left, "");
        else
            fprintf(out, "%-34s ", left);
        print_wrapped(out, o->help, 35);
        free(left);
    }
}

void jg_print_usage(FILE *out)
{
    fputs("usage: jniguard COMMAND [OPTION]...\nFinds JNI protocol violations in native code.\n\n",
          out);
    for (unsigned i = 0; i < JG_COMMAND_COUNT; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs("\n'jniguard COMMAND --help' describes a command, 'jniguard --version' says which this "
          "is.\n"
          "Exit codes: 0 nothing found, 1 findings, 2 wrong usage or an error, 3 incomplete.\n",
          out);
}
