// SPDX-License-Identifier: Apache-2.0
// The keys of speculative.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/inference/speculative.hpp"
#include "railwright/models/workload/transformer_fields.hpp"

namespace railwright::models {

constexpr auto SpeculativeDecoding::fields() {
  using core::between;
  using core::field;
  using S = SpeculativeDecoding;
  return core::field_list(
      field("draft_tokens", &S::draft_tokens, "Tokens that are drafted for a step.", between(1, 64),
            core::optional),
      field("acceptance", &S::acceptance,
            "Probability that a drafted token is accepted where those before it were: measure it "
            "on your own text. Where absent, answers say what 0.5 and 0.9 would make of them.",
            between(0, 1), core::optional),
      field("draft", &S::draft,
            "The model that drafts, by catalogue name, divided as the other; where absent, one "
            "layer like the model's own and its head, as EAGLE and multi-token prediction."));
}

}  // namespace railwright::models
