// SPDX-License-Identifier: Apache-2.0
// The parts of a node as boxes.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "open_node.hpp"
#include "palette.hpp"

namespace railwright::output {

namespace {

using core::Role;

double row_of(Role role) {
  switch (role) {
    case Role::kNic:
      return kNicRow;
    case Role::kPcieSwitch:
      return kPcieRow;
    case Role::kHost:
    case Role::kHostBridge:
      return kHostRow;
    case Role::kFrontEndNic:
      return kFrontEndRow;
    case Role::kScaleUpSwitch:
      return kScaleUpRow;
    default:
      return kAcceleratorRow;
  }
}

/// Counts the adapters that each NIC of a class stands for, one per bus to its parent.
std::int64_t adapters_of(const OpenNode& open, int c) {
  std::int64_t buses = 0;
  for (const ClassLink& link : open.classes.links) {
    const bool is_bus = link.tier == core::Tier::kPcie || link.tier == core::Tier::kHost;
    if (is_bus && (link.a == c || link.b == c)) buses += link.num_cables;
  }
  return std::max<std::int64_t>(1, buses / open.of(c).count());
}

/// Returns "NIC 3", or "72 x NIC" if a node's part of the class is several devices or adapters.
std::string label_of(const OpenNode& open, int c) {
  const VertexClass& vertices = open.of(c);
  const core::Vertex& first =
      open.fabric.vertices()[static_cast<std::size_t>(vertices.members.front())];
  const std::string prefix = fmt::format("node {} ", first.node);
  std::string label =
      first.label.starts_with(prefix) ? first.label.substr(prefix.size()) : first.label;
  const std::int64_t adapters = vertices.role == Role::kNic ? adapters_of(open, c) : 1;
  const std::int64_t each = adapters * (vertices.count() / open.num_nodes());
  if (each > 1) label = fmt::format("{} \u00d7 {}", grouped(each), stem(label));
  return label;
}

std::size_t add_box(OpenNode& open, Box box) {
  open.drawing.boxes.push_back(std::move(box));
  return open.drawing.boxes.size() - 1;
}

/// Adds the front-end NICs of a host as one box below it.
void add_front_end_nic(OpenNode& open, int c) {
  const auto hosts = open.neighbours(c, Role::kHost);
  const int host = hosts.empty() ? -1 : hosts.front();
  const std::int64_t each = open.of(c).count() / open.num_nodes();
  open.num_front_end[host] += each;
  const std::string label = open.num_front_end[host] == 1
                                ? "front-end\nNIC"
                                : fmt::format("{} front-end\nNICs", open.num_front_end[host]);
  if (const auto known = open.front_end_boxes.find(host); known != open.front_end_boxes.end()) {
    open.drawing.boxes[known->second].label = label;
    open.boxes[c] = known->second;
    return;
  }
  const double slot = host >= 0 ? open.slots[host] : open.num_slots / 2.0;
  open.boxes[c] = add_box(open, {fmt::format("node_part_{}", c),
                                 label,
                                 Paint::kFrontEnd,
                                 {open.x_of(slot), kFrontEndRow},
                                 std::min(0.86 * open.pitch, kWidestBox),
                                 kBoxHeight});
  open.front_end_boxes[host] = open.boxes[c];
}

}  // namespace

void add_boxes(OpenNode& open) {
  open.first_box = open.drawing.boxes.size();
  for (const int c : open.node.classes) {
    const Role role = open.of(c).role;
    if (role == Role::kHostBridge || role == Role::kScaleUpSwitch) continue;
    if (role == Role::kFrontEndNic) {
      add_front_end_nic(open, c);
      continue;
    }
    std::string label = label_of(open, c);
    const double width =
        std::min((role == Role::kPcieSwitch ? 0.95 : 0.86) * open.pitch, kWidestBox);
    if (text_width(label, kFontSize) > width) std::ranges::replace(label, ' ', '\n');
    open.boxes[c] = add_box(open, {fmt::format("node_part_{}", c),
                                   std::move(label),
                                   open.of(c).is_failed ? Paint::kFailed : paint_of(role, 0),
                                   {open.x_of(open.slots[c]), row_of(role)},
                                   width,
                                   kBoxHeight});
  }
}

/// Adds scale-up switches that span their accelerators, or a bar for a mesh of accelerators.
void add_scale_up(OpenNode& open) {
  const auto switches = open.with(Role::kScaleUpSwitch);
  const double width =
      open.num_slots * open.pitch / static_cast<double>(std::max<std::size_t>(switches.size(), 1));
  for (std::size_t i = 0; i < switches.size(); ++i) {
    open.boxes[switches[i]] =
        add_box(open, {fmt::format("node_part_{}", switches[i]),
                       label_of(open, switches[i]),
                       Paint::kScaleUp,
                       {kFrameMargin + (static_cast<double>(i) + 0.5) * width, kScaleUpRow},
                       width - std::min(0.14 * open.pitch, 14.0),
                       kBoxHeight});
  }
  std::int64_t num_links = 0;
  core::Bandwidth rate;
  std::map<int, int> degree;
  for (const ClassLink& link : open.classes.links) {
    if (link.tier != core::Tier::kScaleUp || !open.is_inside(link.a) || !open.is_inside(link.b))
      continue;
    if (open.of(link.a).role != Role::kAccelerator || open.of(link.b).role != Role::kAccelerator)
      continue;
    num_links += link.num_cables / open.num_nodes();
    rate = link.cable;
    ++degree[link.a];
    ++degree[link.b];
  }
  const bool is_mesh = std::ranges::any_of(degree, [](const auto& d) { return d.second > 1; });
  if (!is_mesh) return;
  open.mesh = add_box(open, {"node_mesh",
                             fmt::format("{} direct links between accelerators, {} each", num_links,
                                         rate_text(core::Tier::kScaleUp, rate)),
                             Paint::kScaleUp,
                             {kFrameMargin + open.num_slots * open.pitch / 2.0, kScaleUpRow},
                             open.num_slots * open.pitch - std::min(0.14 * open.pitch, 14.0),
                             kBoxHeight});
  for (const int c : open.with(Role::kAccelerator))
    add_inner_wire(open, open.boxes[c], *open.mesh, Paint::kScaleUp, "");
}

}  // namespace railwright::output
