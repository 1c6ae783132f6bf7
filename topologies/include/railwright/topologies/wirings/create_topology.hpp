// SPDX-License-Identifier: Apache-2.0
// The topology that a scenario's `fabric` names.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "railwright/core/config/tree.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::core {
class Reader;
}  // namespace railwright::core

namespace railwright::topologies {

/// The catalogue kind of whole fabrics: entries with a `topology`, its keys, a name and a
/// description.
inline constexpr std::string_view kFabricKind = "fabrics";

/// Resolves a `fabric` that is a catalogue entry, `h20003-pods` or `{model: h20003-pods, links:
/// 4}`, to its `topology` and keys. Returns anything else unchanged.
core::Node resolve_fabric(const core::Node& fabric, core::Reader& reader, const std::string& path);

/// Creates the topology that `fabric: {topology: single_switch, ...}` names, with the other keys as
/// its configuration, or that a catalogue entry describes. Returns null, with a report to the
/// reader, if anything is wrong.
std::unique_ptr<Topology> create_topology(const core::Node& fabric, core::Reader& reader,
                                          const std::string& path);

}  // namespace railwright::topologies
