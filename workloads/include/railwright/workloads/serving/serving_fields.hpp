// SPDX-License-Identifier: Apache-2.0
// The keys of serving.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/inference/inference_fields.hpp"
#include "railwright/models/money/prices_fields.hpp"
#include "railwright/models/power/node_power_fields.hpp"
#include "railwright/simulation/scenario/scenario_fields.hpp"
#include "railwright/simulation/scenario/sweep_space_fields.hpp"
#include "railwright/topologies/cluster/cluster_fields.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::simulation {

constexpr auto ServingSearchSpace::fields() {
  using core::between;
  using core::field;
  using core::optional;
  using S = ServingSearchSpace;
  return core::field_list(
      field("tp", &S::tp,
            "Accelerators that hold a layer together; all that divide a node where absent.",
            between(1, 65536), optional),
      field("pp", &S::pp,
            "Stages of the layers; where absent all within a node or, if none holds the model, as "
            "many as fill 2, 4, 8 ... nodes.",
            between(1, 1024), optional),
      field("attention_dp", &S::attention_dp,
            "With data-parallel attention, or without; both where absent, of mixtures."),
      field("disaggregated", &S::disaggregated,
            "With prompts on replicas of their own, or without; both where absent.", optional),
      field("ep", &S::ep, "Expert parallelism; all that divide where absent.", between(1, 65536),
            optional),
      field("batch", &S::batch,
            "Requests that a replica answers at a time; powers of two and their halves more where "
            "absent, as many as fit.",
            core::at_least(1), optional),
      field("prefill_tp", &S::prefill_tp,
            "Accelerators of a replica for prompts, where these are apart; all that divide a node "
            "where absent.",
            between(1, 65536), optional),
      field("max_tokens", &S::max_tokens,
            "Most tokens of an iteration of the engine; its own, half and twice of it where "
            "absent.",
            between(1, 1 << 24), optional));
}

constexpr auto InferenceScenario::fields() {
  using core::field;
  return core::field_list(
      field("name", &InferenceScenario::name, "The scenario in a few words."),
      field("inference", &InferenceScenario::inference, "The model to serve and its load."),
      field("cluster", &InferenceScenario::cluster,
            "Nodes there are; the result says how many are needed."),
      field("power", &InferenceScenario::power, "A cap on nodes, and what the building adds.",
            core::optional),
      field("prices", &InferenceScenario::prices,
            "What the parts and their energy cost; without it nothing is said of money."),
      field("search", &InferenceScenario::search, "Which divisions and batches `search` tries."),
      field("sweep", &InferenceScenario::sweep, "Which points `sweep` makes a row of."));
}

}  // namespace railwright::simulation
