// SPDX-License-Identifier: Apache-2.0
#include "iteration_times.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace railwright::simulation {

namespace {

/// A positive number rounded to 32 steps per octave; whole numbers up to 64 stay exact.
struct Rounded {
  explicit Rounded(double exact) {
    if (!std::isnormal(exact)) return;
    // Takes the number apart as frexp() does, which with ldexp() and round() took longer than the
    // look-ups: a fraction from 1/2 to 1 and its exponent.
    constexpr unsigned kFractionBits = std::numeric_limits<double>::digits - 1;
    constexpr std::uint64_t kFraction = (std::uint64_t{1} << kFractionBits) - 1;
    constexpr std::uint64_t kBias = std::numeric_limits<double>::max_exponent - 1;
    constexpr unsigned kStepBits = 5;
    constexpr unsigned kDropped = kFractionBits - kStepBits;
    const auto bits = std::bit_cast<std::uint64_t>(exact);
    const std::uint64_t exponent = (bits >> kFractionBits) - kBias + 1;
    const std::uint64_t half = std::uint64_t{1} << (kDropped - 1);
    const std::uint64_t steps = (1U << kStepBits) + (((bits & kFraction) + half) >> kDropped);
    value = std::bit_cast<double>((exponent - (kStepBits + 1) + kBias) << kFractionBits) *
            static_cast<double>(steps);
    code = exponent * 128U + steps;
  }

  double value = 0.0;
  std::uint64_t code = 0;  ///< below 2^14 for numbers from 1 to 2^127
};

std::uint64_t key(const Rounded& a, const Rounded& b) { return a.code << 16U | b.code; }

template <class Make>
double remembered(ShapeTable& table, std::uint64_t key, const Make& make) {
  if (const double* known = table.find(key)) return *known;
  const double time = make();
  table.put(key, time);
  return time;
}

}  // namespace

std::size_t ShapeTable::place_of(std::uint64_t key) const {
  const std::size_t last = entries_.size() - 1;
  std::size_t at = (key * 0x9e3779b97f4a7c15U) >> 20U & last;  // Fibonacci hashing
  while (entries_[at].key != key && entries_[at].key != kNoKey) at = (at + 1) & last;
  return at;
}

void ShapeTable::put(std::uint64_t key, double value) {
  if (2 * ++size_ > entries_.size()) {
    const std::vector<Entry> before =
        std::exchange(entries_, std::vector<Entry>(4 * entries_.size()));
    for (const Entry& entry : before) {
      if (entry.key != kNoKey) entries_[place_of(entry.key)] = entry;
    }
  }
  entries_[place_of(key)] = {.key = key, .value = value};
}

/// Iterations of steps alone come one after another with the same requests and nearly the same
/// context.
double IterationTimes::operator()(const models::TokenPass& pass) {
  if (pass.prompts > 0.0) return time_of(pass);
  constexpr unsigned kContextBits = 16;
  const std::uint64_t of_steps =
      static_cast<std::uint64_t>(pass.decodes) << kContextBits | Rounded(pass.context).code;
  if (of_steps != last_key_) {
    last_time_ = remembered(steps_, of_steps, [&] { return time_of(pass); });
    last_key_ = of_steps;
  }
  return last_time_;
}

double IterationTimes::time_of(const models::TokenPass& pass) {
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
