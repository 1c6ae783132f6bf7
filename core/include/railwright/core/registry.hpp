// SPDX-License-Identifier: Apache-2.0
// Models by name, behind one interface. A plain object that is handed down; nothing registers
// itself.
//
//   struct RingAllreduce : CollectiveModel {
//     static constexpr std::string_view kName = "ring";
//     struct Config { ... static constexpr auto fields(); };
//     explicit RingAllreduce(Config config);
//   };
//   Registry<CollectiveModel> registry("collective model");
//   registry.add<RingAllreduce>();
#pragma once

#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/reader.hpp"

namespace railwright::core {

/// A model that can be registered for `Interface`.
template <class M, class Interface>
concept Registrable = std::derived_from<M, Interface> && HasFields<typename M::Config> &&
                      std::constructible_from<M, typename M::Config> && requires {
                        { M::kName } -> std::convertible_to<std::string_view>;
                      };

/// What a node says about a model: `ring`, or `{model: ring, key: value, ...}`.
struct ModelChoice {
  std::string name;
  Location where;  ///< of the name
  std::string path;
  Node config;  ///< the mapping without its `model`
};

/// Reports a node that names no model and returns false.
bool read_model_choice(const Node& node, const std::string& path, std::string_view what,
                       Reader& reader, ModelChoice& out);

/// "no collective model 'rign'" with the nearest name first in the hint.
void report_unknown_model(std::string_view what, std::string_view name,
                          const std::vector<std::string>& known, const Location& where,
                          const std::string& path, Reader& reader);

template <class Interface>
class Registry {
 public:
  /// `what` is the word for one of them in messages: "collective model".
  explicit Registry(std::string what) : what_(std::move(what)) {}

  /// Throws std::logic_error where the name is taken.
  template <Registrable<Interface> Model>
  void add() {
    Entry entry;
    entry.config = describe<typename Model::Config>();
    entry.create = [](const Node& node, const std::string& path,
                      Reader& reader) -> std::unique_ptr<Interface> {
      typename Model::Config config{};
      const std::size_t before = reader.diagnostics().size();
      reader.read(node, path, config);
      if (reader.diagnostics().size() != before) return nullptr;
      return std::make_unique<Model>(std::move(config));
    };
    const auto [place, added] = models_.emplace(std::string(Model::kName), std::move(entry));
    if (!added) throw std::logic_error(what_ + " '" + place->first + "' is registered twice");
  }

  /// The model with its configuration, where no (null) node is an empty one; null when anything is
  /// wrong, which the reader then knows.
  std::unique_ptr<Interface> create(std::string_view name, const Node& config, Reader& reader,
                                    const std::string& path = {}) const {
    const auto found = models_.find(name);
    if (found == models_.end()) {
      report_unknown_model(what_, name, names(), config.where, path, reader);
      return nullptr;
    }
    Node mapping = config;
    if (mapping.kind == Node::Kind::kNull) mapping.kind = Node::Kind::kMapping;
    return found->second.create(mapping, path, reader);
  }

  /// The model a node chooses: `ring`, or `{model: ring, key: value, ...}`.
  std::unique_ptr<Interface> create(const Node& node, Reader& reader,
                                    const std::string& path) const {
    ModelChoice choice;
    if (!read_model_choice(node, path, what_, reader, choice)) return nullptr;
    if (!models_.contains(choice.name)) {
      report_unknown_model(what_, choice.name, names(), choice.where, choice.path, reader);
      return nullptr;
    }
    return create(choice.name, choice.config, reader, path);
  }

  [[nodiscard]] bool contains(std::string_view name) const { return models_.contains(name); }

  /// Sorted.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& [name, entry] : models_) result.push_back(name);
    return result;
  }

  /// The configuration of a registered model; throws std::out_of_range for another.
  [[nodiscard]] const Description& config_of(std::string_view name) const {
    return models_.at(std::string(name)).config;
  }

 private:
  struct Entry {
    Description config;
    std::function<std::unique_ptr<Interface>(const Node&, const std::string&, Reader&)> create;
  };

  std::string what_;
  std::map<std::string, Entry, std::less<>> models_;
};

}  // namespace railwright::core
