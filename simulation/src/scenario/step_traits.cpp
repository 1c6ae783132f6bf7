// SPDX-License-Identifier: Apache-2.0
#include "step_traits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string_view>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/fabric/fabric.hpp"
#include "railwright/models/software/profile_fields.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/cluster/cluster_fields.hpp"

namespace railwright::simulation {

namespace {

/// Keys of an accelerator and a profile that change no step's time or have a trait of their own.
constexpr auto kPassedOver = std::to_array<std::string_view>(
    {"name", "description", "memory", "power", "power_idle", "precision", "framework_memory",
     "loss_copies", "model_gradients", "step_copies_bytes", "reserved_share", "checkpoint"});

/// Such keys of a node and of a NIC.
constexpr auto kOfNodePassedOver = std::to_array<std::string_view>(
    {"name", "description", "host_power", "liquid_cooled_share", "power_idle", "power_compute",
     "power_communication", "rack_units", "nic_slots", "front_end", "host_memory", "accelerator",
     "num_accelerators", "nic", "count", "transport"});
constexpr auto kOfNicPassedOver = std::to_array<std::string_view>(
    {"name", "description", "power", "line_rate", "num_ports", "link_protocols"});

using Keys = std::span<const std::string_view>;

/// Returns a value without its source.
const core::Node& plain(const core::Node& node) {
  const bool is_sourced = node.find("value") != nullptr && node.find("source") != nullptr;
  return is_sourced ? *node.find("value") : node;
}

/// Whether a list has rows with names.
bool is_table(const core::Node& node) {
  return !node.items.empty() && std::ranges::all_of(node.items, [](const core::Node& row) {
    return row.find("name") != nullptr;
  });
}

void add_row_differences(const core::Node& used, const core::Node& known, const std::string& path,
                         Keys passed_over, std::vector<std::string>& differences);

/// Adds "path=value" for each value of `used` that differs from `known`.
void add_differences(const core::Node& used, const core::Node& known, const std::string& path,
                     Keys passed_over, std::vector<std::string>& differences) {
  const core::Node& own = plain(used);
  const core::Node& other = plain(known);
  if (is_table(own)) {
    add_row_differences(own, other, path, passed_over, differences);
    return;
  }
  if (!own.is_mapping()) {
    std::string text = core::to_yaml(own);
    if (text != core::to_yaml(other)) differences.push_back(path + "=" + std::move(text));
    return;
  }
  for (const core::Entry& entry : own.entries) {
    if (std::ranges::find(passed_over, entry.key) != passed_over.end()) continue;
    const core::Node* same = other.find(entry.key);
    add_differences(entry.value, same == nullptr ? core::Node{} : *same, path + "." + entry.key,
                    passed_over, differences);
  }
}

/// Adds the differences of rows of the same name; of a row that `known` lacks, only its name.
void add_row_differences(const core::Node& used, const core::Node& known, const std::string& path,
                         Keys passed_over, std::vector<std::string>& differences) {
  for (const core::Node& row : used.items) {
    const std::string& name = row.find("name")->text;
    const auto same = std::ranges::find_if(known.items, [&](const core::Node& other) {
      const core::Node* const other_name = other.find("name");
      return other_name != nullptr && other_name->text == name;
    });
    if (same == known.items.end()) {
      differences.push_back(fmt::format("{}={}", path, name));
    } else {
      add_differences(row, *same, fmt::format("{}.{}", path, name), passed_over, differences);
    }
  }
}

template <class T>
void add_changes(const T& used, const std::string& path, Keys passed_over,
                 const core::Catalogue& catalogue, std::vector<std::string>& changes);

/// Adds the changes of a field; for another shared table, only its name, and for another entry of
/// the catalogue its name and what was changed in it.
template <class T>
void add_field_changes(const T& used, const T& known, const std::string& path, Keys passed_over,
                       const core::Catalogue& catalogue, std::vector<std::string>& changes) {
  if constexpr (core::IsShared<T>::value) {
    if (used.pointer() == known.pointer()) return;
    if (used->name != known->name) {
      changes.push_back(path + "=" + used->name);
      return;
    }
  }
  if constexpr (core::CatalogueEntry<T>) {
    if (used.name != known.name && catalogue.contains(T::kKind, used.name)) {
      changes.push_back(path + "=" + used.name);
      add_changes(used, path, passed_over, catalogue, changes);
      return;
    }
  }
  add_differences(core::to_node(used), core::to_node(known), path, passed_over, changes);
}

template <class T>
void add_changes(const T& used, const std::string& path, Keys passed_over,
                 const core::Catalogue& catalogue, std::vector<std::string>& changes) {
  if (!catalogue.contains(T::kKind, used.name)) return;
  core::Reader reader(&catalogue);
  T known;
  reader.read(core::text_node(used.name), "", known);
  reader.throw_if_any();
  core::for_each_field<T>([&](const auto& f) {
    if (std::ranges::find(passed_over, f.name) != passed_over.end()) return;
    add_field_changes(used.*(f.member), known.*(f.member), path + "." + std::string(f.name),
                      passed_over, catalogue, changes);
  });
}

/// Returns the dimensions of parallelism used together, and "mamba" for a model with such layers.
std::string layout_class(const Scenario& scenario, const models::Layout& layout) {
  std::string text;
  const auto add = [&](bool is_used, std::string_view name) {
    if (!is_used) return;
    if (!text.empty()) text += '+';
    text += name;
  };
  for (const auto& [name, size] : models::kDimensions<models::Layout>) add(layout.*size > 1, name);
  add(scenario.software.zero_stage.value == 3, "zero-3");
  const auto* model = std::get_if<models::Transformer>(&scenario.workload.model);
  add(model != nullptr && model->mamba, "mamba");
  return text.empty() ? "dp" : text;
}

/// Returns the topology, with ports down per port up if fewer lead up: "rail_optimized",
/// "leaf_spine 2:1".
std::string fabric_class(const topologies::Cluster& cluster) {
  const core::Node& fabric = cluster.fabric;
  const core::Node* const name = fabric.is_mapping() ? fabric.find("topology") : &fabric;
  if (name == nullptr) return {};
  const auto number = [&fabric](std::string_view key) {
    const core::Node* const node = fabric.is_mapping() ? fabric.find(key) : nullptr;
    return node == nullptr ? 1.0 : std::strtod(node->text.c_str(), nullptr);
  };
  if (const core::Node* const plane = fabric.is_mapping() ? fabric.find("plane") : nullptr) {
    topologies::Cluster inner = cluster;
    inner.fabric = *plane;
    return fmt::format("{} of {}", name->text, fabric_class(inner));
  }
  double ratio = number("oversubscription") * number("spine_oversubscription");
  const int nics = cluster.node.nics.count;
  if (name->text == "dual_switch") {
    ratio = 0.5 * cluster.num_nodes * nics / number("inter_switch_links");
  } else if (name->text == "pod") {
    ratio = number("nodes_per_pod") * nics / (number("upper_switches") * number("links"));
  }
  return ratio > 1.0 ? fmt::format("{} {:.3g}:1", name->text, ratio) : name->text;
}

void set_network(const Scenario& scenario, const core::Catalogue& catalogue, StepTraits& traits) {
  const core::ComputeNode& node = scenario.cluster.node;
  const core::NicSet& nics = node.nics;
  traits.transport = nics.transport.name;
  traits.nics_per_accelerator = static_cast<double>(nics.count) / node.num_accelerators.value;
  traits.nic_rate = nics.nic.line_rate.value * static_cast<double>(nics.nic.num_ports);
  traits.fabric = fabric_class(scenario.cluster);
  add_changes(nics.nic, "nic", kOfNicPassedOver, catalogue, traits.settings);
  add_changes(nics.transport, "transport", kPassedOver, catalogue, traits.settings);
}

/// Adds the settings that make devices slower than the catalogue says.
void add_limits(const Scenario& scenario, std::vector<std::string>& settings) {
  if (!scenario.cluster.faults.empty()) settings.emplace_back("cluster.faults");
  if (models::node_power(scenario.cluster.node, scenario.power).clock < 1.0) {
    settings.emplace_back(scenario.power.node_cap ? "power.node_cap" : "power.accelerator_cap");
  }
}

}  // namespace

StepTraits step_traits(const Scenario& scenario, const models::Layout& layout,
                       const core::Catalogue& catalogue) {
  const core::ComputeNode& node = scenario.cluster.node;
  StepTraits traits{
      .accelerator = node.accelerator.name,
      .software = scenario.software.name,
      .precision = scenario.software.precision.value,
      .layout = layout_class(scenario, layout),
      .transport = {},
      .nic_rate = {},
      .fabric = {},
      .node = fmt::format("{} by {}", node.num_accelerators.value, core::to_string(node.scale_up)),
      .sequence_length = scenario.workload.sequence_length,
      .num_accelerators = scenario.num_accelerators(),
      .settings = {},
      .stated = {},
      .assumed = {}};
  const auto* transformer = std::get_if<models::Transformer>(&scenario.workload.model);
  traits.has_experts = transformer != nullptr && transformer->experts.has_value();
  if (!catalogue.contains(core::ComputeNode::kKind, node.name)) {
    traits.settings.push_back("node=" + node.name);
  }
  add_changes(node, "node", kOfNodePassedOver, catalogue, traits.settings);
  add_changes(node.accelerator, "accelerator", kPassedOver, catalogue, traits.settings);
  add_changes(scenario.software, "software", kPassedOver, catalogue, traits.settings);
  if (scenario.cluster.num_nodes > 1) set_network(scenario, catalogue, traits);
  add_limits(scenario, traits.settings);
  return traits;
}

}  // namespace railwright::simulation
