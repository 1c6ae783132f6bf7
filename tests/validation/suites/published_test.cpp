// SPDX-License-Identifier: Apache-2.0
// Published training steps and memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/planner/site_fit/measured_run.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/step/costs.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/validation/calibration/calibrate_site.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {
namespace {

const validation::ValidationResult& published() {
  static const validation::ValidationResult kResult = validation::validate(
      core::load_yaml(simulation::suite_path("published")), source_catalogue());
  return kResult;
}

/// Records by family, as the sources hold them: each is a row or says what is missing.
const std::map<std::string, std::size_t> kRecords{{"megatron_sc21", 23},
                                                  {"korthikanti2022", 20},
                                                  {"nemo_launcher_a100", 12},
                                                  {"dgxc", 247},
                                                  {"llm_foundry", 183},
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
                                                  {"colossalai", 1},
                                                  {"nemo_docs", 24},
                                                  {"megatron_bridge", 145},
                                                  {"mlperf_gpt3", 18},
                                                  {"mlperf_llama3", 12},
                                                  {"mlperf_lora", 29},
                                                  {"torchtitan", 18}};

TEST(ValidatePublished, EveryRowRuns) { EXPECT_TRUE(published().skipped.empty()); }

TEST(ValidatePublished, EveryRowOfFamiliesOutsideRuns) {
  const auto outside =
      validation::validate(core::load_yaml(simulation::suite_path("outside")), source_catalogue());
  EXPECT_TRUE(outside.skipped.empty());
}

/// Rows of the memory of a run stand beside the row of its step.
bool is_second_row(const std::string& id) { return id.ends_with("/memory"); }

TEST(ValidatePublished, EveryRecordIsARowOrSaysWhatIsMissing) {
  std::map<std::string, std::set<std::string>> ids;
  for (const validation::ValidationCase& c : published().cases) {
    if (is_second_row(c.id)) continue;
    EXPECT_TRUE(ids[c.group].insert(c.id).second) << c.id;
  }
  for (const validation::NotRun& record : published().not_run) {
    EXPECT_TRUE(ids[record.group].insert(record.id).second) << record.id;
    EXPECT_FALSE(record.missing.empty()) << record.id;
  }
  ASSERT_EQ(ids.size(), kRecords.size());
  for (const auto& [family, number] : kRecords) EXPECT_EQ(ids[family].size(), number) << family;
  EXPECT_LT(published().not_run.size(), 130U);
}

bool is_step(const validation::ValidationCase& c) { return c.quantity == "step_time"; }

TEST(ValidatePublished, AtMostHalfCalibratesAndWholeConfigurationsDo) {
  std::map<std::string, std::set<validation::ClaimRole>> roles;
  std::map<validation::ClaimRole, int> counts;
  for (const validation::ValidationCase& c : published().cases) {
    if (!is_step(c)) continue;
    roles[c.group + c.training->model + c.training->traits.accelerator].insert(c.role);
    ++counts[c.role];
  }
  for (const auto& [configuration, of_it] : roles) EXPECT_EQ(of_it.size(), 1U) << configuration;
  const int calibrate = counts[validation::ClaimRole::kCalibrate];
  const int validate = counts[validation::ClaimRole::kValidate];
  EXPECT_LE(calibrate * 2, calibrate + validate);
  EXPECT_GE(calibrate * 3, calibrate + validate);
}

/// The scenario of a row with the memory that its accelerator has, as YAML.
std::string with_own_memory(const std::string& scenario) {
  static const std::regex kOverride(R"(memory: 1 TB(, )?|, memory: 1 TB)");
  return std::regex_replace(scenario, kOverride, "");
}

/// What ran, fits. Rows let memory be, so that a step is compared that a prediction refuses.
TEST(ValidatePublished, NearlyAllThatRanFitsTheMemoryOfItsAccelerators) {
  std::map<std::string, std::string> runs;
  for (const validation::ValidationCase& c : published().cases) {
    if (is_step(c)) runs.emplace(with_own_memory(c.scenario), c.id);
  }
  std::size_t num_refused = 0;
  for (const auto& [text, id] : runs) {
    const auto checked = simulation::read_scenario(core::parse_yaml(text, id), source_catalogue());
    const simulation::Scenario& s = checked.scenario;
    const double needed =
        models::largest_memory_use(s.workload, checked.layout, s.software).total().base();
    const double has = s.cluster.node.accelerator.memory.value.base();
    EXPECT_LT(has, 400e9) << id;
    if (needed <= has) continue;
    ++num_refused;
    // Trillions of parameters on 1,024 A100, of which activations lay elsewhere.
    EXPECT_TRUE(needed < 1.01 * has || id.starts_with("deepspeed-azure")) << id << ' ' << needed;
  }
  EXPECT_GT(runs.size(), 700U);
  EXPECT_LE(100 * num_refused, runs.size());
}

/// Utilization by its definition, once more.
double utilization(const validation::ValidationCase& c) {
  return c.training->work_per_step /
         (c.published * c.training->peak_rate * c.training->num_accelerators);
}

TEST(ValidatePublished, NullModelIsTheMeanUtilizationOfItsLike) {
  int num_checked = 0;
  for (const validation::ValidationCase& c : published().cases) {
    if (!is_step(c) || c.group != "nemo_launcher_a100") continue;
    double sum = 0.0;
    int count = 0;
    for (const validation::ValidationCase& other : published().cases) {
      if (!is_step(other) || other.group != c.group || other.id == c.id) continue;
      if (other.training->model != c.training->model) continue;
      sum += utilization(other);
      ++count;
    }
    EXPECT_NEAR(*c.same_baseline, utilization(c) * count / sum - 1.0, 1e-9) << c.id;
    ++num_checked;
  }
  EXPECT_EQ(num_checked, 12);
}

const validation::BandScore& score_of(const std::string& name) {
  for (const validation::BandScore& score : published().summary.band_scores) {
    if (score.name == name) return score;
  }
  throw std::out_of_range(name);
}

TEST(ValidatePublished, BandsMadeOfOtherFamiliesHoldFourOfFive) {
  const validation::BandScore& prediction = score_of("prediction");
  EXPECT_EQ(prediction.num_rows, 515);
  EXPECT_GE(prediction.held_rows, 0.70);
  EXPECT_LE(prediction.held_rows, 0.90);
  EXPECT_GE(prediction.held_families, 0.70);
  EXPECT_LE(prediction.held_families, 0.90);
  const validation::BandScore& one_run = score_of("prediction, fitted to one run");
  EXPECT_GE(one_run.held_rows, 0.70);
  EXPECT_LE(one_run.held_rows, 0.90);
  EXPECT_LT(one_run.mean_width, prediction.mean_width);
}

TEST(ValidatePublished, BandsBeatThoseOfUtilizationAlone) {
  const validation::BandScore& prediction = score_of("prediction");
  const validation::BandScore& others = score_of("utilization of other families");
  EXPECT_LT(prediction.mean_width, 0.7 * others.mean_width);
  EXPECT_LT(prediction.score, 0.7 * others.score);
  // Other runs of the same model, device and precision are a good guess; a prediction that was
  // fitted to one of them is narrower, but held worse.
  const validation::BandScore& fitted = score_of("prediction, fitted to one run");
  const validation::BandScore& like = score_of("MFU of the same family");
  EXPECT_LT(fitted.score, 1.4 * like.score);
  EXPECT_LT(fitted.mean_width, like.mean_width);
}

// Counted once more, the slow way: for every family the values below which a tenth and nine tenths
// of the others' weight lie.
TEST(ValidatePublished, RowsThatTheirBandHoldsCountedAgain) {
  std::map<std::string, std::vector<double>> families;
  for (const validation::ValidationCase& c : published().cases) {
    if (!is_step(c) || c.role != validation::ClaimRole::kValidate || !c.predicted) continue;
    families[c.group].push_back(std::log(c.published / *c.predicted));
  }
  const auto share_below = [&](const std::string& but, double limit) {
    double share = 0.0;
    for (const auto& [family, values] : families) {
      if (family == but) continue;
      const auto below = std::ranges::count_if(values, [&](double v) { return v < limit; });
      share += static_cast<double>(below) / static_cast<double>(values.size());
    }
    return share / static_cast<double>(families.size() - 1);
  };
  int num_held = 0;
  int num_rows = 0;
  for (const auto& [family, values] : families) {
    for (const double value : values) {
      const bool is_below = share_below(family, std::nextafter(value, 1e9)) < 0.1 - 1e-9;
      const bool is_above = share_below(family, value) >= 0.9 - 1e-9;
      num_held += is_below || is_above ? 0 : 1;
      ++num_rows;
    }
  }
  EXPECT_NEAR(score_of("prediction").held_rows, static_cast<double>(num_held) / num_rows, 0.005);
}

TEST(ValidatePublished, TheSpreadOfAFamilyIsWhatComesOut) {
  const validation::ValidationSummary& summary = published().summary;
  ASSERT_TRUE(summary.family_spread);
  EXPECT_NEAR(*summary.family_spread, validation::kPublishedSpread, 0.001);
}

// Fitting to one run takes the share of computation from the breakdown; here it is fitted.
TEST(ValidatePublished, OneRunMovesTheOthersAsAFitDoes) {
  std::vector<validation::MeasuredRun> runs;
  std::vector<const validation::ValidationCase*> cases;
  for (const validation::ValidationCase& c : published().cases) {
    if (!is_step(c) || c.group != "internevo" || c.published < 1.05 * *c.predicted) continue;
    const core::Node tree = core::parse_yaml(c.scenario, c.id);
    runs.push_back({.name = c.id,
                    .source = c.source,
                    .tree = tree,
                    .scenario = simulation::read_scenario(tree, source_catalogue()),
                    .step_time = core::Duration::from_base(c.published),
                    .standard_error = {}});
    cases.push_back(&c);
    if (runs.size() == 2) break;
  }
  ASSERT_EQ(runs.size(), 2U);
  const validation::SiteFit fit = validation::calibrate_site({runs[0]}, source_catalogue());
  simulation::CheckedScenario other = runs[1].scenario;
  other.scenario.installation.compute_efficiency.value = fit.compute.value;
  other.scenario.installation.nic_efficiency.value = fit.nic.value;
  const double refitted =
      simulation::simulate_without_run(other, other.topology->build(other.scenario.cluster))
          .step_time.base();
  const auto slower = [](double share, double ratio) { return (ratio - (1.0 - share)) / share; };
  const double first = cases[0]->training->compute_share;
  const double second = cases[1]->training->compute_share;
  const double by_share =
      *cases[1]->predicted *
      (second * slower(first, cases[0]->published / *cases[0]->predicted) + 1.0 - second);
  EXPECT_NEAR(refitted / by_share, 1.0, 0.02);
}

// The fit reads the closed form, the suite simulates: on a sample both have to say the same.
TEST(ValidatePublished, EstimatesOfASampleAgreeWithTheSimulation) {
  std::vector<double> differences;
  std::size_t place = 0;
  for (const validation::ValidationCase& c : published().cases) {
    if (!is_step(c) || place++ % 20 != 0 || !c.predicted) continue;
    const auto checked =
        simulation::read_scenario(core::parse_yaml(c.scenario, c.id), source_catalogue());
    const auto built = checked.topology->build(checked.scenario.cluster);
    const auto estimate = simulation::estimate_step(simulation::step_costs(checked, built.fabric));
    differences.push_back(std::abs(estimate.total().base() / *c.predicted - 1.0));
    EXPECT_LT(differences.back(), 0.10) << c.id;
  }
  ASSERT_GE(differences.size(), 20U);
  std::ranges::sort(differences);
  EXPECT_LT(differences[differences.size() / 2], 0.01);
}

TEST(ValidatePublished, ActivationMemoryIsKorthikantis) {
  for (const validation::ValidationCase& c : published().cases) {
    if (c.quantity != "memory" || c.group != "korthikanti2022") continue;
    EXPECT_NEAR(*c.relative_error, 0.0, 0.01) << c.id;
  }
}

}  // namespace
}  // namespace railwright::test
