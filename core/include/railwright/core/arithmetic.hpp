// SPDX-License-Identifier: Apache-2.0
// Small arithmetic that every folder needs.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace railwright::core {

/// Returns the place of an item that is counted by an id, an enum or a signed count.
template <class T>
  requires(std::integral<T> || std::is_enum_v<T>)
constexpr std::size_t index(T value) {
  return static_cast<std::size_t>(value);
}

/// Divides and rounds up; both are at least 0.
template <std::integral A, std::integral B>
constexpr std::common_type_t<A, B> ceil_div(A a, B b) {
  return (a + b - 1) / b;
}

/// Returns the middle one of `values`, which are not empty; the mean of both where their number is
/// even.
double median(std::vector<double> values);

}  // namespace railwright::core
