// SPDX-License-Identifier: Apache-2.0
// The fields() of a struct as plain data, from which JSON Schema, docs tables and the generated
// bad-input tests are made.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/shapes.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/units/text.hpp"

namespace railwright::core {

/// One key, or the element of a list or map (which has no name).
struct Description {
  enum class Kind {
    kTruth,
    kInteger,
    kNumber,
    kQuantity,
    kText,
    kChoice,
    kList,
    kMap,
    kStruct,
    kAny
  };

  std::string name;
  std::string former_name;  ///< the key's name in an earlier version; empty if unchanged
  std::string doc;
  Kind kind = Kind::kAny;
  bool required = false;
  bool nullable = false;     ///< std::optional: absent or null is a value of its own
  bool sourced = false;      ///< may be {value, source, estimate}
  Exponents exponents{};     ///< dimension of a quantity
  Range range{};             ///< limits of the numbers inside, in base units
  std::string default_text;  ///< YAML of the default; empty for a required or nullable key
  std::vector<std::string> choices;
  std::string catalogue;              ///< kind of catalogue entry that may be named here
  std::vector<Description> children;  ///< keys of a struct; the one element of a list or map
  std::vector<Description> others;    ///< other shapes of a catalogue entry

  /// Finds a key of a struct; null if there is none.
  [[nodiscard]] const Description* find(std::string_view key) const;
};

/// Names the type: "a whole number", "data/time (such as GB/s)", "one of ring, tree", "list of
/// ...".
std::string type_text(const Description& description);

/// Words the limits: "greater than 0 and at most 1", "at least 1 GB"; "" for none.
std::string range_text(const Range& range, const Exponents& exponents);

namespace detail {

/// Adds the child of a field, its type still to be described.
Description& add_child(Description& out, std::string_view name, std::string_view former_name,
                       std::string_view doc, const Range& range, bool required);
/// Keeps the default of a key that has one.
void set_default(Description& child, const Node& value);

template <class T>
[[gnu::noinline, gnu::cold]] void describe_type(Description& out);

template <class T>
Description element() {
  Description out;
  describe_type<T>(out);
  return out;
}

template <class First, class... Others>
void describe_shapes(Description& out, std::type_identity<std::variant<First, Others...>>) {
  describe_type<First>(out);
  out.others = {element<Others>()...};
}

template <HasFields T>
[[gnu::cold]] void describe_fields(Description& out) {
  const T defaults{};
  for_each_field<T>([&]<class F>(const F& f) {
    using Member = typename F::value_type;
    Description& child = add_child(out, f.name, f.former_name, f.doc, f.range,
                                   f.required && !IsOptional<Member>::value);
    describe_type<Member>(child);
    if (!child.required && !child.nullable) set_default(child, to_node(defaults.*(f.member)));
  });
}

template <class T>
void describe_type(Description& out) {
  using Kind = Description::Kind;
  if constexpr (IsSourced<T>::value) {
    out.sourced = true;
    describe_type<decltype(T::value)>(out);
  } else if constexpr (IsOptional<T>::value) {
    out.nullable = true;
    describe_type<typename T::value_type>(out);
  } else if constexpr (IsShared<T>::value) {
    describe_type<typename IsShared<T>::Value>(out);
  } else if constexpr (IsVariant<T>::value) {
    describe_shapes(out, std::type_identity<T>{});
  } else if constexpr (std::same_as<T, Node>) {
    out.kind = Kind::kAny;
  } else if constexpr (std::same_as<T, bool>) {
    out.kind = Kind::kTruth;
  } else if constexpr (std::integral<T>) {
    out.kind = Kind::kInteger;
  } else if constexpr (std::same_as<T, double>) {
    out.kind = Kind::kNumber;
  } else if constexpr (IsQuantity<T>::value) {
    out.kind = Kind::kQuantity;
    out.exponents = exponents_of<typename T::dimension>();
  } else if constexpr (std::same_as<T, std::string>) {
    out.kind = Kind::kText;
  } else if constexpr (NamedEnum<T>) {
    out.kind = Kind::kChoice;
    for (const std::string_view name : enum_names<T>()) out.choices.emplace_back(name);
  } else if constexpr (NamedRow<T>) {
    out.kind = Kind::kChoice;
    for (const std::string_view name : T::names()) out.choices.emplace_back(name);
  } else if constexpr (IsVector<T>::value || IsMap<T>::value) {
    out.kind = IsVector<T>::value ? Kind::kList : Kind::kMap;
    if constexpr (IsVector<T>::value) {
      out.children.push_back(element<typename T::value_type>());
    } else {
      out.children.push_back(element<typename T::mapped_type>());
    }
    out.children.back().range = out.range;
  } else {
    static_assert(HasFields<T>,
                  "cannot be described: has no fields(), or its _fields.hpp is missing");
    out.kind = Kind::kStruct;
    if constexpr (CatalogueEntry<T>) out.catalogue = T::kKind;
    describe_fields<T>(out);
  }
}

}  // namespace detail

template <class T>
Description describe() {
  return detail::element<T>();
}

}  // namespace railwright::core
