// SPDX-License-Identifier: Apache-2.0
// Keys of an estimator's tables, made of the knobs as their rows say.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "railwright/simulation/estimator/knobs.hpp"

namespace railwright::simulation {

namespace detail {

/// The part of one knob in the key of the table `kTable`.
template <Given InKeys::* kTable, std::size_t kKnob>
struct KeyPart {
  static constexpr const auto& kRow = std::get<kKnob>(kKnobs);
  static constexpr InKey kInKey = (kRow.in_keys.*kTable).in_key;

  static constexpr int bits() {
    constexpr auto kMost = static_cast<std::uint64_t>(kRow.most);
    switch (kInKey) {
      case InKey::kNothing:
        return 0;
      case InKey::kValue:
      case InKey::kChunks:
        return std::bit_width(kMost);
      default:
        return 1;
    }
  }

  static std::uint64_t value(const Configuration& c, bool is_regular) {
    const std::int64_t number = kRow.number(c);
    switch (kInKey) {
      case InKey::kNothing:
        return 0;
      case InKey::kIsLeast:
        return number == kRow.least ? 1 : 0;
      case InKey::kIsMost:
        return number == kRow.most ? 1 : 0;
      case InKey::kIsTp:
        return number == c.tp ? 1 : 0;
      case InKey::kChunks:
        return static_cast<std::uint64_t>(is_regular ? std::min<std::int64_t>(number, 2) : number);
      default:
        return static_cast<std::uint64_t>(number);
    }
  }
};

}  // namespace detail

/// Packs what the rows say of the table side by side, behind a one: a key is never zero.
/// `is_regular`: inner stages are identical, however many chunks they have.
template <Given InKeys::* kTable>
std::uint64_t key_of(const Configuration& c, bool is_regular) {
  std::uint64_t key = 1;
  [&]<std::size_t... kKnob>(std::index_sequence<kKnob...>) {
    static_assert((0 + ... + detail::KeyPart<kTable, kKnob>::bits()) < 64,
                  "a key has no room for all knobs: lower their limits");
    ((key = (key << detail::KeyPart<kTable, kKnob>::bits()) |
            detail::KeyPart<kTable, kKnob>::value(c, is_regular)),
     ...);
  }(std::make_index_sequence<kNumKnobs>{});
  return key;
}

}  // namespace railwright::simulation
