// SPDX-License-Identifier: Apache-2.0
#include "fabric_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "railwright/core/arithmetic.hpp"

namespace railwright::importers {

namespace {

using core::index;

/// Cabling counts as rails while at most one host in so many is cabled otherwise.
constexpr std::size_t kFewest = 5;

enum class Tier { kNone, kLeaf, kSpine, kCore };

/// Distribution of the NICs of a node over leaves.
enum class Dealing {
  kOneLeaf,  ///< all NICs of a node on one leaf
  kRails,    ///< NIC i of every node of a group on one leaf, and no two NICs of a node on one
  kOther,
};

class Recognition {
 public:
  Recognition(const FoundFabric& fabric, const std::string& what, Findings& findings)
      : fabric_(fabric), what_(what), findings_(findings) {}

  void all() {
    choose_nodes();
    find_tiers();
    add_switches();
    findings_.know("cluster.nodes", static_cast<int>(nodes_.size()), what_);
    const auto leaves = of_tier(Tier::kLeaf);
    if (leaves.size() == 1) {
      topology("single_switch", "one switch holds all nodes");
    } else if (of_tier(Tier::kSpine).empty()) {
      without_spines(leaves);
    } else {
      with_spines(leaves);
    }
  }

 private:
  void choose_nodes() {
    std::map<std::size_t, int> by_ports;
    for (const FoundHost& host : fabric_.hosts) ++by_ports[host.switches.size()];
    std::size_t ports = 0;
    int most = 0;
    for (const auto& [count, hosts] : by_ports) {
      if (hosts >= most) {  // the larger of two equally common counts
        ports = count;
        most = hosts;
      }
    }
    for (const FoundHost& host : fabric_.hosts) {
      if (host.switches.size() == ports) nodes_.push_back(&host);
    }
    const std::size_t others = fabric_.hosts.size() - nodes_.size();
    if (others > 0) {
      findings_.not_expressed(fmt::format(
          "{} hosts with other numbers of ports than {}: left out (storage, management)", others,
          ports));
    }
  }

  void find_tiers() {
    tier_.assign(fabric_.switches.size(), Tier::kNone);
    host_links_.assign(fabric_.switches.size(), 0);
    std::set<int> occupied;  // switches with hosts that are not nodes
    for (const FoundHost& host : fabric_.hosts) {
      for (const int s : host.switches) occupied.insert(s);
    }
    for (const FoundHost* node : nodes_) {
      for (const int s : node->switches) {
        tier_[index(s)] = Tier::kLeaf;
        ++host_links_[index(s)];
      }
    }
    raise(Tier::kLeaf, Tier::kSpine, occupied);
    raise(Tier::kSpine, Tier::kCore, occupied);
    const auto left = std::ranges::count(tier_, Tier::kNone);
    if (left > 0) {
      findings_.not_expressed(
          fmt::format("{} switches without nodes, and beside none that has "
                      "some: left out",
                      left));
    }
  }

  void raise(Tier from, Tier to, const std::set<int>& occupied) {
    for (std::size_t s = 0; s < tier_.size(); ++s) {
      if (tier_[s] != from) continue;
      for (const auto& [other, cables] : fabric_.switches[s].links) {
        if (tier_[index(other)] == Tier::kNone && !occupied.contains(other))
          tier_[index(other)] = to;
      }
    }
  }

  [[nodiscard]] std::vector<int> of_tier(Tier tier) const {
    std::vector<int> found;
    for (std::size_t s = 0; s < tier_.size(); ++s) {
      if (tier_[s] == tier) found.push_back(static_cast<int>(s));
    }
    return found;
  }

  [[nodiscard]] int links_to(int from, Tier tier) const {
    int links = 0;
    for (const auto& [other, cables] : fabric_.switches[index(from)].links) {
      if (tier_[index(other)] == tier) links += cables;
    }
    return links;
  }

  void topology(const std::string& name, const std::string& why) {
    findings_.know("cluster.fabric.topology", name, why);
  }

  void add_switches() {
    for (const auto& [tier, key] : {std::pair{Tier::kLeaf, "cluster.fabric.switch"},
                                    {Tier::kSpine, "cluster.fabric.spine_switch"},
                                    {Tier::kCore, "cluster.fabric.core_switch"}}) {
      std::set<std::string> devices;
      for (const int s : of_tier(tier)) devices.insert(fabric_.switches[index(s)].device);
      if (devices.empty()) continue;
      if (devices.size() > 1) {
        findings_.unknown(key, fmt::format("{} kinds of switch in one tier", devices.size()));
      } else if (devices.begin()->empty()) {
        findings_.unknown(key, "which switch it is");
      } else if (tier == Tier::kLeaf || *devices.begin() != leaf_device_) {
        findings_.assume(key, *devices.begin(), "by the number and description of the device");
      }
      if (tier == Tier::kLeaf && devices.size() == 1) leaf_device_ = *devices.begin();
    }
  }

  void without_spines(const std::vector<int>& leaves) {
    const auto& links = fabric_.switches[index(leaves[0])].links;
    if (leaves.size() == 2 && links.contains(leaves[1]) && dealing() == Dealing::kOneLeaf) {
      topology("dual_switch", "two switches with cables between them");
      findings_.know("cluster.fabric.inter_switch_links", links.at(leaves[1]),
                     "cables between the two");
      if (std::abs(host_links_[index(leaves[0])] - host_links_[index(leaves[1])]) >
          static_cast<int>(nodes_.front()->switches.size())) {
        findings_.not_expressed("nodes are unevenly on the two switches: taken as halves");
      }
      return;
    }
    not_recognised(fmt::format("{} switches with nodes and none above them", leaves.size()));
  }

  void with_spines(const std::vector<int>& leaves) {
    const bool has_core = !of_tier(Tier::kCore).empty();
    const Dealing how = dealing();
    if (std::ranges::any_of(leaves, [&](int leaf) { return links_to(leaf, Tier::kLeaf) > 0; })) {
      not_recognised("leaves have cables between them");
      return;
    }
    if (how == Dealing::kRails) {
      topology("rail_optimized", "NIC i of every node of a group is on leaf i of the group");
      findings_.know("cluster.fabric.nodes_per_group", largest_group_, "nodes on the same leaves");
      if (has_core) findings_.know("cluster.fabric.tiers", 3, "leaves, spines and core switches");
    } else if (has_core) {
      topology("fat_tree", "leaves, spines and core switches");
      findings_.know("cluster.fabric.tiers", 3, "leaves, spines and core switches");
      findings_.not_expressed("where the NICs of a node lead: taken as leaves filled in order");
    } else {
      topology("leaf_spine", "leaves and spines");
      findings_.know("cluster.fabric.nics",
                     std::string(how == Dealing::kOneLeaf ? "one_leaf" : "dealt"),
                     how == Dealing::kOneLeaf ? "all NICs of a node are on one leaf"
                                              : "the NICs of a node are on several leaves");
      if (how == Dealing::kOther) {
        findings_.not_expressed("which NIC is on which leaf: taken as dealt over all in turn");
      }
      findings_.know("cluster.fabric.num_leaves", static_cast<int>(leaves.size()),
                     "switches with nodes");
    }
    add_ratios(leaves, has_core, how);
  }

  void add_ratios(const std::vector<int>& leaves, bool has_core, Dealing how) {
    const auto spines = of_tier(Tier::kSpine);
    const auto ratio = [&](const std::vector<int>& switches, auto down, Tier up,
                           const std::string& key, const char* name) {
      int max_down = 0;
      std::set<int> ups;
      for (const int s : switches) {
        max_down = std::max(max_down, down(s));
        ups.insert(links_to(s, up));
      }
      if (*ups.begin() == 0) {
        findings_.problem_in_file(
            fmt::format("a {} has no cable upwards: the walk was not complete", name));
        return;
      }
      if (ups.size() > 1) {
        findings_.not_expressed(fmt::format("{}s have {} to {} uplinks: the most are taken for all",
                                            name, *ups.begin(), *ups.rbegin()));
      }
      findings_.know(
          key, static_cast<double>(max_down) / *ups.rbegin(),
          fmt::format("{} cables down and {} up at the fullest {}", max_down, *ups.rbegin(), name));
    };
    ratio(
        leaves, [&](int s) { return host_links_[index(s)]; }, Tier::kSpine,
        "cluster.fabric.oversubscription", "leaf");
    if (!has_core) {
      findings_.know("cluster.fabric.num_spines", static_cast<int>(spines.size()),
                     "switches above the leaves");
      return;
    }
    ratio(
        spines, [&](int s) { return links_to(s, Tier::kLeaf); }, Tier::kCore,
        "cluster.fabric.spine_oversubscription", "spine");
    if (how == Dealing::kRails) {
      const int pods = num_pods();
      if (static_cast<int>(spines.size()) % pods == 0) {
        findings_.know("cluster.fabric.num_spines", static_cast<int>(spines.size()) / pods,
                       fmt::format("spines of each of {} pods", pods));
      } else {
        findings_.not_expressed(fmt::format("{} spines in {} uneven pods", spines.size(), pods));
      }
    }
  }

  /// Counts the parts that leaves and spines form without the core switches.
  [[nodiscard]] int num_pods() const {
    std::vector<bool> seen(fabric_.switches.size(), false);
    int pods = 0;
    for (std::size_t start = 0; start < tier_.size(); ++start) {
      if (tier_[start] != Tier::kSpine || seen[start]) continue;
      ++pods;
      std::vector<std::size_t> open{start};
      seen[start] = true;
      while (!open.empty()) {
        const std::size_t s = open.back();
        open.pop_back();
        for (const auto& [other, cables] : fabric_.switches[s].links) {
          const Tier tier = tier_[index(other)];
          if (seen[index(other)] || (tier != Tier::kLeaf && tier != Tier::kSpine)) continue;
          seen[index(other)] = true;
          open.push_back(index(other));
        }
      }
    }
    return pods;
  }

  /// A group of rails: its leaves, and the nodes on them.
  struct Group {
    std::set<int> leaves;
    int nodes = 0;
  };

  Dealing dealing() {
    std::map<std::vector<int>, std::vector<const FoundHost*>> by_cabling;
    bool one = true;
    for (const FoundHost* node : nodes_) {
      one = one && std::set<int>(node->switches.begin(), node->switches.end()).size() == 1;
      by_cabling[node->switches].push_back(node);
    }
    if (one) return Dealing::kOneLeaf;
    std::vector<std::vector<const FoundHost*>> alike;  // the most common cabling first
    for (const auto& [switches, nodes] : by_cabling) alike.push_back(nodes);
    std::ranges::stable_sort(alike, std::greater<>(), &std::vector<const FoundHost*>::size);
    std::vector<Group> groups;
    std::set<int> taken;  // a leaf belongs to one group and one rail
    std::vector<const FoundHost*> crossed;
    for (const auto& nodes : alike) {
      const FoundHost& first = *nodes.front();
      const std::set<int> leaves(first.switches.begin(), first.switches.end());
      const bool apart =
          leaves.size() * static_cast<std::size_t>(first.ports_per_nic) == first.switches.size();
      if (apart && std::ranges::none_of(leaves, [&](int s) { return taken.contains(s); })) {
        taken.insert(leaves.begin(), leaves.end());
        groups.push_back({leaves, static_cast<int>(nodes.size())});
      } else {
        crossed.insert(crossed.end(), nodes.begin(), nodes.end());
      }
    }
    if (groups.empty() || crossed.size() * kFewest > nodes_.size()) return Dealing::kOther;
    if (!crossed.empty()) tell_crossed(crossed, groups);
    for (const Group& group : groups) largest_group_ = std::max(largest_group_, group.nodes);
    return Dealing::kRails;
  }

  /// Names hosts whose cables differ from those of their group, and counts them into it.
  void tell_crossed(const std::vector<const FoundHost*>& crossed, std::vector<Group>& groups) {
    constexpr std::size_t kMaxNames = 8;
    std::string names;
    for (std::size_t i = 0; i < crossed.size(); ++i) {
      const auto shared = [&](const Group& group) {
        return std::ranges::count_if(crossed[i]->switches,
                                     [&](int s) { return group.leaves.contains(s); });
      };
      ++std::ranges::max_element(groups, {}, shared)->nodes;
      if (i < kMaxNames) names += (i > 0 ? ", " : "") + shown(crossed[i]->name);
    }
    if (crossed.size() > kMaxNames) names += ", ...";
    findings_.not_expressed(fmt::format("{} of {} hosts {} cables crossed: {}; taken as the others",
                                        crossed.size(), nodes_.size(),
                                        crossed.size() == 1 ? "has" : "have", names));
  }

  void not_recognised(const std::string& why) {
    findings_.unknown("cluster.fabric", why + ": none of railwright's topologies is so");
  }

  const FoundFabric& fabric_;
  std::string what_;
  Findings& findings_;
  std::vector<const FoundHost*> nodes_;
  std::vector<Tier> tier_;
  std::vector<int> host_links_;  ///< cables to nodes, by switch
  std::string leaf_device_;
  int largest_group_ = 0;
};

}  // namespace

void add_fabric_part(const FoundFabric& fabric, const std::string& what, Findings& findings) {
  Recognition(fabric, what, findings).all();
}

}  // namespace railwright::importers
