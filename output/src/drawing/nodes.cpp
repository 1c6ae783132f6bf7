// SPDX-License-Identifier: Apache-2.0
// The nodes of a drawing: one opened up, the other classes as closed boxes beside it.
#include <fmt/format.h>

#include <algorithm>

#include "drawing_layout.hpp"
#include "sheet.hpp"

namespace railwright::output {

namespace {

using core::Role;

constexpr double kMaxWidth = 1150.0;
constexpr double kClosedWidth = 124.0;
constexpr double kGap = 26.0;
constexpr double kWidestPitch = 100.0;
constexpr double kNarrowestNode = 440.0;

std::string node_label(const NodeClass& node, bool is_open) {
  const auto count = static_cast<std::int64_t>(node.nodes.size());
  if (count == 1) return fmt::format("node {}", node.nodes.front());
  if (is_open) {
    return fmt::format("{} \u00d7 node, wired alike: {} of them opened up", grouped(count), "one");
  }
  return fmt::format("{} \u00d7 node", grouped(count));
}

void add_closed(Sheet& sheet, const NodeClass& node) {
  Box box{.name = fmt::format("nodes_{}", node.nodes.front()),
          .label = node_label(node, false) +
                   fmt::format("\n{} accelerators\neach, inside as\nthe one beside",
                               sheet.fabric.accelerators_per_node()),
          .paint = Paint::kNode,
          .center = {sheet.right + kGap + kClosedWidth / 2.0, sheet.top / 2.0},
          .width = kClosedWidth,
          .height = sheet.top};
  sheet.right = box.right();
  sheet.drawing.boxes.push_back(std::move(box));
  for (const int c : node.classes) sheet.box_of[c] = sheet.drawing.boxes.size() - 1;
}

}  // namespace

void place_nodes(Sheet& sheet) {
  const auto open = static_cast<std::size_t>(
      std::ranges::max_element(sheet.classes.nodes, {},
                               [](const NodeClass& n) { return n.nodes.size(); }) -
      sheet.classes.nodes.begin());
  const NodeClass& opened = sheet.classes.nodes[open];
  const double num_closed = static_cast<double>(sheet.classes.nodes.size() - 1);
  double num_slots = 1.0;
  for (const Role role : {Role::kAccelerator, Role::kNic}) {
    num_slots =
        std::max(num_slots, static_cast<double>(std::ranges::count_if(
                                opened.classes, [&](int c) { return sheet.of(c).role == role; })));
  }
  const double room = kMaxWidth - kFrameMargin - kFrameEdge - num_closed * (kClosedWidth + kGap);
  const double pitch =
      std::min(room / num_slots, std::max(kWidestPitch, kNarrowestNode / num_slots));
  sheet.box_of = open_node(sheet.fabric, sheet.classes, opened, pitch, sheet.drawing);
  Frame& frame = sheet.drawing.frames.back();
  frame.label = node_label(opened, true);
  sheet.right = frame.box.right();
  sheet.top = frame.box.top();
  for (std::size_t n = 0; n < sheet.classes.nodes.size(); ++n) {
    if (n != open) add_closed(sheet, sheet.classes.nodes[n]);
  }
}

}  // namespace railwright::output
