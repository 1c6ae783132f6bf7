// SPDX-License-Identifier: Apache-2.0
// Translates what the configurations of training stacks have in common.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "findings.hpp"
#include "railwright/core/config/tree.hpp"
#include "shell_words.hpp"
#include "tree_values.hpp"

namespace railwright::importers {

/// Returns the catalogue's name for a published checkpoint or for what a stack calls a model:
/// "llama3.1_8B" is "llama-3.1-8b".
std::string catalogue_name(std::string_view published);

/// Removes the scalars that hold a variable or a template, such as "${SIZE}" or "{{ size }}", and
/// returns their paths.
std::vector<UnsetOption> take_out_templates(core::Node& root);

/// Holds what the readers of training stacks share: the values of a file, and what comes from
/// outside it.
class TrainingPart {
 public:
  /// `known` holds the values of files that were read before; all must outlive this. `program` is
  /// the stack in words: "torchtitan".
  TrainingPart(const core::Node& root, std::vector<UnsetOption> unset, const core::Node& known,
               std::string_view program, Findings& findings);

  TreeValues& values() { return values_; }
  Findings& findings() { return findings_; }

  /// Returns the first of these keys that the file has, with a value or without; "" if none.
  std::string key_of(std::initializer_list<std::string_view> keys);
  [[nodiscard]] bool is_outside(std::string_view key) const { return values_.is_outside(key); }

  /// Reads "true", "yes", "1", "on" and their opposites in any case; nothing for other words.
  std::optional<bool> yes(std::string_view key);
  std::optional<std::string> lower(std::string_view key);
  /// Returns the words of a list, or of a text that commas or blanks divide.
  std::vector<std::string> words(std::string_view key);

  /// Adds a degree of parallelism; where absent, 1 as the program's default.
  std::optional<std::int64_t> degree(std::string_view key, std::string_view path);
  /// Adds a whole number; unknown where absent.
  std::optional<std::int64_t> whole(std::string_view key, std::string_view path,
                                    std::int64_t most = 1'000'000'000);
  /// Adds a switch, with the program's default where absent.
  void flag(std::string_view key, std::string_view path, bool otherwise);
  /// Adds the model by the name of a checkpoint, unless a config.json told it.
  void model(std::string_view key);
  /// Adds micro-batch times accumulation times data-parallel ranks.
  void batch_of_ranks(std::int64_t micro, std::int64_t accumulation);
  /// Whether an earlier file has a value at this path.
  [[nodiscard]] bool is_known(std::string_view path) const;

  /// Says which keys come from outside and which were not read. Keys that begin with one of
  /// `ignored` have no effect on time or memory.
  void rest(std::span<const std::string_view> ignored);

 private:
  std::string program_;
  const core::Node& known_;
  Findings& findings_;
  TreeValues values_;
  std::vector<UnsetOption> unset_;
};

/// Returns options whose names have dots as a tree: `{training.steps: 5}` becomes `{training:
/// {steps: 5}}`.
core::Node nested(const core::Node& options);

/// Returns the targets of adapters by the names that matrices have in Megatron-LM and NeMo.
std::string lora_targets(const core::Node& names);

/// Notes options that come from outside, options with two values, and defaults of variables.
void add_shell_notes(const ShellOptions& options, Findings& findings);

/// Proposes a software profile of the catalogue.
void propose_software(Findings& findings, std::string_view profile, std::string_view why);

/// Adds the cluster from the arguments of torchrun, accelerate or deepspeed, from variables such as
/// NPROC_PER_NODE, and from the head of a batch job.
void add_launcher(TrainingPart& part, const core::Node& variables, std::string_view script);

}  // namespace railwright::importers
