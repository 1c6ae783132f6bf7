// SPDX-License-Identifier: Apache-2.0
// A topology of its own, added as the how-to says: a switch a node, each joined to the next.
#pragma once

#include <string_view>
#include <utility>

#include "railwright/topologies/topology.hpp"

namespace railwright::topologies {

class Chain final : public Topology {
 public:
  static constexpr std::string_view kName = "zigzag_chain";

  struct Config {
    core::Switch switch_model;
    int links = 8;

    static constexpr auto fields() {
      return core::field_list(
          core::field("switch", &Config::switch_model, "The switch, by catalogue name."),
          core::field("links", &Config::links, "Links between two switches.",
                      core::between(1, 1024), core::optional));
    }
  };

  explicit Chain(Config config) : config_(std::move(config)) {}
  void wire(ScaleOutBuilder& builder) const override;

 private:
  Config config_;
};

}  // namespace railwright::topologies
