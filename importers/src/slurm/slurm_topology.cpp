// SPDX-License-Identifier: Apache-2.0
// Imports Slurm's topology.conf or topology.yaml, or what `scontrol show topology` prints: switches
// of a tree, or blocks. [@slurm_topology]
#include "slurm_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "../common/findings.hpp"
#include "../common/looks_like.hpp"
#include "hostlist.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr int kMaxTiers = 64;

struct SlurmSwitch {
  std::vector<std::string> nodes;
  std::vector<std::string> below;
  int line = 0;
  int height = -1;  ///< 0 for a leaf; -1 while unknown
};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

bool is_slurm_yaml(std::string_view text) { return has_line(text, "- topology:"); }

class SlurmReading {
 public:
  SlurmReading(std::string_view text, const std::string& file) : text_(text), findings_(file) {}

  Imported all() {
    if (is_slurm_yaml(text_)) {
      read_yaml();
    } else {
      read_lines();
    }
    if (switches_.empty() && blocks_.empty() && !findings_.has_problems()) {
      findings_.problem_in_file("no SwitchName= and no BlockName=", "topology.conf has them");
    }
    findings_.throw_if_any();
    find_heights();
    findings_.throw_if_any();
    if (switches_.empty()) {
      write_blocks();
    } else {
      write_tree();
    }
    for (const char* path : {"cluster.node", "cluster.fabric.switch"}) {
      findings_.unknown(path, "Slurm knows names alone");
    }
    return findings_.take();
  }

 private:
  /// Joins lines that end in a backslash; # starts a comment.
  void read_lines() {
    std::string joined;
    int number = 0;
    int first = 0;
    for (std::string_view line : core::lines_of(text_)) {
      ++number;
      if (joined.empty()) first = number;
      line = line.substr(0, line.find('#'));
      const bool goes_on = line.ends_with('\\');
      joined += goes_on ? line.substr(0, line.size() - 1) : line;
      if (goes_on) continue;
      take(joined, first);
      joined.clear();
    }
    if (!joined.empty()) take(joined, first);
  }

  /// Reads topology.yaml: a list of topologies, of which the cluster's default is taken.
  void read_yaml() {
    const core::Node root = core::parse_yaml(text_, findings_.file());
    const core::Node* taken = nullptr;
    for (const core::Node& one : root.items) {
      const core::Node* is_default = one.is_mapping() ? one.find("cluster_default") : nullptr;
      if (taken == nullptr || (is_default != nullptr && is_default->text == "true")) taken = &one;
    }
    if (taken == nullptr || !taken->is_mapping()) return;
    if (root.items.size() > 1) {
      const core::Node* name = taken->find("topology");
      findings_.not_expressed(fmt::format("{} topologies: {} is taken", root.items.size(),
                                          name == nullptr ? "one" : shown(name->text)));
    }
    read_list(core::find_path(*taken, "tree.switches"), "switch", "switchname", switches_);
    read_list(core::find_path(*taken, "block.blocks"), "block", "blockname", blocks_);
    if (const core::Node* sizes = core::find_path(*taken, "block.block_sizes")) {
      for (const core::Node& size : sizes->items) {
        block_sizes_ += (block_sizes_.empty() ? "" : ",") + size.text;
      }
    }
  }

  void read_list(const core::Node* list, std::string_view name, const std::string& key,
                 std::map<std::string, SlurmSwitch>& all) {
    if (list == nullptr) return;
    for (const core::Node& one : list->items) {
      const int line = one.where.line;
      std::map<std::string, std::string> values;
      for (const core::Entry& entry : one.entries) {
        const bool is_name = entry.key == name;
        if (!entry.value.is_scalar() ||
            (!is_name && entry.key != "nodes" && entry.key != "children")) {
          findings_.problem_at_line(entry.where.line,
                                    fmt::format("unknown key '{}'", shown(entry.key)),
                                    fmt::format("known: {}, nodes, children", name));
          continue;
        }
        values[is_name ? key : entry.key == "children" ? "switches" : "nodes"] = entry.value.text;
      }
      if (values.contains(key)) {
        add(values, key, line, all);
      } else {
        findings_.problem_at_line(line, fmt::format("no '{}' in it", name));
      }
    }
  }

  void take(std::string_view line, int number) {
    std::map<std::string, std::string> values;
    for (const std::string_view word : core::words_of(line)) {
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos) {
        findings_.problem_at_line(number, fmt::format("expected Key=Value, got '{}'", shown(word)));
        return;
      }
      values[lower(word.substr(0, equals))] = word.substr(equals + 1);
    }
    if (values.empty()) return;
    for (const auto& [key, value] : values) {
      static const std::set<std::string> kKnown{"switchname", "nodes",      "switches",
                                                "linkspeed",  "blockname",  "blocksizes",
                                                "level",      "blockindex", "blocksize"};
      if (!kKnown.contains(key)) {
        findings_.problem_at_line(number, fmt::format("unknown key '{}'", shown(key)),
                                  "known: SwitchName, Nodes, Switches, LinkSpeed, BlockName, "
                                  "BlockSizes");
      }
    }
    // scontrol prints the nodes below a switch, through other switches too.
    if (values.contains("level") && values.contains("switches")) values.erase("nodes");
    if (values.contains("blocksize")) block_sizes_ = values["blocksize"];
    if (values.contains("switchname")) {
      add(values, "switchname", number, switches_);
    } else if (values.contains("blockname")) {
      add(values, "blockname", number, blocks_);
    } else if (values.contains("blocksizes")) {
      block_sizes_ = values["blocksizes"];
    }
  }

  void add(const std::map<std::string, std::string>& values, const std::string& key, int number,
           std::map<std::string, SlurmSwitch>& all) {
    const auto list = [&](const char* name) {
      std::vector<std::string> names;
      const auto found = values.find(name);
      if (found == values.end()) return names;
      if (const std::string wrong = expand_hostlist(found->second, names); !wrong.empty()) {
        findings_.problem_at_line(number,
                                  fmt::format("{}={}: {}", name, shown(found->second), wrong));
      }
      num_names_ += names.size();
      if (num_names_ > 1'000'000) {
        findings_.problem_at_line(number, "more than a million names");
        findings_.throw_if_any();
      }
      return names;
    };
    SlurmSwitch one{.nodes = list("nodes"), .below = list("switches"), .line = number};
    if (one.nodes.empty() && one.below.empty() && !findings_.has_problems()) {
      findings_.problem_at_line(number, "neither Nodes= nor Switches=");
    }
    const std::string& name = values.at(key);
    const auto [place, is_new] = all.try_emplace(name, std::move(one));
    if (!is_new) {
      findings_.problem_at_line(number, fmt::format("{} is there twice, first on line {}",
                                                    shown(name), place->second.line));
    }
  }

  /// Sets heights without recursion: a switch waits until all switches below it have one.
  void find_heights() {
    for (auto& [name, one] : switches_) {
      for (const std::string& below : one.below) {
        const auto child = switches_.find(below);
        if (child == switches_.end()) {
          findings_.problem_at_line(one.line,
                                    fmt::format("no switch {} in the file", shown(below)));
        }
      }
    }
    if (findings_.has_problems()) return;
    std::size_t known = 0;
    for (int round = 0; round < kMaxTiers && known < switches_.size(); ++round) {
      for (auto& [name, one] : switches_) {
        if (one.height >= 0) continue;
        int height = 0;
        bool waits = false;
        for (const std::string& below : one.below) {
          const int of_child = switches_.at(below).height;
          waits = waits || of_child < 0;
          height = std::max(height, of_child + 1);
        }
        if (waits) continue;
        one.height = height;
        ++known;
      }
    }
    for (const auto& [name, one] : switches_) {
      if (one.height < 0) {
        findings_.problem_at_line(
            one.line, fmt::format("switch {} leads in a circle, or down more than {} tiers",
                                  shown(name), kMaxTiers));
      }
    }
  }

  std::size_t write_nodes(const std::map<std::string, SlurmSwitch>& groups, const char* what) {
    std::set<std::string> nodes;
    std::size_t named = 0;
    std::set<std::size_t> sizes;
    for (const auto& [name, one] : groups) {
      if (one.nodes.empty()) continue;
      nodes.insert(one.nodes.begin(), one.nodes.end());
      named += one.nodes.size();
      sizes.insert(one.nodes.size());
    }
    findings_.assume("cluster.nodes", static_cast<int>(std::min<std::size_t>(nodes.size(), 65536)),
                     fmt::format("{} names, all taken for nodes with accelerators", nodes.size()));
    if (nodes.size() > 65536) findings_.not_expressed("more than 65536 nodes: cut off there");
    if (named > nodes.size()) {
      findings_.not_expressed(fmt::format("nodes on several {}", what));
    }
    if (sizes.size() > 1) {
      findings_.not_expressed(fmt::format("{} of {} to {} nodes: taken as filled alike", what,
                                          *sizes.begin(), *sizes.rbegin()));
    }
    return sizes.empty() ? 0 : *sizes.rbegin();
  }

  /// Counts the groups of switches that no other switch joins.
  [[nodiscard]] std::size_t num_trees() const {
    std::map<std::string_view, std::string_view> up;
    const auto root = [&](std::string_view name) {
      while (up.at(name) != name) name = up.at(name) = up.at(up.at(name));
      return name;
    };
    for (const auto& [name, one] : switches_) up[name] = name;
    for (const auto& [name, one] : switches_) {
      for (const std::string& below : one.below) up[root(below)] = root(name);
    }
    return static_cast<std::size_t>(
        std::ranges::count_if(up, [](const auto& pair) { return pair.first == pair.second; }));
  }

  /// Returns the number of spines if each stands over every leaf; 0 otherwise.
  [[nodiscard]] int spines_over_all(int leaves) const {
    int spines = 0;
    for (const auto& [name, one] : switches_) {
      if (one.height == 0) continue;
      const std::set<std::string> below(one.below.begin(), one.below.end());
      if (one.height != 1 || below.size() != static_cast<std::size_t>(leaves)) return 0;
      ++spines;
    }
    return spines;
  }

  void write_tree() {
    write_nodes(switches_, "leaves");
    int height = 0;
    int leaves = 0;
    for (const auto& [name, one] : switches_) {
      height = std::max(height, one.height);
      leaves += one.nodes.empty() ? 0 : 1;
    }
    const std::size_t trees = num_trees();
    const int spines = spines_over_all(leaves);
    if (trees > 1) {
      findings_.not_expressed(
          fmt::format("{} trees that nothing joins: taken as one fabric", trees));
    }
    if (leaves == 1) {
      findings_.assume("cluster.fabric.topology", std::string("single_switch"),
                       "one switch with nodes");
    } else if (height <= 1) {
      findings_.assume("cluster.fabric.topology", std::string("leaf_spine"),
                       "leaves below one tier; whether rails are apart is not told");
      findings_.know("cluster.fabric.num_leaves", leaves, "switches with nodes");
    } else if (height == 2) {
      findings_.assume("cluster.fabric.topology", std::string("fat_tree"),
                       "three tiers; whether rails are apart is not told");
      findings_.know("cluster.fabric.tiers", 3, "switches of switches of switches");
    } else {
      findings_.unknown("cluster.fabric", fmt::format("{} tiers of switches", height + 1));
    }
    constexpr std::string_view kWhy =
        "Slurm tells no cables, and one name may stand for several switches";
    findings_.unknown("cluster.fabric.oversubscription", kWhy);
    if (leaves > 1 && spines > 1) {
      findings_.know("cluster.fabric.num_spines", spines, "switches over every leaf");
    } else {
      findings_.unknown("cluster.fabric.num_spines", kWhy);
    }
  }

  void write_blocks() {
    const std::size_t largest = write_nodes(blocks_, "blocks");
    findings_.unknown(
        "cluster.fabric",
        fmt::format(
            "{} blocks of up to {} nodes{}: whether a block is a scale-up "
            "domain, a group of rails or a leaf is not told",
            blocks_.size(), largest,
            block_sizes_.empty() ? "" : fmt::format(" (BlockSizes {})", shown(block_sizes_))));
  }

  std::string_view text_;
  Findings findings_;
  std::map<std::string, SlurmSwitch> switches_;
  std::map<std::string, SlurmSwitch> blocks_;
  std::string block_sizes_;
  std::size_t num_names_ = 0;
};

}  // namespace

bool is_slurm_topology(std::string_view head) {
  return has_line(head, "SwitchName=") || has_line(head, "BlockName=") ||
         (is_slurm_yaml(head) && (contains(head, "switch:") || contains(head, "block:")));
}

Imported import_slurm_topology(std::string_view text, const std::string& file,
                               const core::Node& /*known*/) {
  return SlurmReading(text, file).all();
}

}  // namespace railwright::importers
