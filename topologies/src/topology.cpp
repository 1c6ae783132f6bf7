// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/topology.hpp"

#include <fmt/format.h>

#include <utility>

#include "assembly/scale_out.hpp"
#include "railwright/core/error.hpp"
#include "railwright/topologies/assembly/apply_faults.hpp"

namespace railwright::topologies {

namespace {

/// Whether the scale-out fabric carries nothing: no traffic leaves the only node on it.
bool carries_nothing(const Cluster& cluster, int num_places) {
  const bool has_storage =
      cluster.storage && cluster.storage->network == StorageAttachment::kScaleOut;
  return num_places == 1 && !has_storage;
}

}  // namespace

BuiltCluster Topology::build(const Cluster& cluster) const {
  ScaleOutBuilder builder(cluster);
  wire(builder);
  const core::RoutingPolicy routing = builder.routing();
  BuiltCluster built = builder.finish();
  if (!built.parts.shortfalls.empty() && carries_nothing(cluster, builder.num_places())) {
    // No port is needed, so a fabric that lacks ports is left out. The front end's stay short.
    BuiltCluster alone = ScaleOutBuilder(cluster).finish();
    if (alone.parts.shortfalls.size() < built.parts.shortfalls.size()) built = std::move(alone);
  }
  built.fabric.set_routing(routing);
  for (const core::Problem& problem : apply_faults(built.fabric, cluster.faults)) {
    throw core::SimulationError(
        fmt::format("faults {}: {}; {}", problem.key, problem.message, problem.hint));
  }
  return built;
}

std::optional<core::Fabric> Topology::wired_again(const Cluster& cluster,
                                                  const core::Fabric& shape) const {
  const auto num_links = static_cast<core::LinkId>(shape.links().size());
  for (core::LinkId link = 0; link < num_links; ++link) {
    if (shape.is_failed(link)) return {};
  }
  if (!cluster.faults.empty() || shape.is_wired_again() || shape.vertices().empty()) return {};
  ScaleOutBuilder builder(cluster, core::Fabric::at_other_rates(shape));
  if (!builder.has_same_endpoints(shape)) return {};
  wire(builder);
  const core::RoutingPolicy routing = builder.routing();
  BuiltCluster built = builder.finish();
  if (!built.parts.shortfalls.empty()) return {};
  built.fabric.set_routing(routing);
  if (!built.fabric.has_same_graph()) return {};
  return std::move(built.fabric);
}

}  // namespace railwright::topologies
