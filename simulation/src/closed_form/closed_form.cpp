// SPDX-License-Identifier: Apache-2.0
#include "closed_form.hpp"

#include <algorithm>

#include "bottleneck_time.hpp"
#include "step_collectives.hpp"

namespace railwright::simulation {

namespace {

using core::Duration;

/// What a pipeline adds to the work of its stages.
struct PipelinePace {
  Duration loop;  ///< least time between micro-batches: see below
  Duration fill;  ///< transfers of the way through the pipeline and back, once
  Duration work;  ///< of all stages for a micro-batch
  Duration idle;  ///< what a stage would wait for all of them
};

/// What the others wait in a step for a stage: a chunk of it, less what weight gradients fill.
/// [@narayanan2021megatron] [@qi2023zero] [@deepseek_v3]
Duration idle_for(const StepTerms& terms, std::size_t stage) {
  const StageWork& work = terms.classes[terms.network.class_of_stage[stage]].work;
  if (terms.rules.num_directions == 1.0) {
    return (work.total() - work.weight * 2.0) / terms.virtual_stages;
  }
  const auto pp = static_cast<double>(terms.network.num_stages());
  return (work.total() + work.backward - work.weight * 2.0) * ((pp / 2.0 - 1.0) / (2.0 * pp));
}

/// A stage of plain 1F1B has as many micro-batches in flight as there are stages from it to the
/// end. So that many are the most that can finish in the time of the way to the end and back, work
/// and transfers together. Interleaving keeps more in flight, and hides that way.
PipelinePace pipeline_pace(const StepTerms& terms) {
  const NetworkTerms& network = terms.network;
  const std::size_t pp = network.num_stages();
  const auto work = [&](std::size_t stage) {
    return terms.classes[network.class_of_stage[stage]].work.total();
  };
  PipelinePace pace{.loop = {}, .fill = {}, .work = work(pp - 1), .idle = idle_for(terms, pp - 1)};
  const bool loops = terms.virtual_stages == 1.0 && terms.rules.schedule->fills_the_way_back;
  for (std::size_t stage = pp - 1; stage-- > 0;) {
    pace.fill += network.sends[stage].forward + network.sends[stage + 1].backward;
    pace.work += work(stage);
    pace.idle += idle_for(terms, stage);
    if (loops) {
      pace.loop = std::max(pace.loop, (pace.work + pace.fill) / static_cast<double>(pp - stage));
    }
  }
  if (terms.rules.overlap_pipeline && terms.virtual_stages > 1.0) {
    // Before the steady part and behind it, chunk after chunk has nothing else to compute
    // meanwhile.
    Duration round;
    for (const SendTimes& sends : network.sends) round += sends.forward + sends.backward;
    pace.fill += round * (terms.virtual_stages - 1.0);
  }
  return pace;
}

/// The last chunk has no next stage, the first none before it.
Duration blocked_by_sends(const StepTerms& terms, std::size_t stage) {
  const std::size_t pp = terms.network.num_stages();
  if (pp == 1 || terms.rules.overlap_pipeline) return {};
  const SendTimes& sends = terms.network.sends[stage];
  const double v = terms.virtual_stages;
  return (sends.forward * (stage + 1 == pp ? v - 1.0 : v) +
          sends.backward * (stage == 0 ? v - 1.0 : v)) *
         terms.rules.num_directions;
}

/// What a step takes beside the work of the stage that sets the pace, and its collectives.
struct Beside {
  Duration bubble;
  Duration transfers;

  [[nodiscard]] Duration total() const { return bubble + transfers; }
};

Beside beside(const StepTerms& terms, const PipelinePace& pace, std::size_t stage) {
  if (terms.network.num_stages() == 1) return {};
  const StageWork& work = terms.classes[terms.network.class_of_stage[stage]].work;
  const double m = terms.num_microbatches;
  const bool waits_for_all = terms.rules.num_directions > 1.0;
  const Duration blocked = blocked_by_sends(terms, stage);
  const Duration waits = std::max(pace.loop - (work.total() + blocked), Duration{});
  return {.bubble = pace.idle - (waits_for_all ? Duration{} : idle_for(terms, stage)),
          .transfers = blocked * m + waits * (m - 1.0) + pace.fill};
}

/// Stages alike but for rounding are the same: the first of them counts, however times were summed.
constexpr double kLonger = 1.0 + 1e-9;

/// The slowest stage is the one that makes the longest step: to take the one with most work would
/// let the step jump down where two stages change places.
std::size_t slowest_stage(const StepTerms& terms, const PipelinePace& pace) {
  std::size_t slowest = 0;
  Duration longest;
  for (std::size_t stage = 0; stage < terms.network.num_stages(); ++stage) {
    const StageWork& work = terms.classes[terms.network.class_of_stage[stage]].work;
    const Duration time =
        work.total() * terms.num_microbatches + beside(terms, pace, stage).total();
    if (time > longest * kLonger) {
      longest = time;
      slowest = stage;
    }
  }
  return slowest;
}

Breakdown paced_by(std::size_t stage, const StepTerms& terms, const PipelinePace& pace,
                   const StepCollectives& collectives) {
  const StageWork& work = terms.classes[terms.network.class_of_stage[stage]].work;
  const Beside rest = beside(terms, pace, stage);
  const double m = terms.num_microbatches;
  Breakdown breakdown;
  breakdown[Cause::kMatrixProducts] = work.compute.matrix * m;
  breakdown[Cause::kAttention] = work.compute.attention * m;
  breakdown[Cause::kElementwise] = work.compute.elementwise * m;
  breakdown[Cause::kKernelGaps] = work.compute.gaps * m;
  breakdown[Cause::kTensorParallel] = work.calls[0] * m + collectives.delays[0];
  breakdown[Cause::kExpertParallel] = work.calls[1] * m + collectives.delays[1];
  breakdown[Cause::kContextParallel] = work.calls[2] * m + collectives.delays[2];
  breakdown[Cause::kPipelineBubble] = rest.bubble;
  breakdown[Cause::kPipelineTransfer] = rest.transfers;
  breakdown[Cause::kGradientReduce] = collectives.reduce;
  breakdown[Cause::kParameterGather] = collectives.gather;
  breakdown[Cause::kOverhead] = terms.rules.overhead;
  for (const StageTerms& stage_terms : terms.classes) {
    breakdown[Cause::kOptimizer] = std::max(breakdown[Cause::kOptimizer], stage_terms.optimizer);
  }
  return breakdown;
}

/// No step of a pipeline is shorter than its busiest link needs.
Breakdown with_busiest_link(const StepTerms& terms, Breakdown breakdown) {
  const StepRules& rules = terms.rules;
  const double m = terms.num_microbatches;
  const Duration links =
      longest_link(terms, {.gradients = rules.reduces_every_microbatch ? m : 1.0,
                           .parameters = rules.gathers_every_pass ? 2.0 * m : 1.0,
                           .layers = m});
  const Duration total = breakdown.total();
  if (links > total) breakdown[Cause::kPipelineTransfer] += links - total;
  return breakdown;
}

}  // namespace

Breakdown closed_form(const StepTerms& terms) {
  const bool has_pipeline = terms.network.num_stages() > 1;
  const PipelinePace pace = has_pipeline ? pipeline_pace(terms) : PipelinePace{};
  const Breakdown longest =
      paced_by(has_pipeline ? slowest_stage(terms, pace) : 0, terms, pace, step_collectives(terms));
  return has_pipeline ? with_busiest_link(terms, longest) : longest;
}

}  // namespace railwright::simulation
