// SPDX-License-Identifier: Apache-2.0
// The wires within a node.
#include <algorithm>
#include <cmath>
#include <utility>

#include "open_node.hpp"
#include "palette.hpp"

namespace railwright::output {

namespace {

using core::Role;

/// Whether this is the first wire of its pair of roles and rate; only that one shows the rate.
bool first_of_kind(OpenNode& open, const ClassLink& link) {
  return open.written.insert({open.of(link.a).role, open.of(link.b).role, link.cable.base()})
      .second;
}

/// Returns the height of a rate in the margin: that of its wires.
double margin_row(const Box& upper, const Box& lower) {
  const double top = upper.bottom();
  const double bottom = lower.top();
  if (upper.center.y == kPcieRow && lower.center.y == kAcceleratorRow) return bottom + 12.0;
  return (top + bottom) / 2.0;
}

}  // namespace

void add_inner_wire(OpenNode& open, std::size_t from, std::size_t to, Paint paint,
                    std::string label) {
  const Box& a = open.drawing.boxes[from];
  const Box& b = open.drawing.boxes[to];
  Wire wire{.from = from, .to = to, .paint = paint, .label = std::move(label)};
  if (a.center.y == b.center.y) {
    const bool forward = a.center.x < b.center.x;
    wire.begin = {forward ? a.right() : a.left(), a.center.y};
    wire.end = {forward ? b.left() : b.right(), b.center.y};
    const bool fits = std::abs(wire.end.x - wire.begin.x) > text_width(wire.label, kFontSize);
    wire.label_at = {(wire.begin.x + wire.end.x) / 2.0, fits ? a.center.y + 8.0 : a.bottom() - 9.0};
    wire.is_label_beside = true;
  } else {
    const Box& upper = a.center.y > b.center.y ? a : b;
    const Box& lower = a.center.y > b.center.y ? b : a;
    // A line to a wide box is as vertical as possible.
    const auto toward = [](const Box& box, double x) {
      return std::clamp(x, box.left() + 8.0, box.right() - 8.0);
    };
    const bool upper_is_wide = upper.width > lower.width;
    const double lower_x = upper_is_wide ? lower.center.x : toward(lower, upper.center.x);
    const double upper_x = upper_is_wide ? toward(upper, lower.center.x) : upper.center.x;
    wire.begin = {lower_x, lower.top()};
    wire.end = {upper_x, upper.bottom()};
    if (&lower == &b) std::swap(wire.begin, wire.end);
    wire.label_at = {kFrameMargin / 2.0, margin_row(upper, lower)};
    wire.is_label_beside = true;
  }
  open.drawing.wires.push_back(std::move(wire));
}

void add_inner_wires(OpenNode& open) {
  for (const ClassLink& link : open.classes.links) {
    if (!open.boxes.contains(link.a) || !open.boxes.contains(link.b)) continue;
    if (link.a == link.b && !open.mesh) continue;
    const bool within =
        open.of(link.a).role == Role::kAccelerator && open.of(link.b).role == Role::kAccelerator;
    if (within && open.mesh) continue;
    const std::int64_t each = link.num_cables / open.num_nodes();
    const std::string label =
        each > 1 ? cables_text(each, link.tier, link.cable) : rate_text(link.tier, link.cable);
    add_inner_wire(open, open.boxes[link.a], open.boxes[link.b],
                   link.is_failed ? Paint::kFailed : paint_of(link.tier, 0),
                   first_of_kind(open, link) ? label : "");
  }
}

}  // namespace railwright::output
