// SPDX-License-Identifier: Apache-2.0
//
// Paths as texts.

#ifndef JG_IR_PATH_H
#define JG_IR_PATH_H

#include "analyzer/ir/mem.h"

// Makes a path absolute against `directory` and resolves "." and ".." in the text; symbolic links
// stay.
char *jg_path_absolute(struct jg_bump *a, const char *directory, const char *path);

// The same; but when a symbolic link among the folders makes that another file, the dots stay. Asks
// the file system.
const char *jg_path_plain(struct jg_bump *a, const char *directory, const char *path);

#endif
