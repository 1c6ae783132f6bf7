// SPDX-License-Identifier: Apache-2.0
// A Hugging Face config.json, and the entry of the catalogue's form that is made of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"

namespace railwright::models {

/// Returns a whole number from 0 to a billion; nothing where the node is absent or none.
std::optional<std::int64_t> count_in(const core::Node* node);

/// Reads keys of the config.json, and sets those of the entry.
class HuggingFaceShape {
 public:
  HuggingFaceShape(const core::Node& config, core::Node& entry,
                   std::vector<core::Diagnostic>& problems)
      : config_(config), entry_(entry), problems_(problems) {}

  /// Null where absent or null.
  [[nodiscard]] const core::Node* find(std::string_view path) const;
  [[nodiscard]] std::optional<std::int64_t> given(std::string_view path) const;
  [[nodiscard]] std::int64_t whole(std::string_view path, std::int64_t otherwise = 0) const;
  [[nodiscard]] bool truth(std::string_view path, bool otherwise) const;
  [[nodiscard]] bool has_list(std::string_view key) const;
  /// Number of layers that the entry has; none if it is missing or no layers can be made of it.
  [[nodiscard]] std::int64_t num_layers() const;
  [[nodiscard]] std::int64_t of_entry(std::string_view path) const;

  /// Sets a key, or several below one, from YAML.
  void put(std::string_view key, const std::string& yaml);
  /// Sets a key of the experts.
  void put_expert(std::string_view key, std::int64_t value);
  void remove(std::string_view key);
  void problem(std::string_view key, std::string message);

  /// A word of a list of layers, and the letter that stands for it in a pattern.
  struct Letter {
    std::string_view word;
    char letter;
  };
  /// Returns a letter for each layer: that of the word in the list `key`.
  std::string letters(std::string_view key, std::span<const Letter> words);
  /// Sets the first layers without experts from a list with 0 for them and 1 for the others.
  void put_dense_layers(std::string_view key);

 private:
  const core::Node& config_;
  core::Node& entry_;
  std::vector<core::Diagnostic>& problems_;
};

/// A reader of the layers of a `model_type`, and the keys that it reads.
struct LayerReader {
  std::string_view model_type;
  void (*put)(HuggingFaceShape& shape);
  std::span<const std::string_view> keys;
};

/// Readers of kinds of attention, of layers that carry states, and of experts.
std::span<const LayerReader> attention_layer_readers();
std::span<const LayerReader> state_layer_readers();
std::span<const LayerReader> expert_layer_readers();

}  // namespace railwright::models
