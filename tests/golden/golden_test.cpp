// SPDX-License-Identifier: Apache-2.0
// The numbers of golden.json, which textbook.py has from formulas of its own.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "railwright/models/checkpoint/checkpoint.hpp"
#include "railwright/models/schedule/pipeline.hpp"
#include "railwright/models/workload/model.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {
namespace {

double found(const std::string& key, const simulation::SimulationResult& result,
             const simulation::CheckedScenario& checked, double peak) {
  const models::Training& workload = checked.scenario.workload;
  if (key == "num_parameters") return static_cast<double>(models::num_parameters(workload.model));
  if (key == "tokens_per_step") return result.tokens_per_s * result.step_time.base();
  if (key == "checkpoint_bytes") {
    return static_cast<double>(
        models::checkpoint_bytes(workload, checked.scenario.software.checkpoint));
  }
  if (key == "model_flops_per_step") {
    return result.model_flops_utilization * result.step_time.base() * peak * 8.0 *
           checked.scenario.cluster.num_nodes;
  }
  if (key == "bubble_fraction") return models::bubble_fraction(checked.layout);
  for (const models::MemoryLine& line : result.memory.lines) {
    if (std::string(line.name) + "_bytes" == key) return line.size.base();
  }
  ADD_FAILURE() << "nothing is named " << key;
  return 0.0;
}

TEST(Golden, NumbersAreThoseOfTheTextbook) {
  std::ifstream file(RAILWRIGHT_SOURCE_DIR "/tests/golden/golden.json");
  const auto golden = nlohmann::json::parse(file);
  const std::string scenario =
      std::string(RAILWRIGHT_SOURCE_DIR "/") + golden.at("scenario").get<std::string>();
  ASSERT_GE(golden.at("cases").size(), 5U);
  for (const auto& example : golden.at("cases")) {
    SCOPED_TRACE(example.at("name").get<std::string>());
    const simulation::CheckedScenario checked = read_scenario(
        load_scenario_tree(scenario, example.at("settings").get<std::vector<std::string>>()),
        core::Catalogue(catalogue_roots()));
    for (const simulation::Method method : {Method::kEstimate, Method::kSimulate}) {
      const simulation::SimulationResult result = simulate(checked, {.method = method});
      for (const auto& [key, value] : example.at("expected").items()) {
        const double expected = value.get<double>();
        EXPECT_NEAR(found(key, result, checked, golden.at("peak_flops").get<double>()), expected,
                    expected * golden.at("relative_tolerance").get<double>())
            << key;
      }
    }
  }
}

}  // namespace
}  // namespace railwright::simulation
