// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/next_change/next_service_change.hpp"

#include <fmt/format.h>

#include <vector>

#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/planner/next_change/next_change.hpp"

namespace railwright::planner {

namespace {

using simulation::CheckedInference;
using simulation::InferenceResult;

/// Returns settings to try; some may be illegal.
std::vector<std::string> settings_of(const CheckedInference& checked,
                                     const InferenceResult& result) {
  const models::Inference& inference = checked.inference;
  const core::ComputeNode& node = checked.cluster.cluster.node;
  std::vector<std::string> settings;
  const auto twice_and_half = [&](const char* key, std::int64_t value) {
    settings.push_back(fmt::format("{}={}", key, 2 * value));
    if (value % 2 == 0) settings.push_back(fmt::format("{}={}", key, value / 2));
  };
  if (inference.tp) twice_and_half("inference.tp", *inference.tp);
  if (inference.pp > 1) twice_and_half("inference.pp", inference.pp);
  if (inference.model.experts) {
    settings.push_back(fmt::format("inference.attention_dp={}", !inference.attention_dp));
    twice_and_half("inference.ep", inference.ep.value_or(inference.attention_dp ? result.tp : 1));
  }
  if (!inference.disaggregated) settings.emplace_back("inference.disaggregated={}");
  twice_and_half("inference.engine.max_tokens", inference.engine.max_tokens.value);
  if (inference.max_batch) twice_and_half("inference.max_batch", *inference.max_batch);
  if (2 * node.nics.count <= node.num_accelerators.value) {
    settings.push_back(fmt::format("cluster.node.nics.count={}", 2 * node.nics.count));
  }
  return settings;
}

/// Simulates full batches of the scenario with a setting; nothing if a rule forbids it.
std::optional<InferenceResult> with_setting(core::Node tree, const core::Catalogue& catalogue,
                                            const std::string& setting) {
  try {
    if (!setting.empty()) core::set_path(tree, setting);
    CheckedInference checked = simulation::read_inference(tree, catalogue);
    checked.inference.load.reset();
    return simulate(checked, checked.cluster.topology->build(checked.cluster.cluster));
  } catch (const core::ConfigError&) {
    return {};
  } catch (const core::SimulationError&) {
    return {};
  }
}

}  // namespace

ServiceChangesTried next_service_change(const core::Node& tree, const core::Catalogue& catalogue) {
  const CheckedInference checked = simulation::read_inference(tree, catalogue);
  ServiceChangesTried changes;
  const auto own = with_setting(tree, catalogue, {});
  if (!own || !own->feasible()) return changes;
  const std::vector<std::string> settings = settings_of(checked, *own);
  std::vector<std::optional<InferenceResult>> tried(settings.size());
  core::parallel_for(settings.size(),
                     [&](std::size_t i) { tried[i] = with_setting(tree, catalogue, settings[i]); });
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (!tried[i] || !tried[i]->feasible()) continue;
    ++changes.num_tried;
    const double tokens = tried[i]->accelerator_tokens_per_s;
    const double gain = tokens / own->accelerator_tokens_per_s - 1.0;
    if (gain < kMinSaving || (changes.best && gain <= changes.best->gain)) continue;
    changes.best =
        NextServiceChange{.setting = settings[i], .accelerator_tokens_per_s = tokens, .gain = gain};
  }
  return changes;
}

}  // namespace railwright::planner
