// SPDX-License-Identifier: Apache-2.0
#include "closed_form.hpp"

#include <algorithm>

#include "bottleneck_time.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "step_collectives.hpp"

namespace railwright::simulation {

namespace {

using core::Duration;

/// Times that a pipeline adds to the work of its stages.
struct PipelinePace {
  Duration loop;      ///< minimum time between micro-batches; see pipeline_pace
  Duration met_loop;  ///< `loop` when transfers of both directions meet on a link
  Duration fill;      ///< transfers of one micro-batch through the pipeline and back
  Duration work;      ///< work of all stages for a micro-batch
  Duration idle;      ///< sum of idle_for over all stages
};

const StageWork& work_of(const StepTerms& terms, std::size_t stage) {
  return terms.classes[terms.network.class_of_stage[stage]].work;
}

/// Returns the part of a stage's tensor-parallel calls that a micro-batch does not wait for on its
/// way: no replica is the slowest in every stage.
Duration spared(const StepTerms& terms, const StageWork& work) {
  return work.calls[static_cast<std::size_t>(LayerCall::kTensor)] *
         (1.0 - terms.network.slowest_way.tensor_calls);
}

/// Returns the time in a step that the other stages wait for this one: one chunk, less the part
/// that weight gradients fill. Of these a stage puts off as many as it has micro-batches at most,
/// and the last one of the first stage, which fills nothing. [@narayanan2021megatron] [@qi2023zero]
/// [@deepseek_v3]
Duration idle_for(const StepTerms& terms, std::size_t stage) {
  const StageWork& work = work_of(terms, stage);
  const auto pp = static_cast<double>(terms.network.num_stages());
  if (terms.rules.num_directions == 1.0) {
    const double filled = std::min(1.0, (terms.num_microbatches - 1.0) / std::max(1.0, pp - 1.0));
    return (work.total() - spared(terms, work) - work.weight * (1.0 + filled)) /
           terms.virtual_stages;
  }
  return (work.total() + work.backward - work.weight * 2.0) * ((pp / 2.0 - 1.0) / (2.0 * pp));
}

bool meet(const StepRules& rules) {
  return rules.schedule->fills_the_way_back && rules.num_directions == 1.0;
}

/// Lengthens the transfers that take longer than a pass, because those of both directions then
/// meet.
SendTimes met_sends(const StepTerms& terms, std::size_t stage) {
  SendTimes sends = terms.network.sends[stage];
  if (!meet(terms.rules)) return sends;
  // Share of the time that such transfers have in common: estimates from simulated pipelines of
  // equal stages.
  const double share = terms.rules.overlap_pipeline ? 1.0 : 0.5;
  const Duration pass = work_of(terms, stage).total() / (2.0 * terms.virtual_stages);
  const auto longer = [&](Duration alone, Duration met) {
    return alone > pass ? alone + (met - alone) * (share * (1.0 - pass / alone)) : alone;
  };
  sends.forward = longer(sends.forward, sends.forward_met);
  sends.backward = longer(sends.backward, sends.backward_met);
  return sends;
}

/// Adds up the stages from the last to the first. In plain 1F1B a stage has as many micro-batches
/// in flight as there are stages from it to the end. At most that many finish in the time that one
/// takes to the end and back, transfers included. Interleaving keeps more in flight and hides that
/// time.
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
    // Before and after the steady part, chunks have nothing else to compute during a transfer.
    Duration round;
    for (const SendTimes& sends : network.sends) round += sends.forward + sends.backward;
    pace.fill += round * (way * (terms.virtual_stages - 1.0));
  }
  return pace;
}

/// Returns the time that the transfers of a micro-batch block a stage. The last chunk sends nothing
/// forward, the first nothing backward.
Duration blocked_by(const StepTerms& terms, std::size_t stage, const SendTimes& sends) {
  const std::size_t pp = terms.network.num_stages();
  if (pp == 1 || terms.rules.overlap_pipeline) return {};
  const double v = terms.virtual_stages;
  return (sends.forward * (stage + 1 == pp ? v - 1.0 : v) +
          sends.backward * (stage == 0 ? v - 1.0 : v)) *
         terms.rules.num_directions;
}

/// Time of a step in addition to the work and the collectives of the stage that sets the pace.
struct Beside {
  Duration bubble;
  Duration transfers;

  [[nodiscard]] Duration total() const { return bubble + transfers; }
};

/// Returns the exposed time of asynchronous transfers of interleaved chunks: links and passes
/// together take the time of the links plus half of the shorter of the two.
Duration behind_passes(const StepTerms& terms, std::size_t stage) {
  if (!meet(terms.rules) || !terms.rules.overlap_pipeline || terms.virtual_stages == 1.0) return {};
  const SendTimes& sends = terms.network.sends[stage];
  const double v = terms.virtual_stages;
  const double chunks = v * static_cast<double>(terms.network.num_stages());
  // There is one boundary fewer than chunks.
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
  // While the pipeline fills and empties, all transfers go one way. The shares are estimates, as
  // above.
  const bool interleaves = terms.virtual_stages > 1.0;
  const double one_way = !interleaves ? 0.5 : terms.rules.overlap_pipeline ? 0.75 : 1.0;
  const double both_ways =
      std::max(0.0, m - one_way * static_cast<double>(terms.network.num_stages()));
  return {.bubble = pace.idle - (waits_for_all ? Duration{} : idle_for(terms, stage)),
          .transfers = blocked * m + alone * (m - 1.0) + more * both_ways + pace.fill};
}

/// Tolerance for equal times: of stages that differ only by rounding, the first one counts.
constexpr double kLonger = 1.0 + 1e-9;

/// Returns the stage that makes the longest step. The stage with the most work would let the step
/// time jump down where two stages swap their order.
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

/// Extends a pipeline's step to the time that its busiest link needs, if that is longer.
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
