// SPDX-License-Identifier: Apache-2.0
// The queue of a fill: links that may saturate and flows that may reach their ceiling, by level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace railwright::core {

/// A 4-ary heap ordered by level. The order of equal levels depends only on the calls made.
class LevelHeap {
 public:
  struct Entry {
    double level = 0.0;
    std::int32_t id = 0;  ///< a link; or the complement of a flow
  };

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
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
  /// Raises the level of the top entry.
  void raise_top(double level) { sink(0, {level, heap_.front().id}); }

  /// Removes all entries for which `drops(entry)`.
  template <class Drops>
  void drop_if(Drops drops) {
    if (std::erase_if(heap_, drops) > 0) make();
  }

  /// Appends without ordering; make() then orders all at once.
  void append(const Entry& entry) { heap_.push_back(entry); }
  void make() {
    if (heap_.size() < 2) return;
    for (std::size_t i = (heap_.size() - 2) / kArity + 1; i-- > 0;) sink(i, heap_[i]);
  }

 private:
  static constexpr std::size_t kArity = 4;

  static bool lower(const Entry& a, const Entry& b) { return a.level < b.level; }
  void sink(std::size_t i, const Entry entry) {
    const std::size_t size = heap_.size();
    Entry* const heap = heap_.data();
    for (;;) {
      const std::size_t first = i * kArity + 1;
      std::size_t child = first;
      if (first + kArity <= size) {
        const std::size_t left = first + (lower(heap[first + 1], heap[first]) ? 1 : 0);
        const std::size_t right = first + (lower(heap[first + 3], heap[first + 2]) ? 3 : 2);
        child = lower(heap[right], heap[left]) ? right : left;
      } else {
        if (first >= size) break;
        for (std::size_t c = first + 1; c < size; ++c) {
          if (lower(heap[c], heap[child])) child = c;
        }
      }
      if (!lower(heap[child], entry)) break;
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = entry;
  }

  std::vector<Entry> heap_;
};

}  // namespace railwright::core
