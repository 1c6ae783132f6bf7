// SPDX-License-Identifier: Apache-2.0
// A YAML document as a small tree that keeps the place of everything in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/error.hpp"

namespace railwright::core {

struct Entry;

struct Node {
  enum class Kind { kNull, kScalar, kSequence, kMapping };

  Kind kind = Kind::kNull;
  std::string text;     ///< scalar text
  bool quoted = false;  ///< written in quotes: a string, never a number
  Location where;
  std::vector<Node> items;     ///< items of a sequence
  std::vector<Entry> entries;  ///< entries of a mapping, in file order

  [[nodiscard]] const Node* find(std::string_view key) const;
  [[nodiscard]] Node* find(std::string_view key);
  [[nodiscard]] bool is_mapping() const { return kind == Kind::kMapping; }
  [[nodiscard]] bool is_scalar() const { return kind == Kind::kScalar; }
};

/// Follows "cluster.faults.switches.0" by the keys of mappings and the indices of lists. Returns
/// the root for "", null if there is no such node.
const Node* find_path(const Node& root, std::string_view path);
Node* find_path(Node& root, std::string_view path);

/// Returns the place of the deepest part of `path` that exists.
const Location& place_of(const Node& root, std::string_view path);

struct Entry {
  std::string key;
  Location where;
  Node value;
  /// Bit d is set if the mapping d levels up was given another `model` after this key was set.
  std::uint64_t before_model = 0;
};

/// Limits of one input. Exceeding one is a ConfigError, not a crash.
struct YamlLimits {
  std::size_t max_bytes = 4U << 20U;
  std::size_t max_nodes = 200'000;  ///< after alias expansion
  int max_depth = 64;
};

/// Parses one YAML document. A syntax error is reported alone (ConfigError); duplicate and
/// non-scalar keys, `<<`, self-referring aliases, several documents and inputs beyond the limits
/// are refused.
Node parse_yaml(std::string_view text, std::string_view name, const YamlLimits& limits = {});

/// Reads a regular UTF-8 file and resolves its `include: other.yaml` (or a list) relative to the
/// file, refusing cycles. Later files of a list override earlier ones, and the including file
/// overrides all, as in overlay(). The `include` key itself is removed.
Node load_yaml(const std::string& path, const YamlLimits& limits = {});

/// Merges `patch` into `base`, mapping by mapping; sequences and scalars are replaced whole. A
/// mapping over a scalar overrides a named catalogue entry: `{memory: 96 GB}` over `h100-sxm` gives
/// `{model: h100-sxm, memory: 96 GB}`, unless the patch has its own `model`. A mapping with a
/// `value` replaces the old value and its source. A patch with another `model` names another
/// catalogue entry; the overrides that `base` made on the old one are dropped when the mapping is
/// read as an entry.
Node overlay(Node base, const Node& patch);

/// Removes the keys that were set for another `model` of this mapping.
void forget_other_model(Node& entry);

/// Returns `{model: name}`, the form that a scalar takes when keys override it.
Node named_model(Node name);

/// Applies one "a.b.c=value" as `--set` does. The value is a YAML scalar or flow collection; items
/// of lists are numbered from 0 ("nodes.0.count=4"). Creates mappings on the way and turns a scalar
/// there into `{model: <scalar>}` as in overlay(). Throws ConfigError for a malformed setting or a
/// missing item. Problems with the value are placed at "--set <setting>".
void set_path(Node& root, std::string_view setting);

/// Renders a tree as one line of YAML (flow style) that parse_yaml reads back to an equal tree.
std::string to_yaml(const Node& node);

/// Whether YAML reads this text back as the same plain scalar, in flow style too.
bool reads_back_plain(std::string_view text);

}  // namespace railwright::core
