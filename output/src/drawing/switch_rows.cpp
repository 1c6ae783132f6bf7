// SPDX-License-Identifier: Apache-2.0
// A row of switches above the devices that are wired to it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <utility>

#include "drawing_layout.hpp"
#include "palette.hpp"
#include "sheet.hpp"

namespace railwright::output {

namespace {

using core::Role;

constexpr double kRowHeight = 54.0;
constexpr double kNarrowestPitch = 100.0;  // room for a switch's label

/// Returns the left and right edges of the boxes below a switch class.
std::pair<double, double> span_below(const Sheet& sheet, int c) {
  double left = 1e9;
  double right = -1e9;
  for (const bool opened : {true, false}) {
    for (const ClassLink& link : sheet.classes.links) {
      if (link.a == link.b || (link.a != c && link.b != c)) continue;
      const int other = link.a == c ? link.b : link.a;
      const auto at = sheet.box_of.find(other);
      if (at == sheet.box_of.end()) continue;
      if (sheet.of(other).role == Role::kSwitch && sheet.of(other).level >= sheet.of(c).level)
        continue;
      const Box& box = sheet.drawing.boxes[at->second];
      if (opened && box.name.starts_with("nodes_")) continue;
      left = std::min(left, box.left());
      right = std::max(right, box.right());
    }
    if (left < right) return {left, right};
  }
  return {kFrameMargin, sheet.right - kFrameEdge};
}

bool are_joined(const Sheet& sheet, int c, int d) {
  return std::ranges::any_of(sheet.classes.links, [&](const ClassLink& link) {
    return (link.a == c && link.b == d) || (link.a == d && link.b == c);
  });
}

/// Counts the planes that the switches of a class belong to; 1 without planes.
std::size_t num_planes(const Sheet& sheet, int c) {
  std::set<std::string> planes;
  for (const core::VertexId v : sheet.of(c).members) {
    const std::string& label = sheet.fabric.vertices()[static_cast<std::size_t>(v)].label;
    planes.insert(label.starts_with("plane ") ? label.substr(0, label.find(' ', 6)) : "");
  }
  return planes.size();
}

/// Returns "32 nodes each" or "8\u201332 nodes": nodes with a NIC on each switch of a class.
std::string nodes_text(const Sheet& sheet, int c) {
  std::map<core::VertexId, std::set<int>> nodes;
  for (const core::VertexId v : sheet.of(c).members) nodes[v] = {};
  for (const core::Link& link : sheet.fabric.links()) {
    const auto on = nodes.find(link.to);
    if (on == nodes.end()) continue;
    const core::Vertex& from = sheet.fabric.vertices()[static_cast<std::size_t>(link.from)];
    if (from.role == Role::kNic) on->second.insert(from.node);
  }
  const auto size = [](const auto& one) { return one.second.size(); };
  const auto [least, most] = std::ranges::minmax(nodes | std::views::transform(size));
  if (most == 0) return {};
  const std::string number =
      least == most ? fmt::format("{}", most) : fmt::format("{}\u2013{}", least, most);
  const bool is_each = sheet.of(c).count() > 1 && least == most;
  return fmt::format("\n{} node{}{}", number, most == 1 ? "" : "s", is_each ? " each" : "");
}

std::int64_t nics_per_node(const core::Fabric& fabric) {
  return static_cast<std::int64_t>(fabric.vertices_with(Role::kNic, 0).size());
}

/// Returns the name, the rail, and the cables of each member down, across and up.
std::string switch_label(const Sheet& sheet, int c) {
  std::string label = sheet.name_of(c);
  std::int64_t down = 0;
  std::int64_t across = 0;
  std::int64_t up = 0;
  std::set<int> rails;
  for (const ClassLink& link : sheet.classes.links) {
    if (link.a != c && link.b != c) continue;
    const int other = link.a == c ? link.b : link.a;
    if (sheet.of(other).role == Role::kNic) rails.insert(sheet.first_of(other).local_index);
    if (sheet.of(other).role != Role::kSwitch || sheet.of(other).level < sheet.of(c).level) {
      down += link.num_cables;
    } else if (sheet.of(other).level == sheet.of(c).level) {
      across += link.num_cables * (other == c ? 2 : 1);
    } else {
      up += link.num_cables;
    }
  }
  if (sheet.classes.has_rails && rails.size() == 1 && nics_per_node(sheet.fabric) > 1) {
    label += fmt::format(", rail {}", *rails.begin());
  }
  if (sheet.of(c).is_failed) return label + "\nfailed";
  std::string ports;
  const auto add = [&](std::int64_t cables, std::string_view word) {
    if (cables == 0) return;
    if (!ports.empty()) ports += ", ";
    const std::int64_t each = cables / sheet.of(c).count();
    ports += fmt::format("{}{} {}", each * sheet.of(c).count() == cables ? "" : "~", grouped(each),
                         word);
  };
  add(down, "down");
  add(across, "across");
  add(up, "up");
  const std::string nodes = nodes_text(sheet, c);
  // Leaves have no room for it, and their wires show it.
  if (const std::size_t planes = num_planes(sheet, c); planes > 1 && nodes.empty()) {
    label += fmt::format("\nof {} planes", planes);
  }
  return label + nodes + "\n" + (sheet.of(c).count() > 1 && nodes.empty() ? "each " : "") + ports;
}

}  // namespace

void place_switches(Sheet& sheet, int level) {
  struct Place {
    int c;
    double left;
    double right;
  };
  std::vector<Place> places;
  for (const int c : sheet.switches(level)) {
    const auto [left, right] = span_below(sheet, c);
    places.push_back({c, left, right});
  }
  std::ranges::stable_sort(places, {}, [](const Place& p) { return p.left + p.right; });
  bool overlap = false;
  for (std::size_t i = 1; i < places.size(); ++i) {
    overlap = overlap || places[i].left < places[i - 1].right + 4.0;
  }
  if (overlap) {
    double left = places.front().left;
    double right = places.front().right;
    for (const Place& p : places) {
      left = std::min(left, p.left);
      right = std::max(right, p.right);
    }
    const auto count = static_cast<double>(places.size());
    if (right - left < kNarrowestPitch * count) {
      left = 0.0;
      right = std::max(sheet.right, kNarrowestPitch * count);
    }
    const double step = (right - left) / count;
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i].left = left + static_cast<double>(i) * step;
      places[i].right = places[i].left + 0.9 * step;
    }
  }
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (are_joined(sheet, places[i - 1].c, places[i].c)) {
      places[i - 1].right = std::min(places[i - 1].right, places[i].left - kJoinWidth);
    }
  }
  const double y = sheet.top + kRowPitch * (level + 1) - kRowHeight;
  for (const Place& p : places) {
    const Paint paint = sheet.of(p.c).is_failed ? Paint::kFailed : paint_of(Role::kSwitch, level);
    sheet.drawing.boxes.push_back({fmt::format("switch_{}", p.c),
                                   switch_label(sheet, p.c),
                                   paint,
                                   {(p.left + p.right) / 2.0, y + kRowHeight / 2.0},
                                   std::max(p.right - p.left, 60.0),
                                   kRowHeight});
    sheet.box_of[p.c] = sheet.drawing.boxes.size() - 1;
  }
}

}  // namespace railwright::output
