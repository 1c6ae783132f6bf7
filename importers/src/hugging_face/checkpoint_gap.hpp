// SPDX-License-Identifier: Apache-2.0
// Parameters of published checkpoints that a description of the model cannot express.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "../common/tree_values.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::importers {

/// Parameters of the published checkpoints that the description cannot express, less those that it
/// counts but the checkpoints lack.
struct Gap {
  std::int64_t parameters = 0;
  std::string what;
};

/// Counts them for a model of this `model_type`, read from `config`.
Gap checkpoint_gap(std::string_view type, const models::Transformer& model, TreeValues& config);

}  // namespace railwright::importers
