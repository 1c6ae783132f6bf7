// SPDX-License-Identifier: Apache-2.0
// The front end and the legend, below the nodes.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "drawing_layout.hpp"
#include "sheet.hpp"

namespace railwright::output {

namespace {

using core::Role;

constexpr double kBarHeight = 34.0;
constexpr double kLabelSize = 9.0;

std::string front_end_label(const Sheet& sheet, int c) {
  std::string label = sheet.name_of(c);
  for (const ClassLink& link : sheet.classes.links) {
    if (link.a == c && link.b == c) {
      label += ", joined by " + cables_text(link.num_cables, link.tier, link.cable);
    }
  }
  return label;
}

std::vector<int> classes_of(const Sheet& sheet, Role role) {
  std::vector<int> found;
  for (int c = 0; c < sheet.num_classes(); ++c) {
    if (sheet.of(c).role == role) found.push_back(c);
  }
  return found;
}

/// Returns the NICs of nodes without accelerators; other front-end NICs are drawn inside their
/// node.
std::vector<int> cpu_node_classes(const Sheet& sheet) {
  std::vector<int> found = classes_of(sheet, Role::kFrontEndNic);
  std::erase_if(found, [&](int c) { return sheet.first_of(c).node < sheet.fabric.num_nodes(); });
  return found;
}

std::string cpu_nodes_label(const Sheet& sheet, int c) {
  std::set<int> nodes;
  for (const core::VertexId v : sheet.of(c).members) {
    nodes.insert(sheet.fabric.vertices()[static_cast<std::size_t>(v)].node);
  }
  return fmt::format("{} \u00d7 CPU node", grouped(static_cast<std::int64_t>(nodes.size())));
}

void add_box(Sheet& sheet, int c, Box box) {
  sheet.drawing.boxes.push_back(std::move(box));
  sheet.box_of[c] = sheet.drawing.boxes.size() - 1;
}

/// Places storage nodes under the leaves that they are plugged into, at the opened node's margin.
void place_storage_on_leaves(Sheet& sheet) {
  constexpr double kWidth = 86.0;
  const double y = sheet.drawing.frames.front().box.top() + 8.0 + kBarHeight / 2.0;
  double left = 0.0;
  for (const int c : classes_of(sheet, Role::kStorageNode)) {
    std::string name = sheet.name_of(c);
    if (sheet.of(c).count() > 1) name.replace(name.find(" storage"), 1, "\n");
    add_box(sheet, c,
            {fmt::format("storage_{}", c),
             std::move(name),
             Paint::kFrontEnd,
             {left + kWidth / 2.0, y},
             kWidth,
             kBarHeight});
    left -= kWidth + 8.0;
  }
}

}  // namespace

/// Places front-end switches in a bar under the nodes, storage nodes to its left, and nodes without
/// accelerators to its right.
void place_front_end(Sheet& sheet) {
  const std::vector<int> found = classes_of(sheet, Role::kFrontEndSwitch);
  if (found.empty()) return place_storage_on_leaves(sheet);
  const double y = -kRowPitch / 2.0 - kBarHeight / 2.0;
  double left = 0.0;
  for (const int c : classes_of(sheet, Role::kStorageNode)) {
    add_box(sheet, c,
            {fmt::format("storage_{}", c),
             sheet.name_of(c),
             Paint::kFrontEnd,
             {left + 65.0, y},
             130.0,
             kBarHeight});
    left += 130.0 + kJoinWidth;
  }
  double right = sheet.right;
  for (const int c : cpu_node_classes(sheet)) {
    add_box(sheet, c,
            {fmt::format("cpu_nodes_{}", c),
             cpu_nodes_label(sheet, c),
             Paint::kFrontEnd,
             {right - 65.0, y},
             130.0,
             kBarHeight});
    right -= 130.0 + kJoinWidth;
  }
  const double step = (right - left) / static_cast<double>(std::max<std::size_t>(found.size(), 1));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double width = i + 1 == found.size() ? step : step - kJoinWidth;
    add_box(sheet, found[i],
            {fmt::format("front_end_{}", found[i]),
             front_end_label(sheet, found[i]),
             Paint::kFrontEnd,
             {left + static_cast<double>(i) * step + width / 2.0, y},
             width,
             kBarHeight});
  }
}

void add_legend(Sheet& sheet) {
  static constexpr std::pair<Paint, std::string_view> kWords[] = {
      {Paint::kCore, "core switch"},
      {Paint::kSpine, "spine switch"},
      {Paint::kLeaf, "leaf switch"},
      {Paint::kNic, "NIC"},
      {Paint::kPcie, "PCIe switch"},
      {Paint::kHost, "host (CPU)"},
      {Paint::kAccelerator, "accelerator"},
      {Paint::kScaleUp, "scale-up"},
      {Paint::kFrontEnd, "front end, storage"},
      {Paint::kFailed, "failed"},
      {Paint::kShort, "does not fit"}};
  std::set<Paint> used;
  double y = 0.0;
  for (const Box& box : sheet.drawing.boxes) {
    used.insert(box.paint);
    y = std::min(y, box.bottom());
  }
  for (const Wire& wire : sheet.drawing.wires) {
    if (wire.paint == Paint::kFailed) used.insert(wire.paint);
  }
  double x = 0.0;
  for (const auto& [paint, word] : kWords) {
    if (!used.contains(paint)) continue;
    const double width = text_width(std::string(word), kLabelSize) + 14.0;
    sheet.drawing.boxes.push_back({fmt::format("legend_{}", static_cast<int>(paint)),
                                   std::string(word),
                                   paint,
                                   {x + width / 2.0, y - 40.0},
                                   width,
                                   18.0});
    x += width + 8.0;
  }
}

}  // namespace railwright::output
