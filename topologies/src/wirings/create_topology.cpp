// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/create_topology.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "railwright/core/error.hpp"
#include "railwright/core/registry.hpp"
#include "railwright/topologies/wirings/multi_plane.hpp"

namespace railwright::topologies {

core::Node resolve_fabric(const core::Node& fabric, const core::Registry<Topology>& registry,
                          core::Reader& reader, const std::string& path) {
  const bool is_entry = fabric.is_mapping() ? fabric.find("model") != nullptr
                                            : fabric.is_scalar() && !registry.contains(fabric.text);
  core::Node entry;
  if (!is_entry || reader.resolve(fabric, path, {kFabricKind}, entry) == nullptr) return fabric;
  std::erase_if(entry.entries, [](const core::Entry& key) {
    return key.key == "name" || key.key == "description" || key.key == "source";
  });
  return entry;
}

std::unique_ptr<Topology> create_topology(const core::Node& described,
                                          const core::Registry<Topology>& registry,
                                          core::Reader& reader, const std::string& path) {
  constexpr std::string_view kKey = "topology";
  const std::size_t problems = reader.diagnostics().size();
  const core::Node fabric = resolve_fabric(described, registry, reader, path);
  if (reader.diagnostics().size() != problems) return nullptr;
  const core::Node* name = fabric.is_mapping() ? fabric.find(kKey) : &fabric;
  if (name == nullptr || !name->is_scalar()) {
    reader.report(name == nullptr ? fabric.where : name->where, path, "missing key 'topology'",
                  fmt::format("known: {}", fmt::join(registry.names(), ", ")));
    return nullptr;
  }
  core::Node config = fabric;
  config.kind = core::Node::Kind::kMapping;
  std::erase_if(config.entries, [&](const core::Entry& entry) { return entry.key == kKey; });
  if (!registry.contains(name->text)) {
    core::report_unknown_model("topology", name->text, registry.names(), name->where,
                               path.empty() ? std::string(kKey) : path + "." + std::string(kKey),
                               reader);
    return nullptr;
  }
  std::unique_ptr<Topology> made = registry.create(name->text, config, reader, path);
  auto* const planes = dynamic_cast<MultiPlane*>(made.get());
  if (planes == nullptr) return made;
  const std::string inner = core::join_path(path, "plane");
  std::unique_ptr<Topology> plane =
      create_topology(planes->plane_config(), registry, reader, inner);
  if (plane == nullptr) return nullptr;
  if (dynamic_cast<MultiPlane*>(plane.get()) != nullptr) {
    reader.report(planes->plane_config().where, inner, "a plane cannot itself have planes");
    return nullptr;
  }
  planes->set_plane(std::move(plane));
  return made;
}

}  // namespace railwright::topologies
