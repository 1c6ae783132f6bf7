// SPDX-License-Identifier: Apache-2.0
// Entries by a packed key, and a vector that cannot grow beyond its own memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace railwright::planner {

/// Open addressing over keys that are not zero.
template <class Entry>
class Table {
 public:
  [[nodiscard]] const Entry* find(std::uint64_t key) const {
    if (slots_.empty()) return nullptr;
    for (std::size_t i = place(key);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].key == key) return slots_[i].entry.get();
      if (slots_[i].key == 0) return nullptr;
    }
  }
  const Entry& insert(std::uint64_t key, std::unique_ptr<Entry> entry) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    ++size_;
    return put({key, std::move(entry)});
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::unique_ptr<Entry> entry;
  };
  [[nodiscard]] std::size_t place(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 32U) & (slots_.size() - 1);
  }
  const Entry& put(Slot slot) {
    std::size_t i = place(slot.key);
    while (slots_[i].key != 0) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = std::move(slot);
    return *slots_[i].entry;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (Slot& slot : old) {
      if (slot.key != 0) put(std::move(slot));
    }
  }
  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

/// Packs small numbers side by side.
class Key {
 public:
  Key& add(std::uint64_t value, unsigned bits) {
    packed_ = (packed_ << bits) | value;
    return *this;
  }
  /// Never zero.
  [[nodiscard]] std::uint64_t packed() const { return packed_; }

 private:
  std::uint64_t packed_ = 1;
};

/// At most `kMost` values, none of them constructed before it is added.
template <class T, std::size_t kMost>
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
  alignas(T) std::byte memory_[sizeof(T) * kMost];  // NOLINT(modernize-avoid-c-arrays)
  std::size_t size_ = 0;
};

}  // namespace railwright::planner
