// SPDX-License-Identifier: Apache-2.0
#include "step_traits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"

namespace railwright::planner {

namespace {

/// Of an accelerator and a profile: what changes no step's time, and what has a trait of its own.
constexpr auto kPassedOver = std::to_array<std::string_view>(
    {"name", "description", "memory", "power", "precision", "framework_memory", "checkpoint"});

/// A value without where it comes from.
const core::Node& plain(const core::Node& node) {
  const bool is_sourced = node.find("value") != nullptr && node.find("source") != nullptr;
  return is_sourced ? *node.find("value") : node;
}

/// Adds "path=value" for what `used` has and `known` has not.
void add_differences(const core::Node& used, const core::Node& known, const std::string& path,
                     std::vector<std::string>& differences) {
  const core::Node& own = plain(used);
  const core::Node& other = plain(known);
  if (!own.is_mapping()) {
    std::string text = core::to_yaml(own);
    if (text != core::to_yaml(other)) differences.push_back(path + "=" + std::move(text));
    return;
  }
  for (const core::Entry& entry : own.entries) {
    if (std::ranges::find(kPassedOver, entry.key) != kPassedOver.end()) continue;
    const core::Node* same = other.find(entry.key);
    add_differences(entry.value, same == nullptr ? core::Node{} : *same, path + "." + entry.key,
                    differences);
  }
}

template <class T>
void add_changes(const T& used, const std::string& path, const core::Catalogue& catalogue,
                 std::vector<std::string>& changes) {
  if (!catalogue.contains(T::kKind, used.name)) return;
  core::Reader reader(&catalogue);
  T known;
  reader.read(core::text_node(used.name), "", known);
  reader.throw_if_any();
  add_differences(core::to_node(used), core::to_node(known), path, changes);
}

std::string layout_class(const models::Layout& layout, const models::SoftwareProfile& software) {
  std::string text;
  const auto add = [&](bool is_used, std::string_view name) {
    if (!is_used) return;
    if (!text.empty()) text += '+';
    text += name;
  };
  add(layout.tp > 1, "tp");
  add(layout.cp > 1, "cp");
  add(layout.ep > 1, "ep");
  add(layout.pp > 1, "pp");
  add(software.zero_stage.value == 3, "zero-3");
  return text.empty() ? "dp" : text;
}

}  // namespace

StepTraits step_traits(const Scenario& scenario, const models::Layout& layout,
                       const core::Catalogue& catalogue) {
  const core::Server& node = scenario.cluster.node;
  StepTraits traits{.accelerator = node.accelerator.name,
                    .software = scenario.software.name,
                    .precision = scenario.software.precision.value,
                    .layout = layout_class(layout, scenario.software),
                    .transport = {},
                    .sequence_length = scenario.workload.sequence_length,
                    .num_accelerators = scenario.num_accelerators(),
                    .settings = {}};
  if (scenario.cluster.num_nodes > 1) {
    traits.transport = node.nics.transport.name;
    traits.nics_per_accelerator =
        static_cast<double>(node.nics.count) / node.num_accelerators.value;
  }
  add_changes(node.accelerator, "accelerator", catalogue, traits.settings);
  add_changes(scenario.software, "software", catalogue, traits.settings);
  return traits;
}

}  // namespace railwright::planner
