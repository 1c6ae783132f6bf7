// SPDX-License-Identifier: Apache-2.0
// Prompts on replicas of their own: these hand their cache over to replicas that only decode.
// [@zhong2024distserve] [@patel2024splitwise]
#pragma once

#include <optional>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

struct Disaggregation {
  std::optional<int> prefill_tp;
  std::optional<int> prefill_replicas;
  std::optional<int> decode_replicas;
  std::optional<core::Bandwidth> kv_rate;
  bool layer_by_layer = false;

  static constexpr auto fields();
};

}  // namespace railwright::models
