// SPDX-License-Identifier: Apache-2.0
// Layers of Megatron-LM that are not plain attention followed by a feed-forward block.
#pragma once

#include "../common/findings.hpp"
#include "../common/tree_values.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::importers {

/// Adds Mamba-2 mixers, gated delta nets, gates of attention and windows to a model that has its
/// width and heads. Returns false, and says why, where the layers are not known.
bool add_megatron_mixers(TreeValues& arguments, Findings& findings, models::Transformer& model);

}  // namespace railwright::importers
