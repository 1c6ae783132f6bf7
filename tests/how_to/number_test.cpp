// SPDX-License-Identifier: Apache-2.0
// A number of a result with two files of its own and two lines in the table of numbers: it stands
// wherever numbers of results stand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "../support/source_tree.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/planner/compare/side_by_side.hpp"
#include "railwright/planner/sweep/sweep.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/training/outputs.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {
namespace {

core::Node tree() {
  return load_scenario_tree(test::kSource + "/examples/neutral-llama-2-7b.yaml", {});
}

SimulationResult estimated() {
  return simulate(read_scenario(tree(), test::source_catalogue()), {.method = Method::kEstimate});
}

TEST(HowToNumber, StandsInTheResult) {
  const SimulationResult result = estimated();
  const auto all = outputs(result);
  const auto found = std::ranges::find(all, "energy.tokens_per_j", &Output::path);
  ASSERT_NE(found, all.end());
  const double tokens = static_cast<double>(result.tokens_per_step * result.steps);
  EXPECT_NEAR(found->number() * result.power->total_energy().base() / tokens, 1.0, 1e-12);
}

TEST(HowToNumber, StandsInJsonAndText) {
  const SimulationResult result = estimated();
  EXPECT_NE(output::to_json(result).find("\"tokens_per_j\": "), std::string::npos);
  EXPECT_NE(output::to_text(result, {}).find("\ntokens a joule  "), std::string::npos);
}

TEST(HowToNumber, StandsOnPagesAndInPython) {
  EXPECT_NE(output::numbers_json().find(
                R"({"path":"energy.tokens_per_j","word":"tokens a joule","format":"plain")"),
            std::string::npos);
}

TEST(HowToNumber, HasARowBesideOtherDesigns) {
  planner::SideBySide both;
  for (const char* name : {"one", "other"}) both.designs.push_back({name, estimated()});
  EXPECT_NE(output::to_text(both, {}).find("\ntokens a joule  "), std::string::npos);
}

TEST(HowToNumber, HasAColumnInSweeps) {
  const core::Catalogue catalogue = test::source_catalogue();
  const planner::Sweep sweep(tree(), catalogue, read_variations({"workload.micro_batch=1,2"}),
                             {.method = Method::kEstimate});
  const auto& columns = sweep.question().columns;
  EXPECT_EQ(columns.back().name, "tokens_per_j");
  const std::int64_t points[] = {0};
  const std::vector<planner::SweepRow> rows = sweep.make(points);
  const double number =
      rows.front().numbers[planner::num_sweep_numbers(kind_named("workload")) - 1];
  EXPECT_GT(number, 0.0);
  EXPECT_TRUE(std::isfinite(number));
}

}  // namespace
}  // namespace railwright::simulation
