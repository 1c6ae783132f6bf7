// SPDX-License-Identifier: Apache-2.0
// Builders of the scale-out fabric.
#pragma once

#include <memory>
#include <string>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/topologies/cluster.hpp"

namespace railwright::core {
class Reader;
template <class Interface>
class Registry;
}  // namespace railwright::core

namespace railwright::topologies {

/// A cluster that does not fit its switches is built all the same: `parts` names the shortfalls.
struct BuiltCluster {
  core::Fabric fabric;
  core::PartsList parts;
};

class ScaleOutBuilder;

/// A way of connecting the NICs of servers.
class Topology {
 public:
  virtual ~Topology() = default;
  /// The whole cluster: servers, scale-out fabric and, where there is storage, its network.
  [[nodiscard]] BuiltCluster build(const Cluster& cluster) const;
  /// Only the switches of the scale-out fabric and the links to them.
  virtual void wire(ScaleOutBuilder& builder) const = 0;
};

/// The topology that `fabric: {topology: single_switch, ...}` names, with the other keys as its
/// configuration; null when anything is wrong, which the reader then knows.
std::unique_ptr<Topology> create_topology(const core::Node& fabric,
                                          const core::Registry<Topology>& registry,
                                          core::Reader& reader, const std::string& path);

}  // namespace railwright::topologies
