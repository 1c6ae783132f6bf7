// SPDX-License-Identifier: Apache-2.0
// Two switches joined by a bundle of links, each with half of the nodes.
#pragma once

#include <string_view>
#include <utility>

#include "railwright/topologies/topology.hpp"

namespace railwright::topologies {

/// Connects all NICs of a node to one switch: the first (larger) half of the nodes to switch 0, the
/// second to switch 1. Traffic between the halves shares the bundle.
class DualSwitch final : public Topology {
 public:
  static constexpr std::string_view kName = "dual_switch";

  struct Config {
    core::Switch switch_model;
    int inter_switch_links = 1;

    static constexpr auto fields() {
      return core::field_list(
          core::field("switch", &Config::switch_model, "The switch, by catalogue name."),
          core::field("inter_switch_links", &Config::inter_switch_links,
                      "Links between the two switches.", core::between(1, 65536)));
    }
  };

  explicit DualSwitch(Config config) : config_(std::move(config)) {}
  void wire(ScaleOutBuilder& builder) const override;

 private:
  Config config_;
};

}  // namespace railwright::topologies
