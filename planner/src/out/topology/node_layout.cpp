// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "layout.hpp"
#include "palette.hpp"

namespace railwright::planner {

namespace {

using core::Role;

// Heights of the rows' middles above the frame's lower edge.
constexpr double kScaleUpRow = 46.0;
constexpr double kAcceleratorRow = 108.0;
constexpr double kFrontEndRow = 168.0;
constexpr double kHostRow = 208.0;
constexpr double kPcieRow = 256.0;
constexpr double kNicRow = 320.0;
constexpr double kFrameHeight = 348.0;
constexpr double kBoxHeight = 28.0;
constexpr double kWidestBox = 120.0;
constexpr double kFontSize = 10.0;

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

class NodeDrawer {
 public:
  NodeDrawer(const core::Fabric& fabric, const FabricClasses& classes, const NodeClass& node,
             double pitch, Drawing& drawing)
      : fabric_(fabric), classes_(classes), node_(node), pitch_(pitch), drawing_(drawing) {}

  std::map<int, std::size_t> draw() {
    const auto accelerators = with(Role::kAccelerator);
    const auto nics = with(Role::kNic);
    num_slots_ = static_cast<double>(std::max({accelerators.size(), nics.size(), std::size_t{1}}));
    const double step =
        num_slots_ / static_cast<double>(std::max<std::size_t>(accelerators.size(), 1));
    for (std::size_t i = 0; i < accelerators.size(); ++i) {
      slots_[accelerators[i]] = (static_cast<double>(i) + 0.5) * step;
    }
    place_between(Role::kPcieSwitch, {Role::kAccelerator});
    place_between(Role::kHost, {Role::kPcieSwitch, Role::kAccelerator});
    step_aside();
    place_nics(nics);
    add_boxes();
    add_scale_up();
    add_wires();
    add_frame();
    return std::move(boxes_);
  }

 private:
  [[nodiscard]] const VertexClass& of(int c) const {
    return classes_.classes[static_cast<std::size_t>(c)];
  }
  [[nodiscard]] std::int64_t num_nodes() const {
    return static_cast<std::int64_t>(node_.nodes.size());
  }
  [[nodiscard]] bool is_inside(int c) const {
    return std::ranges::find(node_.classes, c) != node_.classes.end();
  }
  [[nodiscard]] std::vector<int> with(Role role) const {
    std::vector<int> found;
    std::ranges::copy_if(node_.classes, std::back_inserter(found),
                         [&](int c) { return of(c).role == role; });
    return found;
  }
  [[nodiscard]] std::vector<int> neighbours(int c, Role role) const {
    std::vector<int> found;
    for (const ClassLink& link : classes_.links) {
      if (link.a != c && link.b != c) continue;
      const int other = link.a == c ? link.b : link.a;
      if (other != c && is_inside(other) && of(other).role == role) found.push_back(other);
    }
    return found;
  }

  /// Each class of `role` in the middle of its neighbours of the first role that it has any of;
  /// evenly over the width where it has none.
  void place_between(Role role, const std::vector<Role>& candidates) {
    const auto all = with(role);
    for (std::size_t i = 0; i < all.size(); ++i) {
      slots_[all[i]] =
          (static_cast<double>(i) + 0.5) * num_slots_ / static_cast<double>(all.size());
      for (const Role candidate : candidates) {
        const auto near = neighbours(all[i], candidate);
        if (near.empty()) continue;
        double sum = 0.0;
        for (const int c : near) sum += slots_[c];
        slots_[all[i]] = sum / static_cast<double>(near.size());
        break;
      }
    }
  }

  /// Moves hosts out of the lines from PCIe switches down to accelerators.
  void step_aside() {
    for (const int host : with(Role::kHost)) {
      const bool in_line = std::ranges::any_of(with(Role::kAccelerator), [&](int a) {
        return std::abs(slots_[a] - slots_[host]) < 0.4;
      });
      if (in_line) slots_[host] += 0.3;
    }
  }

  /// The NICs of a PCIe switch, or of a host, side by side over its accelerators.
  void place_nics(const std::vector<int>& nics) {
    std::map<int, std::vector<int>> by_parent;
    for (const int nic : nics) {
      int parent = -1;
      for (const Role role : {Role::kPcieSwitch, Role::kHost, Role::kAccelerator}) {
        const auto near = neighbours(nic, role);
        if (near.empty()) continue;
        parent = near.front();
        break;
      }
      by_parent[parent].push_back(nic);
    }
    for (const auto& [parent, children] : by_parent) {
      const auto count = static_cast<double>(children.size());
      double width = count;
      double center = num_slots_ / 2.0;
      if (parent >= 0) {
        center = slots_[parent];
        width = std::max(count, static_cast<double>(neighbours(parent, Role::kAccelerator).size()));
        width = std::min(width, num_slots_ / static_cast<double>(by_parent.size()));
      }
      for (std::size_t i = 0; i < children.size(); ++i) {
        slots_[children[i]] = center + ((static_cast<double>(i) + 0.5) / count - 0.5) * width;
      }
    }
  }

  [[nodiscard]] double x_of(double slot) const { return kFrameMargin + slot * pitch_; }

  /// "NIC 3", or "NIC x 72" where several of a server are one class.
  [[nodiscard]] std::string label_of(int c) const {
    const VertexClass& vertices = of(c);
    const core::Vertex& first =
        fabric_.vertices()[static_cast<std::size_t>(vertices.members.front())];
    const std::string prefix = fmt::format("node {} ", first.node);
    std::string label =
        first.label.starts_with(prefix) ? first.label.substr(prefix.size()) : first.label;
    const std::int64_t each = vertices.count() / num_nodes();
    if (each > 1) label = fmt::format("{} \u00d7 {}", counted(each), stem(label));
    return label;
  }

  std::size_t add_box(std::string name, std::string label, Paint paint, double x, double y,
                      double width) {
    drawing_.boxes.push_back({std::move(name), std::move(label), paint, {x, y}, width, kBoxHeight});
    return drawing_.boxes.size() - 1;
  }

  void add_boxes() {
    first_box_ = drawing_.boxes.size();
    for (const int c : node_.classes) {
      const Role role = of(c).role;
      if (role == Role::kHostBridge || role == Role::kScaleUpSwitch) continue;
      if (role == Role::kFrontEndNic) {
        add_front_end_nic(c);
        continue;
      }
      std::string label = label_of(c);
      const double width = std::min((role == Role::kPcieSwitch ? 0.95 : 0.86) * pitch_, kWidestBox);
      if (text_width(label, kFontSize) > width) std::ranges::replace(label, ' ', '\n');
      boxes_[c] = add_box(fmt::format("node_part_{}", c), std::move(label),
                          of(c).is_failed ? Paint::kFailed : paint_of(role, 0), x_of(slots_[c]),
                          row_of(role), width);
    }
  }

  /// The front-end NICs of a host are one box below it.
  void add_front_end_nic(int c) {
    const auto hosts = neighbours(c, Role::kHost);
    const int host = hosts.empty() ? -1 : hosts.front();
    const std::int64_t each = of(c).count() / num_nodes();
    num_front_end_[host] += each;
    const std::string label = num_front_end_[host] == 1
                                  ? "front-end\nNIC"
                                  : fmt::format("{} front-end\nNICs", num_front_end_[host]);
    if (const auto known = front_end_boxes_.find(host); known != front_end_boxes_.end()) {
      drawing_.boxes[known->second].label = label;
      boxes_[c] = known->second;
      return;
    }
    const double slot = host >= 0 ? slots_[host] : num_slots_ / 2.0;
    boxes_[c] = add_box(fmt::format("node_part_{}", c), label, Paint::kFrontEnd, x_of(slot),
                        kFrontEndRow, std::min(0.86 * pitch_, kWidestBox));
    front_end_boxes_[host] = boxes_[c];
  }

  /// A scale-up switch spans its accelerators; a mesh of them is a bar of its own.
  void add_scale_up() {
    const auto switches = with(Role::kScaleUpSwitch);
    const double width =
        num_slots_ * pitch_ / static_cast<double>(std::max<std::size_t>(switches.size(), 1));
    for (std::size_t i = 0; i < switches.size(); ++i) {
      boxes_[switches[i]] =
          add_box(fmt::format("node_part_{}", switches[i]), label_of(switches[i]), Paint::kScaleUp,
                  kFrameMargin + (static_cast<double>(i) + 0.5) * width, kScaleUpRow,
                  width - std::min(0.14 * pitch_, 14.0));
    }
    std::int64_t num_links = 0;
    core::Bandwidth rate;
    std::map<int, int> degree;
    for (const ClassLink& link : classes_.links) {
      if (link.tier != core::Tier::kScaleUp || !is_inside(link.a) || !is_inside(link.b)) continue;
      if (of(link.a).role != Role::kAccelerator || of(link.b).role != Role::kAccelerator) continue;
      num_links += link.num_cables / num_nodes();
      rate = link.cable;
      ++degree[link.a];
      ++degree[link.b];
    }
    const bool is_mesh = std::ranges::any_of(degree, [](const auto& d) { return d.second > 1; });
    if (!is_mesh) return;
    mesh_ = add_box("node_mesh",
                    fmt::format("{} direct links between accelerators, {} each", num_links,
                                rate_text(core::Tier::kScaleUp, rate)),
                    Paint::kScaleUp, kFrameMargin + num_slots_ * pitch_ / 2.0, kScaleUpRow,
                    num_slots_ * pitch_ - std::min(0.14 * pitch_, 14.0));
    for (const int c : with(Role::kAccelerator)) add_wire(boxes_[c], *mesh_, Paint::kScaleUp, "");
  }

  void add_wires() {
    for (const ClassLink& link : classes_.links) {
      if (!boxes_.contains(link.a) || !boxes_.contains(link.b)) continue;
      if (link.a == link.b && !mesh_) continue;
      const bool within =
          of(link.a).role == Role::kAccelerator && of(link.b).role == Role::kAccelerator;
      if (within && mesh_) continue;
      const std::int64_t each = link.num_cables / num_nodes();
      const std::string label =
          each > 1 ? cables_text(each, link.tier, link.cable) : rate_text(link.tier, link.cable);
      add_wire(boxes_[link.a], boxes_[link.b],
               link.is_failed ? Paint::kFailed : paint_of(link.tier, 0),
               first_of_kind(link) ? label : "");
    }
  }

  /// Rates are written once for each pair of roles, at the first such wire.
  bool first_of_kind(const ClassLink& link) {
    return written_.insert({of(link.a).role, of(link.b).role, link.cable.base()}).second;
  }

  void add_wire(std::size_t from, std::size_t to, Paint paint, std::string label) {
    const Box& a = drawing_.boxes[from];
    const Box& b = drawing_.boxes[to];
    Wire wire{.from = from, .to = to, .paint = paint, .label = std::move(label)};
    if (a.center.y == b.center.y) {
      const bool forward = a.center.x < b.center.x;
      wire.begin = {forward ? a.right() : a.left(), a.center.y};
      wire.end = {forward ? b.left() : b.right(), b.center.y};
      const bool fits = std::abs(wire.end.x - wire.begin.x) > text_width(wire.label, kFontSize);
      wire.label_at = {(wire.begin.x + wire.end.x) / 2.0,
                       fits ? a.center.y + 8.0 : a.bottom() - 9.0};
      wire.is_label_beside = true;
    } else {
      const Box& upper = a.center.y > b.center.y ? a : b;
      const Box& lower = a.center.y > b.center.y ? b : a;
      // A line to a wide box is as upright as it can be.
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
    drawing_.wires.push_back(std::move(wire));
  }

  /// Rates stand in the margin, at the height where their wires are.
  [[nodiscard]] static double margin_row(const Box& upper, const Box& lower) {
    const double top = upper.bottom();
    const double bottom = lower.top();
    if (upper.center.y == kPcieRow && lower.center.y == kAcceleratorRow) return bottom + 12.0;
    return (top + bottom) / 2.0;
  }

  void add_frame() {
    const double width = kFrameMargin + num_slots_ * pitch_ + kFrameEdge;
    const Box box{.name = "node",
                  .label = "",
                  .paint = Paint::kNode,
                  .center = {width / 2.0, kFrameHeight / 2.0},
                  .width = width,
                  .height = kFrameHeight};
    drawing_.frames.push_back({"node", "", first_box_, drawing_.boxes.size(), box});
  }

  const core::Fabric& fabric_;
  const FabricClasses& classes_;
  const NodeClass& node_;
  double pitch_;
  Drawing& drawing_;
  double num_slots_ = 1.0;
  std::size_t first_box_ = 0;
  std::optional<std::size_t> mesh_;
  std::map<int, double> slots_;
  std::map<int, std::size_t> boxes_;
  std::map<int, std::size_t> front_end_boxes_;
  std::map<int, std::int64_t> num_front_end_;
  std::set<std::tuple<Role, Role, double>> written_;
};

}  // namespace

std::map<int, std::size_t> open_node(const core::Fabric& fabric, const FabricClasses& classes,
                                     const NodeClass& node, double pitch, Drawing& drawing) {
  return NodeDrawer(fabric, classes, node, pitch, drawing).draw();
}

}  // namespace railwright::planner
