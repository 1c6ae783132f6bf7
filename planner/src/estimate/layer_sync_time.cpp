// SPDX-License-Identifier: Apache-2.0
#include "layer_sync_time.hpp"

#include <algorithm>

#include "traffic.hpp"

namespace railwright::planner {

namespace {

using core::Duration;

/// Those of dense parameters and of experts run at once.
Duration longest_alone(const StepTerms& terms, const PlaceTerms& place, bool reduce) {
  const StageNetwork& network = terms.network.classes.front();
  Duration longest;
  for (std::size_t s = 0; s < kNumSyncs; ++s) {
    const SyncBytes& bytes = place.syncs[s];
    const SyncTime& own = reduce ? network.reduce[s] : network.gather[s];
    longest = std::max(longest, own.latency * bytes.num_calls +
                                    own.per_byte * (reduce ? bytes.gradient : bytes.parameter));
  }
  return longest;
}

/// Sums over the layers of a micro-batch's passes.
struct Sums {
  Duration compute;
  Duration with_gathers;  ///< the longer of a layer's computation and the next one's gather
  Duration first_gather;
  Duration reduces;  ///< one behind the other
  Duration waits;    ///< for reductions that nothing overlaps with
  Duration last_reduce;
  Duration longest_alone;  ///< of all collectives
};

Sums sum_up(const StepTerms& terms) {
  const StepRules& rules = terms.rules;
  Sums sums;
  for (const PlaceTerms& place : terms.places) {
    const bool is_first = &place == terms.places.data();
    Duration gather;
    if (rules.gathers_every_pass) {
      const Duration alone = longest_alone(terms, place, false);
      gather = std::max(alone, longest_link(terms, place.syncs, {.parameters = 1.0}));
      sums.longest_alone = std::max(sums.longest_alone, alone);
      if (is_first) sums.first_gather = gather;
    }
    if (rules.reduces_every_microbatch) {
      const Duration alone = longest_alone(terms, place, true);
      const Duration reduce = std::max(alone, longest_link(terms, place.syncs, {.gradients = 1.0}));
      sums.longest_alone = std::max(sums.longest_alone, alone);
      sums.reduces += reduce * place.count;
      // Without prefetch the next gather goes on beside a reduction that the stage waits for.
      sums.waits +=
          (rules.overlap_parameter_gather ? reduce : std::max(reduce - gather, Duration{})) *
          place.count;
      if (is_first) sums.last_reduce = reduce;
    }
    for (const Duration compute : {place.forward, place.backward}) {
      sums.compute += compute * place.count;
      sums.with_gathers +=
          (rules.overlap_parameter_gather ? std::max(compute, gather) : compute + gather) *
          place.count;
    }
  }
  return sums;
}

}  // namespace

LayerSyncTime layer_sync_time(const StepTerms& terms) {
  const StepRules& rules = terms.rules;
  const Sums sums = sum_up(terms);
  const double m = terms.num_microbatches;
  LayerSyncTime time;
  time.gather = (sums.with_gathers - sums.compute) * m;
  if (rules.overlap_parameter_gather) time.gather += sums.first_gather;
  if (!rules.reduces_every_microbatch) return time;
  if (!rules.overlap_gradient_reduce) {
    time.reduce = sums.waits * m;
    if (!rules.overlap_parameter_gather) {
      time.reduce += std::min(sums.last_reduce, sums.first_gather);
    }
    return time;
  }
  const Times all{.gradients = 1.0, .parameters = rules.gathers_every_pass ? 2.0 : 0.0};
  const Duration links =
      std::max(sums.longest_alone, longest_link(terms, terms.classes.front().syncs, all));
  const Duration least = std::max(sums.reduces, links);
  time.reduce = std::max(least - sums.with_gathers, Duration{}) * m + sums.last_reduce;
  return time;
}

}  // namespace railwright::planner
