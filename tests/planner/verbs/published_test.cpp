// SPDX-License-Identifier: Apache-2.0
// Published training steps and memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "railwright/planner/estimate/estimate.hpp"
#include "railwright/planner/scenario/data_path.hpp"
#include "railwright/planner/step/costs.hpp"
#include "railwright/planner/verbs/validate.hpp"
#include "support.hpp"

namespace railwright::test {
namespace {

const planner::ValidationResult& published() {
  static const planner::ValidationResult kResult =
      planner::validate(core::load_yaml(planner::suite_path("published")), source_catalogue());
  return kResult;
}

/// Records by family, as the sources hold them: each is a row or says what is missing.
const std::map<std::string, std::size_t> kRecords{{"megatron_sc21", 23},
                                                  {"korthikanti2022", 20},
                                                  {"nemo_launcher_a100", 12},
                                                  {"dgxc", 119},
                                                  {"llm_foundry", 139},
                                                  {"mlperf_resnet50", 16},
                                                  {"resnet50_pytorch", 8},
                                                  {"vtrain_multi", 54},
                                                  {"bloom_176b", 68},
                                                  {"internevo", 22},
                                                  {"deepspeed_zero3", 4},
                                                  {"mt_nlg", 3},
                                                  {"opt", 1},
                                                  {"simumax_b200", 43},
                                                  {"primus_amd", 13},
                                                  {"jax_toolbox", 1},
                                                  {"colossalai", 1}};

/// Rows of the memory of a run stand beside the row of its step.
bool is_second_row(const std::string& id) { return id.ends_with("/memory"); }

TEST(ValidatePublished, EveryRecordIsARowOrSaysWhatIsMissing) {
  std::map<std::string, std::set<std::string>> ids;
  for (const planner::ValidationCase& c : published().cases) {
    if (is_second_row(c.id)) continue;
    EXPECT_TRUE(ids[c.group].insert(c.id).second) << c.id;
  }
  for (const planner::NotRun& record : published().not_run) {
    EXPECT_TRUE(ids[record.group].insert(record.id).second) << record.id;
    EXPECT_FALSE(record.missing.empty()) << record.id;
  }
  ASSERT_EQ(ids.size(), kRecords.size());
  for (const auto& [family, number] : kRecords) EXPECT_EQ(ids[family].size(), number) << family;
  EXPECT_LT(published().not_run.size(), 60U);
}

bool is_step(const planner::ValidationCase& c) { return c.quantity == "step_time"; }

TEST(ValidatePublished, AtMostAFifthCalibratesAndWholeConfigurationsDo) {
  std::map<std::string, std::set<planner::ClaimRole>> roles;
  std::map<planner::ClaimRole, int> counts;
  for (const planner::ValidationCase& c : published().cases) {
    if (!is_step(c)) continue;
    roles[c.group + c.training->model + c.training->device].insert(c.role);
    ++counts[c.role];
  }
  for (const auto& [configuration, of_it] : roles) EXPECT_EQ(of_it.size(), 1U) << configuration;
  const int calibrate = counts[planner::ClaimRole::kCalibrate];
  const int validate = counts[planner::ClaimRole::kValidate];
  EXPECT_LE(calibrate * 5, calibrate + validate);
  EXPECT_GE(calibrate * 8, calibrate + validate);
}

/// Utilization by its definition, once more.
double utilization(const planner::ValidationCase& c) {
  return c.training->work_per_step /
         (c.published * c.training->peak_rate * c.training->num_accelerators);
}

TEST(ValidatePublished, NullModelIsTheMeanUtilizationOfItsLike) {
  int num_checked = 0;
  for (const planner::ValidationCase& c : published().cases) {
    if (!is_step(c) || c.group != "nemo_launcher_a100") continue;
    double sum = 0.0;
    int count = 0;
    for (const planner::ValidationCase& other : published().cases) {
      if (!is_step(other) || other.group != c.group || other.id == c.id) continue;
      if (other.training->model != c.training->model) continue;
      sum += utilization(other);
      ++count;
    }
    EXPECT_NEAR(*c.null_same, utilization(c) * count / sum - 1.0, 1e-9) << c.id;
    ++num_checked;
  }
  EXPECT_EQ(num_checked, 12);
}

// The fit reads the closed form, the suite simulates: on a sample both have to say the same.
TEST(ValidatePublished, EstimatesOfASampleAgreeWithTheSimulation) {
  std::vector<double> differences;
  std::size_t place = 0;
  for (const planner::ValidationCase& c : published().cases) {
    if (!is_step(c) || place++ % 20 != 0 || !c.predicted) continue;
    const auto checked =
        planner::read_scenario(core::parse_yaml(c.scenario, c.id), source_catalogue());
    const auto built = checked.topology->build(checked.scenario.cluster);
    const auto estimate = planner::estimate_step(planner::step_costs(checked, built.fabric));
    differences.push_back(std::abs(estimate.total().base() / *c.predicted - 1.0));
    EXPECT_LT(differences.back(), 0.10) << c.id;
  }
  ASSERT_GE(differences.size(), 20U);
  std::ranges::sort(differences);
  EXPECT_LT(differences[differences.size() / 2], 0.01);
}

TEST(ValidatePublished, ActivationMemoryIsKorthikantis) {
  for (const planner::ValidationCase& c : published().cases) {
    if (c.quantity != "memory" || c.group != "korthikanti2022") continue;
    EXPECT_NEAR(*c.relative_error, 0.0, 0.01) << c.id;
  }
}

}  // namespace
}  // namespace railwright::test
