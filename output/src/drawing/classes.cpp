// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "railwright/core/arithmetic.hpp"
#include "railwright/output/drawing/fabric_classes.hpp"
#include "refine.hpp"

namespace railwright::output {

namespace {

using core::Role;
using core::VertexId;

constexpr std::size_t kMaxSwitchClasses = 8;
constexpr std::size_t kMaxNodeClasses = 4;
constexpr int kMaxOpenAccelerators = 16;

using core::index;

/// Storage and control-plane nodes have numbers above those of the compute nodes.
bool is_in_node(const core::Fabric& fabric, const core::Vertex& vertex) {
  return vertex.node >= 0 && vertex.node < fabric.num_nodes() && vertex.role != Role::kStorageNode;
}

/// Marks the devices whose links are all out of service.
std::vector<bool> failed_vertices(const core::Fabric& fabric) {
  std::vector<bool> has_link(fabric.vertices().size(), false);
  std::vector<bool> lives(fabric.vertices().size(), false);
  for (std::size_t l = 0; l < fabric.links().size(); ++l) {
    const std::size_t from = index(fabric.links()[l].from);
    has_link[from] = true;
    if (!fabric.is_failed(static_cast<core::LinkId>(l))) lives[from] = true;
  }
  std::vector<bool> failed(lives.size());
  for (std::size_t v = 0; v < lives.size(); ++v) failed[v] = has_link[v] && !lives[v];
  return failed;
}

/// Criteria that distinguish vertices.
enum class Apart {
  kWiring,          ///< wiring
  kRailsAndWiring,  ///< local index within a node, and wiring
  kRails,           ///< local index within a node; rail of a leaf
};

/// Returns "plane 0" for "plane 0 leaf 3"; empty without planes.
std::string_view plane_of(std::string_view label) {
  constexpr std::string_view kPlane = "plane ";
  if (!label.starts_with(kPlane)) return {};
  return label.substr(0, label.find(' ', kPlane.size()));
}

class Folder {
 public:
  Folder(const core::Fabric& fabric, Apart apart)
      : fabric_(fabric), wiring_(fabric), is_failed_(failed_vertices(fabric)) {
    std::map<std::tuple<Role, int, int>, int> known;
    const bool with_rails = apart != Apart::kWiring;
    for (std::size_t v = 0; v < fabric.vertices().size(); ++v) {
      const core::Vertex& vertex = fabric.vertices()[v];
      int which = with_rails && is_in_node(fabric, vertex) ? vertex.local_index : 0;
      if (apart == Apart::kRails && is_switch(v) && vertex.level == 0) which = rail_of(v);
      colors_.push_back(
          known.try_emplace({vertex.role, vertex.level, which}, static_cast<int>(known.size()))
              .first->second);
    }
    folded_.has_rails = with_rails;
    if (apart == Apart::kRails) return;
    colors_ = refine(wiring_, std::move(colors_));
    while (part_joined_switches()) colors_ = refine(wiring_, std::move(colors_));
  }

  [[nodiscard]] bool is_small() const {
    return std::ranges::all_of(colors_by_level(), [](const auto& level) {
      return level.second.size() <= kMaxSwitchClasses;
    });
  }

  /// Whether every leaf has NICs of a single rail, and there are several rails.
  [[nodiscard]] bool has_leaves_of_rails() const {
    std::set<int> rails;
    for (std::size_t v = 0; v < fabric_.vertices().size(); ++v) {
      if (!is_switch(v) || level(v) != 0) continue;
      const int rail = rail_of(v);
      if (rail < 0) return false;
      rails.insert(rail);
    }
    return rails.size() > 1;
  }

  FabricClasses finish() {
    merge_switches();
    part_planes();
    merge_nodes();
    add_classes();
    add_links();
    return std::move(folded_);
  }

 private:
  [[nodiscard]] bool is_switch(std::size_t vertex) const {
    return fabric_.vertices()[vertex].role == Role::kSwitch;
  }

  /// Returns the local index of all NICs on a leaf; -1 if they differ or there are none.
  [[nodiscard]] int rail_of(std::size_t leaf) const {
    int rail = -1;
    for (const Wiring::End& end : wiring_.ends(static_cast<VertexId>(leaf))) {
      const core::Vertex& other = fabric_.vertices()[index(end.vertex)];
      if (other.role != Role::kNic) continue;
      if (rail >= 0 && rail != other.local_index) return -1;
      rail = other.local_index;
    }
    return rail;
  }

  /// Gives identically wired planes separate colours if their level then has few enough classes.
  void part_planes() {
    std::map<int, std::map<std::pair<int, std::string_view>, int>> by_level;
    for (std::size_t v = 0; v < colors_.size(); ++v) {
      if (is_switch(v)) by_level[level(v)][{colors_[v], plane_of(fabric_.vertices()[v].label)}] = 0;
    }
    int next = static_cast<int>(colors_.size());
    for (auto& [of_level, planes] : by_level) {
      if (planes.size() > kMaxSwitchClasses) continue;
      for (auto& [key, color] : planes) color = key.second.empty() ? key.first : next++;
      for (std::size_t v = 0; v < colors_.size(); ++v) {
        if (!is_switch(v) || level(v) != of_level) continue;
        colors_[v] = planes.at({colors_[v], plane_of(fabric_.vertices()[v].label)});
      }
    }
  }

  [[nodiscard]] int level(std::size_t vertex) const { return fabric_.vertices()[vertex].level; }

  [[nodiscard]] std::map<int, std::set<int>> colors_by_level() const {
    std::map<int, std::set<int>> colors;
    for (std::size_t v = 0; v < colors_.size(); ++v) {
      if (is_switch(v)) colors[level(v)].insert(colors_[v]);
    }
    return colors;
  }

  /// Gives a colour of its own to one of a few same-coloured switches that are joined to one
  /// another.
  bool part_joined_switches() {
    std::map<int, std::size_t> sizes;
    for (std::size_t v = 0; v < colors_.size(); ++v) {
      if (is_switch(v)) ++sizes[colors_[v]];
    }
    for (std::size_t v = 0; v < colors_.size(); ++v) {
      if (!is_switch(v) || sizes[colors_[v]] > kMaxSwitchClasses) continue;
      for (const Wiring::End& end : wiring_.ends(static_cast<VertexId>(v))) {
        if (colors_[index(end.vertex)] != colors_[v]) continue;
        colors_[v] = static_cast<int>(colors_.size());
        return true;
      }
    }
    return false;
  }

  void merge_switches() {
    for (const auto& [merged, colors] : colors_by_level()) {
      if (colors.size() <= kMaxSwitchClasses) continue;
      for (std::size_t v = 0; v < colors_.size(); ++v) {
        if (is_switch(v) && level(v) == merged) colors_[v] = *colors.begin();
      }
    }
  }

  /// Returns the vertices of each node.
  [[nodiscard]] std::vector<std::vector<VertexId>> vertices_of_nodes() const {
    std::vector<std::vector<VertexId>> vertices(index(fabric_.num_nodes()));
    for (std::size_t v = 0; v < colors_.size(); ++v) {
      const core::Vertex& vertex = fabric_.vertices()[v];
      if (is_in_node(fabric_, vertex))
        vertices[index(vertex.node)].push_back(static_cast<VertexId>(v));
    }
    return vertices;
  }

  void merge_nodes() {
    const auto vertices = vertices_of_nodes();
    std::map<std::vector<int>, std::vector<int>> alike;
    for (std::size_t node = 0; node < vertices.size(); ++node) {
      std::vector<int> signature;
      for (const VertexId v : vertices[node]) {
        signature.push_back(2 * colors_[index(v)] + (is_failed_[index(v)] ? 1 : 0));
      }
      alike[signature].push_back(static_cast<int>(node));
    }
    for (auto& [signature, nodes] : alike) folded_.nodes.push_back({std::move(nodes), {}});
    std::ranges::sort(folded_.nodes, {}, [](const NodeClass& c) { return c.nodes.front(); });
    if (folded_.nodes.size() <= kMaxNodeClasses) return;
    const auto largest = std::ranges::max_element(
        folded_.nodes, {}, [](const NodeClass& c) { return c.nodes.size(); });
    std::rotate(folded_.nodes.begin(), largest, largest + 1);
    NodeClass& others = folded_.nodes[1];
    for (std::size_t c = 2; c < folded_.nodes.size(); ++c) {
      std::ranges::copy(folded_.nodes[c].nodes, std::back_inserter(others.nodes));
    }
    folded_.nodes.resize(2);
    std::ranges::sort(others.nodes);
    const auto& first = vertices[index(others.nodes.front())];
    for (const int node : others.nodes) {
      const auto& these = vertices[index(node)];
      for (std::size_t i = 0; i < these.size(); ++i) {
        colors_[index(these[i])] = colors_[index(first[i])];
      }
    }
  }

  void add_classes() {
    std::vector<int> node_class(index(fabric_.num_nodes()));
    for (std::size_t c = 0; c < folded_.nodes.size(); ++c) {
      for (const int node : folded_.nodes[c].nodes) node_class[index(node)] = static_cast<int>(c);
    }
    std::map<std::tuple<int, int, bool>, int> known;
    for (std::size_t v = 0; v < colors_.size(); ++v) {
      const core::Vertex& vertex = fabric_.vertices()[v];
      const int within = is_in_node(fabric_, vertex) ? node_class[index(vertex.node)] : -1;
      const auto [it, is_new] = known.try_emplace({colors_[v], within, is_failed_[v]},
                                                  static_cast<int>(folded_.classes.size()));
      if (is_new) {
        folded_.classes.push_back({.role = vertex.role,
                                   .level = vertex.level,
                                   .is_failed = is_failed_[v],
                                   .members = {}});
      }
      folded_.class_of.push_back(it->second);
      folded_.classes[index(it->second)].members.push_back(static_cast<VertexId>(v));
    }
    const auto vertices = vertices_of_nodes();
    for (NodeClass& node : folded_.nodes) {
      for (const VertexId v : vertices[index(node.nodes.front())]) {
        const int c = folded_.class_of[index(v)];
        if (std::ranges::find(node.classes, c) == node.classes.end()) node.classes.push_back(c);
      }
    }
  }

  void add_links() {
    std::map<std::tuple<int, int, core::Tier, double, bool>, std::int64_t> cables;
    for (std::size_t l = 0; l + 1 < fabric_.links().size(); l += 2) {
      const core::Link& link = fabric_.links()[l];
      const auto [a, b] =
          std::minmax(folded_.class_of[index(link.from)], folded_.class_of[index(link.to)]);
      const bool is_failed = fabric_.is_failed(static_cast<core::LinkId>(l));
      const bool is_bus = link.line_rate.base() == 0.0;
      const core::Bandwidth rate = is_bus ? link.bandwidth : link.line_rate;
      cables[{a, b, link.tier, rate.base() / link.num_parallel, is_failed}] += link.num_parallel;
    }
    for (const auto& [kind, count] : cables) {
      const auto& [a, b, tier, cable, is_failed] = kind;
      folded_.links.push_back({a, b, tier, core::Bandwidth::from_base(cable), is_failed, count});
    }
  }

  const core::Fabric& fabric_;
  Wiring wiring_;
  std::vector<bool> is_failed_;
  std::vector<int> colors_;
  FabricClasses folded_;
};

}  // namespace

int FabricClasses::num_levels() const {
  int levels = 0;
  for (const VertexClass& c : classes) {
    if (c.role == Role::kSwitch) levels = std::max(levels, c.level + 1);
  }
  return levels;
}

FabricClasses fold(const core::Fabric& fabric) {
  if (fabric.accelerators_per_node() <= kMaxOpenAccelerators) {
    Folder with_rails(fabric, Apart::kRailsAndWiring);
    if (with_rails.is_small()) return with_rails.finish();
    Folder by_rail(fabric, Apart::kRails);
    if (by_rail.has_leaves_of_rails() && by_rail.is_small()) return by_rail.finish();
  }
  return Folder(fabric, Apart::kWiring).finish();
}

}  // namespace railwright::output
