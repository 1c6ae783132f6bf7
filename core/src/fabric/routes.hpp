// SPDX-License-Identifier: Apache-2.0
// Tables that routes need beside the fabric itself, made on first use.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>

#include "live_graph.hpp"
#include "railwright/core/fabric/fabric.hpp"
#include "switch_routes.hpp"

namespace railwright::core {

struct Fabric::Routes {
  struct Tables {
    LiveGraph live;
    SwitchRoutes switches;
    explicit Tables(const Fabric& fabric)
        : live(fabric.vertices(), fabric.links_, fabric.is_failed_),
          switches(live, fabric.skipped_places_) {}
  };
  using ByTier = std::array<Bandwidth, kNumTiers>;

  std::once_flag once;
  std::unique_ptr<const Tables> tables;
  std::once_flag narrowest_once;
  std::optional<ByTier> narrowest;  // bandwidth over live links

  /// Returns the tables for a policy. Bandwidths enter those of adaptive routing alone, so others
  /// are taken from the fabric that was wired again.
  const Tables& of(const Fabric& fabric, const RoutingPolicy& policy) {
    if (fabric.shape_ != nullptr && policy.routing != Routing::kAdaptive) {
      return fabric.shape_->routes_->of(*fabric.shape_, policy);
    }
    std::call_once(once, [&] { tables = std::make_unique<const Tables>(fabric); });
    return *tables;
  }
};

}  // namespace railwright::core
