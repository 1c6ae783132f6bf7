// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/scenario/scenario.hpp"

#include <fmt/format.h>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/registry.hpp"
#include "railwright/topologies/builtin.hpp"

namespace railwright::planner {

namespace {

constexpr std::int64_t kMostAccelerators = 1'000'000;

/// The place of the deepest key of `path` that is there.
core::Location place_of(const core::Node& tree, std::string_view path) {
  const core::Node* node = &tree;
  core::Location where = tree.where;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    node = node->find(path.substr(0, dot));
    if (node == nullptr) break;
    where = node->where;
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  }
  return where;
}

void check_node(const core::Node& tree, const Scenario& scenario, core::Reader& reader) {
  const core::Server& node = scenario.cluster.node;
  const int cards = node.nics.count + node.front_end.count;
  if (cards > node.nic_slots.value) {
    reader.report(
        place_of(tree, "cluster.node.nics.count"), "cluster.node.nics.count",
        fmt::format("{} scale-out and {} front-end NICs do not fit the {} slots of {}",
                    node.nics.count, node.front_end.count, node.nic_slots.value, node.name));
  }
  const std::int64_t accelerators =
      static_cast<std::int64_t>(scenario.cluster.num_nodes) * node.num_accelerators.value;
  if (accelerators > kMostAccelerators) {
    reader.report(
        place_of(tree, "cluster.nodes"), "cluster.nodes",
        fmt::format("{} nodes of {} accelerators are more than the {} that can be "
                    "simulated",
                    scenario.cluster.num_nodes, node.num_accelerators.value, kMostAccelerators));
  }
  if (!scenario.cluster.storage) return;
  const auto& storage = *scenario.cluster.storage;
  if (storage.count < storage.node.min_nodes.value ||
      storage.count > storage.node.max_nodes.value) {
    reader.report(
        place_of(tree, "cluster.storage.count"), "cluster.storage.count",
        fmt::format("a cluster of {} has {} to {} nodes, got {}", storage.node.name,
                    storage.node.min_nodes.value, storage.node.max_nodes.value, storage.count));
  }
}

}  // namespace

core::Node load_scenario_tree(const std::string& path, const std::vector<std::string>& settings) {
  core::Node tree = core::load_yaml(path);
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return tree;
}

CheckedScenario read_scenario(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  CheckedScenario checked;
  reader.read(tree, "", checked.scenario);
  const bool fields_are_sound = reader.diagnostics().empty();
  const core::Node* cluster = tree.find("cluster");
  if (cluster != nullptr && cluster->find("fabric") != nullptr) {
    core::Registry<topologies::Topology> registry("topology");
    topologies::register_builtin(registry);
    checked.topology = topologies::create_topology(checked.scenario.cluster.fabric, registry,
                                                   reader, "cluster.fabric");
  }
  // Relations between fields mean little where the fields themselves are wrong.
  if (fields_are_sound) {
    check_node(tree, checked.scenario, reader);
    for (const auto& problem :
         models::make_layout(checked.scenario.workload, checked.scenario.parallelism,
                             checked.scenario.num_accelerators(), checked.layout)) {
      reader.report(place_of(tree, problem.key), problem.key, problem.message);
    }
  }
  reader.throw_if_any();
  return checked;
}

}  // namespace railwright::planner
