// SPDX-License-Identifier: Apache-2.0
// Reads catalogue entries of every kind into lists of values.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/hardware/cable.hpp"
#include "railwright/core/hardware/cable_fields.hpp"
#include "railwright/core/hardware/cpu_node.hpp"
#include "railwright/core/hardware/cpu_node_fields.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/core/hardware/kernel_constants_fields.hpp"
#include "railwright/core/hardware/mount.hpp"
#include "railwright/core/hardware/mount_fields.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/hardware/node_fields.hpp"
#include "railwright/core/hardware/storage_node.hpp"
#include "railwright/core/hardware/storage_node_fields.hpp"
#include "railwright/core/hardware/transport_fields.hpp"
#include "railwright/core/units/nearest.hpp"
#include "railwright/models/data_loading/data_reader_fields.hpp"
#include "railwright/models/inference/serving_engine.hpp"
#include "railwright/models/inference/serving_engine_fields.hpp"
#include "railwright/models/money/prices.hpp"
#include "railwright/models/money/prices_fields.hpp"
#include "railwright/models/offload/tier.hpp"
#include "railwright/models/offload/tier_fields.hpp"
#include "railwright/models/reliability/reliability.hpp"
#include "railwright/models/reliability/reliability_fields.hpp"
#include "railwright/models/software/collectives_fields.hpp"
#include "railwright/models/software/installation.hpp"
#include "railwright/models/software/installation_fields.hpp"
#include "railwright/models/software/profile.hpp"
#include "railwright/models/software/profile_fields.hpp"
#include "railwright/models/software/recipe_flags.hpp"
#include "railwright/models/workload/model.hpp"
#include "railwright/models/workload/transformer_fields.hpp"
#include "railwright/models/workload/vision_fields.hpp"
#include "railwright/output/catalogue/catalogue_text.hpp"
#include "railwright/simulation/scenario/provenance.hpp"
#include "railwright/simulation/scenario/track_record_fields.hpp"
#include "railwright/topologies/wirings/create_topology.hpp"
#include "railwright/topologies/wirings/topology_kinds.hpp"

namespace railwright::output {

namespace {

using core::Node;

/// A kind of entries without its type.
struct EntryKind {
  std::string name;
  core::Description (*describe)(const Node& entry);
  void (*check)(const core::Catalogue& catalogue, const std::string& name);
};

template <typename T>
void check_entry(const core::Catalogue& catalogue, const std::string& name) {
  T entry{};
  core::Reader reader(&catalogue);
  reader.read(core::text_node(name), "", entry);
  reader.throw_if_any();
}

template <core::CatalogueEntry T>
EntryKind entry_kind() {
  return {std::string(T::kKind), [](const Node&) { return core::describe<T>(); }, check_entry<T>};
}

/// Handles both transformers and vision models.
EntryKind workload_kind() {
  const auto describe = [](const Node& entry) {
    const bool is_vision = entry.find(models::VisionModel::kMark) != nullptr;
    return is_vision ? core::describe<models::VisionModel>()
                     : core::describe<models::Transformer>();
  };
  return {std::string(models::Transformer::kKind), describe, check_entry<models::Model>};
}

/// The keys of a fabric depend on its topology.
EntryKind fabric_kind() {
  const auto describe = [](const Node& entry) {
    core::Description topology;
    topology.name = "topology";
    topology.kind = core::Description::Kind::kText;
    core::Description all = topologies::find_topology(entry.find("topology")->text)->keys();
    all.children.insert(all.children.begin(), std::move(topology));
    return all;
  };
  const auto check = [](const core::Catalogue& catalogue, const std::string& name) {
    core::Reader reader(&catalogue);
    topologies::create_topology(core::text_node(name), reader, "");
    reader.throw_if_any();
  };
  return {std::string(topologies::kFabricKind), describe, check};
}

std::vector<EntryKind> entry_kinds() {
  return {entry_kind<core::Accelerator>(),
          entry_kind<core::Cable>(),
          entry_kind<models::CollectiveTuning>(),
          entry_kind<core::CpuNode>(),
          entry_kind<core::KernelConstants>(),
          fabric_kind(),
          entry_kind<models::Installation>(),
          entry_kind<core::Mount>(),
          entry_kind<core::Nic>(),
          entry_kind<models::OffloadTier>(),
          entry_kind<models::Prices>(),
          entry_kind<models::DataReader>(),
          entry_kind<models::RecipeFlags>(),
          entry_kind<models::Reliability>(),
          entry_kind<core::ComputeNode>(),
          entry_kind<models::ServingEngine>(),
          entry_kind<models::SoftwareProfile>(),
          entry_kind<core::StorageNode>(),
          entry_kind<core::Switch>(),
          entry_kind<simulation::TrackRecord>(),
          entry_kind<core::Transport>(),
          workload_kind()};
}

std::string text_of(const Node* node) {
  if (node == nullptr) return {};
  return node->is_scalar() ? node->text : core::to_yaml(*node);
}

/// Loads an entry's YAML, merged over its base entry. The entry must have been checked.
Node written(const core::Catalogue& catalogue, const std::string& kind, const std::string& name) {
  Node node = catalogue.load(kind, name);
  const Node* model = node.find("model");
  if (model == nullptr) return node;
  Node base = written(catalogue, kind, model->text);
  std::erase_if(node.entries, [](const core::Entry& entry) { return entry.key == "model"; });
  return core::overlay(std::move(base), node);
}

/// Collects the values of one entry.
class Values {
 public:
  void add_keys(const core::Description& description, const Node& node, const std::string& path) {
    const bool overrides = node.find("model") != nullptr;
    for (const core::Description& key : description.children) {
      const bool heading = key.name == "name" || key.name == "description" || key.name == "source";
      if (heading && path.empty()) continue;
      const Node* value = node.find(key.name);
      const std::string place = core::join_path(path, key.name);
      if (value != nullptr) {
        add(key, *value, place);
      } else if (!overrides && !key.default_text.empty()) {
        add_plain(key, core::parse_yaml(key.default_text, "default"), place, "default");
        values_.back().is_default = true;
      }
    }
  }

  std::vector<CatalogueValue> take() { return std::move(values_); }

 private:
  void add(const core::Description& key, const Node& node, const std::string& path) {
    if (key.kind == core::Description::Kind::kList && !node.items.empty() &&
        node.items.front().is_mapping()) {
      return add_items(key.children.front(), node, path);
    }
    if (key.kind != core::Description::Kind::kStruct) {
      if (!key.sourced) return add_plain(key, node, path, "");
      if (!node.is_mapping()) return add_plain(key, node, path, core::to_string(node.where));
      add_plain(key, *node.find("value"), path, text_of(node.find("source")));
      const Node* estimate = node.find("estimate");
      values_.back().estimate = estimate != nullptr && estimate->text == "true";
      if (const Node* range = node.find("range")) {
        values_.back().low = text_of(&range->items[0]);
        values_.back().high = text_of(&range->items[1]);
      }
      return;
    }
    const Node* entry = node.is_scalar() ? &node : node.find("model");
    if (!key.catalogue.empty() && entry != nullptr) {
      add_plain(key, *entry, path, "");
      values_.back().entry = key.catalogue + "/" + entry->text;
    }
    if (node.is_mapping()) add_keys(key, node, path);
  }

  /// Adds a line per mapping, or a line per key if a key is a list or has a source.
  void add_items(const core::Description& item, const Node& list, const std::string& path) {
    const auto needs_lines = [](const core::Description& key) {
      return key.kind == core::Description::Kind::kList || key.sourced;
    };
    const bool a_line_each_key = std::ranges::any_of(item.children, needs_lines);
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const std::string place = core::join_path(path, std::to_string(i));
      if (a_line_each_key) {
        add_keys(item, list.items[i], place);
      } else {
        add_plain(item, list.items[i], place, "");
      }
    }
  }

  void add_plain(const core::Description& key, const Node& node, const std::string& path,
                 const std::string& source) {
    // The default of a sourced key includes its source.
    const Node* value = key.sourced && node.is_mapping() ? node.find("value") : &node;
    values_.push_back({.key = path,
                       .text = text_of(value),
                       .kind = key.kind,
                       .exponents = key.exponents,
                       .source = source,
                       .estimate = false});
  }

  std::vector<CatalogueValue> values_;
};

/// Adds the names that the stack of a profile gives the keys, as far as the catalogue knows them.
void add_flags(const core::Catalogue& catalogue, const std::string& profile,
               std::vector<CatalogueValue>& values) {
  for (const std::string& name : catalogue.names(models::RecipeFlags::kKind)) {
    core::Reader reader(&catalogue);
    models::RecipeFlags known;
    reader.read(core::text_node(name), "", known);
    reader.throw_if_any();
    const bool is_own = std::ranges::find(known.stacks, profile) != known.stacks.end();
    for (const models::RecipeFlag& one : known.flags) {
      const auto value = std::ranges::find(values, one.key, &CatalogueValue::key);
      if (value == values.end()) continue;
      value->is_choice = true;
      if (is_own) value->flag = one.flag;
    }
  }
}

CatalogueItem item_of(const EntryKind& kind, const std::string& name, const Node& node) {
  return {kind.name, name, text_of(node.find("description"))};
}

[[noreturn]] void refuse(std::string message, std::string hint) {
  throw core::ConfigError({{{}, "", std::move(message), std::move(hint)}});
}

/// More names than these are no help in a message.
constexpr std::size_t kMaxKnown = 40;

std::string hint_for(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = core::nearest(word, known);
  if (!near.empty()) return fmt::format("did you mean '{}'?", near);
  if (known.size() <= kMaxKnown) return fmt::format("known: {}", fmt::join(known, ", "));
  std::vector<std::string> with_word;
  std::ranges::copy_if(known, std::back_inserter(with_word),
                       [&](const std::string& one) { return one.find(word) != std::string::npos; });
  if (with_word.empty() || with_word.size() > kMaxKnown) {
    return fmt::format("`railwright catalogue list` names all {}", known.size());
  }
  return fmt::format("with that in their name: {}", fmt::join(with_word, ", "));
}

/// Returns the hint for a kind, which people call by other words too.
std::string hint_for_kind(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::array<std::array<std::string_view, 2>, 6> kOtherWords{
      {{"gpu", "accelerators"},
       {"model", "workloads"},
       {"server", "nodes"},
       {"storage", "storage_nodes"},
       {"engine", "serving_engines"},
       {"stack", "software"}}};
  for (const auto& [said, kind] : kOtherWords) {
    if (word == said || word == fmt::format("{}s", said)) {
      return fmt::format("did you mean '{}'?", kind);
    }
  }
  return hint_for(word, known);
}

}  // namespace

CatalogueListing list_catalogue(const core::Catalogue& catalogue, const std::string& kind) {
  CatalogueListing listing;
  std::vector<std::string> known;
  bool found = kind.empty();
  for (const EntryKind& one : entry_kinds()) {
    known.push_back(one.name);
    if (!kind.empty() && kind != one.name) continue;
    found = true;
    for (const std::string& name : catalogue.names(one.name)) {
      one.check(catalogue, name);
      listing.items.push_back(item_of(one, name, written(catalogue, one.name, name)));
    }
  }
  if (!found)
    refuse(fmt::format("no kind '{}' in the catalogue", kind), hint_for_kind(kind, known));
  return listing;
}

CatalogueEntry show_entry(const core::Catalogue& catalogue, const std::string& name) {
  const std::vector<EntryKind> kinds = entry_kinds();
  const std::size_t slash = name.find('/');
  const std::string wanted_kind = slash == std::string::npos ? "" : name.substr(0, slash);
  const std::string wanted = slash == std::string::npos ? name : name.substr(slash + 1);
  std::vector<const EntryKind*> holders;
  std::vector<std::string> known;
  std::vector<std::string> places;
  for (const EntryKind& kind : kinds) {
    for (const std::string& one : catalogue.names(kind.name)) {
      known.push_back(wanted_kind.empty() ? one : kind.name + "/" + one);
    }
    if (!wanted_kind.empty() && wanted_kind != kind.name) continue;
    if (!catalogue.contains(kind.name, wanted)) continue;
    holders.push_back(&kind);
    places.push_back(kind.name + "/" + wanted);
  }
  if (holders.empty()) {
    refuse(fmt::format("no entry '{}' in the catalogue", name), hint_for(name, known));
  }
  if (holders.size() > 1) {
    refuse(fmt::format("'{}' is in several kinds", name),
           fmt::format("say which: {}", fmt::join(places, ", ")));
  }
  const EntryKind& kind = *holders.front();
  kind.check(catalogue, wanted);
  const Node node = written(catalogue, kind.name, wanted);
  Values values;
  values.add_keys(kind.describe(node), node, "");
  CatalogueEntry entry{item_of(kind, wanted, node), text_of(node.find("source")), values.take()};
  if (kind.name == models::SoftwareProfile::kKind) add_flags(catalogue, wanted, entry.values);
  return entry;
}

std::vector<std::string> CatalogueEntry::left_to_user() const {
  std::vector<std::string> keys;
  if (item.kind != models::SoftwareProfile::kKind) return keys;
  for (const CatalogueValue& value : values) {
    if (value.is_default && value.is_choice) keys.push_back(value.key);
  }
  return keys;
}

}  // namespace railwright::output
