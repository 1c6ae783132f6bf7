// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/create_topology.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/error.hpp"
#include "railwright/topologies/wirings/multi_plane.hpp"
#include "railwright/topologies/wirings/topology_kinds.hpp"

namespace railwright::topologies {

core::Node resolve_fabric(const core::Node& fabric, core::Reader& reader, const std::string& path) {
  const bool is_entry = fabric.is_mapping()
                            ? fabric.find("model") != nullptr
                            : fabric.is_scalar() && find_topology(fabric.text) == nullptr;
  core::Node entry;
  if (!is_entry || reader.resolve(fabric, path, {kFabricKind}, entry) == nullptr) return fabric;
  std::erase_if(entry.entries, [](const core::Entry& key) {
    return key.key == "name" || key.key == "description" || key.key == "source";
  });
  return entry;
}

std::unique_ptr<Topology> create_topology(const core::Node& described, core::Reader& reader,
                                          const std::string& path) {
  constexpr std::string_view kKey = "topology";
  const std::size_t problems = reader.diagnostics().size();
  const core::Node fabric = resolve_fabric(described, reader, path);
  if (reader.diagnostics().size() != problems) return nullptr;
  const core::Node* name = fabric.is_mapping() ? fabric.find(kKey) : &fabric;
  if (name == nullptr || !name->is_scalar()) {
    reader.report(name == nullptr ? fabric.where : name->where, path, "missing key 'topology'",
                  fmt::format("known: {}", fmt::join(topology_names(), ", ")));
    return nullptr;
  }
  core::Node config = fabric;
  config.kind = core::Node::Kind::kMapping;
  std::erase_if(config.entries, [&](const core::Entry& entry) { return entry.key == kKey; });
  const TopologyKind* kind = find_topology(name->text);
  if (kind == nullptr) {
    reader.report_unknown_name("topology", *name, core::join_path(path, std::string(kKey)),
                               topology_names());
    return nullptr;
  }
  std::unique_ptr<Topology> made = kind->make(config, path, reader);
  auto* const planes = dynamic_cast<MultiPlane*>(made.get());
  if (planes == nullptr) return made;
  const std::string inner = core::join_path(path, "plane");
  std::unique_ptr<Topology> plane = create_topology(planes->plane_config(), reader, inner);
  if (plane == nullptr) return nullptr;
  if (dynamic_cast<MultiPlane*>(plane.get()) != nullptr) {
    reader.report(planes->plane_config().where, inner, "a plane cannot itself have planes");
    return nullptr;
  }
  planes->set_plane(std::move(plane));
  return made;
}

}  // namespace railwright::topologies
