// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/power_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "railwright/core/units/text.hpp"

namespace railwright::simulation {

namespace {

using models::Activity;

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

/// Reports measured powers of a node that contradict each other or its parts, because some belong
/// to another node.
void check_parts(const core::ComputeNode& node, const core::Report& report) {
  const models::NodePower power = models::node_power(node, {});
  const core::Power idle = power.of(Activity::kIdle);
  const core::Power compute = power.of(Activity::kCompute);
  const core::Power communication = power.of(Activity::kCommunication);
  if (idle > communication || communication > compute) {
    report("cluster.node",
           fmt::format("{} draws {} idle, {} in communication and {} computing; they must "
                       "rise in this order",
                       node.name, core::to_text(idle), core::to_text(communication),
                       core::to_text(compute)),
           "give power_idle, power_communication and power_compute together");
  }
  const models::NodePowerByPart& at_work = power.parts_of(Activity::kCompute);
  if (at_work.of(models::NodePart::kHosts) >= core::Power{}) return;
  report("cluster.node.power_compute",
         fmt::format("{} computing are less than the {} of the accelerators and the {} of "
                     "the NICs, with fans and power supplies",
                     core::to_text(compute),
                     core::to_text(at_work.of(models::NodePart::kAccelerators)),
                     core::to_text(at_work.of(models::NodePart::kNics))));
}

}  // namespace

void check_power(const core::ComputeNode& compute_node, const models::PowerPlan& plan,
                 const core::Report& report) {
  check_parts(compute_node, report);
  if (models::node_power(compute_node, plan).clock > 0.0) return;
  const core::Accelerator& device = compute_node.accelerator;
  const core::Power idle = models::accelerator_power(device, Activity::kIdle);
  if (plan.accelerator_cap && *plan.accelerator_cap <= idle) {
    report("power.accelerator_cap", fmt::format("leaves nothing to compute with: {} draws {} idle",
                                                device.name, core::to_text(idle)));
    return;
  }
  const core::Power of_node = models::node_power(compute_node, {}).of(Activity::kIdle);
  report("power.node_cap", fmt::format("leaves nothing to compute with: {} draws {} idle",
                                       compute_node.name, core::to_text(of_node)));
}

namespace {

/// Reports labour on pieces that are not bought, and spot prices without what an interruption
/// costs.
void check_price_keys(const core::Node& tree, const core::Node& prices, core::Reader& reader) {
  if (const core::Node* labour = prices.find("labour")) {
    for (const core::Entry& entry : labour->entries) {
      const bool is_known = std::ranges::find(kPricedKinds, entry.key) != kPricedKinds.end();
      if (is_known && entry.key != "accelerators") continue;
      reader.report(entry.where, core::join_path("prices.labour", entry.key), "no kind of piece",
                    "nodes, nics, switches, cables, storage_nodes or cpu_nodes");
    }
  }
  const core::Node* rent = prices.find("rent");
  if (rent == nullptr || tree.find("reliability") != nullptr) return;
  for (const core::Entry& entry : rent->entries) {
    const core::Node* spot = entry.value.find("spot_interruption");
    if (spot == nullptr) continue;
    reader.report(spot->where, fmt::format("prices.rent.{}.spot_interruption", entry.key),
                  "needs `reliability`: what an interruption costs", "reliability: llama-3");
  }
}

}  // namespace

void check_prices(const core::Node& tree, const core::Catalogue& catalogue, core::Reader& reader) {
  const core::Node* written = tree.find("prices");
  if (written == nullptr) return;
  core::Node storage;
  const core::Node* prices = reader.resolve(
      *written, "prices", {.kind = models::Prices::kKind, .may_be_file = true}, storage);
  if (prices == nullptr) return;
  const core::Node* cluster = tree.find("cluster");
  const auto check_names = [&](std::string_view key, std::string_view kind) {
    const core::Node* list = prices->find(key);
    if (list == nullptr) return;
    for (const core::Entry& entry : list->entries) {
      if (catalogue.contains(kind, entry.key)) continue;
      if (cluster != nullptr && defines(*cluster, entry.key)) continue;
      const core::Diagnostic problem = catalogue.not_found(kind, entry.key);
      reader.report(entry.where, core::join_path(fmt::format("prices.{}", key), entry.key),
                    problem.message, problem.hint);
    }
  };
  for (const std::string_view kind : kPricedKinds) check_names(kind, kind);
  check_names("rent", "nodes");
  check_price_keys(tree, *prices, reader);
}

}  // namespace railwright::simulation
