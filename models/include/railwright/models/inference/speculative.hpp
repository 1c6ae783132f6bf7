// SPDX-License-Identifier: Apache-2.0
// Speculative decoding: a draft of several tokens is verified in one step.
#pragma once

#include <cmath>
#include <optional>

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::models {

struct SpeculativeDecoding {
  /// Share of drafts accepted from models two orders of magnitude smaller.
  /// [@leviathan2023speculative]
  static constexpr double kMinAcceptance = 0.5;
  static constexpr double kMaxAcceptance = 0.9;

  int draft_tokens = 3;
  core::Sourced<double> acceptance{0.7,
                                   "middle of 0.5 to 0.9, which Leviathan et al. (ICML 2023, "
                                   "arXiv:2211.17192) see with drafts of "
                                   "several sizes; it depends on model and text",
                                   true};
  std::optional<Transformer> draft;

  /// Tokens that pass in a step of a request: the drafted ones and the last one that was chosen.
  [[nodiscard]] double step_tokens() const { return draft_tokens + 1.0; }
  /// Tokens that a step gives in the mean: those accepted up to the first refusal, and one of the
  /// model's own, (1 - a^(k+1)) / (1 - a). [@leviathan2023speculative]
  [[nodiscard]] double tokens_per_step() const {
    const double a = acceptance.value;
    return a < 1.0 ? (1.0 - std::pow(a, step_tokens())) / (1.0 - a) : step_tokens();
  }

  static constexpr auto fields();
};

/// Returns the acceptance with which `draft_tokens` give as many tokens a step as was published of
/// the model; nothing if it has none published. More drafts than were measured are accepted as the
/// longest ones that were.
std::optional<core::Sourced<double>> published_acceptance(const Transformer& model,
                                                          int draft_tokens);

}  // namespace railwright::models
