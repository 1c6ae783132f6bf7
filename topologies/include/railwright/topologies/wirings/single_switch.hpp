// SPDX-License-Identifier: Apache-2.0
// All NICs on one switch.
#pragma once

#include <string_view>
#include <utility>

#include "railwright/topologies/topology.hpp"

namespace railwright::topologies {

class SingleSwitch final : public Topology {
 public:
  static constexpr std::string_view kName = "single_switch";

  struct Config {
    core::Switch switch_model;

    static constexpr auto fields() {
      return core::field_list(
          core::field("switch", &Config::switch_model, "The switch, by catalogue name."));
    }
  };

  explicit SingleSwitch(Config config) : config_(std::move(config)) {}
  void wire(ScaleOutBuilder& builder) const override;

 private:
  Config config_;
};

}  // namespace railwright::topologies
