// SPDX-License-Identifier: Apache-2.0
// Builders of the scale-out fabric.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/topologies/cluster.hpp"

namespace railwright::core {
class Reader;
template <class Interface>
class Registry;
}  // namespace railwright::core

namespace railwright::topologies {

/// What a cluster's `faults` say that cannot be.
struct FaultProblem {
  std::string key;      ///< below `cluster.faults`: "switches.0"; "" for them together
  std::string message;  ///< "no switch 'leaf 9'"
  std::string hint;     ///< "known: leaf 0 to leaf 7, spine 0 to spine 3"
};

/// Takes out of service what has failed. Returns names and indices that the fabric does not have,
/// and nodes that are cut off from the others.
std::vector<FaultProblem> apply_faults(core::Fabric& fabric, const Faults& faults);

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
  /// The whole cluster: servers, scale-out fabric and, where there is storage, its network; with
  /// its routing policy, and without what has failed. Throws SimulationError for faults that
  /// apply_faults has problems with.
  [[nodiscard]] BuiltCluster build(const Cluster& cluster) const;
  /// Only the switches of the scale-out fabric and the links to them.
  virtual void wire(ScaleOutBuilder& builder) const = 0;
};

/// Kind of the catalogue's entries of whole fabrics: `topology` with its keys, beside the name and
/// what it is.
inline constexpr std::string_view kFabricKind = "fabrics";

/// `fabric` with its `topology`, where it is an entry of the catalogue: `h20003-pods`, or `{model:
/// h20003-pods, links: 4}`. Anything else is returned as it is.
core::Node resolve_fabric(const core::Node& fabric, const core::Registry<Topology>& registry,
                          core::Reader& reader, const std::string& path);

/// The topology that `fabric: {topology: single_switch, ...}` names, with the other keys as its
/// configuration, or an entry of the catalogue; null when anything is wrong, which the reader then
/// knows.
std::unique_ptr<Topology> create_topology(const core::Node& fabric,
                                          const core::Registry<Topology>& registry,
                                          core::Reader& reader, const std::string& path);

}  // namespace railwright::topologies
