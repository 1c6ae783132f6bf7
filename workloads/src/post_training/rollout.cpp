// SPDX-License-Identifier: Apache-2.0
#include "rollout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "../serving/replica.hpp"
#include "../serving/serving_run.hpp"
#include "../serving/sizing_parts.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/workloads/post_training/post_training_scenario.hpp"

namespace railwright::simulation {

namespace {

/// Returns the tokens that the longest sample keeps in the cache.
double longest_sample(const CheckedPostTraining& checked) {
  double most = 0.0;
  for (const models::Request& sample : checked.samples) {
    most = std::max(most, models::kept_tokens(
                              checked.rollout.inference.model,
                              static_cast<double>(sample.prompt_tokens) + sample.output_tokens));
  }
  return most;
}

/// A division of the model over replicas, or why it does not fit.
struct TriedDivision {
  std::optional<Rollout> rollout;
  std::string reason;
};

TriedDivision try_division(const CheckedPostTraining& checked, const CheckedInference& engine,
                           const core::Fabric& fabric, int tp) {
  const Replica replica(engine, fabric, {.tp = tp}, std::nullopt);
  const core::ComputeNode& node = engine.cluster.cluster.node;
  const core::DataSize capacity = node.accelerator.memory.value;
  const std::string division = fmt::format("tp {}", tp);
  if (!replica.fits(1)) return {{}, "rollout: " + too_large(replica.memory(1), capacity, division)};
  InferenceResult sized = undecided(engine, {.tp = tp});
  choose_batch(replica, {}, sized);
  const double longest = longest_sample(checked);
  const std::int64_t batch = std::llround(sized.cycle.batch);
  if (const double room = replica.cache_tokens(batch); longest > room) {
    return {{},
            fmt::format(
                "rollout: at {} the longest sample keeps {:.0f} tokens in the cache, which holds "
                "{:.0f}",
                division, longest, room)};
  }
  Rollout rollout{.tp = tp, .memory = sized.memory, .memory_capacity = capacity};
  const std::int64_t num_nodes = engine.cluster.cluster.num_nodes;
  rollout.num_accelerators = num_nodes * node.num_accelerators.value;
  rollout.num_replicas = node_filling(engine, tp).replicas_of(num_nodes);
  if (rollout.num_replicas == 0) {
    return {{}, fmt::format("rollout: a replica at {} is more than {} nodes", division, num_nodes)};
  }
  ServedLoad load(replica, batch, checked.samples);
  rollout.run = load.run(rollout.num_replicas);
  return {std::move(rollout), {}};
}

}  // namespace

std::optional<Rollout> simulate_rollout(const CheckedPostTraining& checked,
                                        const core::Fabric& fabric, core::DataSize held,
                                        std::vector<std::string>& reasons) {
  CheckedInference engine = checked.rollout;
  // The trainer calls the engine itself: no server stands between.
  engine.inference.engine.request_overhead.value = {};
  engine.inference.engine.token_overhead.value = {};
  double& share = engine.inference.memory_share.value;
  share = std::max(share - held / engine.cluster.cluster.node.accelerator.memory.value, 0.0);
  std::optional<Rollout> best;
  std::string reason;
  for (const int tp : divisions(engine, engine.inference.tp)) {
    TriedDivision tried = try_division(checked, engine, fabric, tp);
    if (!tried.rollout) {
      reason = std::move(tried.reason);  // of the largest, which misses by least
    } else if (!best || tried.rollout->run.duration < best->run.duration) {
      best = std::move(tried.rollout);
    }
  }
  if (best) return best;
  if (held.base() > 0.0) {
    reason += fmt::format("; beside it the trainer keeps {}, which offload_trainer would move",
                          core::to_text(held));
  }
  reasons.push_back(std::move(reason));
  return std::nullopt;
}

}  // namespace railwright::simulation
