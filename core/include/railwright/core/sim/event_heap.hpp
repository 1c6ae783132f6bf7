// SPDX-License-Identifier: Apache-2.0
// The engine's queue of timed events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace railwright::core {

/// A 4-ary heap ordered by (time, sequence).
class EventHeap {
 public:
  struct Entry {
    std::int64_t time = 0;
    std::int64_t sequence = 0;
    std::uint32_t event = 0;
  };

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] const Entry& top() const { return heap_.front(); }

  void push(const Entry& entry) {
    std::size_t i = heap_.size();
    heap_.push_back(entry);
    while (i > 0) {
      const std::size_t parent = (i - 1) / kArity;
      if (!earlier(entry, heap_[parent])) break;
      heap_[i] = heap_[parent];
      i = parent;
    }
    heap_[i] = entry;
  }

  void pop() {
    const Entry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
  }

 private:
  static constexpr std::size_t kArity = 4;

  static bool earlier(const Entry& a, const Entry& b) {
    return a.time != b.time ? a.time < b.time : a.sequence < b.sequence;
  }
  void sink(const Entry& entry) {
    const std::size_t size = heap_.size();
    std::size_t i = 0;
    for (;;) {
      const std::size_t first = i * kArity + 1;
      if (first >= size) break;
      const std::size_t end = first + kArity < size ? first + kArity : size;
      std::size_t child = first;
      for (std::size_t c = first + 1; c < end; ++c) {
        if (earlier(heap_[c], heap_[child])) child = c;
      }
      if (!earlier(heap_[child], entry)) break;
      heap_[i] = heap_[child];
      i = child;
    }
    heap_[i] = entry;
  }

  std::vector<Entry> heap_;
};

}  // namespace railwright::core
