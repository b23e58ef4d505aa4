// SPDX-License-Identifier: Apache-2.0
//
// `jniguard rules`: every rule that is built, one line each.

#include "analyzer/cli/cli.h"
#include "analyzer/report/report.h"
#include "rules/rule.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void print_text(void)
{
    for (unsigned i = 0; i < JG_RULE_COUNT; i++) {
        const struct jg_rule_info *r = jg_rule_info((enum jg_rule)i);
        if (r->analyzer)
            printf("%-30s %-10s %-8s %-7s %s\n", r->id, jg_family_name(r->family),
                   jg_severity_name(r->severity), jg_confidence_name(r->confidence), r->title);
    }
}

static void print_string(const char *key, const char *value)
{
    printf("\"%s\":\"", key);
    for (; *value; value++) // titles are ours: quotes and backslashes are all there is to escape
        printf("%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
    putchar('"');
}

static void print_json(void)
{
    for (unsigned i = 0; i < JG_RULE_COUNT; i++) {
        const struct jg_rule_info *r = jg_rule_info((enum jg_rule)i);
        if (!r->analyzer)
            continue;
        putchar('{');
        print_string("id", r->id);
        putchar(',');
        print_string("family", jg_family_name(r->family));
        putchar(',');
        print_string("severity", jg_severity_name(r->severity));
        putchar(',');
        print_string("confidence", jg_confidence_name(r->confidence));
        if (r->cwe)
            printf(",\"cwe\":%u", r->cwe);
        putchar(',');
        print_string("title", r->title);
        puts("}");
    }
}

int jg_cmd_rules(const struct jg_options *o)
{
    const char *format = jg_options_last(o, JG_OPT_LIST_FORMAT);
    if (o->arguments.count)
        return jg_error("'rules' takes no argument; 'jniguard explain %s' shows one rule",
                        o->arguments.data[0]);
    if (!format || strcmp(format, "text") == 0)
        print_text();
    else if (strcmp(format, "json") == 0)
        print_json();
    else
        return jg_error("'rules' has no format '%s'; there are text, json", format);
    return jg_finish_stdout(JG_EXIT_OK);
}

// ---- shared by the subcommands ------------------------------------------------------------------

int jg_error(const char *fmt, ...)
{
    char *text;
    va_list args;
    va_start(args, fmt);
    int n = vasprintf(&text, fmt, args);
    va_end(args);
    if (n < 0)
        jg_out_of_memory();
    fputs("jniguard: ", stderr);
    jg_put_escaped(stderr, text, strlen(text));
    fputc('\n', stderr);
    free(text);
    return JG_EXIT_ERROR;
}

int jg_finish_stdout(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (errno != EPIPE)
        jg_error("standard output: %s", strerror(errno ? errno : EIO));
    return JG_EXIT_ERROR;
}
