// SPDX-License-Identifier: Apache-2.0
#include "iteration_times.hpp"

#include <cmath>

namespace railwright::simulation {

namespace {

/// A positive number rounded to 32 steps per octave; whole numbers up to 64 stay exact.
struct Rounded {
  static constexpr double kSteps = 64.0;

  explicit Rounded(double exact) {
    int exponent = 0;
    const double steps = std::round(std::frexp(exact, &exponent) * kSteps);
    value = std::ldexp(steps / kSteps, exponent);
    code = static_cast<std::uint64_t>(exponent) * 128U + static_cast<std::uint64_t>(steps);
  }

  double value = 0.0;
  std::uint64_t code = 0;  ///< below 2^14 for numbers from 1 to 2^127
};

std::uint64_t key(const Rounded& a, const Rounded& b) { return a.code << 16U | b.code; }

template <class Table, class Make>
double remembered(Table& table, std::uint64_t key, const Make& make) {
  const auto [place, is_new] = table.try_emplace(key, 0.0);
  if (is_new) place->second = make();
  return place->second;
}

}  // namespace

double IterationTimes::operator()(const models::TokenPass& pass) {
  const models::Inference& inference = replica_.inference();
  const models::ReplicaLayout& layout = replica_.layout();
  const core::Accelerator& device = replica_.device();
  const models::TokenPass run = replica_.padded(pass);
  const Rounded tokens(run.tokens());
  const Rounded own_tokens(run.tokens_of_rank(layout.dp()));
  const Rounded outputs(run.outputs());
  double time = remembered(tokens_, key(tokens, own_tokens), [&] {
    return replica_.layers_time(tokens.value, own_tokens.value).total().base();
  });
  time += remembered(head_, outputs.code, [&] {
    return (models::head_time(device, inference, layout, outputs.value).total() +
            replica_.logits_gather(outputs.value))
        .base();
  });
  if (pass.prompts > 0.0) {
    const Rounded prompts(pass.prompts);
    const Rounded piece(pass.prompt_tokens);
    const Rounded keys(pass.prompt_keys);
    time += remembered(prompts_, key(prompts, piece) << 16U | keys.code, [&] {
      const models::TokenPass of_prompts{
          .prompts = prompts.value, .prompt_tokens = piece.value, .prompt_keys = keys.value};
      return models::prompt_attention_time(device, inference, layout, of_prompts).total().base();
    });
  }
  if (pass.decodes > 0.0) {
    const Rounded decodes(pass.decodes);
    const Rounded context(pass.context);
    time += remembered(decodes_, key(decodes, context), [&] {
      const models::TokenPass of_decodes =
          models::decode_pass(decodes.value, context.value, pass.decode_tokens);
      return models::decode_attention_time(device, inference, layout, of_decodes).total().base();
    });
    time += remembered(drafts_, key(decodes, context), [&] {
      return replica_.draft_time(decodes.value, context.value).total().base();
    });
  }
  models::PassTime parts{.compute = core::Duration::from_base(time)};
  replica_.add_waits(pass, parts);
  return parts.total().base();
}

}  // namespace railwright::simulation
