// SPDX-License-Identifier: Apache-2.0
// Writing: converts structs with fields() to a tree that Reader reads back to equal values.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <variant>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/shapes.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/units/text.hpp"

namespace railwright::core {

/// Makes a plain scalar: a number, a truth value, a quantity.
Node scalar_node(std::string text);
/// Makes a text scalar, quoted if it would otherwise read as something else.
Node text_node(std::string_view text);
/// Makes an exact number, "unlimited" for infinity.
Node number_node(double value);
void add_entry(Node& mapping, std::string_view key, Node value);
/// Adds an entry, unless its value is null.
void add_entry_if_any(Node& mapping, std::string_view key, Node value);

/// Writes every value, defaults included. Catalogue entries become complete definitions, shared
/// ones their names. An empty std::optional omits its key.
template <class T>
[[gnu::noinline]] Node to_node(const T& value) {
  if constexpr (std::same_as<T, Node>) {
    return value;
  } else if constexpr (std::same_as<T, bool>) {
    return scalar_node(value ? "true" : "false");
  } else if constexpr (std::integral<T>) {
    return scalar_node(std::to_string(value));
  } else if constexpr (std::same_as<T, double>) {
    return number_node(value);
  } else if constexpr (IsQuantity<T>::value) {
    return scalar_node(format_faithful(value.base(), exponents_of<typename T::dimension>()));
  } else if constexpr (std::same_as<T, std::string>) {
    return text_node(value);
  } else if constexpr (NamedEnum<T> || NamedRow<T>) {
    return text_node(to_string(value));
  } else if constexpr (IsOptional<T>::value) {
    return value ? to_node(*value) : Node{};
  } else if constexpr (IsShared<T>::value) {
    return value.name().empty() ? to_node(*value) : text_node(value.name());
  } else if constexpr (IsVariant<T>::value) {
    return std::visit([](const auto& shape) { return to_node(shape); }, value);
  } else if constexpr (IsVector<T>::value) {
    Node list;
    list.kind = Node::Kind::kSequence;
    for (const auto& item : value) list.items.push_back(to_node(item));
    return list;
  } else {
    Node mapping;
    mapping.kind = Node::Kind::kMapping;
    if constexpr (IsSourced<T>::value) {
      add_entry(mapping, "value", to_node(value.value));
      add_entry(mapping, "source", to_node(value.source));
      if (value.estimate) add_entry(mapping, "estimate", to_node(true));
    } else if constexpr (IsMap<T>::value) {
      for (const auto& [key, item] : value) add_entry(mapping, key, to_node(item));
    } else {
      static_assert(HasFields<T>,
                    "cannot be written: has no fields(), or its _fields.hpp is missing");
      for_each_field<T>(
          [&](const auto& f) { add_entry_if_any(mapping, f.name, to_node(value.*(f.member))); });
    }
    return mapping;
  }
}

}  // namespace railwright::core
