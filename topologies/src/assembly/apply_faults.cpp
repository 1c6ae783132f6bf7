// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/assembly/apply_faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/units/nearest.hpp"

namespace railwright::topologies {

namespace {

using core::Fabric;
using core::Role;
using core::VertexId;

using core::index;

/// Whether the role is a switch or, with `or_end`, another device at the end of a cable.
bool may_fail(Role role, bool or_end) {
  if (role == Role::kSwitch || role == Role::kFrontEndSwitch) return true;
  return or_end && (role == Role::kNic || role == Role::kFrontEndNic || role == Role::kStorageNode);
}

/// Returns the labels of devices that may fail, in the order of vertices.
std::vector<std::string> labels_of(const Fabric& fabric, bool or_end) {
  std::vector<std::string> labels;
  for (const core::Vertex& vertex : fabric.vertices()) {
    if (may_fail(vertex.role, or_end)) labels.push_back(vertex.label);
  }
  return labels;
}

/// Abbreviates labels: "leaf 0 to leaf 7, spine 0 to spine 3".
std::string in_ranges(const std::vector<std::string>& labels) {
  const auto word = [](const std::string& label) { return label.substr(0, label.rfind(' ')); };
  std::vector<std::string> ranges;
  for (std::size_t first = 0; first < labels.size();) {
    std::size_t last = first;
    while (last + 1 < labels.size() && word(labels[last + 1]) == word(labels[first])) ++last;
    ranges.push_back(first == last ? labels[first]
                                   : fmt::format("{} to {}", labels[first], labels[last]));
    first = last + 1;
  }
  return fmt::format("{}", fmt::join(ranges, ", "));
}

class Applier {
 public:
  explicit Applier(Fabric& fabric) : fabric_(fabric) {}

  void fail(const Faults& faults) {
    for (std::size_t i = 0; i < faults.nics.size(); ++i) fail_nic(i, faults.nics[i]);
    for (std::size_t i = 0; i < faults.switches.size(); ++i) {
      const VertexId v = find(fmt::format("switches.{}", i), faults.switches[i], false);
      if (v >= 0) fabric_.fail_vertex(v);
    }
    for (std::size_t i = 0; i < faults.links.size(); ++i) fail_link(i, faults.links[i]);
    for (std::size_t i = 0; i < faults.nodes_slow.size(); ++i) {
      check_node(fmt::format("nodes_slow.{}.node", i), faults.nodes_slow[i].node);
    }
  }

  void report(std::string key, std::string message, std::string hint) {
    problems_.push_back({std::move(key), std::move(message), std::move(hint)});
  }
  std::vector<core::Problem> take() { return std::move(problems_); }

 private:
  bool check_node(const std::string& key, int node) {
    if (node < fabric_.num_nodes()) return true;
    report(key, fmt::format("no node {}", node),
           fmt::format("known: 0 to {}", fabric_.num_nodes() - 1));
    return false;
  }

  void fail_nic(std::size_t i, const FailedNic& fault) {
    if (!check_node(fmt::format("nics.{}.node", i), fault.node)) return;
    const std::vector<VertexId> nics = fabric_.vertices_with(Role::kNic, fault.node);
    if (static_cast<std::size_t>(fault.nic) < nics.size()) {
      fabric_.fail_vertex(nics[static_cast<std::size_t>(fault.nic)]);
    } else {
      report(fmt::format("nics.{}.nic", i), fmt::format("no NIC {} in a node", fault.nic),
             fmt::format("known: 0 to {}", nics.size() - 1));
    }
  }

  void fail_link(std::size_t i, const FailedLink& fault) {
    const VertexId a = find(fmt::format("links.{}.from", i), fault.from, true);
    const VertexId b = find(fmt::format("links.{}.to", i), fault.to, true);
    if (a < 0 || b < 0) return;
    bool found = false;
    for (std::size_t l = 0; l < fabric_.links().size(); l += 2) {
      const core::Link& link = fabric_.links()[l];
      const bool between = (link.from == a && link.to == b) || (link.from == b && link.to == a);
      if (!between) continue;
      fabric_.fail_link(static_cast<core::LinkId>(l));
      found = true;
    }
    if (found) return;
    report(fmt::format("links.{}", i), fmt::format("no link from {} to {}", fault.from, fault.to),
           fmt::format("{} has links to {}", fault.from, neighbours_of(a)));
  }

  std::string neighbours_of(VertexId vertex) const {
    std::vector<std::string> labels;
    for (const core::Link& link : fabric_.links()) {
      if (link.from != vertex) continue;
      const std::string& label = fabric_.vertices()[index(link.to)].label;
      if (labels.empty() || labels.back() != label) labels.push_back(label);
    }
    constexpr std::size_t kMax = 8;
    if (labels.size() <= kMax) return fmt::format("{}", fmt::join(labels, ", "));
    const std::size_t more = labels.size() - kMax;
    labels.resize(kMax);
    return fmt::format("{} and {} more", fmt::join(labels, ", "), more);
  }

  /// Finds the vertex of a label; reports a missing one and returns -1.
  VertexId find(const std::string& key, const std::string& label, bool or_end) {
    for (std::size_t v = 0; v < fabric_.vertices().size(); ++v) {
      const core::Vertex& vertex = fabric_.vertices()[v];
      if (may_fail(vertex.role, or_end) && vertex.label == label) return static_cast<VertexId>(v);
    }
    const std::string near = core::nearest(label, labels_of(fabric_, or_end));
    report(key, fmt::format("no {} '{}'", or_end ? "switch, NIC or storage node" : "switch", label),
           fmt::format("{}known: {}{}", near.empty() ? "" : "did you mean '" + near + "'? ",
                       in_ranges(labels_of(fabric_, false)), or_end ? other_ends() : ""));
    return -1;
  }

  /// Returns "; NICs are named 'node 0 NIC 0'", with one example of each kind.
  std::string other_ends() const {
    static constexpr auto kEnds =
        std::to_array<std::pair<Role, std::string_view>>({{Role::kNic, "NICs"},
                                                          {Role::kFrontEndNic, "front-end NICs"},
                                                          {Role::kStorageNode, "storage nodes"}});
    std::string text;
    for (const auto& [role, name] : kEnds) {
      const std::vector<VertexId> vertices = fabric_.vertices_with(role);
      if (vertices.empty()) continue;
      text += fmt::format("; {} are named '{}'", name,
                          fabric_.vertices()[index(vertices.front())].label);
    }
    return text;
  }

  Fabric& fabric_;
  std::vector<core::Problem> problems_;
};

template <class Visit>
void for_live(const Fabric& fabric, core::Tier tier, Visit visit) {
  for (std::size_t l = 0; l < fabric.links().size(); l += 2) {
    const bool live = !fabric.is_failed(static_cast<core::LinkId>(l));
    if (live && fabric.links()[l].tier == tier) visit(fabric.links()[l]);
  }
}

/// Connected parts over live links of some tiers: vertices of one part have one root.
class LivePaths {
 public:
  LivePaths(const Fabric& fabric, std::initializer_list<core::Tier> tiers)
      : parent_(fabric.vertices().size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (const core::Tier tier : tiers) {
      for_live(fabric, tier,
               [&](const core::Link& link) { parent_[index(root(link.from))] = root(link.to); });
    }
  }

  VertexId root(VertexId v) {
    while (parent_[index(v)] != v) v = parent_[index(v)] = parent_[index(parent_[index(v)])];
    return v;
  }

 private:
  std::vector<VertexId> parent_;
};

/// The parts of the scale-out fabric that the NICs connect to.
class Parts {
 public:
  explicit Parts(const Fabric& fabric) : fabric_(fabric) {
    LivePaths paths(fabric, {core::Tier::kFabric});
    for_live(fabric, core::Tier::kInjection,
             [&](const core::Link& link) { of_nic_[link.from].push_back(paths.root(link.to)); });
  }

  /// Returns nodes with an accelerator whose NIC does not connect to the part that most
  /// accelerators share.
  [[nodiscard]] std::vector<int> outside_the_largest() {
    std::map<VertexId, int> members;
    for (int a = 0; a < fabric_.num_accelerators(); ++a) {
      for (const VertexId part : parts_of(a)) ++members[part];
    }
    if (members.empty()) return {};
    const VertexId largest = std::ranges::max_element(members, {}, [](const auto& entry) {
                               return entry.second;
                             })->first;
    std::vector<int> nodes;
    for (int a = 0; a < fabric_.num_accelerators(); ++a) {
      const int node = fabric_.endpoint(a).node;
      if (std::ranges::find(parts_of(a), largest) != parts_of(a).end()) continue;
      if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
    }
    return nodes;
  }

 private:
  const std::vector<VertexId>& parts_of(int accelerator) {
    static const std::vector<VertexId> kNone;
    const core::Endpoint& e = fabric_.endpoint(accelerator);
    if (e.nic < 0 || e.to_nic.empty()) return kNone;
    return of_nic_[fabric_.links()[static_cast<std::size_t>(e.to_nic.back())].to];
  }

  const Fabric& fabric_;
  std::map<VertexId, std::vector<VertexId>> of_nic_;
};

void report_cut_off_nodes(const Fabric& fabric, Applier& applier) {
  if (fabric.num_nodes() < 2) return;
  for (const int node : Parts(fabric).outside_the_largest()) {
    const bool has_nic =
        std::ranges::find(fabric.cut_off_nodes(), node) == fabric.cut_off_nodes().end();
    applier.report("", fmt::format("node {} is cut off", node),
                   has_nic ? "no working way leads from its NICs to the other nodes"
                           : "none of its NICs reaches a working switch");
  }
}

/// Reports storage nodes that are not connected with the largest group of connected nodes as cut
/// off. One NIC of a node suffices.
void report_cut_off_storage_on_scale_out(const Fabric& fabric, Applier& applier) {
  LivePaths paths(fabric, {core::Tier::kInjection, core::Tier::kFabric, core::Tier::kStorage});
  std::map<VertexId, std::set<int>> nodes_of;  // by part
  for (const VertexId nic : fabric.vertices_with(Role::kNic)) {
    nodes_of[paths.root(nic)].insert(fabric.vertices()[index(nic)].node);
  }
  if (nodes_of.empty()) return;
  const VertexId largest = std::ranges::max_element(nodes_of, {}, [](const auto& entry) {
                             return entry.second.size();
                           })->first;
  for (const VertexId storage : fabric.vertices_with(Role::kStorageNode)) {
    if (paths.root(storage) == largest) continue;
    applier.report("", fmt::format("{} is cut off", fabric.vertices()[index(storage)].label),
                   "no working way leads from it to the nodes on the scale-out fabric");
  }
}

/// Reports storage nodes and front-end NICs that are outside the largest connected part of their
/// network as cut off.
void report_cut_off_storage(const Fabric& fabric, Applier& applier) {
  std::vector<VertexId> ends = fabric.vertices_with(Role::kStorageNode);
  const std::vector<VertexId> nics = fabric.vertices_with(Role::kFrontEndNic);
  if (ends.empty()) return;
  if (fabric.vertices_with(Role::kFrontEndSwitch).empty()) {
    return report_cut_off_storage_on_scale_out(fabric, applier);
  }
  ends.insert(ends.end(), nics.begin(), nics.end());
  LivePaths paths(fabric, {core::Tier::kFrontEnd, core::Tier::kStorage});
  std::map<VertexId, int> members;
  for (const VertexId end : ends) ++members[paths.root(end)];
  const VertexId largest =
      std::ranges::max_element(members, {}, [](const auto& entry) { return entry.second; })->first;
  for (const VertexId end : ends) {
    if (paths.root(end) == largest) continue;
    applier.report("", fmt::format("{} is cut off", fabric.vertices()[index(end)].label),
                   "no working way leads from it to the rest of the front-end network");
  }
}

}  // namespace

std::vector<core::Problem> apply_faults(Fabric& fabric, const Faults& faults) {
  if (faults.empty()) return {};
  Applier applier(fabric);
  applier.fail(faults);
  const bool something_failed =
      !faults.nics.empty() || !faults.switches.empty() || !faults.links.empty();
  if (!something_failed) return applier.take();
  report_cut_off_nodes(fabric, applier);
  report_cut_off_storage(fabric, applier);
  return applier.take();
}

}  // namespace railwright::topologies
