// SPDX-License-Identifier: Apache-2.0
// Short arrays of one type in one vector, a few elements for every flow and every link.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "railwright/core/sim/plain_vector.hpp"

namespace railwright::core {

/// Blocks of 4, 8, 16 ... elements. A returned block is reused.
template <class T>
class BlockPool {
 public:
  /// Returns the smallest class whose blocks hold `size` elements.
  static int class_for(std::size_t size) {
    int block_class = 0;
    while (size_of(block_class) < size) ++block_class;
    return block_class;
  }
  static constexpr std::size_t size_of(int block_class) { return kSmallest << block_class; }

  /// Returns the index of the first element of a block.
  std::int32_t take(int block_class) {
    auto& free = free_[static_cast<std::size_t>(block_class)];
    if (!free.empty()) {
      const std::int32_t block = free.back();
      free.pop_back();
      return block;
    }
    const std::size_t block = elements_.size();
    elements_.resize(block + size_of(block_class));
    return static_cast<std::int32_t>(block);
  }
  void give_back(std::int32_t block, int block_class) {
    free_[static_cast<std::size_t>(block_class)].push_back(block);
  }

  void clear() {
    elements_.clear();
    for (auto& free : free_) free.clear();
  }
  [[nodiscard]] std::size_t size() const { return elements_.size(); }
  [[nodiscard]] std::span<const T> span(std::int32_t first, std::int32_t size) const {
    if (size == 0) return {};  // the array may have no block
    return {elements_.data() + first, static_cast<std::size_t>(size)};
  }
  T& operator[](std::int32_t i) { return elements_[static_cast<std::size_t>(i)]; }
  const T& operator[](std::int32_t i) const { return elements_[static_cast<std::size_t>(i)]; }

 private:
  static constexpr std::size_t kSmallest = 4;
  static constexpr std::size_t kNumClasses = 28;

  PlainVector<T> elements_;
  std::array<PlainVector<std::int32_t>, kNumClasses> free_;
};

}  // namespace railwright::core
