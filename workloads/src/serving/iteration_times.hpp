// SPDX-License-Identifier: Apache-2.0
// Times of the iterations of a replica, by what passes in them.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "replica.hpp"

namespace railwright::simulation {

/// Times of iterations, cached by shapes rounded to 32 steps per octave.
class IterationTimes {
 public:
  explicit IterationTimes(const Replica& replica) : replica_(replica) {}

  [[nodiscard]] const models::Inference& inference() const { return replica_.inference(); }
  /// Returns the seconds of an iteration.
  double operator()(const models::TokenPass& pass);

 private:
  using Table = std::unordered_map<std::uint64_t, double>;

  const Replica& replica_;
  Table tokens_;  ///< layers and their collectives, by tokens of all and of the busiest accelerator
  Table head_;    ///< output head, by sequences
  Table prompts_;  ///< attention of prompts
  Table decodes_;  ///< attention of decode steps
  Table drafts_;   ///< drafts for decode steps
};

}  // namespace railwright::simulation
