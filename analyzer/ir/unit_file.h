// SPDX-License-Identifier: Apache-2.0
//
// Unit files (.jgu): a unit as bytes, and back in place.
//
//   header    magic, order of bytes, format, version of jniguard, size, checksum of what follows
//   root      what a unit holds besides its vectors, and how many of those there are
//   table     for each vector of unit.def: offset, number and size of its elements
//   vectors   each on a multiple of 16, the gaps zero
//
// Equal units are equal bytes. Numbers have the order of the machine that made them: a unit file is
// read in place. Nothing is believed that was read: a unit that is handed out has passed
// jg_unit_verify.
//
// Errors are heap strings that say what is wrong and what to do, without the name of the file.

#ifndef JG_IR_UNIT_FILE_H
#define JG_IR_UNIT_FILE_H

#include "analyzer/ir/ir.h"

#define JG_UNIT_FORMAT 1u // of the table and of every struct in it

// The unit as a heap block of *size bytes, which the caller frees. Any unit, however it is held.
void *jg_unit_write(const struct jg_unit *u, size_t *size);

// Fills `u` with a unit that lies in `data`, aligned to 16, which must outlive it. Returns NULL or
// the error; `u` is then an empty unit, to be finished all the same. Linear in the size.
char *jg_unit_view(struct jg_unit *u, const void *data, size_t size);

// The same of a heap block that the unit frees; on an error it is freed at once.
char *jg_unit_adopt(struct jg_unit *u, void *data, size_t size);

// The same of a file. It must not be written to while the unit lives; replacing it by another file
// is fine.
char *jg_unit_map(struct jg_unit *u, const char *path);

#endif
