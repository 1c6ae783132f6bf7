// SPDX-License-Identifier: Apache-2.0
#include "layer_sync_time.hpp"

#include <algorithm>

#include "bottleneck_time.hpp"
#include "pass_beside.hpp"
#include "railwright/core/sim/flow_network.hpp"

namespace railwright::simulation {

namespace {

using core::Duration;

constexpr auto kReduce = static_cast<std::size_t>(Background::kReduce);
constexpr auto kGather = static_cast<std::size_t>(Background::kGather);

/// Returns the time left of a place's collectives; those of dense and expert parameters run
/// concurrently.
Remaining collective(const StepTerms& terms, const PlaceTerms& place, bool reduce) {
  const StageNetwork& network = terms.network.classes.front();
  Duration latency;
  Duration longest;
  for (std::size_t s = 0; s < kNumSyncs; ++s) {
    const SyncBytes& bytes = place.syncs[s];
    const SyncTime& own = reduce ? network.reduce[s] : network.gather[s];
    const Duration wait = own.latency * bytes.num_calls;
    latency = std::max(latency, wait);
    longest = std::max(longest, wait + own.per_byte * (reduce ? bytes.gradient : bytes.parameter));
  }
  longest = std::max(
      longest, longest_link(terms, place.syncs,
                            {.gradients = reduce ? 1.0 : 0.0, .parameters = reduce ? 0.0 : 1.0}));
  return {latency, longest - latency};
}

/// Goes through the places of a micro-batch, one of each kind.
class LayerClock {
 public:
  LayerClock(const StepTerms& terms, LayerSyncTime& time) : terms_(terms), time_(time) {}

  /// Goes through `count` layers with these collectives; `reduce` is the reduction that the layer
  /// before left. Returns the time of the reductions that they leave.
  Duration go_through(const PlaceTerms& place, bool forward, const Remaining& gather,
                      const Remaining& reduce, double count) {
    const StepRules& rules = terms_.rules;
    const StageNetwork& network = terms_.network.classes.front();
    PassClock clock(network.contention, network.latency_of_calls, rules.overlap_slowdown);
    clock.beside[kReduce] = reduce;
    clock.beside[kGather] = gather;
    if (!rules.overlap_gradient_reduce) clock.wait_for(Background::kReduce);
    const Duration reduced = clock.now();
    if (!rules.overlap_parameter_gather) clock.wait_for(Background::kGather);
    const Duration begin = clock.now();
    clock.pass(forward ? place.forward : place.backward, 1.0);
    const Duration end = clock.now();
    clock.wait_for(Background::kGather);
    time_.slowed += clock.slowed() * count;
    time_.reduce += reduced * count;
    time_.gather += (begin - reduced + clock.now() - end) * count;
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
      time_.delays[call] += clock.delays()[call] * count;
    }
    return clock.beside[kReduce].total() * count;
  }

 private:
  const StepTerms& terms_;
  LayerSyncTime& time_;
};

}  // namespace

LayerSyncTime layer_sync_time(const StepTerms& terms) {
  const StepRules& rules = terms.rules;
  const bool reduces = rules.reduces_by_layer();
  const double m = terms.num_microbatches;
  const double reducing = !reduces ? 0.0 : rules.reduces_every_microbatch ? m : 1.0;
  LayerSyncTime time;
  LayerClock clock(terms, time);
  const auto gather_of = [&](const PlaceTerms& place) {
    return rules.gathers_every_pass ? collective(terms, place, false) : Remaining{};
  };
  // Nothing passes back through a frozen layer.
  const auto gather_back = [&](const PlaceTerms& place) {
    return place.backward.total() > Duration{} ? gather_of(place) : Remaining{};
  };
  Duration late;  // reductions left by the backward passes of all micro-batches that reduce
  double layers = 0.0;
  for (const PlaceTerms& place : terms.places) {
    const Remaining gather = gather_back(place);
    if (reducing < m) clock.go_through(place, false, gather, {}, place.count * (m - reducing));
    if (reduces) {
      const Remaining reduce = collective(terms, place, true);
      late += clock.go_through(place, false, gather, reduce, place.count * reducing);
    }
    layers += place.count;
  }
  Duration left;  // reductions left by the forward passes that follow
  const double behind = std::max(0.0, reducing - 1.0);
  for (const PlaceTerms& place : terms.places) {
    const Remaining gather = gather_of(place);
    clock.go_through(place, true, gather, {}, place.count * (m - behind));
    if (behind == 0.0) continue;
    left += clock.go_through(place, true, gather, {{}, late / (layers * reducing)},
                             place.count * behind);
  }
  const PlaceTerms& first = terms.places.front();
  if (rules.gathers_every_pass && rules.overlap_parameter_gather) {
    time.gather += gather_of(first).total();
  }
  if (reduces && !rules.overlap_gradient_reduce && !rules.overlap_parameter_gather) {
    // The first gather overlaps with no reduction, the last reduction with no gather.
    time.reduce += std::min(collective(terms, first, true).total(), gather_of(first).total());
  }
  if (!reduces || !rules.overlap_gradient_reduce) return time;
  // No passes follow the last micro-batch.
  time.reduce += left + std::max(late / reducing, collective(terms, first, true).total());
  return time;
}

}  // namespace railwright::simulation
