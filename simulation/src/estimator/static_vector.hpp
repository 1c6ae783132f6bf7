// SPDX-License-Identifier: Apache-2.0
// A vector of fixed capacity without heap memory.
#pragma once

#include <cstddef>
#include <new>
#include <span>

namespace railwright::simulation {

/// Holds at most `kMax` values; constructs each one when it is added.
template <class T, std::size_t kMax>
class ShortVector {
 public:
  ShortVector() = default;
  ShortVector(const ShortVector&) = delete;
  ShortVector& operator=(const ShortVector&) = delete;

  T& add() { return *new (memory_ + sizeof(T) * size_++) T{}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  [[nodiscard]] std::span<const T> values() const {
    return {std::launder(reinterpret_cast<const T*>(memory_)), size_};
  }

 private:
  T* data() { return std::launder(reinterpret_cast<T*>(memory_)); }
  alignas(T) std::byte memory_[sizeof(T) * kMax];  // NOLINT(modernize-avoid-c-arrays)
  std::size_t size_ = 0;
};

}  // namespace railwright::simulation
