// SPDX-License-Identifier: Apache-2.0
// A table that threads fill and read concurrently.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace railwright::core {

/// Entries by key, in open addressing. Entries are never removed, so any number of threads may look
/// up, without waiting, while others insert. One of the threads that want an entry makes it, once.
template <class Entry>
class SharedTable {
 public:
  [[nodiscard]] const Entry* find(std::uint64_t key) const {
    const Slots* slots = slots_.load(std::memory_order_acquire);
    if (slots == nullptr) return nullptr;
    for (std::size_t i = place(*slots, key);; i = (i + 1) & (slots->size() - 1)) {
      const Entry* entry = (*slots)[i].entry.load(std::memory_order_acquire);
      if (entry == nullptr || (*slots)[i].key == key) return entry;
    }
  }

  /// Inserts the result of `make`, unless the key exists or another thread is making it.
  template <class Make>
  void put_unless_claimed(std::uint64_t key, const Make& make) {
    {
      const std::lock_guard lock(mutex_);
      if (find(key) != nullptr || !claimed_.insert(key).second) return;
    }
    std::unique_ptr<const Entry> entry;
    try {
      entry = make();
    } catch (...) {
      give_back(key);
      throw;
    }
    {
      const std::lock_guard lock(mutex_);
      if (2 * (entries_.size() + 1) > num_slots()) grow();
      put(*generations_.back(), key, entry.get());
      entries_.push_back(std::move(entry));
    }
    give_back(key);
  }

  /// Inserts an entry, or waits for the thread that is making it.
  template <class Make>
  void put(std::uint64_t key, const Make& make) {
    while (find(key) == nullptr) {
      put_unless_claimed(key, make);
      std::unique_lock lock(mutex_);
      given_back_.wait(lock, [&] { return !claimed_.contains(key); });
    }
  }

  /// Must not run concurrently with an insertion.
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  struct Slot {
    std::uint64_t key = 0;  ///< set before its entry, read after it
    std::atomic<const Entry*> entry = nullptr;
  };
  using Slots = std::vector<Slot>;

  [[nodiscard]] static std::size_t place(const Slots& slots, std::uint64_t key) {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 32U) & (slots.size() - 1);
  }
  static void put(Slots& slots, std::uint64_t key, const Entry* entry) {
    std::size_t i = place(slots, key);
    while (slots[i].entry.load(std::memory_order_relaxed) != nullptr) {
      i = (i + 1) & (slots.size() - 1);
    }
    slots[i].key = key;
    slots[i].entry.store(entry, std::memory_order_release);
  }
  [[nodiscard]] std::size_t num_slots() const {
    return generations_.empty() ? 0 : generations_.back()->size();
  }
  void grow() {
    auto grown = std::make_unique<Slots>(std::max<std::size_t>(16, 2 * num_slots()));
    if (!generations_.empty()) {
      for (const Slot& slot : *generations_.back()) {
        const Entry* entry = slot.entry.load(std::memory_order_relaxed);
        if (entry != nullptr) put(*grown, slot.key, entry);
      }
    }
    generations_.push_back(std::move(grown));
    slots_.store(generations_.back().get(), std::memory_order_release);
  }
  void give_back(std::uint64_t key) {
    {
      const std::lock_guard lock(mutex_);
      claimed_.erase(key);
    }
    given_back_.notify_all();
  }

  std::atomic<const Slots*> slots_ = nullptr;
  std::mutex mutex_;
  std::condition_variable given_back_;
  std::set<std::uint64_t> claimed_;
  std::vector<std::unique_ptr<Slots>> generations_;  ///< older ones may still be read
  std::vector<std::unique_ptr<const Entry>> entries_;
};

}  // namespace railwright::core
