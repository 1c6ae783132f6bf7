// SPDX-License-Identifier: Apache-2.0
// The rule by which switches choose among equally short paths.
#pragma once

#include <cstdint>
#include <optional>

#include "railwright/core/config/fields.hpp"

namespace railwright::core {

enum class Routing : std::uint8_t {
  kStatic,    ///< one path, by destination (D-mod-k [@zahavi2010dmodk])
  kEcmp,      ///< one path, by a hash of the flow [@rfc2992]
  kAdaptive,  ///< all paths at once, packet by packet
};

constexpr auto enum_words(Routing) {
  using enum Routing;
  return words<Routing>({{"static", kStatic}, {"ecmp", kEcmp}, {"adaptive", kAdaptive}});
}

struct RoutingPolicy {
  std::optional<Routing> routing;  ///< of the adapters and switches where absent
  std::uint64_t seed = 1;
  static constexpr auto fields();
};

}  // namespace railwright::core
