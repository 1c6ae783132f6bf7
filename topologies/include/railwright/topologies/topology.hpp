// SPDX-License-Identifier: Apache-2.0
// Builders of the scale-out fabric.
#pragma once

#include <optional>

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
  /// Wires a cluster that differs from the one of `shape` in rates and latencies: links alone are
  /// made anew (see Fabric::at_other_rates), and no parts are counted. Returns nothing where the
  /// graph is another one, or not all of it is in service.
  [[nodiscard]] std::optional<core::Fabric> wired_again(const Cluster& cluster,
                                                        const core::Fabric& shape) const;
  /// Adds only the switches of the scale-out fabric and the links to them.
  virtual void wire(ScaleOutBuilder& builder) const = 0;
};

}  // namespace railwright::topologies
