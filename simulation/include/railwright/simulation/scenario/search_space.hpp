// SPDX-License-Identifier: Apache-2.0
// The part of a scenario file that `search` reads: the configurations to try.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/models/software/recompute.hpp"
#include "railwright/simulation/scenario/variant.hpp"

namespace railwright::simulation {

/// Criterion by which one configuration is better than another.
enum class Objective : std::uint8_t {
  kThroughput,  ///< most samples per second: the shortest step if batches are equal
  kMemory,      ///< most memory left in the accelerator that has the least left
  kEnergy,      ///< lowest energy per sample
  kCost,        ///< lowest cost of ownership per sample; needs prices
};

constexpr auto enum_words(Objective) {
  using enum Objective;
  return core::words<Objective>(
      {{"throughput", kThroughput}, {"memory", kMemory}, {"energy", kEnergy}, {"cost", kCost}});
}

/// Values to try in each dimension; an empty list stands for all legal ones.
struct SearchSpace {
  Objective objective = Objective::kThroughput;
  std::vector<int> tp;
  std::vector<int> cp;
  std::vector<int> ep;
  std::vector<int> etp;
  std::vector<int> pp;
  std::vector<int> virtual_stages;
  std::vector<int> micro_batch;
  std::vector<int> global_batch;
  std::optional<int> max_global_batch;
  std::vector<int> zero_stage;
  std::vector<models::Recompute> recompute;
  std::optional<bool> sequence_parallel;
  std::vector<std::string> rank_order{"tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp"};
  std::vector<Variant> variants;

  static constexpr auto fields() {
    using core::between;
    using core::field;
    using core::optional;
    constexpr core::Range kRanks = between(1, 65536);
    return core::field_list(
        field("objective", &SearchSpace::objective, "What makes a configuration better.", optional),
        field("tp", &SearchSpace::tp, "Tensor parallelism; all that divides where absent.", kRanks,
              optional),
        field("cp", &SearchSpace::cp, "Context parallelism; the same.", kRanks, optional),
        field("ep", &SearchSpace::ep, "Expert parallelism; the same.", kRanks, optional),
        field("etp", &SearchSpace::etp,
              "Tensor parallelism within an expert; 1 and tp where absent.", kRanks, optional),
        field("pp", &SearchSpace::pp, "Pipeline stages; all that divides where absent.", kRanks,
              optional),
        field("virtual_stages", &SearchSpace::virtual_stages, "Model chunks of a stage; the same.",
              kRanks, optional),
        field("micro_batch", &SearchSpace::micro_batch, "Sequences of a micro-batch; the same.",
              kRanks, optional),
        field("global_batch", &SearchSpace::global_batch,
              "Sequences of a step; the workload's where absent.", between(1, 1e9), optional),
        field(
            "max_global_batch", &SearchSpace::max_global_batch,
            "In place of a fixed global batch: of each configuration the largest that divides, up "
            "to this one.",
            between(1, 1e9), core::formerly("most_global_batch")),
        field("zero_stage", &SearchSpace::zero_stage, "0 to 3 where absent.", between(0, 3),
              optional),
        field("recompute", &SearchSpace::recompute, "All modes where absent.", optional),
        field("sequence_parallel", &SearchSpace::sequence_parallel,
              "With, or without; both where absent."),
        field("rank_order", &SearchSpace::rank_order,
              "Orders of the dimensions over the accelerators.", optional, core::formerly("order")),
        field("variants", &SearchSpace::variants,
              "Settings laid over the scenario, each with the whole space: offload, overlaps, "
              "schedules.",
              optional));
  }
};

}  // namespace railwright::simulation
