// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/inference/speculative.hpp"

#include <algorithm>
#include <vector>

namespace railwright::models {

namespace {

constexpr int kHalvings = 50;  // of an interval of 1

/// Returns the acceptance that gives so many tokens a step, which rises with it.
double acceptance_of(double tokens, int draft_tokens) {
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2.0;
    const SpeculativeDecoding tried{.draft_tokens = draft_tokens, .acceptance = {middle, "", true}};
    (tried.tokens_per_step() < tokens ? low : high) = middle;
  }
  return (low + high) / 2.0;
}

}  // namespace

std::optional<core::Sourced<double>> published_acceptance(const Transformer& model,
                                                          int draft_tokens) {
  if (!model.acceptance_lengths || model.acceptance_lengths->value.empty()) return {};
  const std::vector<double>& lengths = model.acceptance_lengths->value;
  const int measured = std::min(draft_tokens, static_cast<int>(lengths.size()));
  return core::Sourced<double>{
      acceptance_of(lengths[static_cast<std::size_t>(measured) - 1], measured),
      model.acceptance_lengths->source, model.acceptance_lengths->estimate};
}

}  // namespace railwright::models
