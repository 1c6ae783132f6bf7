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

/// Kind of the catalogue's entries of whole fabrics: `topology` with its keys, beside the name and
/// what it is.
inline constexpr std::string_view kFabricKind = "fabrics";

/// `fabric` with its `topology`, where it is an entry of the catalogue: `h20003-pods`, or `{model:
/// h20003-pods, links: 4}`. Anything else is returned as it is.
core::Node resolve_fabric(const core::Node& fabric, core::Reader& reader, const std::string& path);

/// The topology that `fabric: {topology: single_switch, ...}` names, with the other keys as its
/// configuration, or an entry of the catalogue; null when anything is wrong, which the reader then
/// knows.
std::unique_ptr<Topology> create_topology(const core::Node& fabric, core::Reader& reader,
                                          const std::string& path);

}  // namespace railwright::topologies
