// SPDX-License-Identifier: Apache-2.0
#include "power_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "railwright/core/units/text.hpp"

namespace railwright::simulation {

namespace {

constexpr auto kPricedKinds = std::to_array<std::string_view>(
    {"nodes", "accelerators", "nics", "switches", "cables", "storage_nodes", "cpu_nodes"});

/// Whether `name: word` stands somewhere in the tree: a part of the scenario's own.
bool defines(const core::Node& tree, std::string_view word) {
  const auto is_in = [&](const core::Node& node) { return defines(node, word); };
  const auto is_under = [&](const core::Entry& entry) {
    return (entry.key == "name" && entry.value.is_scalar() && entry.value.text == word) ||
           is_in(entry.value);
  };
  return std::ranges::any_of(tree.entries, is_under) || std::ranges::any_of(tree.items, is_in);
}

/// Reports powers of a node that contradict each other, because some belong to another node.
void check_order(const core::Node& tree, const core::ComputeNode& compute_node,
                 core::Reader& reader) {
  const models::NodePower power = models::node_power(compute_node, {});
  const core::Power idle = power.of(models::Activity::kIdle);
  const core::Power compute = power.of(models::Activity::kCompute);
  const core::Power communication = power.of(models::Activity::kCommunication);
  const core::Power training = compute_node.power.value;
  if (idle <= communication && communication <= compute && idle <= training &&
      training <= compute) {
    return;
  }
  const core::Node* place = &tree;
  for (const char* key : {"cluster", "node", "power"}) {
    const core::Node* below = place->find(key);
    if (below != nullptr) place = below;
  }
  reader.report(place->where, "cluster.node.power",
                fmt::format("{} draws {} idle, {} in communication, {} computing and {} in the "
                            "mean of training; they must rise in this order, the mean between "
                            "idle and computing",
                            compute_node.name, core::to_text(idle), core::to_text(communication),
                            core::to_text(compute), core::to_text(training)),
                "give power_idle, power_communication, power_compute and power together");
}

}  // namespace

void check_power(const core::Node& tree, const core::ComputeNode& compute_node,
                 const models::PowerPlan& plan, core::Reader& reader) {
  check_order(tree, compute_node, reader);
  if (models::node_power(compute_node, plan).clock > 0.0) return;
  const core::Power idle = models::node_power(compute_node, {}).of(models::Activity::kIdle);
  const core::Node* section = tree.find("power");
  const core::Node* cap = section == nullptr ? nullptr : section->find("node_cap");
  reader.report(cap == nullptr ? tree.where : cap->where, "power.node_cap",
                fmt::format("leaves nothing to compute with: {} draws {} idle", compute_node.name,
                            core::to_text(idle)));
}

void check_prices(const core::Node& tree, const core::Catalogue& catalogue, core::Reader& reader) {
  const core::Node* written = tree.find("prices");
  if (written == nullptr) return;
  core::Node storage;
  const core::Node* prices = reader.resolve(
      *written, "prices", {.kind = models::Prices::kKind, .may_be_file = true}, storage);
  if (prices == nullptr) return;
  const core::Node* cluster = tree.find("cluster");
  for (const std::string_view kind : kPricedKinds) {
    const core::Node* list = prices->find(kind);
    if (list == nullptr) continue;
    for (const core::Entry& entry : list->entries) {
      if (catalogue.contains(kind, entry.key)) continue;
      if (cluster != nullptr && defines(*cluster, entry.key)) continue;
      const core::Diagnostic problem = catalogue.not_found(kind, entry.key);
      reader.report(entry.where, core::join_path(fmt::format("prices.{}", kind), entry.key),
                    problem.message, problem.hint);
    }
  }
}

}  // namespace railwright::simulation
