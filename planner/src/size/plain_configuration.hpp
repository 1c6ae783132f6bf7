// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

/// Returns settings that make the scenario legal on any number of nodes, before the search.
inline std::vector<std::string> plain_configuration(const simulation::Scenario& scenario) {
  const models::Parallelism& parallelism = scenario.parallelism;
  std::vector<std::string> settings;
  const auto add = [&](const char* path, int value) {
    if (value != 1) settings.push_back(fmt::format("{}=1", path));
  };
  add("parallelism.tp", parallelism.tp);
  add("parallelism.cp", parallelism.cp);
  add("parallelism.ep", parallelism.ep);
  add("parallelism.pp", parallelism.pp);
  add("parallelism.virtual_stages", parallelism.virtual_stages);
  add("workload.micro_batch", scenario.workload.micro_batch);
  return settings;
}

}  // namespace railwright::planner
