// SPDX-License-Identifier: Apache-2.0
#include "toml_tree.hpp"

#include <fmt/format.h>
// A table named [=a] fails an assertion of the parser, which has an error for it.
#define TOML_ASSERT(expr) static_assert(true)  // NOLINT(cppcoreguidelines-macro-usage)
#include <toml++/toml.h>

#include <sstream>

#include "findings.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/config/writer.hpp"

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxTomlBytes = std::size_t{4} << 20U;

core::Location place_of(const toml::node& node, const std::string& file) {
  return {file, static_cast<int>(node.source().begin.line),
          static_cast<int>(node.source().begin.column)};
}

/// Converts a value and, to the depth that the parser allows, what is in it.
core::Node node_of(const toml::node& value,  // NOLINT(misc-no-recursion)
                   const std::string& file) {
  core::Node node;
  if (const toml::table* table = value.as_table()) {
    node.kind = core::Node::Kind::kMapping;
    for (const auto& [key, entry] : *table) {
      core::Node below = node_of(entry, file);
      node.entries.push_back({std::string(key.str()), below.where, std::move(below)});
    }
  } else if (const toml::array* array = value.as_array()) {
    node.kind = core::Node::Kind::kSequence;
    for (const toml::node& item : *array) node.items.push_back(node_of(item, file));
  } else {
    node.kind = core::Node::Kind::kScalar;
    if (const auto* text = value.as_string()) {
      node.text = text->get();
    } else if (const auto* whole = value.as_integer()) {
      node.text = std::to_string(whole->get());
    } else if (const auto* truth = value.as_boolean()) {
      node.text = truth->get() ? "true" : "false";
    } else {
      std::ostringstream written;
      value.visit([&](const auto& plain) {
        if constexpr (toml::is_value<decltype(plain)>) written << plain.get();
      });
      node.text = written.str();
    }
  }
  node.where = place_of(value, file);
  return node;
}

}  // namespace

core::Node parse_toml(std::string_view text, const std::string& file) {
  if (text.size() > kMaxTomlBytes) {
    throw core::ConfigError({{{file}, "", "more than 4 MiB, which is no configuration", ""}});
  }
  try {
    return node_of(toml::parse(text), file);
  } catch (const toml::parse_error& error) {
    const auto place = error.source().begin;
    throw core::ConfigError({{{file, static_cast<int>(place.line), static_cast<int>(place.column)},
                              "",
                              fmt::format("no TOML: {}", shown(error.description())),
                              ""}});
  }
}

}  // namespace railwright::importers
