// SPDX-License-Identifier: Apache-2.0
//
// local-ref-leak-in-loop for references that one call stores many at once; see groups.c.

#ifndef JG_CHECKS_GROUPS_H
#define JG_CHECKS_GROUPS_H

#include "analyzer/checks/describe.h"

enum { JG_LEAK_OF_GROUP = 1 }; // jg_violation.number of local-ref-leak-in-loop

bool jg_describe_group(struct jg_describe *d);

#endif
