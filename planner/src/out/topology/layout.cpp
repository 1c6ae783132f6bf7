// SPDX-License-Identifier: Apache-2.0
#include "layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "palette.hpp"

namespace railwright::planner {

namespace {

using core::Role;

constexpr double kMostWidth = 1150.0;
constexpr double kClosedWidth = 124.0;
constexpr double kGap = 26.0;
constexpr double kRowHeight = 54.0;
constexpr double kRowPitch = 134.0;
constexpr double kBarHeight = 34.0;
constexpr double kWidestPitch = 100.0;
constexpr double kNarrowestNode = 440.0;
constexpr double kJoinWidth = 92.0;  // room for the label of a level wire
constexpr double kLabelSize = 9.0;

/// Links between two boxes that are drawn as one wire.
struct Bundle {
  std::size_t lower = 0;
  std::size_t upper = 0;
  core::Tier tier = core::Tier::kFabric;
  double cable = 0.0;
  bool is_failed = false;

  auto operator<=>(const Bundle&) const = default;
};

class Layouter {
 public:
  Layouter(const core::Fabric& fabric, const FabricClasses& classes)
      : fabric_(fabric), classes_(classes) {}

  Drawing run(std::string title) {
    drawing_.title = std::move(title);
    drawing_.subtitle = totals();
    place_nodes();
    for (int level = 0; level < classes_.num_levels(); ++level) place_switches(level);
    place_front_end();
    add_wires();
    add_legend();
    settle();
    return std::move(drawing_);
  }

 private:
  [[nodiscard]] const VertexClass& of(int c) const {
    return classes_.classes[static_cast<std::size_t>(c)];
  }
  [[nodiscard]] const core::Vertex& first_of(int c) const {
    return fabric_.vertices()[static_cast<std::size_t>(of(c).members.front())];
  }
  [[nodiscard]] int num_classes() const { return static_cast<int>(classes_.classes.size()); }
  [[nodiscard]] std::vector<int> switches(int level) const {
    std::vector<int> found;
    for (int c = 0; c < num_classes(); ++c) {
      if (of(c).role == Role::kSwitch && of(c).level == level) found.push_back(c);
    }
    return found;
  }

  /// "8 \u00d7 leaf"; of switches of several planes only the last word, which they share.
  [[nodiscard]] std::string name_of(int c) const {
    if (of(c).count() == 1) return first_of(c).label;
    const std::string name = stem(first_of(c).label);
    const bool all = std::ranges::all_of(of(c).members, [&](core::VertexId v) {
      return stem(fabric_.vertices()[static_cast<std::size_t>(v)].label) == name;
    });
    return fmt::format("{} \u00d7 {}", counted(of(c).count()), all ? name : last_word(name));
  }

  static std::string last_word(const std::string& text) {
    return text.substr(text.find_last_of(' ') + 1);  // npos + 1 is 0
  }

  [[nodiscard]] std::string totals() const {
    std::string text =
        fmt::format("{} accelerators on {} nodes", counted(fabric_.num_accelerators()),
                    counted(fabric_.num_nodes()));
    for (int level = 0; level < classes_.num_levels(); ++level) {
      std::map<std::string, std::int64_t> count;
      for (const int c : switches(level))
        count[last_word(stem(first_of(c).label))] += of(c).count();
      for (const auto& [name, number] : count) {
        text += fmt::format(" \u00b7 {} {}{}", counted(number), name,
                            number == 1 || name == "switch" ? "" : " switches");
        if (name == "switch" && number > 1) text += "es";
      }
    }
    return text + " \u00b7 rates are what transfers reach";
  }

  void place_nodes() {
    const auto open = static_cast<std::size_t>(
        std::ranges::max_element(classes_.nodes, {},
                                 [](const NodeClass& n) { return n.nodes.size(); }) -
        classes_.nodes.begin());
    const NodeClass& opened = classes_.nodes[open];
    const double num_closed = static_cast<double>(classes_.nodes.size() - 1);
    double num_slots = 1.0;
    for (const Role role : {Role::kAccelerator, Role::kNic}) {
      num_slots =
          std::max(num_slots, static_cast<double>(std::ranges::count_if(
                                  opened.classes, [&](int c) { return of(c).role == role; })));
    }
    const double room = kMostWidth - kFrameMargin - kFrameEdge - num_closed * (kClosedWidth + kGap);
    const double pitch =
        std::min(room / num_slots, std::max(kWidestPitch, kNarrowestNode / num_slots));
    box_of_ = open_node(fabric_, classes_, opened, pitch, drawing_);
    Frame& frame = drawing_.frames.back();
    frame.label = node_label(opened, true);
    right_ = frame.box.right();
    top_ = frame.box.top();
    for (std::size_t n = 0; n < classes_.nodes.size(); ++n) {
      if (n != open) add_closed(classes_.nodes[n]);
    }
  }

  [[nodiscard]] std::string node_label(const NodeClass& node, bool is_open) const {
    const auto count = static_cast<std::int64_t>(node.nodes.size());
    if (count == 1) return fmt::format("node {}", node.nodes.front());
    if (is_open) {
      return fmt::format("{} \u00d7 node, wired alike: {} of them opened up", counted(count),
                         "one");
    }
    return fmt::format("{} \u00d7 node", counted(count));
  }

  void add_closed(const NodeClass& node) {
    Box box{.name = fmt::format("nodes_{}", node.nodes.front()),
            .label = node_label(node, false) +
                     fmt::format("\n{} accelerators\neach, inside as\nthe one beside",
                                 fabric_.accelerators_per_node()),
            .paint = Paint::kNode,
            .center = {right_ + kGap + kClosedWidth / 2.0, top_ / 2.0},
            .width = kClosedWidth,
            .height = top_};
    right_ = box.right();
    drawing_.boxes.push_back(std::move(box));
    for (const int c : node.classes) box_of_[c] = drawing_.boxes.size() - 1;
  }

  /// From where to where the boxes below a switch class stand.
  [[nodiscard]] std::pair<double, double> span_below(int c) const {
    double left = 1e9;
    double right = -1e9;
    for (const bool opened : {true, false}) {
      for (const ClassLink& link : classes_.links) {
        if (link.a == link.b || (link.a != c && link.b != c)) continue;
        const int other = link.a == c ? link.b : link.a;
        const auto at = box_of_.find(other);
        if (at == box_of_.end()) continue;
        if (of(other).role == Role::kSwitch && of(other).level >= of(c).level) continue;
        const Box& box = drawing_.boxes[at->second];
        if (opened && box.name.starts_with("nodes_")) continue;
        left = std::min(left, box.left());
        right = std::max(right, box.right());
      }
      if (left < right) return {left, right};
    }
    return {kFrameMargin, right_ - kFrameEdge};
  }

  void place_switches(int level) {
    struct Place {
      int c;
      double left;
      double right;
    };
    std::vector<Place> places;
    for (const int c : switches(level)) {
      const auto [left, right] = span_below(c);
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
      const double step = (right - left) / static_cast<double>(places.size());
      for (std::size_t i = 0; i < places.size(); ++i) {
        places[i].left = left + static_cast<double>(i) * step;
        places[i].right = places[i].left + 0.9 * step;
      }
    }
    for (std::size_t i = 1; i < places.size(); ++i) {
      if (are_joined(places[i - 1].c, places[i].c)) {
        places[i - 1].right = std::min(places[i - 1].right, places[i].left - kJoinWidth);
      }
    }
    const double y = top_ + kRowPitch * (level + 1) - kRowHeight;
    for (const Place& p : places) {
      const Paint paint = of(p.c).is_failed ? Paint::kFailed : paint_of(Role::kSwitch, level);
      drawing_.boxes.push_back({fmt::format("switch_{}", p.c),
                                switch_label(p.c),
                                paint,
                                {(p.left + p.right) / 2.0, y + kRowHeight / 2.0},
                                std::max(p.right - p.left, 60.0),
                                kRowHeight});
      box_of_[p.c] = drawing_.boxes.size() - 1;
    }
  }

  [[nodiscard]] bool are_joined(int c, int d) const {
    return std::ranges::any_of(classes_.links, [&](const ClassLink& link) {
      return (link.a == c && link.b == d) || (link.a == d && link.b == c);
    });
  }

  /// Name, rail, and how many cables each member has down, across and up.
  [[nodiscard]] std::string switch_label(int c) const {
    std::string label = name_of(c);
    std::int64_t down = 0;
    std::int64_t across = 0;
    std::int64_t up = 0;
    std::set<int> rails;
    for (const ClassLink& link : classes_.links) {
      if (link.a != c && link.b != c) continue;
      const int other = link.a == c ? link.b : link.a;
      if (of(other).role == Role::kNic) rails.insert(first_of(other).local_index);
      if (of(other).role != Role::kSwitch || of(other).level < of(c).level) {
        down += link.num_cables;
      } else if (of(other).level == of(c).level) {
        across += link.num_cables * (other == c ? 2 : 1);
      } else {
        up += link.num_cables;
      }
    }
    if (classes_.has_rails && rails.size() == 1 && nics_per_node() > 1) {
      label += fmt::format(", rail {}", *rails.begin());
    }
    if (of(c).is_failed) return label + "\nfailed";
    std::string ports;
    const auto add = [&](std::int64_t cables, std::string_view word) {
      if (cables == 0) return;
      if (!ports.empty()) ports += ", ";
      const std::int64_t each = cables / of(c).count();
      ports += fmt::format("{}{} {}", each * of(c).count() == cables ? "" : "about ", counted(each),
                           word);
    };
    add(down, "down");
    add(across, "across");
    add(up, "up");
    const int num_nodes = nodes_on(of(c).members.front());
    if (num_nodes > 0) label += fmt::format("\n{} node{}", num_nodes, num_nodes == 1 ? "" : "s");
    if (num_nodes > 0 && of(c).count() > 1) label += " each";
    return label + "\n" + (of(c).count() > 1 && num_nodes == 0 ? "each " : "") + ports;
  }

  /// Servers with a NIC on a switch.
  [[nodiscard]] int nodes_on(core::VertexId vertex) const {
    std::set<int> nodes;
    for (const core::Link& link : fabric_.links()) {
      if (link.to != vertex) continue;
      const core::Vertex& from = fabric_.vertices()[static_cast<std::size_t>(link.from)];
      if (from.role == Role::kNic) nodes.insert(from.node);
    }
    return static_cast<int>(nodes.size());
  }

  [[nodiscard]] std::int64_t nics_per_node() const {
    return static_cast<std::int64_t>(fabric_.vertices_with(Role::kNic, 0).size());
  }

  /// Front-end switches in a bar under the servers, the storage nodes to its left.
  void place_front_end() {
    const double y = -kRowPitch / 2.0 - kBarHeight / 2.0;
    double left = 0.0;
    for (int c = 0; c < num_classes(); ++c) {
      if (of(c).role != Role::kStorageNode) continue;
      drawing_.boxes.push_back({fmt::format("storage_{}", c),
                                name_of(c),
                                Paint::kFrontEnd,
                                {left + 65.0, y},
                                130.0,
                                kBarHeight});
      box_of_[c] = drawing_.boxes.size() - 1;
      left += 130.0 + kJoinWidth;
    }
    std::vector<int> found;
    for (int c = 0; c < num_classes(); ++c) {
      if (of(c).role == Role::kFrontEndSwitch) found.push_back(c);
    }
    const double step =
        (right_ - left) / static_cast<double>(std::max<std::size_t>(found.size(), 1));
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double width = i + 1 == found.size() ? step : step - kJoinWidth;
      drawing_.boxes.push_back({fmt::format("front_end_{}", found[i]),
                                front_end_label(found[i]),
                                Paint::kFrontEnd,
                                {left + static_cast<double>(i) * step + width / 2.0, y},
                                width,
                                kBarHeight});
      box_of_[found[i]] = drawing_.boxes.size() - 1;
    }
  }

  [[nodiscard]] std::string front_end_label(int c) const {
    std::string label = name_of(c);
    for (const ClassLink& link : classes_.links) {
      if (link.a == c && link.b == c) {
        label += ", joined by " + cables_text(link.num_cables, link.tier, link.cable);
      }
    }
    return label;
  }

  [[nodiscard]] bool is_wired_outside(int c) const {
    const Role role = of(c).role;
    return role == Role::kSwitch || role == Role::kFrontEndSwitch || role == Role::kStorageNode;
  }

  void add_wires() {
    std::map<Bundle, std::int64_t> bundles;
    for (const ClassLink& link : classes_.links) {
      if (!is_wired_outside(link.a) && !is_wired_outside(link.b)) continue;
      if (link.a == link.b) continue;
      std::size_t lower = box_of_.at(link.a);
      std::size_t upper = box_of_.at(link.b);
      if (drawing_.boxes[lower].center.y > drawing_.boxes[upper].center.y) std::swap(lower, upper);
      bundles[{lower, upper, link.tier, link.cable.base(), link.is_failed}] += link.num_cables;
    }
    merge_front_end(bundles);
    for (const auto& [bundle, cables] : bundles) add_wire(bundles, bundle, cables);
  }

  /// The front-end NICs of the opened server have one wire, from its frame.
  void merge_front_end(std::map<Bundle, std::int64_t>& bundles) const {
    std::map<Bundle, std::int64_t> merged;
    const Frame& frame = drawing_.frames.front();
    std::map<std::size_t, std::size_t> first;  // by front-end switch box
    for (const auto& [bundle, cables] : bundles) {
      Bundle key = bundle;
      if (key.tier == core::Tier::kFrontEnd && key.upper >= frame.first && key.upper < frame.last) {
        key.upper = first.try_emplace(key.lower, key.upper).first->second;
      }
      merged[key] += cables;
    }
    bundles = std::move(merged);
  }

  void add_wire(const std::map<Bundle, std::int64_t>& all, const Bundle& bundle,
                std::int64_t cables) {
    const Box& lower = drawing_.boxes[bundle.lower];
    const Box& upper = drawing_.boxes[bundle.upper];
    const core::Bandwidth cable = core::Bandwidth::from_base(bundle.cable);
    Wire wire{.from = bundle.lower,
              .to = bundle.upper,
              .paint = bundle.is_failed ? Paint::kFailed
                                        : paint_of(bundle.tier, level_of_box(bundle.upper)),
              .label = cables_text(cables, bundle.tier, cable),
              .thickness = 1.6};
    if (lower.center.y == upper.center.y) {
      wire.is_label_beside = true;
      const bool forward = lower.center.x < upper.center.x;
      wire.begin = {forward ? lower.right() : lower.left(), lower.center.y};
      wire.end = {forward ? upper.left() : upper.right(), upper.center.y};
      wire.label_at = {(wire.begin.x + wire.end.x) / 2.0, lower.center.y + 9.0};
    } else if (bundle.tier == core::Tier::kFrontEnd) {
      const Box& from = is_framed(bundle.upper) ? drawing_.frames.front().box : upper;
      const double x = std::clamp(from.center.x, lower.left() + 8.0, lower.right() - 8.0);
      wire.begin = {x, lower.top()};
      wire.end = {from.center.x, from.bottom()};
      wire.label_at = {(wire.begin.x + wire.end.x) / 2.0, (wire.begin.y + wire.end.y) / 2.0};
    } else {
      route_up(all, bundle, wire);
    }
    drawing_.wires.push_back(std::move(wire));
  }

  [[nodiscard]] bool is_framed(std::size_t box) const {
    return box >= drawing_.frames.front().first && box < drawing_.frames.front().last;
  }

  [[nodiscard]] int level_of_box(std::size_t box) const {
    for (const auto& [c, b] : box_of_) {
      if (b == box) return of(c).level;
    }
    return 0;
  }

  /// Upright where one wire leads up to a box that covers it, else spread over both edges.
  void route_up(const std::map<Bundle, std::int64_t>& all, const Bundle& bundle, Wire& wire) const {
    const Box& lower = drawing_.boxes[bundle.lower];
    const Box& upper = drawing_.boxes[bundle.upper];
    std::vector<double> uppers;
    std::vector<double> lowers;
    for (const auto& [other, cables] : all) {
      if (drawing_.boxes[other.lower].center.y == drawing_.boxes[other.upper].center.y) continue;
      if (other.lower == bundle.lower) uppers.push_back(drawing_.boxes[other.upper].center.x);
      if (other.upper == bundle.upper) lowers.push_back(drawing_.boxes[other.lower].center.x);
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
    const double share = uppers.size() > 1 ? 0.3 : 0.5;
    wire.label_at = {wire.begin.x + share * (wire.end.x - wire.begin.x),
                     wire.begin.y + share * (wire.end.y - wire.begin.y)};
  }

  void add_legend() {
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
        {Paint::kFailed, "failed"}};
    std::set<Paint> used;
    double y = 0.0;
    for (const Box& box : drawing_.boxes) {
      used.insert(box.paint);
      y = std::min(y, box.bottom());
    }
    for (const Wire& wire : drawing_.wires) {
      if (wire.paint == Paint::kFailed) used.insert(wire.paint);
    }
    double x = 0.0;
    for (const auto& [paint, word] : kWords) {
      if (!used.contains(paint)) continue;
      const double width = text_width(std::string(word), kLabelSize) + 14.0;
      drawing_.boxes.push_back({fmt::format("legend_{}", static_cast<int>(paint)),
                                std::string(word),
                                paint,
                                {x + width / 2.0, y - 40.0},
                                width,
                                18.0});
      x += width + 8.0;
    }
  }

  /// Moves everything so that the lower left corner is (0, 0).
  void settle() {
    constexpr double kBorder = 16.0;
    constexpr double kTitle = 56.0;
    double left = 0.0;
    double right = std::max(right_, text_width(drawing_.subtitle, 11.0));
    double bottom = 0.0;
    double top = top_;
    for (const Box& box : drawing_.boxes) {
      left = std::min(left, box.left());
      right = std::max(right, box.right());
      bottom = std::min(bottom, box.bottom());
      top = std::max(top, box.top());
    }
    const double dx = kBorder - left;
    const double dy = kBorder - bottom;
    const auto move = [&](Point& p) { p = {p.x + dx, p.y + dy}; };
    for (Box& box : drawing_.boxes) move(box.center);
    for (Frame& frame : drawing_.frames) move(frame.box.center);
    for (Wire& wire : drawing_.wires) {
      move(wire.begin);
      move(wire.end);
      move(wire.label_at);
    }
    drawing_.width = right - left + 2.0 * kBorder;
    drawing_.height = top - bottom + kBorder + kTitle;
  }

  const core::Fabric& fabric_;
  const FabricClasses& classes_;
  Drawing drawing_;
  std::map<int, std::size_t> box_of_;
  double right_ = 0.0;
  double top_ = 0.0;
};

}  // namespace

Drawing lay_out(const core::Fabric& fabric, const FabricClasses& classes, std::string title) {
  return Layouter(fabric, classes).run(std::move(title));
}

}  // namespace railwright::planner
