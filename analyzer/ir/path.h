// SPDX-License-Identifier: Apache-2.0
//
// Paths as texts: no file is looked at.

#ifndef JG_IR_PATH_H
#define JG_IR_PATH_H

#include "analyzer/ir/mem.h"

// Makes a path absolute against `directory` and resolves "." and ".." in the text; symbolic links
// stay.
char *jg_path_absolute(struct jg_bump *a, const char *directory, const char *path);

#endif
