// SPDX-License-Identifier: Apache-2.0
// Positions of a node's parts.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "open_node.hpp"

namespace railwright::output {

namespace {

using core::Role;

/// Centres each class of `role` over its neighbours of the first candidate role that it has any of.
/// Classes without neighbours are spread evenly over the width.
void place_between(OpenNode& open, Role role, const std::vector<Role>& candidates) {
  const auto all = open.with(role);
  for (std::size_t i = 0; i < all.size(); ++i) {
    open.slots[all[i]] =
        (static_cast<double>(i) + 0.5) * open.num_slots / static_cast<double>(all.size());
    for (const Role candidate : candidates) {
      const auto near = open.neighbours(all[i], candidate);
      if (near.empty()) continue;
      double sum = 0.0;
      for (const int c : near) sum += open.slots[c];
      open.slots[all[i]] = sum / static_cast<double>(near.size());
      break;
    }
  }
}

/// Moves hosts out of the lines from PCIe switches down to accelerators.
void step_aside(OpenNode& open) {
  for (const int host : open.with(Role::kHost)) {
    const bool in_line = std::ranges::any_of(open.with(Role::kAccelerator), [&](int a) {
      return std::abs(open.slots[a] - open.slots[host]) < 0.4;
    });
    if (in_line) open.slots[host] += 0.3;
  }
}

/// Places the NICs of a PCIe switch or host side by side over its accelerators.
void place_nics(OpenNode& open, const std::vector<int>& nics) {
  std::map<int, std::vector<int>> by_parent;
  for (const int nic : nics) {
    int parent = -1;
    for (const Role role : {Role::kPcieSwitch, Role::kHost, Role::kAccelerator}) {
      const auto near = open.neighbours(nic, role);
      if (near.empty()) continue;
      parent = near.front();
      break;
    }
    by_parent[parent].push_back(nic);
  }
  for (const auto& [parent, children] : by_parent) {
    const auto count = static_cast<double>(children.size());
    double width = count;
    double center = open.num_slots / 2.0;
    if (parent >= 0) {
      center = open.slots[parent];
      width =
          std::max(count, static_cast<double>(open.neighbours(parent, Role::kAccelerator).size()));
      width = std::min(width, open.num_slots / static_cast<double>(by_parent.size()));
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
      open.slots[children[i]] = center + ((static_cast<double>(i) + 0.5) / count - 0.5) * width;
    }
  }
}

void add_frame(OpenNode& open) {
  const double width = kFrameMargin + open.num_slots * open.pitch + kFrameEdge;
  const Box box{.name = "node",
                .label = "",
                .paint = Paint::kNode,
                .center = {width / 2.0, kFrameHeight / 2.0},
                .width = width,
                .height = kFrameHeight};
  open.drawing.frames.push_back({"node", "", open.first_box, open.drawing.boxes.size(), box});
}

}  // namespace

bool OpenNode::is_inside(int c) const {
  return std::ranges::find(node.classes, c) != node.classes.end();
}

std::vector<int> OpenNode::with(core::Role role) const {
  std::vector<int> found;
  std::ranges::copy_if(node.classes, std::back_inserter(found),
                       [&](int c) { return of(c).role == role; });
  return found;
}

std::vector<int> OpenNode::neighbours(int c, core::Role role) const {
  std::vector<int> found;
  for (const ClassLink& link : classes.links) {
    if (link.a != c && link.b != c) continue;
    const int other = link.a == c ? link.b : link.a;
    if (other != c && is_inside(other) && of(other).role == role) found.push_back(other);
  }
  return found;
}

std::map<int, std::size_t> open_node(const core::Fabric& fabric, const FabricClasses& classes,
                                     const NodeClass& node, double pitch, Drawing& drawing) {
  OpenNode open{
      .fabric = fabric, .classes = classes, .node = node, .pitch = pitch, .drawing = drawing};
  const auto accelerators = open.with(core::Role::kAccelerator);
  const auto nics = open.with(core::Role::kNic);
  open.num_slots =
      static_cast<double>(std::max({accelerators.size(), nics.size(), std::size_t{1}}));
  const double step =
      open.num_slots / static_cast<double>(std::max<std::size_t>(accelerators.size(), 1));
  for (std::size_t i = 0; i < accelerators.size(); ++i) {
    open.slots[accelerators[i]] = (static_cast<double>(i) + 0.5) * step;
  }
  place_between(open, core::Role::kPcieSwitch, {core::Role::kAccelerator});
  place_between(open, core::Role::kHost, {core::Role::kPcieSwitch, core::Role::kAccelerator});
  step_aside(open);
  place_nics(open, nics);
  add_boxes(open);
  add_scale_up(open);
  add_inner_wires(open);
  add_frame(open);
  return std::move(open.boxes);
}

}  // namespace railwright::output
