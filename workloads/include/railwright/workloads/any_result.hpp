// SPDX-License-Identifier: Apache-2.0
// The result of any kind of scenario.
#pragma once

#include <any>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "railwright/workloads/collective_benchmark/collective_benchmark.hpp"
#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/post_training/post_training.hpp"
#include "railwright/workloads/queue/queue.hpp"
#include "railwright/workloads/serving/serving.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

/// Result of a kind that says no more than its numbers: text, JSON, sweeps and pages walk them.
struct PlainResult {
  std::string kind;  ///< key of its row in scenario_kinds()
  std::string name;
  std::vector<std::string> infeasible;  ///< sentences; empty when the design works
  std::any own;                         ///< what its numbers are read from

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
};

using AnyResult = std::variant<SimulationResult, JobsResult, QueueResult, BenchmarkResult,
                               InferenceResult, PostTrainingResult, PlainResult>;

/// A result of any kind, which somebody else holds.
class ResultView {
 public:
  ResultView(const AnyResult& result)  // NOLINT(*-explicit-*): as a string is a string_view
      : one_(std::visit([](const auto& one) { return One(&one); }, result)) {}
  template <class Result>
    requires std::is_constructible_v<AnyResult, Result>
  ResultView(const Result& result) : one_(&result) {}  // NOLINT(*-explicit-*)

  /// Returns the result if it is of this kind, else null.
  template <class Result>
  [[nodiscard]] const Result* as() const {
    const auto* found = std::get_if<const Result*>(&one_);
    return found != nullptr ? *found : nullptr;
  }
  template <class Visitor>
  auto visit(const Visitor& visitor) const {
    return std::visit([&](const auto* one) { return visitor(*one); }, one_);
  }

 private:
  using One = std::variant<const SimulationResult*, const JobsResult*, const QueueResult*,
                           const BenchmarkResult*, const InferenceResult*,
                           const PostTrainingResult*, const PlainResult*>;
  static_assert(std::variant_size_v<One> == std::variant_size_v<AnyResult>);

  One one_;
};

[[nodiscard]] bool is_feasible(const ResultView& result);
/// Returns why the design does not fit, a sentence each.
[[nodiscard]] std::vector<std::string> reasons_of(const ResultView& result);
/// Returns the run; null if nothing ran over time.
[[nodiscard]] const RunResult* run_of(const ResultView& result);
[[nodiscard]] const std::string& name_of(const AnyResult& result);

}  // namespace railwright::simulation
