// SPDX-License-Identifier: Apache-2.0
// The table of numbers of post-training.
#include <string>
#include <string_view>
#include <utility>

#include "railwright/workloads/post_training/post_training.hpp"

namespace railwright::simulation {

namespace {

using Format = NumberFormat;
using P = PostTrainingResult;

/// Makes a number with a column of the last word of its path.
template <class Value>
Number<P> of_steps(const std::string& path, std::string_view beside, Format format, Value value_of,
                   bool is_whole = false) {
  std::string column = path;
  for (char& c : column) c = c == '.' ? '_' : c;
  return {.path = path,
          .format = format,
          .column = std::move(column),
          .is_whole = is_whole,
          .beside = {beside},
          .read = [value_of](const P& of) { return NumberValue(value_of(of)); }};
}

Numbers<P> batch_of_step_numbers() {
  const auto count = [](const char* path, const char* beside, std::int64_t P::* number) {
    return of_steps(
        path, beside, Format::kCount, [number](const P& of) { return of.*number; }, true);
  };
  return {count("num_accelerators", "accelerators", &P::num_accelerators),
          count("trainer_accelerators", "accelerators of the trainer", &P::trainer_accelerators),
          count("samples_per_step", "samples of a step", &P::num_samples),
          count("updates_per_step", "optimizer steps of a step", &P::updates_per_step),
          count("num_steps", "steps", &P::num_steps),
          count("sequence_length", "tokens of a trained sequence", &P::sequence_length),
          of_steps("tokens_per_step", "tokens of a step", Format::kLarge,
                   [](const P& of) { return of.tokens_per_step; }),
          of_steps("output_tokens_per_step", "generated tokens of a step", Format::kLarge,
                   [](const P& of) { return of.output_tokens_per_step; }),
          of_steps("trainer_memory_bytes", "memory of the trainer", Format::kMemory,
                   [](const P& of) { return of.trainer_memory.total(); })};
}

Numbers<P> time_of_step_numbers() {
  using T = PostTrainingTimes;
  const auto part = [](const char* name, const char* beside, core::Duration T::* time) {
    return of_steps(std::string("breakdown.") + name, beside, Format::kTime,
                    [time](const P& of) { return of.times.*time; });
  };
  const auto share = [](const char* path, const char* beside, double P::* number) {
    return of_steps(path, beside, Format::kShare, [number](const P& of) { return of.*number; });
  };
  return {
      of_steps("step_time_s", "a step", Format::kTime, [](const P& of) { return of.step_time; }),
      of_steps("total_time_s", "all steps", Format::kTime,
               [](const P& of) { return of.total_time(); }),
      part("rollout_s", "rollout", &T::rollout),
      part("reward_s", "rewards", &T::reward),
      part("log_probs_s", "log-probabilities", &T::log_probs),
      part("reference_s", "reference model", &T::reference),
      part("update_s", "updates", &T::update),
      part("weights_s", "weights to the replicas", &T::weights),
      part("offload_s", "state to the host and back", &T::offload),
      of_steps("tail_s", "last tenth of the samples", Format::kTime,
               [](const P& of) { return of.tail; }),
      share("idle_fraction", "accelerators idle", &P::idle_fraction),
      share("rollout_idle_fraction", "rollout idle", &P::rollout_idle_fraction),
      share("trainer_idle_fraction", "trainer idle", &P::trainer_idle_fraction)};
}

Numbers<P> rate_of_step_numbers() {
  return {of_steps("tokens_per_s", "tokens/s", Format::kPlain,
                   [](const P& of) { return of.tokens_per_step / of.step_time.base(); }),
          of_steps("output_tokens_per_s", "generated tokens/s", Format::kPlain,
                   [](const P& of) { return of.output_tokens_per_step / of.step_time.base(); }),
          of_steps("samples_per_s", "samples/s", Format::kPlain,
                   [](const P& of) {
                     return static_cast<double>(of.num_samples) / of.step_time.base();
                   }),
          of_steps(
              "rollout.tp", "accelerators of a replica", Format::kCount,
              [](const P& of) { return of.rollout->tp; }, true),
          of_steps(
              "rollout.num_replicas", "replicas", Format::kCount,
              [](const P& of) { return of.rollout->num_replicas; }, true),
          of_steps("rollout.memory_bytes", "memory of a replica", Format::kMemory,
                   [](const P& of) { return of.rollout->memory.total(); }),
          of_steps("rollout.busy_fraction", "replicas at work in the rollout", Format::kShare,
                   [](const P& of) { return of.rollout->run.busy_fraction; }),
          of_steps("rollout.mean_batch", "samples at a time", Format::kPlain,
                   [](const P& of) { return of.rollout->run.mean_batch; }),
          of_steps("rollout.output_tokens_per_s", "tokens/s of the rollout alone", Format::kPlain,
                   [](const P& of) { return of.rollout->run.output_tokens_per_s; }),
          of_steps("mean_power_w", "mean power", Format::kPower,
                   [](const P& of) { return of.mean_power; }),
          of_steps("weights_bytes", "weights that move", Format::kBytes,
                   [](const P& of) { return of.weights; })};
}

constexpr PartOf<P, P> kWholePostTraining{[](const P& result) { return &result; }};
constexpr PartOf<P, P> kPostTrainingStep{
    [](const P& result) { return result.feasible() ? &result : nullptr; }};

}  // namespace

const Numbers<PostTrainingResult>& post_training_numbers() {
  static const NumberGroup<P> kGroups[] = {{kWholePostTraining, batch_of_step_numbers},
                                           {kPostTrainingStep, time_of_step_numbers},
                                           {kPostTrainingStep, rate_of_step_numbers}};
  static const Numbers<P> kNumbers = table_of<P>(kGroups);
  return kNumbers;
}

std::vector<Output> outputs(const PostTrainingResult& result) {
  return outputs(post_training_numbers(), result);
}

}  // namespace railwright::simulation
