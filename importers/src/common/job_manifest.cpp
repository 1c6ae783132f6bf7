// SPDX-License-Identifier: Apache-2.0
#include "job_manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "looks_like.hpp"
#include "manifest.hpp"
#include "railwright/core/config/text_file.hpp"
#include "tree_values.hpp"

namespace railwright::importers {

namespace {

constexpr auto kJobKinds = std::to_array<std::string_view>(
    {"PyTorchJob", "TrainJob", "MPIJob", "JobSet", "Job", "RayJob"});

constexpr auto kTrainingWords = std::to_array<std::string_view>(
    {"torchrun ", "deepspeed ", "accelerate launch ", "torch.distributed.run ",
     "torch.distributed.launch ", "pretrain_gpt.py", "llamafactory-cli ", "swift sft ", "swift pt ",
     "tune run ", "main_ppo", "openrlhf.cli"});

/// Words before a script that a shell is to run.
constexpr auto kShellStarts =
    std::to_array<std::string_view>({"bash", "sh", "/bin/bash", "/bin/sh", "-c", "-lc", "-ec",
                                     "-ce", "-xc", "-xec", "-exc", "-e", "-x"});

bool starts_training(std::string_view words) {
  return std::ranges::any_of(kTrainingWords,
                             [&](std::string_view one) { return contains(words, one); });
}

std::optional<std::int64_t> job_count(const core::Node& node, std::string_view path) {
  constexpr double kMost = 65536;
  const core::Node* found = find_given(node, path);
  const double value = found != nullptr && found->is_scalar() ? core::number_of(found->text) : 0.0;
  if (!(value >= 1.0 && value <= kMost) || value != std::floor(value)) return {};
  return static_cast<std::int64_t>(value);
}

/// Returns the count at a path: one where there is no such key, nothing where it is no count.
std::optional<std::int64_t> count_or_one(const core::Node& node, std::string_view path) {
  if (find_given(node, path) == nullptr) return 1;
  return job_count(node, path);
}

/// Returns the first number at a key, however deep; nothing where there is none.
std::optional<std::int64_t> accelerators_below(const core::Node& node) {
  for (const core::Entry& entry : node.entries) {
    if (entry.key == "nvidia.com/gpu" || entry.key == "amd.com/gpu") {
      const double value = entry.value.is_scalar() ? core::number_of(entry.value.text) : 0.0;
      if (value >= 1.0 && value <= 1024.0) return static_cast<std::int64_t>(value);
    }
    if (const auto found = accelerators_below(entry.value)) return found;
  }
  for (const core::Node& item : node.items) {
    if (const auto found = accelerators_below(item)) return found;
  }
  return {};
}

/// Writes words of a manifest as a script, each on the line that it has in the file.
class PlacedScript {
 public:
  void add_words(const core::Node* node) {
    if (node == nullptr) return;
    if (node->is_scalar()) add(*node);
    for (const core::Node& word : node->items) add(word);
  }
  void assign(const std::string& name, const core::Node& value) {
    if (!value.is_scalar() || value.text.find_first_of("'\n") != std::string::npos) return;
    text_ += fmt::format("export {}='{}'; ", name, value.text);
  }
  [[nodiscard]] std::string take() { return text_ + "\n"; }

 private:
  void add(const core::Node& word) {
    if (!word.is_scalar()) return;
    const bool is_start = !is_begun_ && std::ranges::count(kShellStarts, word.text) > 0;
    if (is_start) return;
    const std::string text = with_shell_variables(word.text);
    const bool is_script = contains(text, "\n") || contains(text, " --");
    go_to(word.where.line + (contains(text, "\n") ? 1 : 0), is_begun_ ? " \\\n" : "\n");
    const bool is_plain = text.find_first_of(" \t\"'|&()<>#;") == std::string::npos;
    text_ += is_script || is_plain ? text : in_single_quotes(text);
    text_ += ' ';
    line_ += static_cast<int>(std::ranges::count(text, '\n'));
    is_begun_ = true;
  }
  void go_to(int line, std::string_view by) {
    for (; line_ < line; ++line_) text_ += by;
  }
  static std::string in_single_quotes(const std::string& word) {
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
  }

  std::string text_;
  int line_ = 1;
  bool is_begun_ = false;
};

class JobReading {
 public:
  /// Reads a document of the file. The first container that trains is taken.
  void document(const core::Node& root) {
    const core::Node* kind = root.find("kind");
    const bool is_job = kind != nullptr && std::ranges::count(kJobKinds, kind->text) > 0;
    if (script_ || !is_job) return;
    const core::Node* spec = root.find("spec");
    if (spec == nullptr) return;
    nodes_ = nodes_of(*spec);
    ranks_ = job_count(*spec, "nprocPerNode");
    is_world_of_pods_ = !ranks_ && find_given(*spec, "pytorchReplicaSpecs") != nullptr;
    if (!ranks_) ranks_ = job_count(*spec, "slotsPerWorker");
    if (!ranks_) ranks_ = job_count(*spec, "trainer.numProcPerNode");
    if (!ranks_) ranks_ = accelerators_below(*spec);
    visit(*spec);
  }
  [[nodiscard]] std::optional<std::string> take() { return std::move(script_); }

 private:
  /// Returns how many pods train together; nothing where the job does not say.
  static std::optional<std::int64_t> nodes_of(const core::Node& spec) {
    if (const core::Node* roles = find_given(spec, "pytorchReplicaSpecs")) {
      std::int64_t nodes = 0;
      for (const core::Entry& role : roles->entries) {
        const auto pods = count_or_one(role.value, "replicas");
        if (!pods) return {};
        nodes += *pods;
      }
      return nodes;
    }
    for (const char* path :
         {"mpiReplicaSpecs.Worker.replicas", "trainer.numNodes", "parallelism"}) {
      if (const auto nodes = job_count(spec, path)) return nodes;
    }
    if (const core::Node* jobs = find_given(spec, "replicatedJobs")) {
      if (jobs->items.size() != 1) return {};
      const auto jobs_alike = count_or_one(jobs->items.front(), "replicas");
      const auto pods = count_or_one(jobs->items.front(), "template.spec.parallelism");
      if (!jobs_alike || !pods) return {};
      return *jobs_alike * *pods;
    }
    return {};
  }

  void visit(const core::Node& node) {
    if (script_) return;
    if (node.is_mapping()) container(node);
    for (const core::Entry& entry : node.entries) visit(entry.value);
    for (const core::Node& item : node.items) visit(item);
  }

  void container(const core::Node& node) {
    const core::Node* command = node.find("command");
    const core::Node* args = node.find("args");
    const core::Node* entrypoint = node.find("entrypoint");
    std::string words;
    for (const core::Node* part : {command, args, entrypoint}) {
      if (part == nullptr) continue;
      words += part->text + " ";
      for (const core::Node& word : part->items) words += word.text + " ";
    }
    if (!starts_training(words)) return;
    PlacedScript script;
    if (const core::Node* env = node.find("env")) {
      for (const core::Node& one : env->items) {
        const core::Node* name = one.find("name");
        const core::Node* value = one.find("value");
        if (name != nullptr && value != nullptr) script.assign(name->text, *value);
      }
    }
    script.add_words(command);
    script.add_words(args);
    script.add_words(entrypoint);
    script_ = head() + script.take();
  }

  /// The variables that the operator sets for the first pod.
  [[nodiscard]] std::string head() const {
    std::string text = "RANK=0 PET_NODE_RANK=0";
    if (nodes_) text += fmt::format(" NNODES={0} PET_NNODES={0}", *nodes_);
    if (nodes_ && is_world_of_pods_) text += fmt::format(" WORLD_SIZE={}", *nodes_);
    if (ranks_) text += fmt::format(" GPUS_PER_NODE={0} PET_NPROC_PER_NODE={0}", *ranks_);
    return text + "; ";
  }

  std::optional<std::int64_t> nodes_;
  std::optional<std::int64_t> ranks_;  ///< of a node
  bool is_world_of_pods_ = false;      ///< WORLD_SIZE counts pods, not ranks
  std::optional<std::string> script_;
};

}  // namespace

std::optional<std::string> job_script(std::string_view text, const std::string& file) {
  const bool is_job = has_line(text, "kind:") && contains(text, "Job") && is_manifest(text) &&
                      starts_training(joined_words(text));
  if (is_json_object(text) || !is_job) return {};
  JobReading reading;
  each_document(text, file, [&](const core::Node& document) { reading.document(document); });
  return reading.take();
}

}  // namespace railwright::importers
