// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/topology.hpp"

#include <fmt/format.h>

#include "railwright/core/registry.hpp"
#include "scale_out.hpp"

namespace railwright::topologies {

BuiltCluster Topology::build(const Cluster& cluster) const {
  ScaleOutBuilder builder(cluster);
  wire(builder);
  return builder.finish();
}

std::unique_ptr<Topology> create_topology(const core::Node& fabric,
                                          const core::Registry<Topology>& registry,
                                          core::Reader& reader, const std::string& path) {
  constexpr std::string_view kKey = "topology";
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
  return registry.create(name->text, config, reader, path);
}

}  // namespace railwright::topologies
