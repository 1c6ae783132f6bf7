// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/ranged_number.hpp"

#include <optional>
#include <string_view>
#include <utility>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/hardware/storage_node.hpp"
#include "railwright/models/data_loading/data_reader.hpp"
#include "railwright/models/inference/speculative_fields.hpp"
#include "railwright/models/reliability/reliability.hpp"

namespace railwright::simulation {

namespace {

using core::Node;

std::string name_of(const Node& entry) {
  const Node* name = entry.find("name");
  return name != nullptr ? name->text : std::string();
}

/// Adds the numbers of one entry, which is complete, under its name.
void add_of_entry(const Node& entry, const std::string& name, const std::string& path,
                  std::vector<RangedNumber>& numbers) {
  for (const core::Entry& one : entry.entries) {
    const Node* range = one.value.find("range");
    const Node* value = one.value.find("value");
    if (range == nullptr || range->items.size() != 2 || value == nullptr) continue;
    const Node* source = one.value.find("source");
    numbers.push_back({.path = core::join_path(path, one.key),
                       .entry = name,
                       .source = source != nullptr ? source->text : std::string(),
                       .value = *value,
                       .low = range->items[0],
                       .high = range->items[1]});
  }
}

/// Returns the acceptance of drafts that nobody stated: as published of the model, or the default.
core::Sourced<double> default_acceptance(const Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  models::SpeculativeDecoding drafts;
  models::Transformer model;
  reader.read(*core::find_path(tree, "inference.speculative"), "inference.speculative", drafts);
  if (const Node* node = core::find_path(tree, "inference.model"); node != nullptr) {
    reader.read(*node, "inference.model", model);
  }
  if (drafts.draft) return drafts.acceptance;
  return models::published_acceptance(model, drafts.draft_tokens).value_or(drafts.acceptance);
}

/// Adds the acceptance of drafts: a stated one if it has a range, else that of the default.
void add_of_drafts(const Node& tree, const core::Catalogue& catalogue,
                   std::vector<RangedNumber>& numbers) {
  using models::SpeculativeDecoding;
  const std::string path = "inference.speculative";
  const Node& drafts = *core::find_path(tree, path);
  if (drafts.find("acceptance") != nullptr) return add_of_entry(drafts, "drafts", path, numbers);
  const core::Sourced<double> acceptance = default_acceptance(tree, catalogue);
  numbers.push_back({.path = path + ".acceptance",
                     .entry = "drafts",
                     .source = acceptance.source,
                     .value = core::number_node(acceptance.value),
                     .low = core::number_node(SpeculativeDecoding::kMinAcceptance),
                     .high = core::number_node(SpeculativeDecoding::kMaxAcceptance)});
}

/// Returns the complete entry at a place of `tree`; nothing if there is none.
template <class T>
std::optional<Node> entry_at(const Node& tree, std::string_view path,
                             const core::Catalogue& catalogue) {
  const Node* node = core::find_path(tree, path);
  if (node == nullptr) return {};
  core::Reader reader(&catalogue);
  Node storage;
  const Node* resolved = reader.resolve(*node, std::string(path), {.kind = T::kKind}, storage);
  if (resolved == nullptr) return {};
  return *resolved;
}

}  // namespace

std::vector<RangedNumber> ranged_numbers(const Node& tree, const core::Catalogue& catalogue) {
  std::vector<RangedNumber> numbers;
  if (const auto storage = entry_at<core::StorageNode>(tree, "cluster.storage.node", catalogue)) {
    add_of_entry(*storage, name_of(*storage), "cluster.storage.node", numbers);
  }
  if (const auto node = entry_at<core::ComputeNode>(tree, "cluster.node", catalogue)) {
    if (const auto device = entry_at<core::Accelerator>(*node, "accelerator", catalogue)) {
      add_of_entry(*device, name_of(*device), "cluster.node.accelerator", numbers);
    }
  }
  if (const auto fleet = entry_at<models::Reliability>(tree, "reliability", catalogue)) {
    add_of_entry(*fleet, name_of(*fleet), "reliability", numbers);
  }
  if (const auto loader = entry_at<models::DataReader>(tree, "data.reader", catalogue)) {
    add_of_entry(*loader, name_of(*loader), "data.reader", numbers);
  }
  const Node* drafts = core::find_path(tree, "inference.speculative");
  if (drafts != nullptr && drafts->is_mapping()) add_of_drafts(tree, catalogue, numbers);
  return numbers;
}

Node with_number(Node tree, const RangedNumber& number, const Node& value) {
  Node patch = value;
  std::string_view path = number.path;
  while (!path.empty()) {
    const std::size_t dot = path.rfind('.');
    const std::string_view key = dot == std::string_view::npos ? path : path.substr(dot + 1);
    Node outer;
    outer.kind = Node::Kind::kMapping;
    outer.where = value.where;
    outer.entries.push_back({std::string(key), value.where, std::move(patch)});
    patch = std::move(outer);
    path = path.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  return core::overlay(std::move(tree), patch);
}

}  // namespace railwright::simulation
