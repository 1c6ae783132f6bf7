// SPDX-License-Identifier: Apache-2.0
#include "rocm_smi_topo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "../common/looks_like.hpp"
#include "../common/node_part.hpp"
#include "railwright/core/config/date_time.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxRocmDevices = 256;

/// A table of a relation between each two accelerators.
using Table = std::vector<std::vector<std::string>>;

/// Reads the tables under their headings.
class TopologyTables {
 public:
  explicit TopologyTables(Findings& findings) : findings_(findings) {}

  void read(std::string_view text) {
    int number = 0;
    for (const std::string_view line : core::lines_of(text)) take(line, ++number);
    for (const auto& [name, table] : tables_) {
      if (table.size() != names_.size()) {
        findings_.problem_in_file(fmt::format("table of {} has {} lines for {} accelerators", name,
                                              table.size(), names_.size()));
      }
    }
    if (names_.empty() || !tables_.contains("link type")) {
      findings_.problem_in_file("no table of link types",
                                "rocm-smi --showtopo and amd-smi topology print it");
    }
    findings_.throw_if_any();
  }

  void write() {
    check_symmetric();
    findings_.throw_if_any();
    const std::size_t count = names_.size();
    findings_.know("cluster.node.num_accelerators", static_cast<int>(count),
                   "lines of the table of link types");
    write_links();
    if (numa_.size() == count) {
      std::set<int> used;
      for (const auto& [device, node] : numa_) used.insert(node);
      findings_.know("cluster.node.num_hosts", static_cast<int>(used.size()),
                     "NUMA nodes with accelerators");
    } else {
      findings_.unknown("cluster.node.num_hosts", "the tables tell no NUMA nodes");
    }
    findings_.unknown("cluster.node.num_pcie_switches", "the tables tell no PCIe switches");
    findings_.unknown("cluster.node.nics", "no NIC in the file");
    findings_.unknown("cluster.node.accelerator", "the tables do not name it");
    findings_.unknown("cluster.nodes", "the tables are of one node");
    findings_.unknown("cluster.fabric", "the tables end at the node");
  }

 private:
  static std::string heading_of(std::string_view line) {
    struct Heading {
      std::string_view text;
      std::string_view name;
    };
    for (const Heading& known : {Heading{"Link Type between", "link type"},
                                 {"LINK TYPE TABLE", "link type"},
                                 {"Hops between", "hops"},
                                 {"HOPS TABLE", "hops"}}) {
      if (contains(line, known.text)) return std::string(known.name);
    }
    return "";
  }

  void take(std::string_view line, int number) {
    if (contains(line, "===") || contains(line, "TABLE:")) {
      table_ = heading_of(line);
      has_names_ = false;
      return;
    }
    const auto words = core::words_of(line);
    if (words.empty()) return;
    if (contains(line, "(Topology) Numa Node:")) {
      take_numa(line, words.back(), number);
      return;
    }
    if (table_.empty()) return;
    if (!has_names_) {
      take_names(words, number);
    } else if (std::ranges::count(names_, words.front()) > 0) {
      take_row(words, number);
    } else {
      table_.clear();
    }
  }

  void take_numa(std::string_view line, std::string_view word, int number) {
    const std::size_t open = line.find_first_of("0123456789");
    const std::size_t end = std::min(line.find_first_not_of("0123456789", open), line.size());
    const auto device = core::digits_of(line.substr(open, end - open));
    const auto node = core::digits_of(word);
    if (!device || !node) {
      // A node of its own is written as -1 where there is no NUMA.
      if (word != "-1") findings_.problem_at_line(number, "no number of a NUMA node");
      return;
    }
    if (!numa_.try_emplace(*device, *node).second) {
      findings_.problem_at_line(number, fmt::format("GPU {} is there twice", *device));
    }
  }

  void take_names(const std::vector<std::string_view>& words, int number) {
    has_names_ = true;
    std::vector<std::string> names(words.begin(), words.end());
    if (names.size() > kMaxRocmDevices) {
      findings_.problem_at_line(number, fmt::format("more than {} accelerators", kMaxRocmDevices));
      findings_.throw_if_any();
    }
    if (!names_.empty() && names != names_) {
      findings_.problem_at_line(number, "other accelerators than in the table before");
    }
    names_ = std::move(names);
  }

  void take_row(const std::vector<std::string_view>& words, int number) {
    Table& table = tables_[table_];
    const bool is_next = table.size() < names_.size() && names_[table.size()] == words.front();
    if (words.size() != names_.size() + 1 || !is_next) {
      findings_.problem_at_line(
          number,
          fmt::format("expected {} relations of {}", names_.size(),
                      table.size() < names_.size() ? shown(names_[table.size()]) : "none"),
          "the line is cut off");
      return;
    }
    table.emplace_back(words.begin() + 1, words.end());
  }

  void check_symmetric() {
    const Table& types = tables_.at("link type");
    for (std::size_t a = 0; a < types.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const std::string& type = types[a][b];
        if (type != types[b][a]) {
          findings_.problem_in_file(fmt::format("{} to {} is {}, and back {}", shown(names_[a]),
                                                shown(names_[b]), shown(type), shown(types[b][a])));
        }
        if (type != "XGMI" && type != "PCIE" && type != "N/A") {
          findings_.problem_in_file(fmt::format("'{}' is no link type", shown(type)));
        }
      }
    }
  }

  /// Adds the links: accelerators with xGMI between them are next to each other if one hop apart.
  void write_links() {
    const Table& types = tables_.at("link type");
    const auto hops = tables_.find("hops");
    std::vector<std::vector<int>> links(types.size(), std::vector<int>(types.size(), 0));
    bool has_xgmi = false;
    for (std::size_t a = 0; a < types.size(); ++a) {
      for (std::size_t b = 0; b < types.size(); ++b) {
        if (a == b || types[a][b] != "XGMI") continue;
        has_xgmi = true;
        links[a][b] = hops == tables_.end() || hops->second[a][b] == "1" ? 1 : 0;
      }
    }
    const auto scale_up = scale_up_of(links);
    if (!has_xgmi) {
      findings_.know("cluster.node.scale_up", core::ScaleUp::kNone, "no XGMI in the table");
    } else if (scale_up && *scale_up != core::ScaleUp::kNone) {
      findings_.know("cluster.node.scale_up", *scale_up,
                     hops == tables_.end() ? "XGMI between accelerators"
                                           : "XGMI between accelerators one hop apart");
    } else {
      findings_.unknown("cluster.node.scale_up", "XGMI follows no pattern here");
    }
  }

  Findings& findings_;
  std::vector<std::string> names_;
  std::map<std::string, Table> tables_;
  std::map<int, int> numa_;  ///< NUMA node by accelerator
  std::string table_;        ///< that is being read; "" for none
  bool has_names_ = false;
};

}  // namespace

bool is_rocm_smi_topo(std::string_view head) {
  return contains(head, "Link Type between two GPUs") || contains(head, "LINK TYPE TABLE");
}

Imported import_rocm_smi_topo(std::string_view text, const std::string& file,
                              const core::Node& /*known*/) {
  Findings findings(file);
  TopologyTables tables(findings);
  tables.read(text);
  tables.write();
  return findings.take();
}

}  // namespace railwright::importers
