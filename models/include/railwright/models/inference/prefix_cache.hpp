// SPDX-License-Identifier: Apache-2.0
// Keys and values of earlier prompts, by the room for them. [@mattson1970evaluation]
#pragma once

#include <optional>
#include <vector>

#include "railwright/models/offload/tier.hpp"

namespace railwright::models {

/// Finds of prompts in earlier ones, by the size of a cache that drops what was not used for
/// longest; and the places that hold it, the nearest first.
struct PrefixCache {
  std::vector<double> sizes;      ///< tokens, ascending
  std::vector<double> hit_rates;  ///< share of the prompts' tokens that a cache of each size finds
  std::optional<double> requests_per_s;  ///< load at which they were counted
  bool routed = false;
  std::vector<OffloadTier> tiers;
  bool on_storage = false;

  static constexpr auto fields();
};

}  // namespace railwright::models
