// SPDX-License-Identifier: Apache-2.0
#include "step_collectives.hpp"

#include <algorithm>
#include <cmath>

#include "bottleneck_time.hpp"
#include "layer_sync_time.hpp"
#include "pass_beside.hpp"
#include "railwright/core/sim/flow_network.hpp"

namespace railwright::simulation {

namespace {

using core::Duration;

struct CollectiveTime {
  Duration all;      ///< all buckets one after another
  Duration last;     ///< the last bucket, which nothing can hide
  Duration latency;  ///< included in `all`
  double num_buckets = 0.0;
};

/// Returns the time of a class of stages; terms.scratch must hold the traffic of all classes. Dense
/// and expert parameters move concurrently: no faster than each alone, nor than the links that they
/// share with each other and with other stages.
CollectiveTime buckets_time(const StepTerms& terms, std::size_t stage_class,
                            Background background) {
  const bool reduce = background == Background::kReduce;
  const Duration links = terms.network.links.longest_with(
      terms.scratch, traffic_index(stage_class, Traffic::kTensor), kNumTraffic);
  const Duration shared = reduce ? terms.network.shared_reduce : terms.network.shared_gather;
  const StageNetwork& network = terms.network.classes[stage_class];
  CollectiveTime longest;
  for (std::size_t s = 0; s < kNumSyncs; ++s) {
    const SyncBytes& bytes = terms.classes[stage_class].syncs[s];
    if (bytes.num_calls == 0.0) continue;
    const SyncTime& own = reduce ? network.reduce[s] : network.gather[s];
    const Duration alone = own.per_byte * (reduce ? bytes.gradient : bytes.parameter);
    const Duration last = shared * (reduce ? bytes.last_gradient : bytes.last_parameter);
    const Duration latency = own.latency * bytes.num_calls;
    const Duration all = latency + std::max(alone, links);
    if (all > longest.all) {
      longest.all = all;
      longest.latency = latency;
      longest.num_buckets = bytes.num_calls;
    }
    longest.last = std::max(longest.last, own.latency * bytes.last_calls + last);
  }
  return longest;
}

/// Extra time of a pass that overlaps with a collective, over the pass alone.
struct Overlapped {
  Duration exposed;  ///< after the pass has ended (a gather: before the pass can begin)
  std::array<Duration, kNumLayerCalls> delays{};
  Duration slowed;

  [[nodiscard]] Duration total() const {
    Duration total = exposed + slowed;
    for (const Duration delay : delays) total += delay;
    return total;
  }
};

/// Overlap of a collective with the passes of a stage.
struct Window {
  double passes = 1.0;  ///< number of passes that overlap with it
  double chunks = 1.0;  ///< chunks that each end with a bucket that overlaps with no pass
};

/// Returns the passes during which a collective runs: gradients come from passes of their own where
/// the schedule puts those off until the end of the step.
const PassShape& passes_beside(const StepTerms& terms, const StageWork& work,
                               Background background) {
  if (background != Background::kReduce) return work.forward_shape;
  const bool puts_off = terms.rules.num_directions == 1.0 && work.weight > Duration{};
  return puts_off ? work.weight_shape : work.backward_shape;
}

/// Overlaps a collective with window.passes passes of a stage. A bucket moves during the part of
/// the pass that holds the next bucket. A gather is a reduction in reversed time.
Overlapped beside_passes(const StepTerms& terms, std::uint32_t stage_class,
                         const CollectiveTime& time, Background background, const Window& window) {
  const StageTerms& stage = terms.classes[stage_class];
  const StageNetwork& network = terms.network.classes[stage_class];
  const double n = std::clamp(time.num_buckets, 1.0, stage.places);
  PassShape part;
  part.add(passes_beside(terms, stage.work, background), window.passes / n);
  PassClock clock(network.contention, network.latency_of_calls, terms.rules.overlap_slowdown);
  Remaining& left = clock.beside[static_cast<std::size_t>(background)];
  left = {time.latency / n, (time.all - time.latency) / n};
  const Duration bucket = left.total();
  clock.pass(part, stage.places / n);
  Overlapped result;
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    result.delays[call] = clock.delays()[call] * std::max(0.0, n - window.chunks);
  }
  result.slowed = clock.slowed() * std::max(0.0, n - window.chunks);
  const Duration behind = left.total() * (n - 1.0) + bucket;
  result.exposed = std::max(time.last, behind);
  return result;
}

/// Overlaps a collective with the passes of `stage`; a stack without overlap exposes all of it.
Overlapped overlapped(const StepTerms& terms, const CollectiveTime& time, Background background,
                      std::size_t stage, const Window& window) {
  const bool reduces = background == Background::kReduce;
  const bool overlaps =
      reduces ? terms.rules.overlap_gradient_reduce : terms.rules.overlap_parameter_gather;
  if (!overlaps || time.all == Duration{}) return {.exposed = time.all, .delays = {}, .slowed = {}};
  return beside_passes(terms, terms.network.class_of_stage[stage], time, background, window);
}

/// Returns the rest of a gather that has run for `lead`.
CollectiveTime behind(const CollectiveTime& time, Duration lead) {
  if (lead >= time.all) return {};
  const double share = 1.0 - lead / time.all;
  return {.all = time.all * share,
          .last = std::min(time.last, time.all * share),
          .latency = time.latency * share,
          .num_buckets = std::max(1.0, std::ceil(time.num_buckets * share))};
}

/// Collectives at both ends of a step. All stages begin to gather at once, and a stage's gather has
/// time until the first micro-batch arrives. Each stage begins to reduce when the last micro-batch
/// has passed back through it, and has time until the stages before it have ended.
class EndsOfPipeline {
 public:
  EndsOfPipeline(const StepTerms& terms, StepCollectives& found) : terms_(terms), found_(found) {
    const auto pp = static_cast<double>(terms.network.num_stages());
    passes_ = (terms.virtual_stages - 1.0) * pp + 1.0;
    window_ = passes_ / terms.virtual_stages;
  }

  void gather() {
    set_traffic(terms_, {.gradients = 0.0, .parameters = 1.0, .layers = 0.0});
    for_each_stage(Background::kGather, [&](std::size_t stage, const CollectiveTime& time) {
      const bool overlaps = terms_.rules.overlap_parameter_gather && has_order();
      const Overlapped own = overlapped(terms_, overlaps ? behind(time, arrival_) : time,
                                        Background::kGather, stage, {window_, 1.0});
      if (!overlaps) {
        found_.gather = std::max(found_.gather, own.exposed);
        return;
      }
      found_.gather += own.exposed;
      delay(own);
      arrival_ += own.exposed + work(stage).forward / terms_.virtual_stages +
                  (own.total() - own.exposed) / passes_;
    });
    add_pace();
  }

  void reduce() {
    set_traffic(terms_, {.gradients = 1.0, .parameters = 0.0, .layers = 0.0});
    for_each_stage(Background::kReduce, [&](std::size_t stage, const CollectiveTime& time) {
      const Overlapped own = overlapped(terms_, time, Background::kReduce, stage, {window_, 1.0});
      found_.reduce = std::max(found_.reduce, own.exposed - slack_);
      if (!has_order()) return;
      // Each chunk's buckets start within the last micro-batch's own pass, stage after stage.
      const Overlapped within =
          terms_.virtual_stages == 1.0
              ? own
              : overlapped(terms_, time, Background::kReduce, stage, {1.0, terms_.virtual_stages});
      found_.add_delays(within.delays, within.slowed, 1.0);
      slack_ += (work(stage).backward - put_off(stage) + within.total() - within.exposed) /
                terms_.virtual_stages;
    });
  }

 private:
  [[nodiscard]] const StageWork& work(std::size_t stage) const {
    return terms_.classes[terms_.network.class_of_stage[stage]].work;
  }
  /// Returns the weight gradients that the next stage has left when the last micro-batch has passed
  /// it, beyond those of this one: a stage puts off one micro-batch more than that before it.
  [[nodiscard]] Duration put_off(std::size_t stage) const {
    return static_cast<double>(stage) + 1.0 < terms_.num_microbatches ? work(stage).weight
                                                                      : Duration{};
  }
  [[nodiscard]] bool has_order() const { return terms_.rules.num_directions == 1.0; }

  /// Adds the delays: the micro-batch meets one delayed pass in each stage, and the most delayed
  /// stage runs all its passes during the collective, one after another.
  void delay(const Overlapped& own) {
    found_.add_delays(own.delays, own.slowed, 1.0 / passes_);
    if (own.total() - own.exposed > most_delayed_.total() - most_delayed_.exposed) {
      most_delayed_ = own;
    }
  }
  void add_pace() {
    found_.add_delays(most_delayed_.delays, most_delayed_.slowed, 1.0 - 1.0 / passes_);
    most_delayed_ = {};
  }

  template <typename Add>
  void for_each_stage(Background background, const Add& add) const {
    CollectiveTime time;
    std::size_t known = terms_.classes.size();
    for (std::size_t stage = 0; stage < terms_.network.num_stages(); ++stage) {
      const std::size_t stage_class = terms_.network.class_of_stage[stage];
      if (stage_class != known) time = buckets_time(terms_, stage_class, background);
      known = stage_class;
      add(stage, time);
    }
  }

  const StepTerms& terms_;
  StepCollectives& found_;
  double passes_ = 1.0;  ///< passes of all stages' chunks from a stage's first chunk to its last
  double window_ = 1.0;  ///< `passes_` in full passes of a stage
  Duration arrival_;     ///< arrival of the first micro-batch at the current stage
  Overlapped most_delayed_;
  Duration slack_;  ///< time between the current stage's last pass and the end of all passes
};

}  // namespace

StepCollectives step_collectives(const StepTerms& terms) {
  const StepRules& rules = terms.rules;
  StepCollectives found;
  EndsOfPipeline ends(terms, found);
  if (!rules.reduces_by_layer()) ends.reduce();
  if (rules.gathers_parameters && !rules.gathers_every_pass) ends.gather();
  if (!rules.goes_by_layer()) return found;
  const LayerSyncTime by_layer = layer_sync_time(terms);
  found.reduce += by_layer.reduce;
  found.gather += by_layer.gather;
  found.add_delays(by_layer.delays, by_layer.slowed, 1.0);
  return found;
}

}  // namespace railwright::simulation
