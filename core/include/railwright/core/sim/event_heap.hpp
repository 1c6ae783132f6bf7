// SPDX-License-Identifier: Apache-2.0
// The engine's queue: a 4-ary heap in which the entries of flows can be moved and taken out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace railwright::core {

/// Ordered by (time, sequence). Entries with flow >= 0 are found again by their flow.
class EventHeap {
 public:
  struct Entry {
    std::int64_t time = 0;
    std::int64_t sequence = 0;
    std::int32_t flow = -1;
    std::uint32_t event = 0;
  };

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] const Entry& top() const { return heap_.front(); }

  void push(const Entry& entry) {
    if (entry.flow >= 0 && static_cast<std::size_t>(entry.flow) >= positions_.size()) {
      positions_.resize(static_cast<std::size_t>(entry.flow) + 1, kAbsent);
    }
    heap_.push_back(entry);
    rise(heap_.size() - 1, entry);
  }
  void pop() { take_out(0); }

  [[nodiscard]] bool contains(std::int32_t flow) const {
    return static_cast<std::size_t>(flow) < positions_.size() &&
           positions_[static_cast<std::size_t>(flow)] != kAbsent;
  }
  /// Takes out the entry of a flow that is contained.
  void erase(std::int32_t flow) {
    take_out(static_cast<std::size_t>(positions_[static_cast<std::size_t>(flow)]));
  }
  /// Moves the entry of a flow that is contained to another time.
  void move(std::int32_t flow, std::int64_t time) {
    const auto i = static_cast<std::size_t>(positions_[static_cast<std::size_t>(flow)]);
    Entry entry = heap_[i];
    entry.time = time;
    settle(i, entry);
  }

 private:
  static constexpr std::int32_t kAbsent = -1;
  static constexpr std::size_t kArity = 4;

  static bool earlier(const Entry& a, const Entry& b) {
    return a.time != b.time ? a.time < b.time : a.sequence < b.sequence;
  }
  void put(std::size_t i, const Entry& entry) {
    heap_[i] = entry;
    if (entry.flow >= 0) {
      positions_[static_cast<std::size_t>(entry.flow)] = static_cast<std::int32_t>(i);
    }
  }
  void rise(std::size_t i, const Entry& entry) {
    while (i > 0) {
      const std::size_t parent = (i - 1) / kArity;
      if (!earlier(entry, heap_[parent])) break;
      put(i, heap_[parent]);
      i = parent;
    }
    put(i, entry);
  }
  void sink(std::size_t i, const Entry& entry) {
    for (;;) {
      const std::size_t first = i * kArity + 1;
      if (first >= heap_.size()) break;
      const std::size_t end = first + kArity < heap_.size() ? first + kArity : heap_.size();
      std::size_t child = first;
      for (std::size_t c = first + 1; c < end; ++c) {
        if (earlier(heap_[c], heap_[child])) child = c;
      }
      if (!earlier(heap_[child], entry)) break;
      put(i, heap_[child]);
      i = child;
    }
    put(i, entry);
  }
  void settle(std::size_t i, const Entry& entry) {
    if (i > 0 && earlier(entry, heap_[(i - 1) / kArity])) {
      rise(i, entry);
    } else {
      sink(i, entry);
    }
  }
  void take_out(std::size_t i) {
    if (heap_[i].flow >= 0) positions_[static_cast<std::size_t>(heap_[i].flow)] = kAbsent;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (i < heap_.size()) settle(i, last);
  }

  std::vector<Entry> heap_;
  std::vector<std::int32_t> positions_;  // of each flow's entry in heap_
};

}  // namespace railwright::core
