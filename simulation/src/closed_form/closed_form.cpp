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
  Duration loop;      ///< least time between micro-batches: see below
  Duration met_loop;  ///< the same where transfers of both directions meet
  Duration fill;      ///< transfers of the way through the pipeline and back, once
  Duration work;      ///< of all stages for a micro-batch
  Duration idle;      ///< what a stage would wait for all of them
};

const StageWork& work_of(const StepTerms& terms, std::size_t stage) {
  return terms.classes[terms.network.class_of_stage[stage]].work;
}

/// What a micro-batch on its way does not wait for of a stage's calls: no replica is the slowest in
/// every stage.
Duration spared(const StepTerms& terms, const StageWork& work) {
  return work.calls[static_cast<std::size_t>(LayerCall::kTensor)] *
         (1.0 - terms.network.slowest_way.tensor_calls);
}

/// What the others wait in a step for a stage: a chunk of it, less what weight gradients fill.
/// [@narayanan2021megatron] [@qi2023zero] [@deepseek_v3]
Duration idle_for(const StepTerms& terms, std::size_t stage) {
  const StageWork& work = work_of(terms, stage);
  if (terms.rules.num_directions == 1.0) {
    return (work.total() - spared(terms, work) - work.weight * 2.0) / terms.virtual_stages;
  }
  const auto pp = static_cast<double>(terms.network.num_stages());
  return (work.total() + work.backward - work.weight * 2.0) * ((pp / 2.0 - 1.0) / (2.0 * pp));
}

bool meet(const StepRules& rules) {
  return rules.schedule->fills_the_way_back && rules.num_directions == 1.0;
}

/// Transfers forward and backward meet where they take longer than the passes between them.
SendTimes met_sends(const StepTerms& terms, std::size_t stage) {
  SendTimes sends = terms.network.sends[stage];
  if (!meet(terms.rules)) return sends;
  // Of the time that such transfers have in common: estimates, from simulated pipelines of equal
  // stages.
  const double share = terms.rules.overlap_pipeline ? 1.0 : 0.5;
  const Duration pass = work_of(terms, stage).total() / (2.0 * terms.virtual_stages);
  const auto longer = [&](Duration alone, Duration met) {
    return alone > pass ? alone + (met - alone) * (share * (1.0 - pass / alone)) : alone;
  };
  sends.forward = longer(sends.forward, sends.forward_met);
  sends.backward = longer(sends.backward, sends.backward_met);
  return sends;
}

/// A stage of plain 1F1B has as many micro-batches in flight as there are stages from it to the
/// end. So that many are the most that can finish in the time of the way to the end and back, work
/// and transfers together. Interleaving keeps more in flight, and hides that way.
PipelinePace pipeline_pace(const StepTerms& terms) {
  const NetworkTerms& network = terms.network;
  const std::size_t pp = network.num_stages();
  const auto work = [&](std::size_t stage) {
    return work_of(terms, stage).total() - spared(terms, work_of(terms, stage));
  };
  PipelinePace pace{.work = work(pp - 1), .idle = idle_for(terms, pp - 1)};
  const bool loops = terms.virtual_stages == 1.0 && terms.rules.schedule->fills_the_way_back;
  const double way = network.slowest_way.sends;
  Duration met;
  SendTimes next = met_sends(terms, pp - 1);
  for (std::size_t stage = pp - 1; stage-- > 0;) {
    const SendTimes own = met_sends(terms, stage);
    pace.fill += (network.sends[stage].forward + network.sends[stage + 1].backward) * way;
    met += (own.forward + next.backward) * way;
    next = own;
    pace.work += work(stage);
    pace.idle += idle_for(terms, stage);
    if (loops) {
      const auto in_flight = static_cast<double>(pp - stage);
      pace.loop = std::max(pace.loop, (pace.work + pace.fill) / in_flight);
      pace.met_loop = std::max(pace.met_loop, (pace.work + met) / in_flight);
    }
  }
  if (terms.rules.overlap_pipeline && terms.virtual_stages > 1.0) {
    // Before the steady part and behind it, chunk after chunk has nothing else to compute
    // meanwhile.
    Duration round;
    for (const SendTimes& sends : network.sends) round += sends.forward + sends.backward;
    pace.fill += round * (way * (terms.virtual_stages - 1.0));
  }
  return pace;
}

/// The last chunk has no next stage, the first none before it.
Duration blocked_by(const StepTerms& terms, std::size_t stage, const SendTimes& sends) {
  const std::size_t pp = terms.network.num_stages();
  if (pp == 1 || terms.rules.overlap_pipeline) return {};
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

/// Asynchronous transfers of interleaved chunks hide behind passes unless links are busier than
/// stages; then half of the shorter of the two shows.
Duration behind_passes(const StepTerms& terms, std::size_t stage) {
  if (!meet(terms.rules) || !terms.rules.overlap_pipeline || terms.virtual_stages == 1.0) return {};
  const SendTimes& sends = terms.network.sends[stage];
  const double v = terms.virtual_stages;
  const double chunks = v * static_cast<double>(terms.network.num_stages());
  // There is a boundary less than there are chunks.
  const Duration links =
      std::max(sends.forward_met, sends.backward_met) * (v * (chunks - 1.0) / chunks);
  const Duration passes = work_of(terms, stage).total();
  return std::max(links + std::min(links, passes) / 2.0 - passes, Duration{});
}

Beside beside(const StepTerms& terms, const PipelinePace& pace, std::size_t stage) {
  if (terms.network.num_stages() == 1) return {};
  const StageWork& work = work_of(terms, stage);
  const double m = terms.num_microbatches;
  const bool waits_for_all = terms.rules.num_directions > 1.0;
  const auto waits = [&](Duration loop, Duration blocked) {
    return std::max(loop - (work.total() + blocked), Duration{});
  };
  const Duration blocked = blocked_by(terms, stage, terms.network.sends[stage]);
  const Duration alone = waits(pace.loop, blocked);
  const Duration met_blocked = blocked_by(terms, stage, met_sends(terms, stage));
  const Duration more = met_blocked + waits(pace.met_loop, met_blocked) - (blocked + alone) +
                        behind_passes(terms, stage);
  // While the pipeline fills and empties all transfers go one way: estimates, as above.
  const bool interleaves = terms.virtual_stages > 1.0;
  const double one_way = !interleaves ? 0.5 : terms.rules.overlap_pipeline ? 0.75 : 1.0;
  const double both_ways =
      std::max(0.0, m - one_way * static_cast<double>(terms.network.num_stages()));
  return {.bubble = pace.idle - (waits_for_all ? Duration{} : idle_for(terms, stage)),
          .transfers = blocked * m + alone * (m - 1.0) + more * both_ways + pace.fill};
}

/// Stages alike but for rounding are the same: the first of them counts, however times were summed.
constexpr double kLonger = 1.0 + 1e-9;

/// The slowest stage is the one that makes the longest step: to take the one with most work would
/// let the step jump down where two stages change places.
std::size_t slowest_stage(const StepTerms& terms, const PipelinePace& pace) {
  std::size_t slowest = 0;
  Duration longest;
  for (std::size_t stage = 0; stage < terms.network.num_stages(); ++stage) {
    const Duration time =
        work_of(terms, stage).total() * terms.num_microbatches + beside(terms, pace, stage).total();
    if (time > longest * kLonger) {
      longest = time;
      slowest = stage;
    }
  }
  return slowest;
}

Breakdown paced_by(std::size_t stage, const StepTerms& terms, const PipelinePace& pace,
                   const StepCollectives& collectives) {
  const StageWork& work = work_of(terms, stage);
  const Beside rest = beside(terms, pace, stage);
  const double m = terms.num_microbatches;
  Breakdown breakdown;
  breakdown[Cause::kMatrixProducts] = work.compute.matrix * m;
  breakdown[Cause::kAttention] = work.compute.attention * m;
  breakdown[Cause::kElementwise] = work.compute.elementwise * m;
  breakdown[Cause::kKernelGaps] = work.compute.gaps * m;
  breakdown[Cause::kOverlapSlowdown] = collectives.slowed;
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
