// SPDX-License-Identifier: Apache-2.0
// Ways in which the ranks that share a sequence attend to one another's tokens.
#pragma once

#include <algorithm>
#include <cstdint>

#include "railwright/core/config/fields.hpp"

namespace railwright::models {

enum class ContextExchange : std::uint8_t {
  kRing,          ///< keys and values go round, each share while the last is attended to
  kGatheredRing,  ///< gathered at once, attended to share by share, with fp32 sums (PyTorch)
  kAllGather,     ///< gathered before attention [@llama3]
  kAllToAll,      ///< ranks swap tokens for heads, and back behind attention [@jacobs2023ulysses]
  kAllToAllRing,  ///< all-to-all within groups of ranks, a ring over these groups
};

constexpr auto enum_words(ContextExchange) {
  using enum ContextExchange;
  return core::words<ContextExchange>({{"ring", kRing},
                                       {"gathered_ring", kGatheredRing},
                                       {"all_gather", kAllGather},
                                       {"all_to_all", kAllToAll},
                                       {"all_to_all_ring", kAllToAllRing}});
}

/// Numbers of ranks that divide attention; their product is the context parallelism.
struct ContextRanks {
  int heads = 1;   ///< ranks that have other heads
  int tokens = 1;  ///< ranks that have other queries of a head

  [[nodiscard]] bool operator==(const ContextRanks&) const = default;
};

/// Returns how `cp` ranks divide attention, `swapping` of them as one group of all_to_all_ring.
constexpr ContextRanks context_ranks(ContextExchange exchange, int swapping, int cp) {
  switch (exchange) {
    case ContextExchange::kAllToAll:
      return {.heads = cp, .tokens = 1};
    case ContextExchange::kAllToAllRing: {
      const int heads = std::clamp(swapping, 1, cp);
      return {.heads = heads, .tokens = cp / heads};
    }
    case ContextExchange::kRing:
    case ContextExchange::kGatheredRing:
    case ContextExchange::kAllGather:
      return {.heads = 1, .tokens = cp};
  }
  return {};
}

}  // namespace railwright::models
