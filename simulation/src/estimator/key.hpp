// SPDX-License-Identifier: Apache-2.0
// Keys of tables.
#pragma once

#include <cstdint>

namespace railwright::simulation {

/// Packs small numbers side by side.
class Key {
 public:
  Key& add(std::uint64_t value, unsigned bits) {
    packed_ = (packed_ << bits) | value;
    return *this;
  }
  /// Returns the key, which is never zero.
  [[nodiscard]] std::uint64_t packed() const { return packed_; }

 private:
  std::uint64_t packed_ = 1;
};

}  // namespace railwright::simulation
