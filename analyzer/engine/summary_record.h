// SPDX-License-Identifier: Apache-2.0
//
// Summaries as bytes and back.

#ifndef JG_ENGINE_SUMMARY_RECORD_H
#define JG_ENGINE_SUMMARY_RECORD_H

#include "analyzer/engine/program.h"
#include "analyzer/engine/summary.h"
#include "analyzer/ir/record.h"

// The summary of function `id`. Read into new memory: free with jg_summary_free, in any case; its
// texts, but for callees, lie in the record's arena. Equal summaries give equal bytes, whatever the
// program.
void jg_summary_record(struct jg_record *r, const struct jg_program *p, uint32_t id,
                       struct jg_summary **summary);

// `callee`, when read, is the caller's to free.
void jg_link_record(struct jg_record *r, struct jg_link *l);

#endif
