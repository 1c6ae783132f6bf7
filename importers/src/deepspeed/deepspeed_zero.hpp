// SPDX-License-Identifier: Apache-2.0
// DeepSpeed's zero_optimization. [@deepspeed_config]
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "../common/findings.hpp"
#include "../common/tree_values.hpp"

namespace railwright::importers {

/// Number format of the values that layers multiply.
struct DeepSpeedElement {
  int bytes = 2;
  bool is_open = false;  ///< "auto": a 16-bit format, but not known which
};

/// Adds ZeRO's stage, buckets, overlaps and offload. `known` may hold the model's width.
void add_deepspeed_zero(TreeValues& config, const core::Node& known,
                        const DeepSpeedElement& element, Findings& findings);

/// Returns a whole number at a path of the values that are known already.
std::optional<std::int64_t> known_number(const core::Node& known, std::string_view path);

}  // namespace railwright::importers
