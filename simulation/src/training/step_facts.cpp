// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/training/step_facts.hpp"

#include <fmt/format.h>

#include "railwright/core/units/text.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::simulation {

namespace {

/// Of the layers, those that full recompute runs again.
double recomputed_share(const models::SoftwareProfile& software, const models::Layout& layout) {
  if (software.recompute.value != models::Recompute::kFull) return 0.0;
  int layers = 0;
  int recomputed = 0;
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (int place = 0; place < layout.layers_per_stage(); ++place) {
      if (!layout.layer_at(stage, place)) continue;
      ++layers;
      recomputed +=
          software.recompute_at(place % layout.layers_per_chunk) == models::Recompute::kFull ? 1
                                                                                             : 0;
    }
  }
  return static_cast<double>(recomputed) / layers;
}

}  // namespace

StepWork step_work(const models::Training& training, const models::Layout& layout,
                   const models::SoftwareProfile& software) {
  const core::Work model = models::training_work_per_step(training);
  const double recomputed = recomputed_share(software, layout);
  if (models::vision_of(training) != nullptr) {
    // What full recompute runs again is one pass of three.
    return {.model = model, .causal = model, .hardware = model * (1.0 + recomputed / 3.0)};
  }
  const models::Transformer& transformer = models::transformer_of(training);
  const auto forward = models::forward_work_per_token(transformer, training.sequence_length);
  const auto tokens = static_cast<double>(models::tokens_per_step(training));
  core::Work again = (forward.layers + forward.attention) * recomputed;
  if (software.recompute.value >= models::Recompute::kSelective &&
      software.recompute.value != models::Recompute::kFull) {
    again += forward.attention;
  }
  if (software.recompute.value == models::Recompute::kFeedForward) {
    again += forward.into_feed_forward;
  }
  return {.model = model,
          .causal = model - forward.attention * (transformer.causal ? 1.5 * tokens : 0.0),
          .hardware = model + again * tokens};
}

std::string memory_shortage(const MemoryNeed& need, core::DataSize capacity) {
  return fmt::format(
      "an accelerator of stage {} needs {} of its {} memory, {} too much; most of it {}, {}",
      need.stage, core::to_text(need.total), core::to_text(capacity),
      core::to_text(need.total - capacity), need.largest, core::to_text(need.largest_size));
}

}  // namespace railwright::simulation
