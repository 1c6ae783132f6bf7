// SPDX-License-Identifier: Apache-2.0
// The objective of changes to a service.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "railwright/planner/next_change/next_service_change.hpp"

namespace railwright::planner {

/// Which of two services is better, and what one improves on the scenario's `own`. Both arguments
/// must outlive this.
class ServiceObjective {
 public:
  ServiceObjective(const models::Inference& inference, const simulation::InferenceResult& own)
      : inference_(inference), own_(own), wanted_(inference.wanted_requests_per_s()) {}

  [[nodiscard]] bool has_load() const { return wanted_ > 0.0 || inference_.load; }

  /// Whether full batches fit; on the nodes there are, where these follow from them.
  [[nodiscard]] bool fits(const simulation::InferenceResult& full) const;
  /// Whether a service could improve on the scenario's, by its full batches: requests that wait for
  /// each other need no fewer accelerators. Given replicas may need fewer than full batches.
  [[nodiscard]] bool may_improve(const simulation::InferenceResult& full) const;

  /// Returns what a service improves; nothing if that is less than kMinSaving, or if it is worse in
  /// anything that is counted.
  [[nodiscard]] std::optional<NextServiceChange> gain(
      const simulation::InferenceResult& with) const;

  /// Nodes, accelerators, and seconds or -tokens/s: lower is better.
  using Rank = std::tuple<std::int64_t, std::int64_t, double>;
  [[nodiscard]] Rank rank(const simulation::InferenceResult& one) const;

  /// Whether `two`, a change of two keys, is enough better than `one`.
  [[nodiscard]] bool is_worth_two(const simulation::InferenceResult& two,
                                  const simulation::InferenceResult& one) const;

 private:
  [[nodiscard]] bool is_at_once() const;
  [[nodiscard]] bool has_given_replicas() const;
  [[nodiscard]] bool needs_no_more(const simulation::InferenceResult& with) const;
  [[nodiscard]] bool carries_as_much(const simulation::InferenceResult& with) const;
  [[nodiscard]] bool is_as_fast(const simulation::InferenceResult& with) const;
  [[nodiscard]] core::Duration answer(const simulation::InferenceResult& one) const {
    return time_of_answer(one, inference_.output_tokens);
  }

  const models::Inference& inference_;
  const simulation::InferenceResult& own_;
  double wanted_;
};

}  // namespace railwright::planner
