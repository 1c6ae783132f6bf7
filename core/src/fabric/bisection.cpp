// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/stop.hpp"

namespace railwright::core {

namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct Pipe {
  std::int64_t capacity = 0;
  std::int64_t residual = 0;
  Traits::edge_descriptor reverse;
};
using Graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Pipe>;

/// Limits a bandwidth in bytes/s to a value beyond any link.
double limited(Bandwidth bandwidth) { return std::min(bandwidth.base(), 1e14); }

/// Adds one direction, with the reverse edge of capacity 0 that Boost's algorithm needs.
void add_pipe(Graph& graph, std::size_t a, std::size_t b, std::int64_t capacity) {
  const auto forth = add_edge(a, b, {capacity, 0, {}}, graph).first;
  const auto reverse = add_edge(b, a, {0, 0, {}}, graph).first;
  graph[forth].reverse = reverse;
  graph[reverse].reverse = forth;
}

/// Numbers the vertices that pipes join, in the order in which they are met: of thousands of nodes,
/// a few stand for all.
class Ends {
 public:
  explicit Ends(std::size_t num_vertices) : number_(num_vertices, kNone) {}

  std::size_t number(VertexId vertex, Graph& graph) {
    std::size_t& known = number_[static_cast<std::size_t>(vertex)];
    if (known == kNone) known = add_vertex(graph);
    return known;
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> number_;
};

bool counts(const Link& link) {
  return link.tier != Tier::kFrontEnd && link.tier != Tier::kStorage;
}

/// Merges nodes of one half that have identical links to the same switches. Some largest flow is
/// equal in all of them, so one node with their capacities summed carries as much.
class Folding {
 public:
  Folding(std::span<const Vertex> vertices, std::span<const Link> links,
          const std::vector<bool>& is_failed, int num_nodes)
      : vertices_(vertices), keys_(static_cast<std::size_t>(num_nodes)) {
    for (std::size_t l = 0; l + 1 < links.size(); l += 2) {
      const Link& link = links[l];
      const int node = std::max(vertex(link.from).node, vertex(link.to).node);
      if (!counts(link) || node < 0) continue;
      Key& key = keys_[static_cast<std::size_t>(node)];
      if (key.empty()) key.reserve(keys_.front().size());
      key.push_back({place(link.from), place(link.to),
                     is_failed[l] ? 0 : static_cast<std::int64_t>(limited(link.bandwidth))});
    }
    std::map<std::pair<bool, Key>, int> first_of;
    for (int node = 0; node < num_nodes; ++node) {
      const bool second_half = node >= num_nodes / 2;
      Key& key = keys_[static_cast<std::size_t>(node)];
      const auto known = first_of.try_emplace({second_half, std::move(key)}, node);
      multiplicity_.push_back(0);
      ++multiplicity_[static_cast<std::size_t>(known.first->second)];
    }
  }

  /// Returns the number of nodes a vertex stands for: 0 if another stands for it, 1 for a switch.
  [[nodiscard]] int multiplicity(VertexId v) const {
    const int node = vertex(v).node;
    return node < 0 ? 1 : multiplicity_[static_cast<std::size_t>(node)];
  }

 private:
  using Key = std::vector<std::array<std::int64_t, 3>>;

  [[nodiscard]] const Vertex& vertex(VertexId v) const {
    return vertices_[static_cast<std::size_t>(v)];
  }
  /// Returns a number equal for the same place in different nodes; a switch has its own.
  [[nodiscard]] std::int64_t place(VertexId v) const {
    const Vertex& at = vertex(v);
    if (at.node < 0) return v;
    constexpr std::int64_t kBeyondSwitches = std::int64_t{1} << 40;
    return kBeyondSwitches + static_cast<std::int64_t>(at.role) * 65536 + at.local_index;
  }

  std::span<const Vertex> vertices_;
  std::vector<Key> keys_;
  std::vector<int> multiplicity_;
};

/// A link in service that stands for those of equal nodes, in the unit of capacities.
struct Wire {
  VertexId from = -1;
  VertexId to = -1;
  std::int64_t capacity = 0;
};

/// splitmix64's finalizer: every bit of the result depends on every bit of `x`.
constexpr std::uint64_t spread(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Classes of vertices, each named by its first: switches with links of the same capacities to the
/// same classes, and every other vertex alone. Some largest flow is equal in all switches of a
/// class
/// [@grohe2014dimension], so one switch with their capacities summed carries as much.
std::vector<VertexId> classes_of_switches(std::span<const Vertex> vertices,
                                          std::span<const Wire> wires) {
  std::vector<VertexId> first(vertices.size());
  std::vector<VertexId> switches;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    first[v] = static_cast<VertexId>(v);
    if (vertices[v].role == Role::kSwitch) switches.push_back(first[v]);
  }
  for (const VertexId s : switches) first[static_cast<std::size_t>(s)] = switches.front();
  std::vector<std::uint64_t> sums(vertices.size());
  for (std::size_t num_classes = 0;;) {
    std::ranges::fill(sums, 0);
    for (const Wire& wire : wires) {
      const auto add = [&](VertexId to, VertexId other) {
        const auto own = static_cast<std::uint64_t>(first[static_cast<std::size_t>(other)]);
        sums[static_cast<std::size_t>(to)] +=
            spread(spread(own) + static_cast<std::uint64_t>(wire.capacity));
      };
      add(wire.from, wire.to);
      add(wire.to, wire.from);
    }
    std::map<std::pair<VertexId, std::uint64_t>, VertexId> classes;
    for (const VertexId s : switches) {
      VertexId& own = first[static_cast<std::size_t>(s)];
      own = classes.try_emplace({own, sums[static_cast<std::size_t>(s)]}, s).first->second;
    }
    if (classes.size() == num_classes) return first;
    num_classes = classes.size();
  }
}

/// Capacities of links between classes of switches, and of all links of a vertex.
struct ClassCapacities {
  std::map<std::pair<VertexId, VertexId>, std::int64_t> between;  ///< two classes, one direction
  std::vector<std::int64_t> outlet;                               ///< of each vertex
};

ClassCapacities capacities_of(std::span<const Vertex> vertices, std::span<const Wire> wires) {
  const std::vector<VertexId> first = classes_of_switches(vertices, wires);
  ClassCapacities all{.between = {}, .outlet = std::vector<std::int64_t>(vertices.size(), 0)};
  for (const Wire& wire : wires) {
    const VertexId from = first[static_cast<std::size_t>(wire.from)];
    const VertexId to = first[static_cast<std::size_t>(wire.to)];
    all.between[std::minmax(from, to)] += wire.capacity;
    all.outlet[static_cast<std::size_t>(wire.from)] += wire.capacity;
    all.outlet[static_cast<std::size_t>(wire.to)] += wire.capacity;
  }
  return all;
}

}  // namespace

Bandwidth Fabric::bisection_bandwidth() const {
  const int half =
      num_nodes() >= 2 ? num_nodes() / 2 * accelerators_per_node_ : num_accelerators() / 2;
  if (half == 0) return Bandwidth{};
  const Folding folding(vertices(), links_, is_failed_, num_nodes());
  const auto multiplicity_of = [&](const Link& link) {
    const bool inside = vertices()[static_cast<std::size_t>(link.from)].node >= 0;
    return folding.multiplicity(inside ? link.from : link.to);
  };
  double sum = 0.0;
  std::vector<std::pair<const Link*, int>> live;  // and how many it stands for
  for (std::size_t l = 0; l + 1 < links_.size(); l += 2) {
    if (is_failed_[l] || !counts(links_[l])) continue;
    const int multiplicity = multiplicity_of(links_[l]);
    if (multiplicity == 0) continue;
    live.emplace_back(&links_[l], multiplicity);
    sum += 2.0 * limited(links_[l].bandwidth) * multiplicity;
  }
  // Capacities are in bytes/s, or in a larger unit if 63 bits do not hold the sum of all links.
  const double unit = std::max(1.0, sum / 4e18);
  check_stop();
  std::vector<Wire> wires;
  for (const auto& [link, multiplicity] : live) {
    wires.push_back({link->from, link->to,
                     static_cast<std::int64_t>(limited(link->bandwidth) / unit) * multiplicity});
  }
  const ClassCapacities of_classes = capacities_of(vertices(), wires);
  constexpr std::size_t kSource = 0;
  constexpr std::size_t kSink = 1;
  Graph graph(2);
  Ends ends(vertices().size());
  for (const auto& [classes, capacity] : of_classes.between) {
    if (classes.first == classes.second) continue;
    const std::size_t from = ends.number(classes.first, graph);
    const std::size_t to = ends.number(classes.second, graph);
    add_pipe(graph, from, to, capacity);
    add_pipe(graph, to, from, capacity);
  }
  for (int a = 0; a < num_accelerators(); ++a) {
    const VertexId v = endpoints()[static_cast<std::size_t>(a)].accelerator;
    const std::int64_t capacity = of_classes.outlet[static_cast<std::size_t>(v)];
    if (capacity == 0) continue;
    if (a < half) {
      add_pipe(graph, kSource, ends.number(v, graph), capacity);
    } else {
      add_pipe(graph, ends.number(v, graph), kSink, capacity);
    }
  }
  check_stop();
  const std::int64_t flow = boost::push_relabel_max_flow(
      graph, kSource, kSink, get(&Pipe::capacity, graph), get(&Pipe::residual, graph),
      get(&Pipe::reverse, graph), get(boost::vertex_index, graph));
  return Bandwidth::from_base(static_cast<double>(flow) * unit);
}

}  // namespace railwright::core
