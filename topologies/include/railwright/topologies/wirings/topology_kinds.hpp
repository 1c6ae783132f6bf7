// SPDX-License-Identifier: Apache-2.0
// The table of topologies, which a scenario's `fabric` names.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::core {
struct Description;
class Reader;
}  // namespace railwright::core

namespace railwright::topologies {

/// A row of the table.
struct TopologyKind {
  std::string_view name;  ///< name in `fabric.topology`
  const core::Description& (*keys)();
  /// Makes the topology from the mapping of its keys at `path`. Returns null, with a report to the
  /// reader, if anything is wrong.
  std::unique_ptr<Topology> (*make)(const core::Node& keys, const std::string& path,
                                    core::Reader& reader);
};

/// All rows, sorted by name.
std::span<const TopologyKind> topology_kinds();
std::vector<std::string> topology_names();
/// Returns null if no row has that name.
const TopologyKind* find_topology(std::string_view name);

}  // namespace railwright::topologies
