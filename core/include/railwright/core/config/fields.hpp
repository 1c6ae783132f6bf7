// SPDX-License-Identifier: Apache-2.0
// The one list of a struct's fields. It drives strict YAML reading with ranges, the JSON Schema,
// the docs tables and the Python attributes.
//
//   struct Nic {
//     Bandwidth line_rate;
//     int num_ports = 1;
//     static constexpr auto fields() {
//       return field_list(
//           field("line_rate", &Nic::line_rate, "One port, one direction.", positive),
//           field("num_ports", &Nic::num_ports, "Ports.", at_least(1), optional));
//     }
//   };
//
// A struct that many sources see only declares `static constexpr auto fields();`. Its list stands
// in <header>_fields.hpp, which the sources include that read, write or describe it.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace railwright::core {

/// The limits of a number, in base units.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open_min = false;  ///< min itself is excluded
};

inline constexpr Range positive{.min = 0.0, .open_min = true};
inline constexpr Range non_negative{.min = 0.0};
inline constexpr Range fraction{.min = 0.0, .max = 1.0, .open_min = true};  ///< (0, 1]
constexpr Range at_least(double min) { return {.min = min}; }
constexpr Range between(double min, double max) { return {.min = min, .max = max}; }

/// Marks a key that may be missing; the member's initializer is its default.
struct OptionalKey {};
inline constexpr OptionalKey optional{};

/// The name that a key had in an earlier version: it is refused with a hint at the new one, and
/// `railwright upgrade` renames it.
struct FormerName {
  std::string_view name;
};
constexpr FormerName formerly(std::string_view name) { return {name}; }

template <class Class, class T>
struct Field {
  using value_type = T;
  std::string_view name;
  T Class::* member;
  std::string_view doc;
  Range range{};
  bool required = true;
  std::string_view former_name{};
};

namespace detail {
template <class F>
constexpr void apply(F& f, const Range& range) {
  f.range = range;
}
template <class F>
constexpr void apply(F& f, OptionalKey) {
  f.required = false;
}
template <class F>
constexpr void apply(F& f, const FormerName& former) {
  f.former_name = former.name;
}
}  // namespace detail

template <class Class, class T, class... Constraints>
constexpr Field<Class, T> field(std::string_view name, T Class::* member, std::string_view doc,
                                Constraints... constraints) {
  Field<Class, T> f{name, member, doc};
  (detail::apply(f, constraints), ...);
  return f;
}

/// Builds the result of T::fields(), which calls a visitor with each field, in order. It is a
/// closure because compilers check every constructor of a tuple: that took half the compile time of
/// a file that reads a scenario.
template <class... Fields>
constexpr auto field_list(Fields... fields) {
  return [=](auto&& visit) { (visit(fields), ...); };
}

/// Whether the list of T's fields has been seen.
template <class T>
concept HasFields = requires { T::fields(); };

/// The fields of T as a constant, so that no code has to make them.
template <HasFields T>
inline constexpr auto kFieldsOf = T::fields();

/// Calls visit(field) for each field of T, in order.
template <HasFields T, class Visitor>
constexpr void for_each_field(Visitor&& visit) {
  kFieldsOf<T>(visit);
}

/// A struct kept in the catalogue, `<kind>/<name>.yaml`. In YAML it is named, or named and
/// overridden key by key: `nics: {model: connectx-7, line_rate: 800 Gb/s}`.
template <class T>
concept CatalogueEntry = HasFields<T> && requires {
  { T::kKind } -> std::convertible_to<std::string_view>;
};

/// A catalogue value with its origin. In YAML `{value: 80 GB, source: "...", estimate: true}`; a
/// plain value in a scenario is taken with the scenario's place as its source.
template <class T>
struct Sourced {
  T value{};
  std::string source;
  bool estimate = false;
};

template <class T>
struct IsSourced : std::false_type {};
template <class T>
struct IsSourced<Sourced<T>> : std::true_type {};

/// A value of an enum and its name in YAML.
template <class E>
struct Word {
  std::string_view first;
  E second{};
};

/// Makes the array that an enum's `enum_words` returns. This function stands beside the enum and is
/// found by its argument:
///
///   enum class Shape { kRing, kTree };
///   constexpr auto enum_words(Shape) {
///     using enum Shape;
///     return core::words<Shape>({{"ring", kRing}, {"tree", kTree}});
///   }
///
/// Pairs and std::to_array() took four times as long to compile, for each enum in each source.
template <class E, std::size_t kNumWords>
constexpr auto words(const Word<E> (&rows)[kNumWords]) {
  std::array<Word<E>, kNumWords> words{};
  for (std::size_t i = 0; i < kNumWords; ++i) words[i] = rows[i];
  return words;
}

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires(E value) { enum_words(value); };

/// An enum's values with their names in YAML.
template <NamedEnum E>
inline constexpr auto kWordsOf = enum_words(E{});

/// A core::Row: has the names of all rows, converts a row number to a value and back.
template <class T>
concept NamedRow = requires(const T& value) {
  T::names();
  T::at(std::size_t{});
  { value.row() } -> std::convertible_to<std::size_t>;
};

template <NamedRow T>
std::string_view to_string(const T& value) {
  return T::names()[value.row()];
}

template <NamedEnum E>
constexpr std::string_view to_string(E value) {
  for (const auto& [name, v] : kWordsOf<E>) {
    if (v == value) return name;
  }
  return "?";
}

}  // namespace railwright::core
