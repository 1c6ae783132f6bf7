// SPDX-License-Identifier: Apache-2.0
#include "drawing_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "sheet.hpp"

namespace railwright::output {

namespace {

std::string totals(const Sheet& sheet) {
  std::string text = fmt::format(
      "{} accelerators on {} {}", grouped(sheet.fabric.num_accelerators()),
      grouped(sheet.fabric.num_nodes()), sheet.fabric.num_nodes() == 1 ? "node" : "nodes");
  for (int level = 0; level < sheet.classes.num_levels(); ++level) {
    std::map<std::string, std::int64_t> count;
    for (const int c : sheet.switches(level))
      count[last_word(stem(sheet.first_of(c).label))] += sheet.of(c).count();
    for (const auto& [name, number] : count) {
      text += fmt::format(" \u00b7 {} {}{}", grouped(number), name,
                          number == 1 || name == "switch" ? "" : " switches");
      if (name == "switch" && number > 1) text += "es";
    }
  }
  return text + " \u00b7 cables at line rate, buses as transfers reach";
}

/// Returns the first part that does not fit, and the number of others.
std::string first_of(const std::vector<core::Shortfall>& shortfalls) {
  const std::string text = "does not fit: " + shortfalls.front().what;
  return shortfalls.size() == 1 ? text
                                : fmt::format("{}; and {} more", text, shortfalls.size() - 1);
}

/// Whether a class belongs to the tier that a shortfall names.
bool is_of_tier(const VertexClass& c, std::string_view tier) {
  switch (c.role) {
    case core::Role::kSwitch:
      return tier == (c.level == 0 ? "leaf" : c.level == 1 ? "spine" : "core");
    case core::Role::kFrontEndSwitch:
      return tier == core::kFrontEndTier;
    case core::Role::kStorageNode:
      return tier == "storage node";
    case core::Role::kNic:
      return tier == "node";
    default:
      return false;
  }
}

/// Paints the boxes of a tier that does not fit red, except failed ones.
void paint_short(Sheet& sheet, std::string_view tier) {
  for (const auto& [c, box] : sheet.box_of) {
    Paint& paint = sheet.drawing.boxes[box].paint;
    const bool is_closed_node = paint == Paint::kNode;
    if (is_of_tier(sheet.of(c), tier) && paint != Paint::kFailed && !is_closed_node) {
      paint = Paint::kShort;
    }
  }
}

/// Moves everything so that the lower left corner is (0, 0).
void settle(Sheet& sheet) {
  constexpr double kBorder = 16.0;
  constexpr double kTitle = 56.0;
  double left = 0.0;
  double right = std::max(sheet.right, text_width(sheet.drawing.subtitle, 11.0));
  double bottom = 0.0;
  double top = sheet.top;
  for (const Box& box : sheet.drawing.boxes) {
    left = std::min(left, box.left());
    right = std::max(right, box.right());
    bottom = std::min(bottom, box.bottom());
    top = std::max(top, box.top());
  }
  const double dx = kBorder - left;
  const double dy = kBorder - bottom;
  const auto move = [&](Point& p) { p = {p.x + dx, p.y + dy}; };
  for (Box& box : sheet.drawing.boxes) move(box.center);
  for (Frame& frame : sheet.drawing.frames) move(frame.box.center);
  for (Wire& wire : sheet.drawing.wires) {
    move(wire.begin);
    move(wire.end);
    move(wire.label_at);
  }
  sheet.drawing.width = right - left + 2.0 * kBorder;
  sheet.drawing.height = top - bottom + kBorder + kTitle;
}

}  // namespace

std::vector<int> Sheet::switches(int level) const {
  std::vector<int> found;
  for (int c = 0; c < num_classes(); ++c) {
    if (of(c).role == core::Role::kSwitch && of(c).level == level) found.push_back(c);
  }
  return found;
}

std::string Sheet::name_of(int c) const {
  if (of(c).count() == 1) return first_of(c).label;
  const std::string name = stem(first_of(c).label);
  const bool all = std::ranges::all_of(of(c).members, [&](core::VertexId v) {
    return stem(fabric.vertices()[static_cast<std::size_t>(v)].label) == name;
  });
  if (all && name.starts_with("plane ")) {
    const std::string plane = name.substr(0, name.find(' ', 6));
    return fmt::format("{}: {} \u00d7 {}", plane, grouped(of(c).count()), last_word(name));
  }
  return fmt::format("{} \u00d7 {}", grouped(of(c).count()), all ? name : last_word(name));
}

std::string last_word(const std::string& text) {
  return text.substr(text.find_last_of(' ') + 1);  // npos + 1 is 0
}

Drawing lay_out(const core::Fabric& fabric, const FabricClasses& classes, std::string title,
                const std::vector<core::Shortfall>& shortfalls) {
  Sheet sheet{.fabric = fabric, .classes = classes};
  sheet.drawing.title = std::move(title);
  sheet.drawing.is_short = !shortfalls.empty();
  sheet.drawing.subtitle = shortfalls.empty() ? totals(sheet) : first_of(shortfalls);
  place_nodes(sheet);
  for (int level = 0; level < classes.num_levels(); ++level) place_switches(sheet, level);
  place_front_end(sheet);
  add_wires(sheet);
  for (const core::Shortfall& shortfall : shortfalls) paint_short(sheet, shortfall.tier);
  add_legend(sheet);
  settle(sheet);
  sheet.drawing.box_of = std::move(sheet.box_of);
  return std::move(sheet.drawing);
}

}  // namespace railwright::output
