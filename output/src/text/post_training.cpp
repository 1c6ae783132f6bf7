// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/post_training/post_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

using core::to_text;

std::string_view mode_text(const simulation::PostTrainingResult& result) {
  if (result.is_asynchronous) return "at a time on own nodes";
  return result.is_split ? "in turn on own nodes" : "in turn on all nodes";
}

std::string batch_text(const simulation::PostTrainingResult& result) {
  return fmt::format("{} on {}, {}", plural(result.num_samples, "sample"),
                     plural(result.num_accelerators, "accelerator"), mode_text(result));
}

using TimePart = std::pair<std::string_view, core::Duration>;

std::array<TimePart, 7> parts_of(const simulation::PostTrainingTimes& times) {
  return {{{"rollout", times.rollout},
           {"rewards", times.reward},
           {"log-probabilities", times.log_probs},
           {"reference", times.reference},
           {"updates", times.update},
           {"weights", times.weights},
           {"offload", times.offload}}};
}

/// Returns the parts of a step in a line.
std::string parts_text(const simulation::PostTrainingTimes& times) {
  return fmt::format("rollout {}, forward {}, updates {}, moving {}", to_text(times.generating()),
                     to_text(times.log_probs + times.reference), to_text(times.update),
                     to_text(times.moving()));
}

std::string idle_text(const simulation::PostTrainingResult& result) {
  if (!result.is_split) return percent(result.idle_fraction) + " of accelerator time";
  return fmt::format("rollout {}, trainer {}, all {}", percent(result.rollout_idle_fraction),
                     percent(result.trainer_idle_fraction), percent(result.idle_fraction));
}

}  // namespace

std::string verdict(const simulation::PostTrainingResult& result, const TextStyle& style) {
  if (!result.feasible()) {
    return unfit_head(result.name, result.infeasible, style) + fact("samples", batch_text(result));
  }
  const simulation::Rollout& rollout = *result.rollout;
  std::string text = title(result.name, 1, style) + fits_text(batch_text(result), style);
  text += fact("step time", strong(to_text(result.step_time), style, "1;32") +
                                fmt::format("; {} for {}", to_text(result.total_time()),
                                            plural(result.num_steps, "step")));
  text += fact("80 % interval", "none: nothing published is held against it");
  text += fact("parts", parts_text(result.times));
  text += fact("limit", result.limit);
  text += fact("idle", idle_text(result));
  text += fact("tail", fmt::format("the slowest tenth of the samples takes {} of the rollout",
                                   percent(result.tail / result.times.rollout)));
  text += fact("generated",
               fmt::format("{} tokens/s by {} of tp {}",
                           grouped_value(result.output_tokens_per_step / result.step_time.base()),
                           plural(rollout.num_replicas, "replica"), rollout.tp));
  text += fact("power", to_text(result.mean_power) + " in the mean");
  text += fact("trainer", memory_bar(result.trainer_memory.total(), result.memory_capacity));
  return text;
}

std::string to_text(const simulation::PostTrainingResult& result, const TextStyle& style) {
  if (!result.feasible()) return {};
  Table table({"part of a step", "time", "of the step"});
  for (const auto& [name, time] : parts_of(result.times)) {
    table.add_row({std::string(name), to_text(time), percent(time / result.step_time)});
  }
  const simulation::ServingRun& run = result.rollout->run;
  return table.text(style) +
         fact("a sample ends", fmt::format("p50 {}, p90 {}, p99 {}", to_text(run.latency.p50),
                                           to_text(run.latency.p90), to_text(run.latency.p99))) +
         fact("replicas", fmt::format("{} of the rollout at work, {:.1f} samples at a time",
                                      percent(run.busy_fraction), run.mean_batch)) +
         fact("updates", fmt::format("{} of {} tokens a sample",
                                     plural(result.updates_per_step, "optimizer step"),
                                     grouped(result.sequence_length))) +
         fact("groups", fmt::format("{} of {}", plural(result.num_samples, "sample"),
                                    plural(result.num_prompts, "prompt"))) +
         fact("weights", to_text(result.weights) + " to the replicas");
}

}  // namespace railwright::output
