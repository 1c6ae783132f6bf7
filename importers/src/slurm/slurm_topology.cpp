// SPDX-License-Identifier: Apache-2.0
// Imports Slurm's topology.conf: switches of a tree, or blocks. [@slurm_topology]
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
  bool has_parent = false;
};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

class SlurmReading {
 public:
  SlurmReading(std::string_view text, const std::string& file) : text_(text), findings_(file) {}

  Imported all() {
    read_lines();
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
      static const std::set<std::string> kKnown{"switchname", "nodes",     "switches",
                                                "linkspeed",  "blockname", "blocksizes"};
      if (!kKnown.contains(key)) {
        findings_.problem_at_line(number, fmt::format("unknown key '{}'", shown(key)),
                                  "known: SwitchName, Nodes, Switches, LinkSpeed, BlockName, "
                                  "BlockSizes");
      }
    }
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
        } else {
          child->second.has_parent = true;
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

  void write_tree() {
    write_nodes(switches_, "leaves");
    int height = 0;
    int leaves = 0;
    int roots = 0;
    for (const auto& [name, one] : switches_) {
      height = std::max(height, one.height);
      leaves += one.nodes.empty() ? 0 : 1;
      roots += one.has_parent ? 0 : 1;
    }
    if (roots > 1) {
      findings_.not_expressed(
          fmt::format("{} trees that nothing joins: taken as one fabric", roots));
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
    for (const char* path : {"cluster.fabric.oversubscription", "cluster.fabric.num_spines"}) {
      findings_.unknown(path, "Slurm tells no cables, and one name may stand for several switches");
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
  return has_line(head, "SwitchName=") || has_line(head, "BlockName=");
}

Imported import_slurm_topology(std::string_view text, const std::string& file,
                               const core::Node& /*known*/) {
  return SlurmReading(text, file).all();
}

}  // namespace railwright::importers
