// SPDX-License-Identifier: Apache-2.0
// Speculative decoding: a draft of several tokens is verified in one step.
#pragma once

#include <cmath>
#include <optional>

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::models {

struct SpeculativeDecoding {
  int draft_tokens = 3;
  double acceptance = 0.0;
  std::optional<Transformer> draft;

  /// Tokens that pass in a step of a request: the drafted ones and the last one that was chosen.
  [[nodiscard]] double step_tokens() const { return draft_tokens + 1.0; }
  /// Tokens that a step gives in the mean: those accepted up to the first refusal, and one of the
  /// model's own, (1 - a^(k+1)) / (1 - a). [@leviathan2023speculative]
  [[nodiscard]] double tokens_per_step() const {
    return acceptance < 1.0 ? (1.0 - std::pow(acceptance, step_tokens())) / (1.0 - acceptance)
                            : step_tokens();
  }

  static constexpr auto fields() {
    using core::between;
    using core::field;
    using S = SpeculativeDecoding;
    return core::field_list(
        field("draft_tokens", &S::draft_tokens, "Tokens that are drafted for a step.",
              between(1, 64), core::optional),
        field("acceptance", &S::acceptance,
              "Probability that a drafted token is accepted where those before it were.",
              between(0, 1)),
        field("draft", &S::draft,
              "The model that drafts, by catalogue name, divided as the other; where absent, one "
              "layer like the model's own and its head, as EAGLE and multi-token prediction."));
  }
};

}  // namespace railwright::models
