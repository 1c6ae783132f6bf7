// SPDX-License-Identifier: Apache-2.0
// Recognizes jobs that are more than the training of one language model.
#pragma once

#include "findings.hpp"
#include "tree_values.hpp"

namespace railwright::importers {

/// Says which keys show that rollouts, a teacher or an encoder of images belong to the job: a
/// decisive part that is not read.
void note_other_jobs(TreeValues& values, Findings& findings);

}  // namespace railwright::importers
