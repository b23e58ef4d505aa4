// SPDX-License-Identifier: Apache-2.0
//
// global-ref-leak: a struct is freed with a global reference in it.

#ifndef JG_CHECKS_FREED_HOLDERS_H
#define JG_CHECKS_FREED_HOLDERS_H

#include "analyzer/checks/describe.h"

bool jg_describe_freed_holder(struct jg_describe *d);

#endif
