// SPDX-License-Identifier: Apache-2.0
// Imports the matrix and legend of `nvidia-smi topo -m`. [@nvidia_smi]
#include "nvidia_smi_topo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "../common/looks_like.hpp"
#include "../common/node_part.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxDevices = 256;
constexpr int kMaxLinks = 18;  ///< NVLinks of an accelerator, Hopper and Blackwell

/// Disjoint sets, numbered in the order of their first members.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t x = root(a);
    const std::size_t y = root(b);
    parent_[std::max(x, y)] = std::min(x, y);
  }
  [[nodiscard]] std::size_t root(std::size_t a) const {
    while (parent_[a] != a) a = parent_[a];
    return a;
  }

 private:
  std::vector<std::size_t> parent_;
};

struct Device {
  std::string name;
  bool is_gpu = false;
  int numa = -1;
  std::string cores;            ///< the CPU affinity
  std::vector<std::string> to;  ///< relations, by device
};

class MatrixReading {
 public:
  MatrixReading(std::string_view text, const std::string& file) : text_(text), findings_(file) {}

  Imported all() {
    int number = 0;
    for (const std::string_view line : core::lines_of(text_)) take(line, ++number);
    if (devices_.empty()) {
      findings_.problem_in_file("no matrix with a column GPU0", "nvidia-smi topo -m prints it");
    }
    findings_.throw_if_any();
    for (const Device& device : devices_) {
      if (device.to.empty()) {
        findings_.problem_in_file(fmt::format("{} has a column and no line", shown(device.name)));
      }
    }
    findings_.throw_if_any();
    check_symmetric();
    findings_.throw_if_any();
    if (tells_access()) {
      write_access();
    } else {
      write();
    }
    return findings_.take();
  }

 private:
  static bool is_gpu(std::string_view name) {
    return name.starts_with("GPU") && name.size() > 3 &&
           std::ranges::all_of(name.substr(3), [](char c) { return c >= '0' && c <= '9'; });
  }

  void take(std::string_view line, int number) {
    const auto words = core::words_of(line);
    if (words.empty()) return;
    if (devices_.empty()) {
      if (words.front() == "GPU0" && (words.size() == 1 || words[1] != "X"))
        take_header(words, number);
      return;
    }
    const auto device = std::ranges::find(devices_, words.front(), &Device::name);
    if (device != devices_.end()) {
      take_row(*device, words, number);
    } else if (words.size() == 2 && words[0].ends_with(':')) {
      names_[std::string(words[0].substr(0, words[0].size() - 1))] = words[1];
    }
  }

  void take_header(const std::vector<std::string_view>& words, int number) {
    for (const std::string_view word : words) {
      if (word == "CPU" || word == "NUMA" || word == "GPU") break;
      if (std::ranges::count(devices_, word, &Device::name) > 0) {
        findings_.problem_at_line(number, fmt::format("column {} is there twice", shown(word)));
      }
      devices_.push_back({.name = std::string(word), .is_gpu = is_gpu(word), .to = {}});
      if (devices_.size() > kMaxDevices) {
        findings_.problem_at_line(number, fmt::format("more than {} columns", kMaxDevices));
        findings_.throw_if_any();
      }
    }
  }

  void take_row(Device& device, const std::vector<std::string_view>& words, int number) {
    const std::size_t count = devices_.size();
    if (!device.to.empty()) {
      findings_.problem_at_line(number, fmt::format("line {} is there twice", device.name));
      return;
    }
    if (words.size() < count + 1) {
      findings_.problem_at_line(number, fmt::format("{} relations of {}", words.size() - 1, count),
                                "the line is cut off");
      return;
    }
    for (std::size_t i = 1; i <= count; ++i) {
      if (!is_relation(words[i])) {
        findings_.problem_at_line(
            number, fmt::format("'{}' is no relation", shown(words[i])),
            "known: X, NV#, PIX, PXB, PHB, NODE, SYS; of -p2p OK, NS and others");
        device.to.clear();
        return;
      }
      device.to.emplace_back(words[i]);
    }
    if (words.size() > count + 2) {
      const double numa = core::number_of(words[count + 2]);
      if (numa >= 0.0 && numa < 1024.0) device.numa = static_cast<int>(numa);
    }
    if (words.size() > count + 1 && is_cores(words[count + 1])) device.cores = words[count + 1];
  }

  /// "0-31,64-95" as the CPU affinity; "N/A" is none.
  static bool is_cores(std::string_view word) {
    return word.find_first_not_of("0123456789-,") == std::string_view::npos;
  }

  /// Whether both are next to the same processor: on one NUMA node or, where that is not told, of
  /// the same CPU affinity.
  static bool share_processor(const Device& a, const Device& b) {
    if (a.numa >= 0 || b.numa >= 0) return a.numa == b.numa;
    return !a.cores.empty() && a.cores == b.cores;
  }

  static bool is_relation(std::string_view word) {
    for (const std::string_view known : {"X", "PIX", "PXB", "PHB", "NODE", "SYS"}) {
      if (word == known) return true;
    }
    return links_in(word) > 0 || is_peer_access(word);
  }

  /// Whether a word is of `topo -p2p`: that one may access the other, or why not.
  static bool is_peer_access(std::string_view word) {
    for (const std::string_view known : {"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"}) {
      if (word == known) return true;
    }
    return false;
  }

  /// Returns the number of NVLinks: 18 for "NV18".
  static int links_in(std::string_view relation) {
    if (!relation.starts_with("NV")) return 0;
    const double count = core::number_of(relation.substr(2));
    return count >= 1.0 && count <= 1000.0 && count == std::floor(count) ? static_cast<int>(count)
                                                                         : 0;
  }

  void check_symmetric() {
    for (std::size_t a = 0; a < devices_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (devices_[a].to[b] == devices_[b].to[a]) continue;
        findings_.problem_in_file(fmt::format("{} to {} is {}, {} to {} is {}",
                                              shown(devices_[a].name), shown(devices_[b].name),
                                              devices_[a].to[b], shown(devices_[b].name),
                                              shown(devices_[a].name), devices_[b].to[a]));
      }
      if (devices_[a].to[a] != "X") {
        findings_.problem_in_file(
            fmt::format("{} to itself is {}", shown(devices_[a].name), devices_[a].to[a]));
      }
    }
  }

  [[nodiscard]] bool tells_access() const {
    for (const Device& device : devices_) {
      if (std::ranges::any_of(device.to, is_peer_access)) return true;
    }
    return false;
  }

  /// A matrix of access tells how many accelerators there are, and no more where they reach each
  /// other: over NVLink or PCIe.
  void write_access() {
    bool reaches = false;
    for (const Device& device : devices_) {
      for (const std::string& relation : device.to) {
        if (relation != "X" && !is_peer_access(relation)) {
          findings_.problem_in_file("relations of topo -m and of topo -p2p in one matrix");
          return;
        }
        reaches = reaches || relation == "OK";
      }
    }
    findings_.know("cluster.node.num_accelerators", static_cast<int>(devices_.size()),
                   fmt::format("{} columns GPU#", devices_.size()));
    if (reaches) {
      findings_.unknown("cluster.node.scale_up",
                        "peer access may be NVLink or PCIe: nvidia-smi topo -m tells which");
    } else {
      findings_.know("cluster.node.scale_up", core::ScaleUp::kNone, "no access between any two");
    }
    findings_.unknown("cluster.node.accelerator", "the matrix does not name it");
    findings_.unknown("cluster.node.nics", "a matrix of peer access has no NIC");
    findings_.unknown("cluster.nodes", "the matrix is of one node");
    findings_.unknown("cluster.fabric", "the matrix ends at the accelerators");
  }

  void write() {
    const std::size_t count = devices_.size();
    Groups switches(count);
    Groups hosts(count);
    bool is_told = false;  // every relation but NVLink tells where a device sits
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        const std::string& relation = devices_[a].to[b];
        if (relation == "PIX" || relation == "PXB") switches.join(a, b);
        if (relation == "PIX" || relation == "PXB" || relation == "PHB" || relation == "NODE" ||
            share_processor(devices_[a], devices_[b])) {
          hosts.join(a, b);
        }
        is_told = is_told || (a != b && links_in(relation) == 0);
      }
    }
    FoundNode node = place(switches, hosts);
    find_scale_up(node);
    add_node_part(node, fmt::format("{} columns GPU#", node.switch_of.size()), findings_);
    if (!is_told) {
      findings_.not_expressed(
          "NVLink hides which accelerators share a PCIe switch: each is taken to have its own");
    }
    findings_.unknown("cluster.node.accelerator", "the matrix does not name it");
    for (const char* path : {"cluster.node.pcie_uplink_bandwidth", "cluster.node.host_bandwidth"}) {
      findings_.unknown(path, "the matrix tells no rates");
    }
    findings_.unknown("cluster.nodes", "the matrix is of one node");
    findings_.unknown("cluster.fabric", "the matrix ends at the NICs");
  }

  FoundNode place(const Groups& switches, const Groups& hosts) {
    FoundNode node;
    std::map<std::size_t, int> switch_number;
    std::map<std::size_t, int> host_number;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      host_number.try_emplace(hosts.root(i), static_cast<int>(host_number.size()));
      if (!devices_[i].is_gpu) continue;
      const auto [place, is_new] =
          switch_number.try_emplace(switches.root(i), static_cast<int>(switch_number.size()));
      if (is_new) node.host_of.push_back(host_number.at(hosts.root(i)));
      node.switch_of.push_back(place->second);
    }
    node.num_hosts = static_cast<int>(host_number.size());
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      if (devices_[i].is_gpu) continue;
      const auto legend = names_.find(devices_[i].name);
      const auto near = switch_number.find(switches.root(i));
      node.nics.push_back({.name = legend == names_.end() ? devices_[i].name : legend->second,
                           .pcie_switch = near == switch_number.end() ? -1 : near->second,
                           .host = host_number.at(hosts.root(i)),
                           .device = {},
                           .transport = {},
                           .gpudirect = {}});
    }
    return node;
  }

  void find_scale_up(FoundNode& node) {
    std::vector<std::vector<int>> links;
    for (const Device& from : devices_) {
      if (!from.is_gpu) continue;
      std::vector<int>& row = links.emplace_back();
      for (std::size_t b = 0; b < devices_.size(); ++b) {
        if (devices_[b].is_gpu) row.push_back(links_in(from.to[b]));
      }
    }
    node.scale_up = scale_up_of(links);
    if (!node.scale_up) {
      node.scale_up_origin = "NV# between accelerators follow no pattern here";
    } else if (*node.scale_up == core::ScaleUp::kNone) {
      node.scale_up_origin = "no NV# between accelerators";
    } else {
      const int each = links[0][1];
      const int total = each * static_cast<int>(links.size() - 1);
      node.scale_up_origin = fmt::format("NV{} between accelerators", each);
      if (*node.scale_up == core::ScaleUp::kMesh && total > kMaxLinks) {
        node.scale_up = core::ScaleUp::kSwitch;
        node.scale_up_origin += fmt::format(
            ": {} links to all others are more than the {} an accelerator has", total, kMaxLinks);
      }
    }
  }

  std::string_view text_;
  Findings findings_;
  std::vector<Device> devices_;
  std::map<std::string, std::string> names_;
};

}  // namespace

bool is_nvidia_smi_topo(std::string_view head) {
  return has_line(head, "GPU0") && contains(head, "X");
}

Imported import_nvidia_smi_topo(std::string_view text, const std::string& file,
                                const core::Node& /*known*/) {
  return MatrixReading(text, file).all();
}

}  // namespace railwright::importers
