// SPDX-License-Identifier: Apache-2.0
// The table of topologies: what a scenario's `fabric` can name.
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
  std::string_view name;  ///< of `fabric.topology`
  const core::Description& (*keys)();
  /// From the mapping of its keys at `path`; null when anything is wrong, which the reader then
  /// knows.
  std::unique_ptr<Topology> (*make)(const core::Node& keys, const std::string& path,
                                    core::Reader& reader);
};

/// By name.
std::span<const TopologyKind> topology_kinds();
std::vector<std::string> topology_names();
/// Null where there is none of that name.
const TopologyKind* find_topology(std::string_view name);

}  // namespace railwright::topologies
