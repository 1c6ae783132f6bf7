// SPDX-License-Identifier: Apache-2.0
// Wires between nodes, switches and the front end.
#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <utility>

#include "drawing_layout.hpp"
#include "palette.hpp"
#include "sheet.hpp"

namespace railwright::output {

namespace {

using core::Role;

/// Links between two boxes that are drawn as one wire.
struct Bundle {
  std::size_t lower = 0;
  std::size_t upper = 0;
  core::Tier tier = core::Tier::kFabric;
  double cable = 0.0;
  bool is_failed = false;

  auto operator<=>(const Bundle&) const = default;
};

using Bundles = std::map<Bundle, std::int64_t>;

bool is_wired_outside(const Sheet& sheet, int c) {
  const Role role = sheet.of(c).role;
  return role == Role::kSwitch || role == Role::kFrontEndSwitch || role == Role::kStorageNode;
}

bool is_framed(const Sheet& sheet, std::size_t box) {
  return box >= sheet.drawing.frames.front().first && box < sheet.drawing.frames.front().last;
}

int level_of_box(const Sheet& sheet, std::size_t box) {
  for (const auto& [c, b] : sheet.box_of) {
    if (b == box) return sheet.of(c).level;
  }
  return 0;
}

/// Merges the wires of the opened node's front-end NICs into one from its frame.
void merge_front_end(const Sheet& sheet, Bundles& bundles) {
  Bundles merged;
  const Frame& frame = sheet.drawing.frames.front();
  std::map<std::size_t, std::size_t> first;  // keyed by front-end switch box
  for (const auto& [bundle, cables] : bundles) {
    Bundle key = bundle;
    if (key.tier == core::Tier::kFrontEnd && key.upper >= frame.first && key.upper < frame.last) {
      key.upper = first.try_emplace(key.lower, key.upper).first->second;
    }
    merged[key] += cables;
  }
  bundles = std::move(merged);
}

/// Draws a wire vertically if its upper box covers all wires from below, else spreads the ends over
/// both edges.
void route_up(const Sheet& sheet, const Bundles& all, const Bundle& bundle, Wire& wire) {
  const Box& lower = sheet.drawing.boxes[bundle.lower];
  const Box& upper = sheet.drawing.boxes[bundle.upper];
  std::vector<double> uppers;
  std::vector<double> lowers;
  for (const auto& [other, cables] : all) {
    if (sheet.drawing.boxes[other.lower].center.y == sheet.drawing.boxes[other.upper].center.y)
      continue;
    if (other.lower == bundle.lower) uppers.push_back(sheet.drawing.boxes[other.upper].center.x);
    if (other.upper == bundle.upper) lowers.push_back(sheet.drawing.boxes[other.lower].center.x);
  }
  const auto rank = [](const std::vector<double>& all_x, double x) {
    const auto before = std::ranges::count_if(all_x, [&](double other) { return other < x; });
    return (static_cast<double>(before) + 0.5) / static_cast<double>(all_x.size());
  };
  wire.begin = {lower.left() + rank(uppers, upper.center.x) * lower.width, lower.top()};
  constexpr double kSlack = 50.0;
  const bool covered = std::ranges::all_of(
      lowers, [&](double x) { return x > upper.left() - kSlack && x < upper.right() + kSlack; });
  wire.end = {covered ? std::clamp(wire.begin.x, upper.left() + 6.0, upper.right() - 6.0)
                      : upper.left() + rank(lowers, lower.center.x) * upper.width,
              upper.bottom()};
  // Labels of several wires are near the end where the wires are farther apart.
  const double room_below = lower.width / static_cast<double>(uppers.size());
  const double room_above = upper.width / static_cast<double>(lowers.size());
  const double towards = room_above > room_below ? 0.78 : 0.3;
  double share = uppers.size() > 1 ? towards : 0.5;
  if (share > 0.5 && room_above < text_width(wire.label, 9.0)) {
    // Without room above, labels are over the lower boxes, at one height per upper box.
    share = 0.12 + 0.6 * (rank(uppers, upper.center.x) - 0.5 / static_cast<double>(uppers.size()));
  }
  wire.label_at = {wire.begin.x + share * (wire.end.x - wire.begin.x),
                   wire.begin.y + share * (wire.end.y - wire.begin.y)};
}

void add_wire(Sheet& sheet, const Bundles& all, const Bundle& bundle, std::int64_t cables) {
  const Box& lower = sheet.drawing.boxes[bundle.lower];
  const Box& upper = sheet.drawing.boxes[bundle.upper];
  const core::Bandwidth cable = core::Bandwidth::from_base(bundle.cable);
  Wire wire{.from = bundle.lower,
            .to = bundle.upper,
            .paint = bundle.is_failed ? Paint::kFailed
                                      : paint_of(bundle.tier, level_of_box(sheet, bundle.upper)),
            .label = cables_text(cables, bundle.tier, cable),
            .thickness = 1.6};
  if (lower.center.y == upper.center.y) {
    wire.is_label_beside = true;
    const bool forward = lower.center.x < upper.center.x;
    wire.begin = {forward ? lower.right() : lower.left(), lower.center.y};
    wire.end = {forward ? upper.left() : upper.right(), upper.center.y};
    wire.label_at = {(wire.begin.x + wire.end.x) / 2.0, lower.center.y + 9.0};
  } else if (bundle.tier == core::Tier::kFrontEnd) {
    const Box& from = is_framed(sheet, bundle.upper) ? sheet.drawing.frames.front().box : upper;
    const double x = std::clamp(from.center.x, lower.left() + 8.0, lower.right() - 8.0);
    wire.begin = {x, lower.top()};
    wire.end = {from.center.x, from.bottom()};
    wire.label_at = {(wire.begin.x + wire.end.x) / 2.0, (wire.begin.y + wire.end.y) / 2.0};
  } else {
    route_up(sheet, all, bundle, wire);
  }
  sheet.drawing.wires.push_back(std::move(wire));
}

}  // namespace

void add_wires(Sheet& sheet) {
  Bundles bundles;
  for (const ClassLink& link : sheet.classes.links) {
    if (!is_wired_outside(sheet, link.a) && !is_wired_outside(sheet, link.b)) continue;
    if (link.a == link.b) continue;
    std::size_t lower = sheet.box_of.at(link.a);
    std::size_t upper = sheet.box_of.at(link.b);
    if (sheet.drawing.boxes[lower].center.y > sheet.drawing.boxes[upper].center.y)
      std::swap(lower, upper);
    bundles[{lower, upper, link.tier, link.cable.base(), link.is_failed}] += link.num_cables;
  }
  merge_front_end(sheet, bundles);
  for (const auto& [bundle, cables] : bundles) add_wire(sheet, bundles, bundle, cables);
}

}  // namespace railwright::output
