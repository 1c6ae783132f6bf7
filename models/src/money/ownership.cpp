// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/money/ownership.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "railwright/core/sim/portable_math.hpp"

namespace railwright::models {

namespace {

constexpr core::Duration kYear = core::Duration::from_base(365.25 * 86400.0);

constexpr auto kKinds =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"node", "nodes"},
                                                                  {"nic", "nics"},
                                                                  {"switch", "switches"},
                                                                  {"storage_node", "storage_nodes"},
                                                                  {"cpu_node", "cpu_nodes"}});

/// Converts "node" to "nodes"; returns "" for parts that are bought otherwise.
std::string_view price_kind(std::string_view part_kind) {
  const auto* const known =
      std::ranges::find(kKinds, part_kind, [](auto kind) { return kind.first; });
  return known == kKinds.end() ? std::string_view() : known->second;
}

void add(std::vector<Purchase>& all, std::string_view kind, const std::string& name, int count) {
  if (count == 0) return;
  const auto same = std::ranges::find_if(
      all, [&](const Purchase& one) { return one.kind == kind && one.name == name; });
  if (same == all.end()) {
    all.push_back({kind, name, count});
  } else {
    same->count += count;
  }
}

const PriceList* list_of(const Prices& prices, std::string_view kind) {
  if (kind == "nodes") return &prices.nodes;
  if (kind == "accelerators") return &prices.accelerators;
  if (kind == "nics") return &prices.nics;
  if (kind == "switches") return &prices.switches;
  if (kind == "cables") return &prices.cables;
  if (kind == "storage_nodes") return &prices.storage_nodes;
  if (kind == "cpu_nodes") return &prices.cpu_nodes;
  return nullptr;
}

const core::Money* price_of(const Prices& prices, const Purchase& purchase) {
  const PriceList* list = list_of(prices, purchase.kind);
  if (list == nullptr) return nullptr;
  const auto known = list->find(purchase.name);
  return known == list->end() ? nullptr : &known->second;
}

/// Returns the weight of money at the end of the years.
double weight_at_end(const Prices& prices) {
  return core::portable_power(1.0 + prices.discount_rate, -(prices.ownership / kYear));
}

/// Returns the time that yearly costs count for, each year discounted from the year before.
core::Duration counted_time(const Prices& prices) {
  const double rate = prices.discount_rate;
  if (rate == 0.0) return prices.ownership;
  return kYear * ((1.0 - weight_at_end(prices)) / rate);
}

}  // namespace

std::vector<Purchase> purchases(const core::PartsList& parts, const core::ComputeNode& node,
                                int num_spares) {
  std::vector<Purchase> all;
  for (const core::Part& part : parts.parts) {
    const std::string_view kind = price_kind(part.kind);
    if (!kind.empty()) add(all, kind, part.name, part.count);
    if (part.kind == "node") {
      add(all, "accelerators", node.accelerator.name, part.count * node.num_accelerators.value);
    }
    // The bill of the fabric has the products of all other cables.
    if (part.name == "storage back-end link") add(all, "cables", part.name, part.count);
  }
  for (const core::CableRun& run : parts.fabric.cables) {
    const bool is_known = !run.cable.empty();
    add(all, "cables", is_known ? run.cable : fmt::format("{} to {}", run.from, run.to), run.count);
  }
  add(all, "nodes", node.name, num_spares);
  add(all, "accelerators", node.accelerator.name, num_spares * node.num_accelerators.value);
  add(all, "nics", node.nics.nic.name, num_spares * node.nics.count);
  add(all, "nics", node.front_end.nic.name, num_spares * node.front_end.count);
  return all;
}

Ownership cost_of_ownership(const Prices& prices, const std::vector<Purchase>& purchases,
                            core::Power mean_power) {
  Ownership cost;
  int num_accelerators = 0;
  for (const Purchase& purchase : purchases) {
    if (purchase.kind == "accelerators") num_accelerators += purchase.count;
    const auto work = prices.labour.find(std::string(purchase.kind));
    if (work != prices.labour.end()) cost.labour += work->second * purchase.count;
    const core::Money* each = price_of(prices, purchase);
    if (each != nullptr) {
      cost.priced.push_back({purchase, *each});
      cost.capital += *each * purchase.count;
    } else if (purchase.kind != "accelerators") {  // else the node's price includes them
      cost.unpriced.push_back(purchase);
    }
  }
  const core::Duration time = counted_time(prices);
  if (prices.electricity) {
    cost.electricity = *prices.electricity * (mean_power * time);
  } else {
    cost.unpriced.push_back({"electricity", "electricity", 1});
  }
  cost.maintenance = cost.capital * (prices.maintenance * (time / kYear));
  cost.staff = prices.staff * time;
  for (const auto& [name, rate] : prices.software) cost.software += rate * time * num_accelerators;
  cost.residual = cost.capital * (prices.residual * weight_at_end(prices));
  return cost;
}

core::Money share_of_ownership(const Prices& prices, core::Money whole, core::Duration time) {
  return whole * (time / (counted_time(prices) * prices.utilization));
}

}  // namespace railwright::models
