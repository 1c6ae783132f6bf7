// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <fmt/format.h>

namespace railwright::planner {

std::vector<std::string> settings_between(const simulation::CheckedScenario& scenario,
                                          const simulation::Configuration& made) {
  const simulation::Configuration base = simulation::configuration_of(scenario);
  std::vector<std::string> settings;
  const auto add = [&](const char* path, auto before, auto after) {
    if (before != after) settings.push_back(fmt::format("{}={}", path, after));
  };
  add("parallelism.tp", base.tp, made.tp);
  add("parallelism.cp", base.cp, made.cp);
  add("parallelism.ep", base.ep, made.ep);
  // An absent etp is tp, which may have changed; it is 1 without experts.
  const auto* model = std::get_if<models::Transformer>(&scenario.scenario.workload.model);
  const bool has_experts = model != nullptr && model->experts;
  if (has_experts)
    add("parallelism.etp", scenario.scenario.parallelism.etp.value_or(made.tp), made.etp);
  add("parallelism.pp", base.pp, made.pp);
  add("parallelism.virtual_stages", base.virtual_stages, made.virtual_stages);
  add("parallelism.sequence_parallel", base.sequence_parallel, made.sequence_parallel);
  add("workload.micro_batch", base.micro_batch, made.micro_batch);
  add("workload.global_batch", base.global_batch, made.global_batch);
  add("software.zero_stage", base.zero_stage, made.zero_stage);
  add("software.recompute", core::to_string(base.recompute), core::to_string(made.recompute));
  return settings;
}

}  // namespace railwright::planner
