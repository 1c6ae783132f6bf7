// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/diagnose/timed_parts.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace railwright::planner {

namespace {

using core::Duration;
using simulation::Cause;

constexpr auto kOfPasses =
    std::to_array({Cause::kMatrixProducts, Cause::kAttention, Cause::kElementwise,
                   Cause::kKernelGaps, Cause::kOverlapSlowdown, Cause::kTensorParallel,
                   Cause::kExpertParallel, Cause::kContextParallel});
constexpr auto kOfPipeline = std::to_array({Cause::kPipelineTransfer, Cause::kPipelineBubble});
constexpr auto kOfReduction = std::to_array({Cause::kGradientReduce});
/// Megatron's optimizer gathers the parameters that no pass gathers.
constexpr auto kOfUpdate = std::to_array({Cause::kOptimizer, Cause::kParameterGather});

/// A part, and timers that add up to it; with several rows the first whose timers are all there.
struct PartRow {
  std::string_view what;
  std::array<std::string_view, 2> timers;  ///< "": none
  std::span<const Cause> causes;
  std::string_view less;  ///< a row whose time is taken off; "": none
};

constexpr std::string_view kPasses = "passes of micro-batches";
constexpr std::string_view kReduction = "gradients reduced behind them";
constexpr std::string_view kUpdate = "optimizer and parameters";

/// Names by Megatron-LM's megatron/training/training.py and core/optimizer.
/// [@megatron_lm_training_log]
constexpr auto kRows = std::to_array<PartRow>({
    {kPasses, {"forward-compute", "backward-compute"}, kOfPasses, ""},
    {"pipeline: bubble and transfers", {"forward-backward", ""}, kOfPipeline, kPasses},
    {kReduction, {"all-grads-sync", ""}, kOfReduction, ""},
    {kReduction, {"grads-reduce-scatter", ""}, kOfReduction, ""},
    {kReduction, {"grads-all-reduce", ""}, kOfReduction, ""},
    {kUpdate, {"optimizer", ""}, kOfUpdate, ""},
});

/// Returns the sum of a row's timers if the log has them all.
std::optional<Duration> time_of(const PartRow& row, const std::vector<StepTimer>& timers) {
  Duration sum;
  for (const std::string_view name : row.timers) {
    if (name.empty()) continue;
    const auto found = std::ranges::find(timers, name, &StepTimer::name);
    if (found == timers.end()) return {};
    sum += found->time;
  }
  return sum;
}

std::string names_of(const PartRow& row) {
  std::string names(row.timers[0]);
  if (!row.timers[1].empty()) names += " + " + std::string(row.timers[1]);
  return names;
}

}  // namespace

std::vector<TimedPart> timed_parts(const std::vector<StepTimer>& timers,
                                   const simulation::Breakdown& predicted) {
  std::vector<TimedPart> parts;
  const auto known = [&](std::string_view what) {
    return std::ranges::find(parts, what,
                             [](const TimedPart& one) -> std::string_view { return one.what; });
  };
  for (const PartRow& row : kRows) {
    auto measured = time_of(row, timers);
    if (!measured || known(row.what) != parts.end()) continue;
    if (!row.less.empty()) {
      const auto less = known(row.less);
      if (less == parts.end()) continue;
      measured = std::max(Duration{}, *measured - less->measured);
    }
    TimedPart part{.what = std::string(row.what),
                   .timers = names_of(row),
                   .measured = *measured,
                   .predicted = {}};
    for (const Cause cause : row.causes) part.predicted += predicted[cause];
    parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(parts, std::ranges::greater{}, [](const TimedPart& one) {
    return std::max(one.excess(), Duration{} - one.excess());
  });
  return parts;
}

}  // namespace railwright::planner
