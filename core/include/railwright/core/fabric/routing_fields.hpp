// SPDX-License-Identifier: Apache-2.0
// The keys of routing.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/fabric/routing.hpp"

namespace railwright::core {

constexpr auto RoutingPolicy::fields() {
  return field_list(
      field("policy", &RoutingPolicy::routing,
            "static (by destination), ecmp (by hash of the flow) or adaptive (spread). Where "
            "absent, "
            "static on InfiniBand; on Ethernet adaptive where switches spray packets and adapters "
            "take them in any order, else ecmp.",
            optional),
      field("seed", &RoutingPolicy::seed, "Seed of the hash.", optional));
}

}  // namespace railwright::core
