// SPDX-License-Identifier: Apache-2.0
#include "hugging_face_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace railwright::models {

using core::Node;

std::optional<std::int64_t> count_in(const Node* node) {
  if (node == nullptr || !node->is_scalar()) return std::nullopt;
  std::int64_t value = 0;
  const char* end = node->text.data() + node->text.size();
  const auto result = std::from_chars(node->text.data(), end, value);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  if (value < 0 || value > 1'000'000'000) return std::nullopt;
  return value;
}

const core::Node* HuggingFaceShape::find(std::string_view path) const {
  const Node* node = core::find_path(config_, path);
  return node == nullptr || node->kind == Node::Kind::kNull ? nullptr : node;
}

std::optional<std::int64_t> HuggingFaceShape::given(std::string_view path) const {
  return count_in(find(path));
}

std::int64_t HuggingFaceShape::whole(std::string_view path, std::int64_t otherwise) const {
  return given(path).value_or(otherwise);
}

bool HuggingFaceShape::truth(std::string_view path, bool otherwise) const {
  const Node* node = find(path);
  return node == nullptr || !node->is_scalar() ? otherwise : node->text == "true";
}

std::int64_t HuggingFaceShape::num_layers() const {
  constexpr std::int64_t kMost = 10'000;
  return std::min(count_in(entry_.find("num_layers")).value_or(0), kMost);
}

std::int64_t HuggingFaceShape::of_entry(std::string_view path) const {
  return count_in(core::find_path(entry_, path)).value_or(0);
}

void HuggingFaceShape::put(std::string_view key, const std::string& yaml) {
  Node value = core::parse_yaml(yaml, config_.where.file);
  Node* known = entry_.find(key);
  if (known != nullptr) {
    *known = std::move(value);
  } else {
    entry_.entries.push_back({std::string(key), config_.where, std::move(value)});
  }
}

void HuggingFaceShape::put_expert(std::string_view key, std::int64_t value) {
  Node* experts = entry_.find("experts");
  if (experts == nullptr) {
    put("experts", fmt::format("{{{}: {}}}", key, value));
    return;
  }
  Node node = core::parse_yaml(std::to_string(value), config_.where.file);
  if (Node* known = experts->find(key)) {
    *known = std::move(node);
  } else {
    experts->entries.push_back({std::string(key), config_.where, std::move(node)});
  }
}

void HuggingFaceShape::remove(std::string_view key) {
  std::erase_if(entry_.entries, [&](const core::Entry& entry) { return entry.key == key; });
}

void HuggingFaceShape::problem(std::string_view key, std::string message) {
  const Node* node = find(key);
  problems_.push_back(
      {node != nullptr ? node->where : config_.where, std::string(key), std::move(message), ""});
}

std::string HuggingFaceShape::letters(std::string_view key, std::span<const Letter> words) {
  std::string pattern;
  for (const Node& item : find(key)->items) {
    const auto known = std::ranges::find(words, item.text, &Letter::word);
    if (known == words.end()) {
      problem(key, fmt::format("no kind of layer '{}' is known", item.text));
      return {};
    }
    pattern += known->letter;
  }
  // Modules of multi-token prediction may be listed behind the layers.
  pattern.resize(std::min(pattern.size(), static_cast<std::size_t>(num_layers())));
  if (std::cmp_less(pattern.size(), num_layers())) {
    problem(key, fmt::format("{} words for {} layers", pattern.size(), num_layers()));
  }
  return pattern;
}

bool HuggingFaceShape::has_list(std::string_view key) const {
  const Node* node = find(key);
  return node != nullptr && !node->items.empty();
}

void HuggingFaceShape::put_dense_layers(std::string_view key) {
  if (!has_list(key)) return;
  const std::vector<Node>& items = find(key)->items;
  const auto routed = std::ranges::find(items, "1", &Node::text);
  if (std::ranges::count(items, "1", &Node::text) != std::distance(routed, items.end())) {
    problem(key, "layers without experts are not the first ones");
  }
  put_expert("dense_layers", std::distance(items.begin(), routed));
}

}  // namespace railwright::models
