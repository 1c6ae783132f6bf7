// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/topology.hpp"

#include <fmt/format.h>

#include "assembly/scale_out.hpp"
#include "railwright/core/error.hpp"
#include "railwright/topologies/assembly/apply_faults.hpp"

namespace railwright::topologies {

BuiltCluster Topology::build(const Cluster& cluster) const {
  ScaleOutBuilder builder(cluster);
  wire(builder);
  const core::RoutingPolicy routing = builder.routing();
  BuiltCluster built = builder.finish();
  built.fabric.set_routing(routing);
  for (const FaultProblem& problem : apply_faults(built.fabric, cluster.faults)) {
    throw core::SimulationError(
        fmt::format("faults {}: {}; {}", problem.key, problem.message, problem.hint));
  }
  return built;
}

}  // namespace railwright::topologies
