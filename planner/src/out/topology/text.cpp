// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "railwright/planner/out/topology.hpp"

namespace railwright::planner {

namespace {

std::string strong(const std::string& text, const TextStyle& style, std::string_view code = "1") {
  return style.color ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

/// A label and what it says, the labels in one column.
std::string fact(std::string_view label, const std::string& text) {
  return fmt::format("{:<16}{}\n", label, text);
}

std::string shortfalls(const core::PartsList& parts, const TextStyle& style) {
  if (parts.shortfalls.empty()) return {};
  std::string text = strong("does not fit", style, "1;31") + "\n";
  for (const core::Shortfall& shortfall : parts.shortfalls) text += "  " + shortfall.what + "\n";
  return text + "\n";
}

std::string parts_table(const core::PartsList& parts, const TextStyle& style) {
  Table table({"part", "kind", "count"});
  table.align_left(1);
  for (const core::Part& part : parts.parts) {
    std::string kind = part.kind;
    std::ranges::replace(kind, '_', ' ');
    table.add_row({part.name, std::move(kind), fmt::format("{}", part.count)});
  }
  return table.text(style);
}

}  // namespace

std::string to_text(const TopologyResult& result, const TextStyle& style) {
  const core::Fabric& fabric = result.fabric;
  const core::PartsList& parts = result.parts;
  std::string text = strong(result.name, style) + "\n\n" + shortfalls(parts, style);
  text += fact("fabric", fmt::format("{}, {} nodes, {} accelerators", result.kind,
                                     fabric.num_nodes(), fabric.num_accelerators()));
  text += fact("switch ports", fmt::format("{} used, {} free", parts.ports_used, parts.ports_free));
  text +=
      fact("bisection", fmt::format("{}, {} an accelerator", core::to_text(result.bisection),
                                    core::to_text(result.bisection / fabric.num_accelerators())));
  return text + "\n" + parts_table(parts, style);
}

}  // namespace railwright::planner
