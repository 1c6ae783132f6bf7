// SPDX-License-Identifier: Apache-2.0
// Strict reading of a tree into structs with fields(). It collects unknown and missing keys, wrong
// types, missing units, wrong dimensions and values out of range, each with its place.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/shapes.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/units/text.hpp"

namespace railwright::core {

/// "cluster.node" + "nics" -> "cluster.node.nics".
std::string join_path(const std::string& path, std::string_view key);

/// Collects problems while structs are filled; throw_if_any() ends the reading.
///
/// Reads bool, integers, double, Quantity, std::string, named enums, structs with fields(),
/// Sourced, std::optional (an absent or null key is nullopt), std::vector, std::map with text keys,
/// std::variant of catalogue entries (told apart by their kMark), Shared catalogue entries, and
/// Node (kept unchanged). A range applies to every number inside the field.
///
/// A catalogue entry is read from its name; from `{model: name, key: ...}` (the entry, overridden
/// by the other keys); or from a mapping without `model`, the whole definition. Where the struct
/// has `static Node from_json(const Node&, std::vector<Diagnostic>&)`, a path to another tool's
/// .json file works too; where it has `kMayBeFile`, a path to a .yaml file. Paths are relative to
/// the file that names them, on the command line to the working directory. An entry's file may
/// itself start from another one with `model`.
///
/// A bad scalar is not written to `out`.
class Reader {
 public:
  /// `catalogue` may be null if no catalogue entries are read. It must outlive the reader.
  explicit Reader(const Catalogue* catalogue = nullptr) : catalogue_(catalogue) {}

  /// Fills `out` from `node`; `path` names the place in messages ("" at the root).
  template <class T>
  void read(const Node& node, const std::string& path, T& out, const Range& range = {});

  using FromJson = Node (*)(const Node& document, std::vector<Diagnostic>& problems);
  /// The origin of an entry: the catalogue, or a file that `from_json` (if not null) reads.
  struct EntrySource {
    std::string_view kind;
    FromJson from_json = nullptr;
    bool may_be_file = false;  ///< a path to a .yaml file is allowed too
  };
  /// Returns the complete definition of a catalogue entry, in `storage` unless it is `node` itself.
  /// Returns null, with a report, if there is none.
  const Node* resolve(const Node& node, const std::string& path, const EntrySource& source,
                      Node& storage);

  void report(const Location& where, std::string path, std::string message, std::string hint = {});
  /// Reports "no topology 'rial_optimized'", with the nearest name first in the hint.
  void report_unknown_name(std::string_view what, const Node& name, const std::string& path,
                           const std::vector<std::string>& known);
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }
  /// Throws a ConfigError with every problem so far, sorted by file, line and column.
  void throw_if_any() const;

 private:
  struct Key {
    std::string_view name;
    std::string_view doc;
    bool required = true;
    std::string_view former_name{};
  };

  void read_bool(const Node& node, const std::string& path, bool& out);
  /// Reads a whole number within both the range and [least, greatest].
  bool read_integer(const Node& node, const std::string& path, const Range& range,
                    std::int64_t least, std::int64_t greatest, std::int64_t& out);
  /// Accepts `unlimited` only if `out` already holds infinity.
  void read_number(const Node& node, const std::string& path, const Exponents& exponents,
                   const Range& range, double& out);
  void read_text(const Node& node, const std::string& path, std::string& out);
  std::optional<std::size_t> read_choice(const Node& node, const std::string& path,
                                         std::span<const std::string_view> names);
  bool expect_list(const Node& node, const std::string& path);
  bool expect_mapping(const Node& node, const std::string& path);
  bool check_range(const Node& node, const std::string& path, double value,
                   const Exponents& exponents, const Range& range);
  /// Returns the node of each key, null if absent; reports unknown and missing keys. Empty if
  /// `node` is no mapping.
  std::vector<const Node*> match_keys(const Node& node, const std::string& path,
                                      std::span<const Key> keys);
  /// Returns the node that holds the value of a Sourced, or null.
  const Node* read_source(const Node& node, const std::string& path, bool value_is_mapping,
                          std::string& source, bool& estimate);
  template <class T>
  static constexpr EntrySource entry_source() {
    constexpr bool kMayBeFile = requires { T::kMayBeFile; };
    if constexpr (requires { T::from_json; }) return {T::kKind, &T::from_json, kMayBeFile};
    return {T::kKind, nullptr, kMayBeFile};
  }
  bool resolve_model(const Node& name, const std::string& path, const EntrySource& source,
                     std::vector<std::string> chain, Node& out);
  /// Reads the file as the entry itself if `from_json` is null.
  bool read_file(const Node& name, const std::string& path, FromJson from_json, Node& out);

  template <class T>
  void read_fields(const Node& node, const std::string& path, T& out);
  template <class First, class... Others>
  void read_shape(const Node& node, const std::string& path, std::variant<First, Others...>& out);
  /// Decodes a named entry once for all readers of the same state of its file.
  template <class T>
  void read_shared(const Node& node, const std::string& path, Shared<T>& out, const Range& range);
  template <class T>
  void read_nested(const Node& node, const std::string& path, T& out, const Range& range);
  /// Reads the value of a key, if it is there. Not inlined: each type once, not each field.
  template <class T>
  [[gnu::noinline]] void read_value(const Node* node, const std::string& path,
                                    std::string_view name, T& out, const Range& range) {
    if (node != nullptr) read(*node, join_path(path, name), out, range);
  }

  const Catalogue* catalogue_;
  std::vector<Diagnostic> diagnostics_;
};

template <class T>
void Reader::read(const Node& node, const std::string& path, T& out, const Range& range) {
  if constexpr (std::same_as<T, Node>) {
    out = node;
  } else if constexpr (std::same_as<T, bool>) {
    read_bool(node, path, out);
  } else if constexpr (std::integral<T>) {
    using Limits = std::numeric_limits<T>;
    constexpr auto kGreatest = std::numeric_limits<std::int64_t>::max();
    constexpr bool kWide = std::cmp_greater(Limits::max(), kGreatest);
    std::int64_t value = 0;
    if (read_integer(node, path, range, static_cast<std::int64_t>(Limits::min()),
                     kWide ? kGreatest : static_cast<std::int64_t>(Limits::max()), value)) {
      out = static_cast<T>(value);
    }
  } else if constexpr (std::same_as<T, double>) {
    read_number(node, path, {}, range, out);
  } else if constexpr (IsQuantity<T>::value) {
    double base = out.base();
    read_number(node, path, exponents_of<typename T::dimension>(), range, base);
    out = T::from_base(base);
  } else if constexpr (std::same_as<T, std::string>) {
    read_text(node, path, out);
  } else if constexpr (NamedEnum<T>) {
    const auto names = enum_names<T>();
    if (const auto index = read_choice(node, path, names)) out = kWordsOf<T>[*index].second;
  } else if constexpr (NamedRow<T>) {
    if (const auto index = read_choice(node, path, T::names())) out = T::at(*index);
  } else {
    read_nested(node, path, out, range);
  }
}

template <class T>
void Reader::read_nested(const Node& node, const std::string& path, T& out, const Range& range) {
  if constexpr (IsSourced<T>::value) {
    using Value = decltype(out.value);
    const Node* value = read_source(node, path, reads_mapping<Value>(), out.source, out.estimate);
    if (value != nullptr) read(*value, path, out.value, range);
  } else if constexpr (IsOptional<T>::value) {
    out.reset();
    if (node.kind == Node::Kind::kNull) return;
    read(node, path, out.emplace(), range);
  } else if constexpr (IsVector<T>::value) {
    if (!expect_list(node, path)) return;
    out = T(node.items.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      read(node.items[i], join_path(path, std::to_string(i)), out[i], range);
    }
  } else if constexpr (IsMap<T>::value) {
    if (!expect_mapping(node, path)) return;
    out.clear();
    for (const Entry& entry : node.entries) {
      read(entry.value, join_path(path, entry.key), out[entry.key], range);
    }
  } else if constexpr (IsShared<T>::value) {
    read_shared(node, path, out, range);
  } else if constexpr (IsVariant<T>::value) {
    Node storage;
    const Node* resolved =
        resolve(node, path, entry_source<std::variant_alternative_t<0, T>>(), storage);
    if (resolved != nullptr) read_shape(*resolved, path, out);
  } else if constexpr (CatalogueEntry<T>) {
    Node storage;
    const Node* resolved = resolve(node, path, entry_source<T>(), storage);
    if (resolved != nullptr) read_fields(*resolved, path, out);
  } else {
    static_assert(HasFields<T>, "cannot be read: has no fields(), or its _fields.hpp is missing");
    read_fields(node, path, out);
  }
}

template <class T>
void Reader::read_shared(const Node& node, const std::string& path, Shared<T>& out,
                         const Range& range) {
  const bool is_name = catalogue_ != nullptr && node.is_scalar();
  if (is_name) {
    if (const auto known = catalogue_->decoded(T::kKind, node.text)) {
      out.share(std::static_pointer_cast<const T>(known), node.text);
      return;
    }
  }
  const std::size_t problems = diagnostics_.size();
  read(node, path, out.own(), range);
  if (is_name && diagnostics_.size() == problems) {
    catalogue_->keep_decoded(T::kKind, node.text, out.pointer());
    out.share(out.pointer(), node.text);
  }
}

template <class First, class... Others>
void Reader::read_shape(const Node& node, const std::string& path,
                        std::variant<First, Others...>& out) {
  const auto read_if_marked = [&]<class Shape>(std::type_identity<Shape>) {
    if (node.find(Shape::kMark) == nullptr) return false;
    read_fields(node, path, out.template emplace<Shape>());
    return true;
  };
  if ((read_if_marked(std::type_identity<Others>{}) || ...)) return;
  read_fields(node, path, out.template emplace<First>());
}

template <class T>
void Reader::read_fields(const Node& node, const std::string& path, T& out) {
  std::vector<Key> keys;
  for_each_field<T>([&keys]<class F>(const F& f) {
    keys.push_back(
        {f.name, f.doc, f.required && !IsOptional<typename F::value_type>::value, f.former_name});
  });
  const std::vector<const Node*> values = match_keys(node, path, keys);
  if (values.empty()) return;
  std::size_t i = 0;
  for_each_field<T>(
      [&](const auto& f) { read_value(values[i++], path, f.name, out.*(f.member), f.range); });
}

}  // namespace railwright::core
