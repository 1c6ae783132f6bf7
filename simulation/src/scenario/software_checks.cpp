// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/software_checks.hpp"

#include <fmt/format.h>

#include <string>

namespace railwright::simulation {

std::vector<models::LayoutProblem> software_problems(const models::SoftwareProfile& software,
                                                     int zero_stage, models::Recompute recompute,
                                                     int pp) {
  std::vector<models::LayoutProblem> problems;
  if (software.recompute_layers && recompute != models::Recompute::kFull) {
    problems.push_back({"software.recompute_layers", fmt::format("goes with recompute full, got {}",
                                                                 core::to_string(recompute))});
  }
  if (!software.recompute_modules.empty() && recompute != models::Recompute::kSelective) {
    problems.push_back(
        {"software.recompute_modules",
         fmt::format("goes with recompute selective, got {}", core::to_string(recompute))});
  }
  if (pp == 1) return problems;
  const auto refuse = [&](std::string key, const char* what) {
    problems.push_back(
        {std::move(key),
         fmt::format("{} for each micro-batch goes with pp 1, got pp {}", what, pp)});
  };
  if (zero_stage == 3 && software.reshard_after_forward.value) {
    refuse("software.zero_stage", "gathering parameters");
  }
  if (software.sync_every_microbatch.value) {
    refuse("software.sync_every_microbatch", "reducing gradients");
  }
  return problems;
}

}  // namespace railwright::simulation
