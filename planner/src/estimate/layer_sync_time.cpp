// SPDX-License-Identifier: Apache-2.0
#include "layer_sync_time.hpp"

#include <algorithm>
#include <vector>

#include "busy_links.hpp"
#include "stage_work.hpp"

namespace railwright::planner {

namespace {

using core::Duration;

/// Time of collectives that run at once: those of a layer's dense parameters and of its experts.
struct AtOnce {
  BusyLinks links;
  Duration longest;  ///< of each by itself

  [[nodiscard]] Duration total() const { return std::max(longest, links.longest()); }
  void add(const AtOnce& other) {
    longest = std::max(longest, other.longest);
    links.add(other.links);
  }
};

AtOnce collective_time(const StepCosts& costs, int layer,
                       models::CollectiveFlow ParameterSync::* flow, std::int64_t Bucket::* bytes) {
  AtOnce time{.links = BusyLinks(costs.capacity), .longest = {}};
  for (const ParameterSync& sync : costs.stages.front().syncs) {
    for (const Bucket& bucket : sync.buckets) {
      if (bucket.first_layer != layer) continue;
      const auto size = static_cast<double>(bucket.*bytes);
      time.longest =
          std::max(time.longest, models::isolated_time(sync.*flow, size, costs.capacity) +
                                     (sync.*flow).latency * (bucket.num_calls - 1));
      time.links.add(sync.*flow, size);
    }
  }
  return time;
}

/// Sums over the layers of a micro-batch's passes.
struct Sums {
  Duration compute;
  Duration with_gathers;  ///< the longer of a layer's computation and the next one's gather
  Duration first_gather;
  Duration reduces;  ///< one behind the other
  Duration waits;    ///< for reductions that nothing overlaps with
  Duration last_reduce;
  AtOnce collectives;  ///< all of them
};

Sums sum_up(const StepCosts& costs) {
  const StageCosts& stage = costs.stages.front();
  const PassTimes times(costs, 0);
  Sums sums{.collectives = {.links = BusyLinks(costs.capacity), .longest = {}}};
  const auto num_layers = static_cast<int>(stage.forward.size());
  for (int layer = num_layers - 1; layer >= 0; --layer) {
    Duration gather_time;
    if (costs.gathers_every_pass) {
      const AtOnce gather =
          collective_time(costs, layer, &ParameterSync::parameter_gather, &Bucket::parameter_bytes);
      gather_time = gather.total();
      sums.collectives.add(gather);
      sums.collectives.add(gather);
      sums.first_gather = gather_time;
    }
    Duration reduce_time;
    if (costs.reduces_every_microbatch) {
      const AtOnce reduce =
          collective_time(costs, layer, &ParameterSync::gradient_sync, &Bucket::gradient_bytes);
      reduce_time = reduce.total();
      sums.collectives.add(reduce);
      sums.reduces += reduce_time;
      // Without prefetch the next gather goes on beside a reduction that the stage waits for.
      sums.waits += costs.overlap_parameter_gather
                        ? reduce_time
                        : std::max(reduce_time - gather_time, Duration{});
      sums.last_reduce = reduce_time;
    }
    for (const auto* passes : {&stage.forward, &stage.backward}) {
      const Duration compute = times.total((*passes)[static_cast<std::size_t>(layer)]);
      sums.compute += compute;
      sums.with_gathers +=
          costs.overlap_parameter_gather ? std::max(compute, gather_time) : compute + gather_time;
    }
  }
  return sums;
}

}  // namespace

LayerSyncTime layer_sync_time(const StepCosts& costs) {
  if (!costs.gathers_every_pass && !costs.reduces_every_microbatch) return {};
  const Sums sums = sum_up(costs);
  const double m = costs.layout.num_microbatches;
  LayerSyncTime time;
  time.gather = (sums.with_gathers - sums.compute) * m;
  if (costs.overlap_parameter_gather) time.gather += sums.first_gather;
  if (!costs.reduces_every_microbatch) return time;
  if (!costs.overlap_gradient_reduce) {
    time.reduce = sums.waits * m;
    if (!costs.overlap_parameter_gather) {
      time.reduce += std::min(sums.last_reduce, sums.first_gather);
    }
    return time;
  }
  const Duration least = std::max(sums.reduces, sums.collectives.total());
  time.reduce = std::max(least - sums.with_gathers, Duration{}) * m + sums.last_reduce;
  return time;
}

}  // namespace railwright::planner
