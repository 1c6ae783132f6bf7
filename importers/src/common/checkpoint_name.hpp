// SPDX-License-Identifier: Apache-2.0
// Reads the name of a published checkpoint: its model and its number format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "railwright/core/hardware/precision.hpp"

namespace railwright::importers {

struct CheckpointName {
  std::string model;                       ///< as the catalogue would call it: "llama-3.3-70b"
  std::optional<core::Precision> weights;  ///< where the name ends in a number format
};

/// Reads "nvidia/Llama-3.3-70B-Instruct-FP8", or a folder's path with such a name at its end.
CheckpointName checkpoint_name(std::string_view published);

}  // namespace railwright::importers
