// SPDX-License-Identifier: Apache-2.0
// A vector of plain data for tables that grow to millions of elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace railwright::core {

/// Grows by std::realloc, so that the system moves pages, not bytes, and touches no page before its
/// use. New elements are uninitialized.
template <class T>
class PlainVector {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  PlainVector() = default;
  PlainVector(const PlainVector& other) { append(other.data(), other.size_); }
  PlainVector(PlainVector&& other) noexcept
      : elements_(std::move(other.elements_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  PlainVector& operator=(PlainVector other) noexcept {
    std::swap(elements_, other.elements_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~PlainVector() = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  T* data() { return elements_.get(); }
  [[nodiscard]] const T* data() const { return elements_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  [[nodiscard]] const T* begin() const { return data(); }
  [[nodiscard]] const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return elements_.get()[i]; }
  const T& operator[](std::size_t i) const { return elements_.get()[i]; }
  T& back() { return data()[size_ - 1]; }

  void push_back(const T& element) {
    if (size_ == capacity_) {
      const T kept = element;  // it may be an element of this vector
      reserve(size_ + 1);
      data()[size_++] = kept;
    } else {
      data()[size_++] = element;
    }
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  /// Leaves new elements uninitialized.
  void resize(std::size_t size) {
    reserve(size);
    size_ = size;
  }
  void append(const T* elements, std::size_t count) {
    reserve(size_ + count);
    if (count > 0) std::memcpy(data() + size_, elements, count * sizeof(T));
    size_ += count;
  }

 private:
  static constexpr std::size_t kSmallest = 64;
  static constexpr std::size_t kFew = 4096;

  struct Free {
    void operator()(T* elements) const { std::free(elements); }
  };

  void reserve(std::size_t size) {
    if (size <= capacity_) return;
    const std::size_t growth = capacity_ < kFew ? 4 : 2;
    const std::size_t capacity = std::max({size, kSmallest, growth * capacity_});
    auto* const grown = static_cast<T*>(std::realloc(elements_.get(), capacity * sizeof(T)));
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(elements_.release());
    elements_.reset(grown);
    capacity_ = capacity;
  }

  std::unique_ptr<T, Free> elements_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace railwright::core
