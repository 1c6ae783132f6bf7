// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "../words/number_text.hpp"
#include "difference_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"

namespace railwright::output {

namespace {

/// Returns a line with a padded label and its text.
std::string wide_fact(std::string_view label, const std::string& text) {
  return fmt::format("{:<18}{}\n", label, text);
}

/// Returns "rail optimized, 16 nodes, 128 accelerators".
std::string fabric_in_words(std::string kind, int num_nodes, int num_accelerators) {
  std::ranges::replace(kind, '_', ' ');
  return fmt::format("{}, {} nodes, {} accelerators", kind, grouped(num_nodes),
                     grouped(num_accelerators));
}

/// Returns "2:1" or "1.5:1"; nothing if no port leads to another tier.
std::string ratio(double oversubscription) {
  return oversubscription > 0.0 ? fmt::format("{:.3g}:1", oversubscription) : std::string();
}

std::string shortfalls(const core::PartsList& parts, const TextStyle& style) {
  if (parts.shortfalls.empty()) return {};
  std::string text = strong("does not fit", style, "1;31") + "\n";
  for (const core::Shortfall& shortfall : parts.shortfalls) text += "  " + shortfall.what + "\n";
  return text + "\n";
}

std::string switch_table(const core::FabricBill& bill, const TextStyle& style) {
  Table table({"tier", "switch", "count", "ports down", "up", "free", "oversubscribed",
               "rack units", "power"});
  table.align_left(1);
  for (const core::SwitchTier& tier : bill.switches) {
    table.add_row({tier.name, tier.model, grouped(tier.count), grouped(tier.ports_down),
                   grouped(tier.ports_up), grouped(tier.ports_free), ratio(tier.oversubscription),
                   grouped(tier.rack_units), core::to_text(tier.power)});
  }
  return table.text(style);
}

/// Names the cable and, of a breakout, the links that it makes.
std::string cable_name(const core::CableRun& run) {
  if (run.cable.empty()) return fmt::format("none of {} and this length", core::to_text(run.rate));
  if (run.far_ends == run.count) return run.cable;
  return fmt::format("{}, for {} links", run.cable, grouped(run.far_ends));
}

std::string cable_table(const core::FabricBill& bill, const TextStyle& style) {
  Table table({"cable", "between", "count", "longest", "transceivers", "power"});
  table.align_left(1);
  for (const core::CableRun& run : bill.cables) {
    table.add_row({cable_name(run), run.from + " and " + run.to, grouped(run.count),
                   fmt::format("{:.3g} m", run.longest_m), grouped(run.transceivers),
                   core::to_text(run.power)});
  }
  return table.text(style);
}

/// Formats all parts except switches and cables. NICs have no power of their own: their nodes'
/// power includes it.
std::string parts_table(const core::PartsList& parts, const TextStyle& style) {
  Table table({"part", "kind", "count", "rack units", "power"});
  table.align_left(1);
  for (const core::Part& part : parts.parts) {
    if (part.kind == "switch" || part.kind == "cable") continue;
    std::string kind = part.kind;
    std::ranges::replace(kind, '_', ' ');
    const bool stands_alone = part.rack_units > 0;
    table.add_row({part.name, std::move(kind), grouped(part.count),
                   stands_alone ? grouped(part.rack_units) : "",
                   stands_alone ? core::to_text(part.power) : ""});
  }
  return table.text(style);
}

}  // namespace

std::string split_text(const core::FabricBill& bill) {
  std::string text;
  for (const core::SwitchTier& tier : bill.switches) {
    if (tier.split.empty() || tier.ports_slow == 0) continue;
    text += fmt::format("{} ports of the {} carry what a split port can; {} has them split\n",
                        grouped(tier.ports_slow), tier.model, tier.split);
  }
  return text;
}

std::string to_text(const simulation::TopologyResult& result, const TextStyle& style) {
  const core::Fabric& fabric = result.fabric;
  const core::PartsList& parts = result.parts;
  const core::FabricBill& bill = parts.fabric;
  std::string text = strong(result.name, style) + "\n\n" + shortfalls(parts, style);
  if (result.pools.empty()) {
    text += wide_fact("fabric",
                      fabric_in_words(result.kind, fabric.num_nodes(), fabric.num_accelerators()));
  }
  for (const simulation::PoolTopology& pool : result.pools) {
    text += wide_fact(pool.name,
                      fmt::format("{}, bisection {}",
                                  fabric_in_words(pool.kind, pool.num_nodes, pool.num_accelerators),
                                  core::to_text(pool.bisection)));
  }
  text += wide_fact(
      "scale-out ports",
      bill.num_switches() == 0
          ? "none: the fabric has no switch"
          : fmt::format("{} used, {} free", grouped(parts.ports_used), grouped(parts.ports_free)));
  if (bill.oversubscription() > 0.0) {
    text += wide_fact("oversubscription", ratio(bill.oversubscription()) + " at most");
  }
  if (result.pools.empty()) {
    text += wide_fact("bisection",
                      fmt::format("{}, {} an accelerator", core::to_text(result.bisection),
                                  core::to_text(result.bisection / fabric.num_accelerators())));
  }
  text +=
      wide_fact("network gear", fmt::format("{} rack units, {} with its transceivers",
                                            grouped(bill.rack_units), core::to_text(bill.power)));
  text += wide_fact("all together", fmt::format("{} rack units, {}", grouped(parts.rack_units()),
                                                core::to_text(parts.power())));
  return text + "\n" + switch_table(bill, style) + split_text(bill) + "\n" +
         cable_table(bill, style) + "\n" + parts_table(parts, style);
}

}  // namespace railwright::output
