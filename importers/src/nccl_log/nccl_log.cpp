// SPDX-License-Identifier: Apache-2.0
#include "nccl_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "../common/findings.hpp"
#include "../common/looks_like.hpp"
#include "railwright/core/config/date_time.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr std::string_view kInfo = "NCCL INFO ";
constexpr int kMaxRanks = 10'000'000;

/// Returns the whole number behind a word: "nRanks 16".
std::optional<int> behind_word(const std::vector<std::string_view>& words, std::string_view word) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != word) continue;
    const auto value = core::digits_of(words[i + 1]);
    if (value && *value <= kMaxRanks) return value;
  }
  return std::nullopt;
}

/// Reads a log line by line: each has the host and process in front.
class NcclLog {
 public:
  explicit NcclLog(Findings& findings) : findings_(findings) {}

  void read(std::string_view text) {
    for (const std::string_view line : core::lines_of(text)) {
      const std::size_t at = line.find(kInfo);
      if (at == std::string_view::npos) continue;
      // "host:process:thread [device]", behind whatever a launcher adds.
      const auto words = core::words_of(line.substr(0, at));
      const std::string_view process = words.size() < 2 ? "" : words[words.size() - 2];
      take(line.substr(at + kInfo.size()), process.substr(0, process.find(':')));
    }
  }

  void write() {
    if (num_ranks_ == 0 && adapters_.empty() && !uses_socket_) {
      findings_.problem_in_file("no communicator and no network in it",
                                "NCCL_DEBUG=INFO, and NCCL_DEBUG_SUBSYS with INIT and NET");
      return;
    }
    write_nodes();
    write_nics();
    write_choices();
    findings_.unknown("cluster.node.accelerator", "NCCL does not name it in its log");
    findings_.unknown("cluster.fabric", "NCCL does not see switches beyond the node");
  }

 private:
  void take(std::string_view text, std::string_view host) {
    const auto words = core::words_of(text);
    if (words.empty()) return;
    take_communicator(words, host);
    if (text.starts_with("NET/IB") && contains(text, "Using [")) take_adapters(text);
    if (text.starts_with("Using network")) {
      uses_socket_ = words.size() > 2 && words[2] == "Socket";
    }
    if (contains(text, "via NET/")) ++(contains(text, "/GDRDMA") ? num_direct_ : num_copied_);
    if (contains(text, "NCCL version ") || text.starts_with("RCCL version")) {
      version_ = shown(words.back());
    }
    if (contains(text, "coll channels")) channels_ = shown(text);
    if (contains(text, " set by environment to ")) settings_.insert(shown(text));
    if (words[0] == "Channel" && words.size() > 3 && words[2] == ":") take_ring(words);
  }

  void take_communicator(const std::vector<std::string_view>& words, std::string_view host) {
    auto ranks = behind_word(words, "nRanks");
    if (!ranks) ranks = behind_word(words, "nranks");
    if (!ranks || *ranks == 0) return;
    if (*ranks > num_ranks_) {
      num_ranks_ = *ranks;
      num_nodes_.reset();
      local_ranks_.clear();
      devices_.clear();
    }
    if (*ranks < num_ranks_) return;
    if (const auto nodes = behind_word(words, "nNodes")) num_nodes_ = nodes;
    if (const auto local = behind_word(words, "localRanks")) local_ranks_.insert(*local);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == "busId") devices_[std::string(host)].insert(std::string(words[i + 1]));
    }
  }

  /// "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>".
  void take_adapters(std::string_view text) {
    std::vector<std::string> names;
    std::set<std::string> kinds;
    for (std::string_view word : core::words_of(text.substr(0, text.find(';')))) {
      const std::size_t end = word.find(']');
      const std::size_t slash = word.rfind('/');
      if (!word.starts_with('[') || end == std::string_view::npos ||
          slash == std::string_view::npos || slash < end ||
          !core::digits_of(word.substr(1, end - 1))) {
        continue;
      }
      names.emplace_back(word.substr(end + 1, slash - end - 1));
      kinds.insert(std::string(word.substr(slash + 1)));
    }
    if (names.empty()) return;
    if (!adapters_.empty() && adapters_.size() != names.size()) hosts_differ_ = true;
    if (names.size() >= adapters_.size()) {
      adapters_ = std::move(names);
      kinds_ = std::move(kinds);
    }
  }

  /// "Channel 00/16 : 0 1 2 3": the first ring of the largest communicator.
  void take_ring(const std::vector<std::string_view>& words) {
    if (ring_.size() >= words.size() - 3) return;
    ring_.clear();
    for (std::size_t i = 3; i < words.size(); ++i) {
      if (!core::digits_of(words[i])) return;
      ring_.emplace_back(words[i]);
    }
  }

  void write_nodes() {
    if (num_ranks_ == 0) {
      findings_.unknown("cluster.nodes", "the log has no communicator");
      return;
    }
    if (!num_nodes_ && !devices_.empty()) {
      std::size_t listed = 0;
      for (const auto& [host, devices] : devices_) {
        listed += devices.size();
        local_ranks_.insert(static_cast<int>(devices.size()));
      }
      // The hosts of a log of some ranks cannot be counted.
      if (static_cast<int>(listed) == num_ranks_) {
        num_nodes_ = static_cast<int>(devices_.size());
      } else {
        local_ranks_.clear();
      }
    }
    if (num_nodes_ && *num_nodes_ > 0) {
      findings_.know("cluster.nodes", *num_nodes_, "nNodes of the largest communicator");
    } else {
      findings_.outside("cluster.nodes",
                        fmt::format("{} ranks: on how many nodes is not told", num_ranks_));
    }
    if (local_ranks_.empty()) {
      findings_.outside("cluster.node.num_accelerators", "the log does not tell ranks of a node");
      return;
    }
    const int most = *local_ranks_.rbegin();
    findings_.know("cluster.node.num_accelerators", most, "ranks of a node");
    if (local_ranks_.size() > 1) {
      findings_.not_expressed(fmt::format("nodes have {} ranks: taken as {} each",
                                          fmt::join(local_ranks_, ", "), most));
    }
  }

  void write_nics() {
    if (adapters_.empty()) {
      findings_.unknown("cluster.node.nics.count", "the log does not list adapters");
      if (uses_socket_) {
        findings_.know("cluster.node.nics.transport", std::string("tcp"), "Using network Socket");
      } else {
        findings_.unknown("cluster.node.nics.transport", "the log names no network");
      }
      return;
    }
    findings_.know("cluster.node.nics.count", static_cast<int>(adapters_.size()),
                   "adapters that NET/IB uses");
    if (hosts_differ_) {
      findings_.not_expressed("nodes use different numbers of adapters: the largest is taken");
    }
    const bool is_roce = kinds_.contains("RoCE");
    if (kinds_.size() == 1 && (is_roce || kinds_.contains("IB"))) {
      findings_.know("cluster.node.nics.transport", std::string(is_roce ? "roce" : "infiniband"),
                     "the kind behind each adapter");
    } else {
      findings_.unknown(
          "cluster.node.nics.transport",
          "adapters of different kinds: " + shown(fmt::format("{}", fmt::join(kinds_, ", "))));
    }
    if (num_direct_ + num_copied_ > 0) {
      findings_.know(
          "cluster.node.nics.gpudirect", num_direct_ >= num_copied_,
          fmt::format("{} of {} connections are GDRDMA", num_direct_, num_direct_ + num_copied_));
    } else {
      findings_.unknown("cluster.node.nics.gpudirect", "no connection over the network in it");
    }
    findings_.unknown("cluster.node.nics.nic", "which adapter it is");
  }

  /// Notes what NCCL chose, to compare with.
  void write_choices() {
    if (!version_.empty()) {
      findings_.not_expressed("NCCL " + version_ +
                              ": a benchmark's or a service's library names it");
    }
    if (!channels_.empty()) findings_.not_expressed("its channels: " + channels_);
    if (!ring_.empty()) {
      findings_.not_expressed(shown(fmt::format("its first ring: {}", fmt::join(ring_, " "))));
    }
    for (const std::string& setting : settings_) findings_.not_expressed(setting);
  }

  Findings& findings_;
  int num_ranks_ = 0;  ///< of the largest communicator
  std::optional<int> num_nodes_;
  std::set<int> local_ranks_;
  std::map<std::string, std::set<std::string>> devices_;  ///< PCI addresses by host
  std::vector<std::string> adapters_;
  std::set<std::string> kinds_;
  bool hosts_differ_ = false;
  bool uses_socket_ = false;
  int num_direct_ = 0;
  int num_copied_ = 0;
  std::string version_;
  std::string channels_;
  std::vector<std::string> ring_;
  std::set<std::string> settings_;
};

}  // namespace

bool is_nccl_log(std::string_view head) {
  return contains(head, kInfo) &&
         (contains(head, "nranks ") || contains(head, "nRanks ") || contains(head, "NET/"));
}

Imported import_nccl_log(std::string_view text, const std::string& file,
                         const core::Node& /*known*/) {
  Findings findings(file);
  NcclLog log(findings);
  log.read(text);
  log.write();
  return findings.take();
}

}  // namespace railwright::importers
