// SPDX-License-Identifier: Apache-2.0
// The keys of disaggregation.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/inference/disaggregation.hpp"

namespace railwright::models {

constexpr auto Disaggregation::fields() {
  using core::between;
  using core::field;
  using D = Disaggregation;
  return core::field_list(
      field("prefill_tp", &D::prefill_tp,
            "Accelerators of a replica for prompts; where absent, all divisions of a node are "
            "tried, as of `inference.tp`, which is of a replica for answers.",
            between(1, 65536)),
      field("prefill_replicas", &D::prefill_replicas,
            "Replicas for prompts; where absent, the fewest that carry the load.",
            between(1, 1'000'000)),
      field("decode_replicas", &D::decode_replicas,
            "Replicas for answers; where absent, the fewest that carry the load.",
            between(1, 1'000'000)),
      field("kv_rate", &D::kv_rate,
            "Rate at which the cache of a prompt moves to the replica that answers; where absent, "
            "that of the fabric.",
            core::positive),
      field("layer_by_layer", &D::layer_by_layer,
            "Whether the cache of a layer leaves while the next ones still compute, so that the "
            "first token waits for the last layer alone; else all leaves behind the prompt. "
            "[@patel2024splitwise]",
            core::optional));
}

}  // namespace railwright::models
