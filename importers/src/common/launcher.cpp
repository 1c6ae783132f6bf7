// SPDX-License-Identifier: Apache-2.0
// Reads how many nodes and processes a launcher starts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "railwright/core/config/text_file.hpp"
#include "training_part.hpp"

namespace railwright::importers {

namespace {

/// A count and where it stands.
struct Count {
  std::int64_t value = 0;
  std::string origin;
};

std::optional<std::int64_t> whole_of(std::string_view text, std::int64_t most) {
  const double value = core::number_of(text);
  if (!(value >= 1.0 && value <= static_cast<double>(most)) || value != std::floor(value))
    return {};
  return static_cast<std::int64_t>(value);
}

/// Returns what a word of a batch job's head has after its option: "--nodes=4", "-N 4".
std::string_view value_behind(const std::vector<std::string_view>& words, std::size_t at,
                              std::string_view option) {
  if (words[at] == option) return at + 1 < words.size() ? words[at + 1] : std::string_view();
  if (!words[at].starts_with(option)) return {};
  std::string_view rest = words[at].substr(option.size());
  if (rest.starts_with('=')) return rest.substr(1);
  return option.starts_with("--") ? std::string_view() : rest;
}

class Launcher {
 public:
  Launcher(TrainingPart& part, const core::Node& variables) : part_(part), variables_(variables) {}

  void all(std::string_view script) {
    option(nodes_, {"nnodes", "num_machines", "num_nodes"}, 65536);
    option(ranks_, {"nproc_per_node", "num_gpus", "num_gpus_per_node"}, 1024);
    head(script);
    variable(nodes_, {"NNODES"}, 65536);
    variable(ranks_, {"NPROC_PER_NODE", "GPUS_PER_NODE", "N_GPUS", "NUM_GPUS"}, 1024);
    option(processes_, {"num_processes"}, 100'000'000);
    visible_devices();
    say();
  }

 private:
  void option(std::optional<Count>& count, std::initializer_list<std::string_view> names,
              std::int64_t most) {
    for (const std::string_view name : names) {
      const core::Node* node = part_.values().find(name);
      if (count || node == nullptr || !node->is_scalar()) continue;
      if (const auto value = whole_of(node->text, most)) count = Count{*value, std::string(name)};
    }
  }

  void variable(std::optional<Count>& count, std::initializer_list<std::string_view> names,
                std::int64_t most) {
    for (const std::string_view name : names) {
      const core::Node* node = variables_.find(name);
      if (count || node == nullptr) continue;
      if (const auto value = whole_of(node->text, most)) count = Count{*value, std::string(name)};
    }
  }

  void head(std::string_view script) {
    for (const std::string_view line : core::lines_of(script)) {
      const auto words = core::words_of(line);
      if (words.empty() || words.front() != "#SBATCH") continue;
      for (std::size_t i = 1; i < words.size(); ++i) head_word(words, i);
    }
  }

  void head_word(const std::vector<std::string_view>& words, std::size_t at) {
    const auto take = [&](std::optional<Count>& count, std::string_view option,
                          std::string_view text, std::int64_t most) {
      const auto value = whole_of(text, most);
      if (!count && value) count = Count{*value, fmt::format("#SBATCH {}", option)};
    };
    for (const std::string_view option : {"--nodes", "-N"}) {
      take(nodes_, option, value_behind(words, at, option), 65536);
    }
    for (const std::string_view option : {"--gpus-per-node", "--gres"}) {
      const std::string_view text = value_behind(words, at, option);
      if (option == "--gres" && !text.starts_with("gpu")) continue;
      take(ranks_, option, text.substr(text.rfind(':') + 1), 1024);
    }
  }

  /// CUDA_VISIBLE_DEVICES=0,1,2,3 is four.
  void visible_devices() {
    const core::Node* devices = variables_.find("CUDA_VISIBLE_DEVICES");
    if (ranks_ || processes_ || devices == nullptr || devices->text.empty()) return;
    const bool is_list = std::ranges::all_of(
        devices->text, [](char c) { return (c >= '0' && c <= '9') || c == ','; });
    if (!is_list || devices->text.back() == ',') return;
    ranks_ = Count{std::ranges::count(devices->text, ',') + 1, "CUDA_VISIBLE_DEVICES"};
  }

  void say() {
    Findings& findings = part_.findings();
    if (nodes_) findings.know("cluster.nodes", nodes_->value, nodes_->origin);
    const std::string path = "cluster.node.num_accelerators";
    if (ranks_) {
      findings.assume(path, ranks_->value,
                      fmt::format("{}: a rank on each accelerator", ranks_->origin));
      if (!nodes_ && !part_.is_outside("nnodes") && !part_.is_outside("num_machines")) {
        findings.unknown("cluster.nodes", "no count of nodes in the file");
      }
    } else if (processes_ && nodes_ && processes_->value % nodes_->value == 0) {
      findings.assume(path, processes_->value / nodes_->value,
                      fmt::format("{} processes on {} nodes, a rank on each accelerator",
                                  processes_->value, nodes_->value));
    } else if (processes_ && nodes_) {
      findings.problem_in_file(fmt::format("{} {} do not divide over {} nodes", processes_->origin,
                                           processes_->value, nodes_->value));
    } else if (processes_) {
      findings.unknown("cluster.nodes", fmt::format("{} {}: so many accelerators",
                                                    processes_->origin, processes_->value));
    }
  }

  TrainingPart& part_;
  const core::Node& variables_;
  std::optional<Count> nodes_;
  std::optional<Count> ranks_;      ///< processes of a node
  std::optional<Count> processes_;  ///< processes of all nodes
};

}  // namespace

void add_launcher(TrainingPart& part, const core::Node& variables, std::string_view script) {
  Launcher(part, variables).all(script);
}

}  // namespace railwright::importers
