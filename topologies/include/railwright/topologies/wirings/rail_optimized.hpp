// SPDX-License-Identifier: Apache-2.0
// A leaf for each rail of a group of nodes, spines over the leaves, core switches over the spines.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "railwright/topologies/topology.hpp"

namespace railwright::topologies {

/// NIC i of every node of a group connects to the leaf of rail i [@nvidia2023superpod]:
/// accelerators of equal local index are one switch apart. In a node of several trays (a rack of
/// NVL72), NIC i of every tray does, and groups are filled tray by tray. Two tiers while a spine
/// reaches every leaf, else three. The groups are then dealt evenly over the smallest number of
/// pods, and a group stays in one pod.
class RailOptimized final : public Topology {
 public:
  static constexpr std::string_view kName = "rail_optimized";

  struct Config {
    core::Switch switch_model;
    std::optional<core::Switch> spine_switch;
    std::optional<core::Switch> core_switch;
    double oversubscription = 1.0;
    double spine_oversubscription = 1.0;
    std::optional<int> rails;
    std::optional<int> nodes_per_group;
    std::optional<int> num_spines;
    std::optional<int> tiers;

    static constexpr auto fields() {
      using core::field;
      return core::field_list(
          field("switch", &Config::switch_model, "The leaf switch, by catalogue name."),
          field("spine_switch", &Config::spine_switch, "The spine switch; as the leaf if absent."),
          field("core_switch", &Config::core_switch, "The core switch; as the spine if absent."),
          field("oversubscription", &Config::oversubscription,
                "Host ports of a leaf for each uplink.", core::between(0.1, 100), core::optional),
          field("spine_oversubscription", &Config::spine_oversubscription,
                "Ports of a spine to leaves for each to core switches.", core::between(0.1, 100),
                core::optional),
          field("rails", &Config::rails, "Leaves of a group; if absent, the NICs of a tray.",
                core::between(1, 1024)),
          field("nodes_per_group", &Config::nodes_per_group,
                "Nodes that share the leaves of a group; as many as a leaf can take if absent.",
                core::between(1, 65536)),
          field("num_spines", &Config::num_spines,
                "Spines, of each pod where there are three tiers; the fewest that serve if absent.",
                core::between(1, 65536)),
          field("tiers", &Config::tiers, "2 or 3; the fewest that serve if absent.",
                core::between(2, 3)));
    }
  };

  explicit RailOptimized(Config config) : config_(std::move(config)) {}
  void wire(ScaleOutBuilder& builder) const override;

 private:
  Config config_;
};

}  // namespace railwright::topologies
