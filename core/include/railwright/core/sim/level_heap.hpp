// SPDX-License-Identifier: Apache-2.0
// The queue of a fill: links that may saturate and flows that may meet their ceiling, by level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace railwright::core {

/// A 4-ary heap ordered by (level, id).
class LevelHeap {
 public:
  struct Entry {
    double level = 0.0;
    std::int32_t id = 0;  ///< a link, or complemented a flow
  };

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] const Entry& top() const { return heap_.front(); }
  void clear() { heap_.clear(); }

  void push(const Entry& entry) {
    std::size_t i = heap_.size();
    heap_.push_back(entry);
    while (i > 0) {
      const std::size_t parent = (i - 1) / kArity;
      if (!lower(entry, heap_[parent])) break;
      heap_[i] = heap_[parent];
      i = parent;
    }
    heap_[i] = entry;
  }
  void pop() {
    const Entry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(0, last);
  }
  /// Gives the top another level, not lower than it has.
  void raise_top(double level) { sink(0, {level, heap_.front().id}); }

  /// Adds without order; make() puts all in order at once.
  void append(const Entry& entry) { heap_.push_back(entry); }
  void make() {
    if (heap_.size() < 2) return;
    for (std::size_t i = (heap_.size() - 2) / kArity + 1; i-- > 0;) sink(i, heap_[i]);
  }

 private:
  static constexpr std::size_t kArity = 4;

  static bool lower(const Entry& a, const Entry& b) {
    return a.level != b.level ? a.level < b.level : a.id < b.id;
  }
  void sink(std::size_t i, const Entry entry) {
    const std::size_t size = heap_.size();
    for (;;) {
      const std::size_t first = i * kArity + 1;
      if (first >= size) break;
      const std::size_t end = first + kArity < size ? first + kArity : size;
      std::size_t child = first;
      for (std::size_t c = first + 1; c < end; ++c) {
        if (lower(heap_[c], heap_[child])) child = c;
      }
      if (!lower(heap_[child], entry)) break;
      heap_[i] = heap_[child];
      i = child;
    }
    heap_[i] = entry;
  }

  std::vector<Entry> heap_;
};

}  // namespace railwright::core
