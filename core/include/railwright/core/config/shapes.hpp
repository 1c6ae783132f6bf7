// SPDX-License-Identifier: Apache-2.0
// The kinds of members that fields() may list, told apart at compile time.
#pragma once

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/shared.hpp"

namespace railwright::core {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

template <class T>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<std::map<std::string, T>> : std::true_type {};

/// A catalogue entry with one of several shapes: the first whose key `kMark` is present, else the
/// first shape of all, which has no kMark.
template <class T>
struct IsVariant : std::false_type {};
template <class... Shapes>
struct IsVariant<std::variant<Shapes...>> : std::true_type {};

/// Whether a T may be written as a YAML mapping.
template <class T>
constexpr bool reads_mapping() {
  return HasFields<T> || IsMap<T>::value;
}

/// The YAML names of an enum, in the order of its words.
template <NamedEnum E>
constexpr auto enum_names() {
  std::array<std::string_view, kWordsOf<E>.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kWordsOf<E>[i].first;
  return names;
}

}  // namespace railwright::core
