// SPDX-License-Identifier: Apache-2.0
// A YAML document as a small tree that remembers where everything stood.
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
  bool quoted = false;  ///< the scalar stood in quotes: it is a string, never a number
  Location where;
  std::vector<Node> items;     ///< of a sequence
  std::vector<Entry> entries;  ///< of a mapping, in file order

  [[nodiscard]] const Node* find(std::string_view key) const;
  [[nodiscard]] Node* find(std::string_view key);
  [[nodiscard]] bool is_mapping() const { return kind == Kind::kMapping; }
  [[nodiscard]] bool is_scalar() const { return kind == Kind::kScalar; }
};

struct Entry {
  std::string key;
  Location where;
  Node value;
  /// Bit d is set where the mapping d levels up has got another `model` since this key was set.
  std::uint64_t before_model = 0;
};

/// Limits of one input. Anything beyond them is a ConfigError, not a crash.
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
/// file, refusing cycles; of a list, later files win over earlier ones, and the keys of the
/// including file over all of them, as in overlay(). The `include` key itself is removed.
Node load_yaml(const std::string& path, const YamlLimits& limits = {});

/// `base` with the keys of `patch` laid over it, mapping by mapping; sequences and scalars are
/// replaced whole. A mapping laid over a scalar overrides a named catalogue entry: `{memory: 96
/// GB}` over `h100-sxm` gives `{model: h100-sxm, memory: 96 GB}`, unless the patch has its own
/// `model`. A mapping with a `value` replaces what was there, source and all. A patch with another
/// `model` stands for another catalogue entry: what `base` laid over the old one goes with it, when
/// the mapping is read as an entry.
Node overlay(Node base, const Node& patch);

/// Removes the keys that were laid over another `model` of this mapping.
void forget_other_model(Node& entry);

/// `{model: name}`, what a scalar becomes when keys are laid over it.
Node named_model(Node name);

/// Applies one "a.b.c=value" as `--set` does: the value is a YAML scalar or flow collection, items
/// of lists are numbered from 0 ("nodes.0.count=4"), mappings on the way are created, and a scalar
/// on the way becomes `{model: <scalar>}` as in overlay(). Throws ConfigError for a malformed
/// setting or an item that does not exist. Problems with the value are placed at "--set <setting>".
void set_path(Node& root, std::string_view setting);

/// A compact one-line YAML rendering (flow style) that parse_yaml reads back to an equal tree.
std::string to_yaml(const Node& node);

/// Whether YAML reads this text back as the same plain scalar, in flow style too.
bool reads_back_plain(std::string_view text);

}  // namespace railwright::core
