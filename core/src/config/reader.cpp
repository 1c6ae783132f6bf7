// SPDX-License-Identifier: Apache-2.0
// Structure: mappings, lists, keys, sources and catalogue references.
#include "railwright/core/config/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include "config/wording.hpp"
#include "config/yaml_file.hpp"
#include "railwright/core/units/nearest.hpp"
#include "railwright/core/units/text.hpp"

namespace railwright::core {

namespace {

std::optional<ParsedQuantity> quantity_of(const Node& node) {
  QuantityError ignored;
  return node.is_scalar() ? parse_quantity(node.text, ignored) : std::nullopt;
}

/// Checks a range `[low, high]` around a value of the same dimension; nothing if it is right.
std::optional<Diagnostic> problem_of_range(const Node& value, const Node& range) {
  const auto problem = [](const Node& at, std::string message, std::string hint = {}) {
    return Diagnostic{at.where, "", std::move(message), std::move(hint)};
  };
  const auto middle = quantity_of(value);
  if (!middle) return problem(range, "only a number has a range");
  if (range.kind != Node::Kind::kSequence || range.items.size() != 2) {
    return problem(range, "expected a list of two, the least and the greatest, got " + got(range),
                   "write range: [2 GB/s, 5 GB/s]");
  }
  const auto low = quantity_of(range.items[0]);
  const auto high = quantity_of(range.items[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& end = i == 0 ? low : high;
    if (end && end->exponents == middle->exponents) continue;
    const std::string expected = dimension_name(middle->exponents);
    return problem(range.items[i],
                   fmt::format("expected {}, as the value, got {}", expected, got(range.items[i])));
  }
  if (low->base < high->base && low->base <= middle->base && middle->base <= high->base) return {};
  return problem(range, fmt::format("{} to {} must rise and hold the value, {}",
                                    range.items[0].text, range.items[1].text, value.text));
}

}  // namespace

std::string join_path(const std::string& path, std::string_view key) {
  const std::string shown = in_quotes(key);  // one line, shortened
  const std::string_view plain = std::string_view(shown).substr(1, shown.size() - 2);
  return path.empty() ? std::string(plain) : fmt::format("{}.{}", path, plain);
}

void Reader::report(const Location& where, std::string path, std::string message,
                    std::string hint) {
  diagnostics_.push_back({where, std::move(path), std::move(message), std::move(hint)});
}

void Reader::report_unknown_name(std::string_view what, const Node& name, const std::string& path,
                                 const std::vector<std::string>& known) {
  report(name.where, path, fmt::format("no {} {}", what, in_quotes(name.text)),
         known_names_hint(name.text, known));
}

void Reader::throw_if_any() const {
  if (diagnostics_.empty()) return;
  std::vector<Diagnostic> sorted = diagnostics_;
  const auto place = [](const Diagnostic& d) {
    return std::tie(d.where.file, d.where.line, d.where.column);
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return place(a) < place(b); });
  throw ConfigError(std::move(sorted));
}

bool Reader::expect_list(const Node& node, const std::string& path) {
  if (node.kind == Node::Kind::kSequence) return true;
  report(node.where, path, "expected a list, got " + got(node));
  return false;
}

bool Reader::expect_mapping(const Node& node, const std::string& path) {
  if (node.is_mapping()) return true;
  report(node.where, path, "expected a mapping, got " + got(node));
  return false;
}

std::vector<const Node*> Reader::match_keys(const Node& node, const std::string& path,
                                            std::span<const Key> keys) {
  if (!expect_mapping(node, path)) return {};
  std::vector<std::string> names;
  for (const Key& key : keys) names.emplace_back(key.name);
  std::vector<const Node*> values(keys.size(), nullptr);
  std::set<std::string> misspelt;
  for (const Entry& entry : node.entries) {
    const auto found = std::find(names.begin(), names.end(), entry.key);
    if (found != names.end()) {
      values[static_cast<std::size_t>(found - names.begin())] = &entry.value;
      continue;
    }
    const auto renamed = std::ranges::find(keys, entry.key, &Key::former_name);
    if (renamed != keys.end() && !entry.key.empty()) {
      report(entry.where, join_path(path, entry.key), fmt::format("is now '{}'", renamed->name),
             "`railwright upgrade FILE` renames it");
      misspelt.insert(std::string(renamed->name));
      continue;
    }
    const std::string near = nearest(entry.key, names);
    report(entry.where, join_path(path, entry.key), "unknown key",
           near.empty() ? "known: " + listed(names) : fmt::format("did you mean '{}'?", near));
    misspelt.insert(near);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    // A misspelt key is one problem, not two.
    if (values[i] != nullptr || !keys[i].required || misspelt.contains(names[i])) continue;
    const std::string doc = keys[i].doc.empty() ? "" : fmt::format("it gives: {}", keys[i].doc);
    report(node.where, path, fmt::format("missing key '{}'", names[i]), doc);
  }
  return values;
}

const Node* Reader::read_source(const Node& node, const std::string& path, bool value_is_mapping,
                                std::string& source, bool& estimate) {
  const bool plain = !node.is_mapping() || (value_is_mapping && node.find("value") == nullptr);
  if (plain) {
    source = node.where.line > 0 ? fmt::format("{}:{}", node.where.file, node.where.line)
                                 : node.where.file;
    estimate = false;
    return &node;
  }
  static constexpr auto kKeys = std::to_array<Key>(
      {{"value", "The value with its unit.", true},
       {"source", "Where the value comes from.", true},
       {"estimate", "Whether it is an estimate rather than a published figure.", false},
       {"range", "The least and the greatest that the value may be.", false}});
  const std::vector<const Node*> values = match_keys(node, path, kKeys);
  if (values[1] != nullptr) read_text(*values[1], join_path(path, "source"), source);
  estimate = false;
  if (values[2] != nullptr) read_bool(*values[2], join_path(path, "estimate"), estimate);
  if (values[0] != nullptr && values[3] != nullptr) {
    if (auto problem = problem_of_range(*values[0], *values[3])) {
      report(problem->where, join_path(path, "range"), std::move(problem->message),
             std::move(problem->hint));
    }
  }
  return values[0];
}

const Node* Reader::resolve(const Node& node, const std::string& path, const EntrySource& source,
                            Node& storage) {
  const std::string what = singular(source.kind);
  if (node.is_scalar()) {
    return resolve_model(node, path, source, {}, storage) ? &storage : nullptr;
  }
  if (!node.is_mapping()) {
    report(
        node.where, path,
        fmt::format("expected the name of a catalogue {} or a mapping, got {}", what, got(node)));
    return nullptr;
  }
  const Node* model = node.find("model");
  if (model == nullptr) return &node;
  if (!resolve_model(*model, join_path(path, "model"), source, {}, storage)) return nullptr;
  const Location where = storage.where;
  Node patch = node;
  forget_other_model(patch);
  std::erase_if(patch.entries, [](const Entry& entry) { return entry.key == "model"; });
  storage = overlay(std::move(storage), patch);
  storage.where = where;  // a missing key is missing in the catalogue's file
  return &storage;
}

bool Reader::resolve_model(const Node& name, const std::string& path, const EntrySource& source,
                           std::vector<std::string> chain, Node& out) {
  if (!name.is_scalar()) {
    report(name.where, path,
           fmt::format("expected the name of a catalogue {}, got {}", singular(source.kind),
                       got(name)));
    return false;
  }
  const std::string_view kind = source.kind;
  if (source.from_json != nullptr && name.text.ends_with(".json")) {
    return read_file(name, path, source.from_json, out);
  }
  if (source.may_be_file && name.text.ends_with(".yaml")) {
    return read_file(name, path, nullptr, out);
  }
  static const Catalogue kNone({});
  const Catalogue& catalogue = catalogue_ != nullptr ? *catalogue_ : kNone;
  if (!catalogue.contains(kind, name.text)) {
    const Diagnostic problem = catalogue.not_found(kind, name.text);
    report(name.where, path, problem.message, problem.hint);
    return false;
  }
  const bool circle = std::find(chain.begin(), chain.end(), name.text) != chain.end();
  chain.push_back(name.text);
  if (circle) {
    report(name.where, path,
           fmt::format("'model' leads in a circle: {}", fmt::join(chain, " -> ")));
    return false;
  }
  try {
    out = catalogue.load(kind, name.text);
  } catch (const ConfigError& error) {
    diagnostics_.insert(diagnostics_.end(), error.diagnostics().begin(), error.diagnostics().end());
    return false;
  }
  forget_other_model(out);
  const Node* base_name = out.find("model");
  if (base_name == nullptr) return true;
  Node base;
  if (!resolve_model(*base_name, path, source, std::move(chain), base)) return false;
  std::erase_if(out.entries, [](const Entry& entry) { return entry.key == "model"; });
  out = overlay(std::move(base), out);
  return true;
}

bool Reader::read_file(const Node& name, const std::string& path, FromJson from_json, Node& out) {
  // A path on the command line is relative to the working directory, not to the scenario.
  std::filesystem::path file = name.text;
  if (name.where.line > 0) file = std::filesystem::path(name.where.file).parent_path() / file;
  const std::size_t known_problems = diagnostics_.size();
  try {
    out = from_json != nullptr ? from_json(load_foreign(file.string()), diagnostics_)
                               : load_yaml(file.string());
  } catch (const ConfigError& error) {
    report(name.where, path, fmt::format("cannot read {}", file.string()));
    diagnostics_.insert(diagnostics_.end(), error.diagnostics().begin(), error.diagnostics().end());
  }
  return diagnostics_.size() == known_problems;
}

}  // namespace railwright::core
