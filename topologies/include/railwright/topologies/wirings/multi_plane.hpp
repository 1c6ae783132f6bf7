// SPDX-License-Identifier: Apache-2.0
// Several identical fabrics in parallel, each with a share of every NIC's ports.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "railwright/core/config/tree.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::topologies {

/// Port p of the adapters that an accelerator sends through connects to plane p; planes share no
/// switch. An accelerator with two single-port NICs has one on each of two planes.
class MultiPlane final : public Topology {
 public:
  static constexpr std::string_view kName = "multi_plane";

  struct Config {
    int planes = 2;
    core::Node plane;

    static constexpr auto fields() {
      using core::field;
      return core::field_list(
          field("planes", &Config::planes, "Planes.", core::between(2, 64)),
          field("plane", &Config::plane, "The topology of each plane, with its keys."));
    }
  };

  explicit MultiPlane(Config config) : config_(std::move(config)) {}
  [[nodiscard]] const core::Node& plane_config() const { return config_.plane; }
  /// Must be called before wire.
  void set_plane(std::unique_ptr<const Topology> plane) { plane_ = std::move(plane); }
  void wire(ScaleOutBuilder& builder) const override;

 private:
  Config config_;
  std::unique_ptr<const Topology> plane_;
};

}  // namespace railwright::topologies
