// SPDX-License-Identifier: Apache-2.0
#include "closed_form.hpp"

#include <algorithm>

#include "layer_sync_time.hpp"
#include "traffic.hpp"

namespace railwright::planner {

namespace {

using core::Duration;

struct CollectiveTime {
  Duration all;   ///< all buckets one after another
  Duration last;  ///< the one that nothing can hide
};

/// Dense parameters and experts go side by side: no faster than each alone, nor than the links that
/// they share with one another and with other stages.
CollectiveTime buckets_time(const StepTerms& terms, bool reduce) {
  const Duration links = longest_link(
      terms, {.gradients = reduce ? 1.0 : 0.0, .parameters = reduce ? 0.0 : 1.0, .layers = 0.0});
  const Duration shared = reduce ? terms.network.shared_reduce : terms.network.shared_gather;
  CollectiveTime longest;
  for (std::size_t i = 0; i < terms.classes.size(); ++i) {
    const StageNetwork& network = terms.network.classes[i];
    for (std::size_t s = 0; s < kNumSyncs; ++s) {
      const SyncBytes& bytes = terms.classes[i].syncs[s];
      const SyncTime& own = reduce ? network.reduce[s] : network.gather[s];
      const Duration alone = own.per_byte * (reduce ? bytes.gradient : bytes.parameter);
      const Duration last = shared * (reduce ? bytes.last_gradient : bytes.last_parameter);
      if (bytes.num_calls == 0.0) continue;
      longest.all = std::max(longest.all, own.latency * bytes.num_calls + std::max(alone, links));
      longest.last = std::max(longest.last, own.latency * bytes.last_calls + last);
    }
  }
  return longest;
}

/// What is left of a collective behind a pass of length `window`.
Duration exposed(const CollectiveTime& time, Duration window, bool overlaps) {
  if (!overlaps || time.all == Duration{}) return time.all;
  return std::max(time.last, time.all - window);
}

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
  const bool loops = terms.virtual_stages == 1.0 && terms.rules.schedule == models::Schedule::k1F1B;
  for (std::size_t stage = pp - 1; stage-- > 0;) {
    pace.fill += network.sends[stage].forward + network.sends[stage + 1].backward;
    pace.work += work(stage);
    pace.idle += idle_for(terms, stage);
    if (loops) {
      pace.loop = std::max(pace.loop, (pace.work + pace.fill) / static_cast<double>(pp - stage));
    }
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

/// What a step takes beside the work of the stage that sets the pace.
struct Beside {
  Duration bubble;
  Duration transfers;
  Duration reduce;
  Duration gather;

  [[nodiscard]] Duration total() const { return bubble + transfers + reduce + gather; }
};

struct StepParts {
  PipelinePace pace;
  CollectiveTime reduce;
  CollectiveTime gather;
  LayerSyncTime by_layer;
};

Beside beside(const StepTerms& terms, const StepParts& parts, std::size_t stage) {
  const std::size_t pp = terms.network.num_stages();
  const StageWork& work = terms.classes[terms.network.class_of_stage[stage]].work;
  const double m = terms.num_microbatches;
  const double v = terms.virtual_stages;
  Beside beside{.bubble = {},
                .transfers = {},
                .reduce = parts.by_layer.reduce,
                .gather = parts.by_layer.gather};
  if (pp > 1) {
    const bool waits_for_all = terms.rules.num_directions > 1.0;
    beside.bubble = parts.pace.idle - (waits_for_all ? Duration{} : idle_for(terms, stage));
    const Duration blocked = blocked_by_sends(terms, stage);
    const Duration waits = std::max(parts.pace.loop - (work.total() + blocked), Duration{});
    beside.transfers = blocked * m + waits * (m - 1.0) + parts.pace.fill;
  }
  // The first and the last micro-batch pass the chunks of a stage with p - 1 others in between.
  const double window = ((v - 1.0) * static_cast<double>(pp) + 1.0) / v;
  if (!terms.rules.reduces_every_microbatch) {
    beside.reduce = exposed(parts.reduce, (work.backward + work.weight) * window,
                            terms.rules.overlap_gradient_reduce);
  }
  if (!terms.rules.gathers_every_pass && terms.rules.gathers_parameters) {
    beside.gather =
        exposed(parts.gather, work.forward * window, terms.rules.overlap_parameter_gather);
  }
  return beside;
}

/// The slowest stage is the one that makes the longest step, hidden collectives included: to take
/// the one with most work would let the step jump down where two stages change places.
std::size_t slowest_stage(const StepTerms& terms, const StepParts& parts) {
  std::size_t slowest = 0;
  Duration longest;
  for (std::size_t stage = 0; stage < terms.network.num_stages(); ++stage) {
    const StageWork& work = terms.classes[terms.network.class_of_stage[stage]].work;
    const Duration time =
        work.total() * terms.num_microbatches + beside(terms, parts, stage).total();
    if (time > longest) {
      longest = time;
      slowest = stage;
    }
  }
  return slowest;
}

Breakdown paced_by(std::size_t stage, const StepTerms& terms, const StepParts& parts) {
  const StageWork& work = terms.classes[terms.network.class_of_stage[stage]].work;
  const Beside rest = beside(terms, parts, stage);
  const double m = terms.num_microbatches;
  Breakdown breakdown;
  breakdown[Cause::kMatrixProducts] = work.compute.matrix * m;
  breakdown[Cause::kAttention] = work.compute.attention * m;
  breakdown[Cause::kElementwise] = work.compute.elementwise * m;
  breakdown[Cause::kKernelGaps] = work.compute.gaps * m;
  breakdown[Cause::kTensorParallel] = work.calls[0] * m;
  breakdown[Cause::kExpertParallel] = work.calls[1] * m;
  breakdown[Cause::kContextParallel] = work.calls[2] * m;
  breakdown[Cause::kPipelineBubble] = rest.bubble;
  breakdown[Cause::kPipelineTransfer] = rest.transfers;
  breakdown[Cause::kGradientReduce] = rest.reduce;
  breakdown[Cause::kParameterGather] = rest.gather;
  breakdown[Cause::kOverhead] = terms.rules.overhead;
  for (const StageTerms& stage_terms : terms.classes) {
    breakdown[Cause::kOptimizer] = std::max(breakdown[Cause::kOptimizer], stage_terms.optimizer);
  }
  return breakdown;
}

}  // namespace

Breakdown closed_form(const StepTerms& terms) {
  const StepRules& rules = terms.rules;
  const bool has_pipeline = terms.network.num_stages() > 1;
  StepParts parts;
  if (has_pipeline) parts.pace = pipeline_pace(terms);
  if (rules.goes_by_layer()) parts.by_layer = layer_sync_time(terms);
  if (!rules.reduces_every_microbatch) parts.reduce = buckets_time(terms, true);
  if (rules.gathers_parameters && !rules.gathers_every_pass) {
    parts.gather = buckets_time(terms, false);
  }
  Breakdown longest = paced_by(has_pipeline ? slowest_stage(terms, parts) : 0, terms, parts);
  if (!has_pipeline) return longest;
  const double m = terms.num_microbatches;
  const Duration links =
      longest_link(terms, {.gradients = rules.reduces_every_microbatch ? m : 1.0,
                           .parameters = rules.gathers_every_pass ? 2.0 * m : 1.0,
                           .layers = m});
  if (links > longest.total()) longest[Cause::kPipelineTransfer] += links - longest.total();
  return longest;
}

}  // namespace railwright::planner
