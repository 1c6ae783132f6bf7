// SPDX-License-Identifier: Apache-2.0
#include "power_text.hpp"

#include <fmt/format.h>

#include <string_view>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "../words/result_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/workloads/training/outputs.hpp"

namespace railwright::output {

namespace {

using core::to_text;

/// Returns "nodes xe9680-h100".
std::string named(const models::Purchase& purchase) {
  return purchase.kind == purchase.name ? purchase.name
                                        : fmt::format("{} {}", purchase.kind, purchase.name);
}

}  // namespace

std::string power_text(const simulation::RunPower& power, const TextStyle& style) {
  Table table({"power", "mean", "peak"});
  const auto add = [&](std::string_view name, core::Power mean, core::Power peak) {
    if (peak > core::Power{}) table.add_row({std::string(name), to_text(mean), to_text(peak)});
  };
  const models::PowerByPart& mean = power.mean;
  const models::PowerByPart& peak = power.peak;
  add("nodes", mean.nodes.total(), peak.nodes.total());
  for (std::size_t i = 0; i < models::kNodeParts.size(); ++i) {
    const auto part = static_cast<models::NodePart>(i);
    add("  " + words(models::kNodeParts[i]), mean.nodes.of(part), peak.nodes.of(part));
  }
  add("switches", mean.switches, peak.switches);
  add("transceivers", mean.transceivers, peak.transceivers);
  add("storage nodes", mean.storage_nodes, peak.storage_nodes);
  add("cpu nodes", mean.cpu_nodes, peak.cpu_nodes);
  add("building", mean.equipment() * (power.pue - 1.0), peak.equipment() * (power.pue - 1.0));
  add("total", power.mean_power(), power.peak_power());
  std::string text = table.text(style);
  text += fact("energy", power.tokens > 0.0
                             ? fmt::format("{}, {} a token", to_text(power.total_energy()),
                                           to_text(power.total_energy() / power.tokens))
                             : fmt::format("{}, {} a sample", to_text(power.total_energy()),
                                           to_text(power.total_energy() / power.samples)));
  return text + power_cap_text(power.node.clock);
}

std::string power_cap_text(double clock) {
  if (clock >= 1.0) return {};
  return fact("power cap",
              fmt::format("accelerators compute at {:.1f} % of their clock", 100.0 * clock));
}

std::string cost_text(const simulation::SimulationResult& result, const TextStyle& style) {
  const simulation::RunCost& cost = *result.cost;
  const models::Ownership& ownership = cost.ownership;
  Table table({"cost of ownership", "count", "each", "sum"});
  for (const models::PricedPurchase& one : ownership.priced) {
    table.add_row({one.purchase.name, grouped(one.purchase.count), money(one.each),
                   money(one.each * one.purchase.count)});
  }
  const auto add = [&](const char* name, core::Money sum) {
    if (sum > core::Money{}) table.add_row({name, "", "", money(sum)});
  };
  add("labour, once", ownership.labour);
  add("electricity", ownership.electricity);
  add("maintenance", ownership.maintenance);
  add("staff", ownership.staff);
  add("licences and support", ownership.software);
  if (ownership.residual > core::Money{}) {
    table.add_row({"left at the end", "", "", "-" + money(ownership.residual)});
  }
  const bool is_partial = !ownership.unpriced.empty();
  table.add_row({is_partial ? "total, in part" : "total", "", "", money(ownership.total())});
  std::string text = table.text(style);
  if (!cost.prices.empty()) text += fact("prices", cost.prices);
  for (const models::Purchase& purchase : ownership.unpriced) {
    text += fact("without a price", fmt::format("{} x {}", purchase.count, named(purchase)));
  }
  const bool has_tokens = cost.per_million_tokens > core::Money{};
  text += fact("this run",
               fmt::format("{}, {} a million {}", money(cost.run),
                           money(has_tokens ? cost.per_million_tokens : cost.per_million_samples),
                           has_tokens ? "tokens" : "samples"));
  for (const simulation::RentedRun& one : cost.rented) {
    text += fact(&one == cost.rented.data() ? "rented" : "",
                 fmt::format("{}: {} in {}", words(one.way), money(one.cost), to_text(one.time)));
  }
  // These numbers exist for a run that does not fit, too.
  return text + lines_of(simulation::cost_numbers(), result, simulation::TextPart::kCost);
}

}  // namespace railwright::output
