// SPDX-License-Identifier: Apache-2.0
//
// `jniguard explain RULE`: the rule's page. On a terminal headings, code and emphasis are shown as
// such; elsewhere the page is printed as it is, which is Markdown.

#include "analyzer/cli/cli.h"
#include "analyzer/report/report.h"
#include "rules/rule.h"

#include <stdlib.h>
#include <string.h>

#define BOLD "\033[1m"
#define HEADING "\033[1;36m"
#define CODE "\033[33m"
#define PLAIN "\033[0m"

// One line of text: `code` and **strong**.
static void print_inline(const char *text, size_t length)
{
    bool code = false, strong = false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '`') {
            code = !code;
            fputs(code ? CODE : PLAIN, stdout);
            if (!code && strong)
                fputs(BOLD, stdout);
        } else if (!code && i + 1 < length && text[i] == '*' && text[i + 1] == '*') {
            strong = !strong;
            fputs(strong ? BOLD : PLAIN, stdout);
            i++;
        } else {
            putchar(text[i]);
        }
    }
    if (code || strong)
        fputs(PLAIN, stdout);
    putchar('\n');
}

static void print_rendered(const char *page)
{
    bool fenced = false;
    while (*page) {
        size_t length = strcspn(page, "\n");
        if (strncmp(page, "```", 3) == 0) {
            fenced = !fenced;
        } else if (fenced) {
            printf("    " CODE "%.*s" PLAIN "\n", (int)length, page);
        } else if (page[0] == '#') {
            size_t skip = strspn(page, "# ");
            printf(HEADING "%.*s" PLAIN "\n", (int)(length - skip), page + skip);
        } else if (strncmp(page, "<!--", 4) != 0) { // the licence line is not for readers
            print_inline(page, length);
        }
        page += length;
        page += *page == '\n';
    }
}

int jg_cmd_explain(const struct jg_options *o)
{
    if (o->arguments.count > 1)
        return jg_error("explain takes one rule, not %u", o->arguments.count);
    if (o->arguments.count == 0)
        return jg_error("explain which rule? 'jniguard rules' lists them");
    const char *id = o->arguments.data[0];
    enum jg_rule rule = jg_rule_find(id);
    if (rule == JG_RULE_NONE) {
        char *why = jg_rule_unknown(id);
        int code = jg_error("%s", why);
        free(why);
        return code;
    }
    const char *page = jg_rule_page(rule);
    if (!page)
        return jg_error("rule '%s' (%s) is not built yet and has no page", id,
                        jg_rule_info(rule)->title);
    if (jg_wants_colour(stdout))
        print_rendered(page);
    else
        fputs(page, stdout);
    return jg_finish_stdout(JG_EXIT_OK);
}
