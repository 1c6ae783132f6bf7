// SPDX-License-Identifier: Apache-2.0
// A switch for each pod of nodes, with all their NICs, and switches over the pod switches.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "railwright/topologies/topology.hpp"

namespace railwright::topologies {

/// The topology of Figure 3 of Dell H20003 (Apr 2024): the links of a pod switch that do not go to
/// hosts are divided equally over the upper switches. The figure calls the pod switch spine and the
/// upper one leaf; here the pod switch is the leaf.
class Pod final : public Topology {
 public:
  static constexpr std::string_view kName = "pod";

  struct Config {
    core::Switch switch_model;
    std::optional<core::Switch> upper_switch;
    int nodes_per_pod = 1;
    std::optional<int> upper_switches;
    std::optional<int> links;

    static constexpr auto fields() {
      using core::field;
      return core::field_list(
          field("switch", &Config::switch_model, "The pod switch, by catalogue name."),
          field("upper_switch", &Config::upper_switch,
                "The upper switch; as the pod switch if absent."),
          field("nodes_per_pod", &Config::nodes_per_pod, "Nodes on a pod switch.",
                core::between(1, 65536)),
          field("upper_switches", &Config::upper_switches,
                "Upper switches; the fewest that carry all that the hosts send if absent.",
                core::between(1, 65536)),
          field("links", &Config::links, "Links from each pod switch to each upper one.",
                core::between(1, 65536)));
    }
  };

  explicit Pod(Config config) : config_(std::move(config)) {}
  void wire(ScaleOutBuilder& builder) const override;

 private:
  Config config_;
};

}  // namespace railwright::topologies
