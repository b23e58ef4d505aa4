// SPDX-License-Identifier: Apache-2.0
//
// The list of findings: order and exact duplicates; see finding.h.

#include "analyzer/checks/finding.h"

#include <stdlib.h>
#include <string.h>

void jg_findings_init(struct jg_findings *f)
{
    memset(f, 0, sizeof *f);
}

void jg_findings_fini(struct jg_findings *f)
{
    jg_bump_fini(&f->arena);
    JG_VEC_FREE(&f->list);
}

static int by_number(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int compare(const void *x, const void *y)
{
    const struct jg_finding *a = x, *b = y;
    int c = strcmp(a->at.path, b->at.path);
    c = c ? c : by_number(a->at.line, b->at.line);
    c = c ? c : by_number(a->at.column, b->at.column);
    c = c ? c : strcmp(jg_rule_info(a->rule)->id, jg_rule_info(b->rule)->id);
    c = c ? c : strcmp(a->fingerprint, b->fingerprint);
    return c ? c : strcmp(a->message, b->message);
}

void jg_findings_sort(struct jg_findings *f)
{
    if (f->list.count < 2)
        return;
    qsort(f->list.data, f->list.count, sizeof *f->list.data, compare);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < f->list.count; i++)
        if (compare(&f->list.data[kept - 1], &f->list.data[i]) != 0)
            f->list.data[kept++] = f->list.data[i];
    f->list.count = kept;
}
