// SPDX-License-Identifier: Apache-2.0
// Builders of the scale-out fabric.
#pragma once

#include "railwright/topologies/assembly/apply_faults.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

class ScaleOutBuilder;

/// A scheme that connects the NICs of nodes.
class Topology {
 public:
  virtual ~Topology() = default;
  /// Builds the whole cluster: nodes, scale-out fabric and, if any, its storage network; sets the
  /// routing policy and takes out failures. Throws SimulationError for faults that apply_faults has
  /// problems with.
  [[nodiscard]] BuiltCluster build(const Cluster& cluster) const;
  /// Adds only the switches of the scale-out fabric and the links to them.
  virtual void wire(ScaleOutBuilder& builder) const = 0;
};

}  // namespace railwright::topologies
