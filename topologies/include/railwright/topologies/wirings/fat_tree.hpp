// SPDX-License-Identifier: Apache-2.0
// A fat tree of equal switches: two tiers, or three in pods.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "railwright/topologies/topology.hpp"

namespace railwright::topologies {

/// NICs fill the leaves in order, regardless of nodes. Full, and without oversubscription, it is
/// the k-ary fat tree [@alfares2008fattree]: switches of k ports carry k^2/2 hosts in two tiers and
/// k^3/4 in three. With fewer hosts it has only the switches they need.
class FatTree final : public Topology {
 public:
  static constexpr std::string_view kName = "fat_tree";

  struct Config {
    core::Switch switch_model;
    double oversubscription = 1.0;
    double spine_oversubscription = 1.0;
    std::optional<int> tiers;

    static constexpr auto fields() {
      using core::field;
      return core::field_list(
          field("switch", &Config::switch_model, "The switch, by catalogue name."),
          field("oversubscription", &Config::oversubscription,
                "Host ports of a leaf for each uplink.", core::between(0.1, 100), core::optional),
          field("spine_oversubscription", &Config::spine_oversubscription,
                "Ports of a spine to leaves for each to core switches.", core::between(0.1, 100),
                core::optional),
          field("tiers", &Config::tiers, "1, 2 or 3; the fewest that serve if absent.",
                core::between(1, 3)));
    }
  };

  explicit FatTree(Config config) : config_(std::move(config)) {}
  void wire(ScaleOutBuilder& builder) const override;

 private:
  Config config_;
};

}  // namespace railwright::topologies
