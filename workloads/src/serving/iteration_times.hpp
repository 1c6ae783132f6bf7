// SPDX-License-Identifier: Apache-2.0
// Times of the iterations of a replica, by what passes in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "replica.hpp"

namespace railwright::simulation {

/// Times by a number that stands for a shape. Open addressing: every iteration looks some up.
class ShapeTable {
 public:
  /// Returns null for a shape without a time.
  [[nodiscard]] const double* find(std::uint64_t key) const {
    const Entry& entry = entries_[place_of(key)];
    return entry.key == key ? &entry.value : nullptr;
  }
  /// Adds the time of a shape that has none.
  void put(std::uint64_t key, double value);

 private:
  static constexpr std::uint64_t kNoKey = ~std::uint64_t{0};  // shapes take fewer bits

  struct Entry {
    std::uint64_t key = kNoKey;
    double value = 0.0;
  };

  /// Returns the index of the key's entry, or of the empty one where it belongs.
  [[nodiscard]] std::size_t place_of(std::uint64_t key) const;

  std::vector<Entry> entries_ = std::vector<Entry>(1024);  // a power of two
  std::size_t size_ = 0;
};

/// Times of iterations, cached by shapes rounded to 32 steps per octave.
class IterationTimes {
 public:
  explicit IterationTimes(const Replica& replica) : replica_(replica) {}

  [[nodiscard]] const models::Inference& inference() const { return replica_.inference(); }
  /// Returns the seconds of an iteration.
  double operator()(const models::TokenPass& pass);

 private:
  double time_of(const models::TokenPass& pass);

  const Replica& replica_;
  ShapeTable steps_;            ///< whole iterations without prompts, by requests and context
  std::uint64_t last_key_ = 0;  ///< of these, the one asked for last; 0: none
  double last_time_ = 0.0;
  ShapeTable
      tokens_;  ///< layers and their collectives, by tokens of all and of the busiest accelerator
  ShapeTable head_;     ///< output head, by sequences
  ShapeTable prompts_;  ///< attention of prompts
  ShapeTable decodes_;  ///< attention of decode steps
  ShapeTable drafts_;   ///< drafts for decode steps
};

}  // namespace railwright::simulation
