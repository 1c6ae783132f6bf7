// SPDX-License-Identifier: Apache-2.0
// Short arrays of one type in one vector: what every flow and every link has a few of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace railwright::core {

/// Blocks of 4, 8, 16 ... elements. A block that is given back is used again.
template <class T>
class BlockPool {
 public:
  /// The smallest class whose blocks hold `size` elements.
  static int class_for(std::size_t size) {
    int block_class = 0;
    while (size_of(block_class) < size) ++block_class;
    return block_class;
  }
  static constexpr std::size_t size_of(int block_class) { return kSmallest << block_class; }

  /// Index of the first element of a block.
  std::int32_t take(int block_class) {
    auto& free = free_[static_cast<std::size_t>(block_class)];
    if (!free.empty()) {
      const std::int32_t block = free.back();
      free.pop_back();
      return block;
    }
    const std::size_t block = num_used_;
    num_used_ += size_of(block_class);
    if (num_used_ > elements_.size()) elements_.resize(num_used_ + kAhead);
    return static_cast<std::int32_t>(block);
  }
  void give_back(std::int32_t block, int block_class) {
    free_[static_cast<std::size_t>(block_class)].push_back(block);
  }

  [[nodiscard]] std::span<const T> span(std::int32_t first, std::int32_t size) const {
    return {elements_.data() + first, static_cast<std::size_t>(size)};
  }
  T& operator[](std::int32_t i) { return elements_[static_cast<std::size_t>(i)]; }
  const T& operator[](std::int32_t i) const { return elements_[static_cast<std::size_t>(i)]; }

 private:
  static constexpr std::size_t kSmallest = 4;
  static constexpr std::size_t kNumClasses = 28;
  static constexpr std::size_t kAhead = 1024;  // elements, so that growing is rare

  std::vector<T> elements_;
  std::size_t num_used_ = 0;
  std::array<std::vector<std::int32_t>, kNumClasses> free_;
};

}  // namespace railwright::core
