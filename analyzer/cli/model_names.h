// SPDX-License-Identifier: Apache-2.0
//
// Names in the user's models that nothing in the program has, but nearly.

#ifndef JG_CLI_MODEL_NAMES_H
#define JG_CLI_MODEL_NAMES_H

#include "analyzer/cli/link.h"

// Says so on stderr of every exact name in a model or pair of the user's that no unit declares or
// calls while something else that is called has nearly that name; and of models that speak of a
// parameter which the function has not. What a project does not use at all is no mistake: models
// are shared.
void jg_tell_model_names(const struct jg_run *run);

#endif
