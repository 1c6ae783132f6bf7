// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/calibration/calibrate_site.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/sim/random.hpp"
#include "railwright/models/software/installation_fields.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/yaml/scenario_file.hpp"
#include "railwright/planner/site_fit/measured_run.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::test {
namespace {

using validation::calibrate_site;
using validation::MeasuredRun;
using validation::SiteFit;

constexpr double kCompute = 0.55;
constexpr double kNic = 0.7;

/// A run of the site with these two efficiencies, as long as the simulation says.
MeasuredRun run_of(const std::vector<std::string>& settings, double compute = kCompute,
                   double nic = kNic) {
  MeasuredRun run;
  run.tree = nics_example();
  for (const std::string& setting : settings) {
    core::set_path(run.tree, setting);
    run.name += (run.name.empty() ? "" : " ") + setting;
  }
  run.scenario = simulation::read_scenario(run.tree, source_catalogue());
  auto site = run.scenario;
  site.scenario.installation.compute_efficiency.value = compute;
  site.scenario.installation.nic_efficiency.value = nic;
  run.step_time = simulation::simulate(site).step_time;
  return run;
}

std::vector<MeasuredRun> six_runs() {
  std::vector<MeasuredRun> runs;
  for (const char* nodes : {"cluster.nodes=2", "cluster.nodes=4", "cluster.nodes=6"}) {
    for (const char* nics : {"cluster.node.nics.count=2", "cluster.node.nics.count=1"}) {
      runs.push_back(run_of({nodes, nics}));
    }
  }
  return runs;
}

/// A normal deviate by the sum of twelve uniform ones.
double deviate(core::RandomStream& random) {
  double sum = -6.0;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

TEST(CalibrateSite, FindsTheEfficienciesThatMadeTheTimes) {
  const SiteFit fit = calibrate_site(six_runs(), source_catalogue());
  ASSERT_FALSE(fit.is_refused()) << fit.refusal;
  EXPECT_NEAR(fit.compute.value, kCompute, 1e-4);
  EXPECT_NEAR(fit.nic.value, kNic, 1e-4);
  ASSERT_TRUE(fit.correlation);
  EXPECT_LT(*fit.correlation, 0.0);
  for (const auto& run : fit.runs) {
    EXPECT_NEAR(run.error, 0.0, 1e-5);
    ASSERT_TRUE(run.left_out);
    EXPECT_NEAR(*run.left_out, 0.0, 1e-4);
  }
}

// Of 12 sites with noise of 1 %, two thirds should lie within one standard error and all but few
// within two.
TEST(CalibrateSite, NoiseMovesTheEfficienciesByTheirStandardErrors) {
  const std::vector<MeasuredRun> clean = six_runs();
  int within_one = 0;
  int within_two = 0;
  constexpr int kSites = 12;
  for (int site = 0; site < kSites; ++site) {
    core::RandomStream random(7, static_cast<std::uint64_t>(site));
    std::vector<MeasuredRun> runs = clean;
    for (MeasuredRun& run : runs) {
      run.standard_error = 0.01 * run.step_time;
      run.step_time *= 1.0 + 0.01 * deviate(random);
    }
    const SiteFit fit = calibrate_site(runs, source_catalogue());
    ASSERT_TRUE(fit.compute.log_error && fit.nic.log_error);
    for (const auto& [factor, truth] : {std::pair{fit.compute, kCompute}, {fit.nic, kNic}}) {
      const double distance = std::abs(std::log(factor.value / truth)) / *factor.log_error;
      within_one += distance < 1.0 ? 1 : 0;
      within_two += distance < 2.0 ? 1 : 0;
    }
  }
  EXPECT_GE(within_one, 10);  // 16.4 of 24 expected, give or take 2.3 were they independent
  EXPECT_LE(within_one, 23);
  EXPECT_GE(within_two, 20);  // 22.9 expected
}

/// The recipe in the scenario reduces gradients behind the backward pass, the site did beside it.
TEST(CalibrateSite, NamesTheOverlapThatTheRunsHad) {
  const auto runs_with = [](bool overlaps) {
    std::vector<MeasuredRun> runs = six_runs();
    for (MeasuredRun& run : runs) {
      run.scenario.scenario.software.overlap_gradient_reduce.value = false;
      auto site = run.scenario;
      site.scenario.installation.compute_efficiency.value = kCompute;
      site.scenario.installation.nic_efficiency.value = 0.2;
      site.scenario.software.overlap_gradient_reduce.value = overlaps;
      run.step_time = simulation::simulate(site).step_time;
    }
    return runs;
  };
  const SiteFit other = calibrate_site(runs_with(true), source_catalogue());
  ASSERT_EQ(other.notes.size(), 1U);
  EXPECT_NE(other.notes[0].find("with software.overlap_gradient_reduce=true the runs would agree"),
            std::string::npos);
  EXPECT_TRUE(calibrate_site(runs_with(false), source_catalogue()).notes.empty());
}

/// With one run the fit meets it, so that what was predicted before says all.
TEST(CalibrateSite, SaysWhatWasPredictedBeforeTheFit) {
  for (const double slowdown : {0.5, 1.0, 2.0}) {
    MeasuredRun run = run_of({"cluster.nodes=2"});
    run.scenario.scenario.installation.step_time_low.value = 0.85;
    run.scenario.scenario.installation.step_time_high.value = 1.2;
    const auto as_it_is = simulation::simulate(run.scenario);
    run.step_time = slowdown * as_it_is.step_time;
    const SiteFit fit = calibrate_site({run}, source_catalogue());
    const validation::CalibratedRun& row = fit.runs.front();
    EXPECT_NEAR(row.prior.predicted / as_it_is.step_time, 1.0, 1e-9);
    EXPECT_NEAR(row.prior.error, 1.0 / slowdown - 1.0, 1e-9);
    ASSERT_TRUE(row.prior.low && row.prior.high);
    EXPECT_NEAR(*row.prior.low / as_it_is.step_time_low, 1.0, 1e-9);
    EXPECT_NEAR(*row.prior.high / as_it_is.step_time_high, 1.0, 1e-9);
    const auto place = slowdown < 1.0    ? validation::MeasuredPlace::kBelow
                       : slowdown == 1.0 ? validation::MeasuredPlace::kInside
                                         : validation::MeasuredPlace::kAbove;
    EXPECT_EQ(row.place(), place);
    const std::string text = output::to_text(fit);
    const std::string count = slowdown == 1.0 ? "0 of 1 run\n" : "1 of 1 run\n";
    EXPECT_NE(text.find("outside its 80 % interval before the fit: " + count), std::string::npos)
        << text;
    const auto json = nlohmann::json::parse(output::to_json(fit));
    EXPECT_EQ(json["runs"][0]["before"]["measured_is"], to_string(place));
  }
}

TEST(CalibrateSite, KnowsNoIntervalOfASiteWithoutOne) {
  MeasuredRun run = run_of({"cluster.nodes=2"});
  run.scenario.scenario.installation.step_time_low.value = 1.0;
  run.scenario.scenario.installation.step_time_high.value = 1.0;
  const SiteFit fit = calibrate_site({run}, source_catalogue());
  EXPECT_FALSE(fit.runs.front().place());
  EXPECT_EQ(output::to_text(fit).find("outside its 80 % interval"), std::string::npos);
}

TEST(CalibrateSite, LeavingARunOutIsFittingTheOthers) {
  std::vector<MeasuredRun> runs = six_runs();
  runs[2].step_time *= 1.1;
  const SiteFit all = calibrate_site(runs, source_catalogue());
  std::vector<MeasuredRun> others = runs;
  others.erase(others.begin() + 2);
  const SiteFit without = calibrate_site(others, source_catalogue());
  // The others are exact, so the one left out is predicted as it was made: 1 / 1.1 of the measured.
  EXPECT_NEAR(without.compute.value, kCompute, 1e-4);
  ASSERT_TRUE(all.runs[2].left_out);
  EXPECT_NEAR(*all.runs[2].left_out, 1.0 / 1.1 - 1.0, 1e-4);
  EXPECT_GT(all.runs[2].error, 1.0 / 1.1 - 1.0);  // it pulled the fit towards itself
}

TEST(CalibrateSite, OfManyRunsEachIsLeftOutToFirstOrder) {
  std::vector<MeasuredRun> runs;
  core::RandomStream random(11, 0);
  const std::vector<MeasuredRun> clean = six_runs();
  for (int i = 0; i < 36; ++i) {
    MeasuredRun run = clean[static_cast<std::size_t>(i) % clean.size()];
    run.step_time *= 1.0 + 0.03 * deviate(random);
    runs.push_back(std::move(run));
  }
  runs[4].step_time *= 1.2;
  const validation::CalibrationOptions estimate{.method = simulation::Method::kEstimate};
  const SiteFit all = calibrate_site(runs, source_catalogue(), estimate);
  for (const std::size_t i : {std::size_t{4}, std::size_t{9}}) {
    std::vector<MeasuredRun> others = runs;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const SiteFit without = calibrate_site(others, source_catalogue(), estimate);
    simulation::CheckedScenario site = runs[i].scenario;
    site.scenario.installation.compute_efficiency.value = without.compute.value;
    site.scenario.installation.nic_efficiency.value = without.nic.value;
    const auto predicted =
        simulation::simulate(site, {.method = simulation::Method::kEstimate}).step_time;
    ASSERT_TRUE(all.runs[i].left_out);
    EXPECT_NEAR(*all.runs[i].left_out, predicted / runs[i].step_time - 1.0, 0.002);
    EXPECT_GT(std::abs(*all.runs[i].left_out), std::abs(all.runs[i].error));
  }
}

TEST(CalibrateSite, OneRunFitsComputeAloneAndSaysSo) {
  MeasuredRun run = run_of({"cluster.nodes=2"}, 0.6, 0.392);
  const SiteFit fit = calibrate_site({run}, source_catalogue());
  EXPECT_FALSE(fit.is_refused());
  EXPECT_NEAR(fit.compute.value, 0.6, 1e-5);
  EXPECT_FALSE(fit.nic.is_fitted);
  EXPECT_NEAR(fit.nic.value, 0.392, 1e-12);  // the scenario's installation
  ASSERT_EQ(fit.notes.size(), 1U);
  EXPECT_EQ(
      fit.notes[0],
      "one run fits one number, compute_efficiency with nic_efficiency held at 0.392; its error "
      "after the fit says nothing");
  // 80 % of a normal distribution lie within 1.2816 of its spread; a mean of one run and a further
  // run
  EXPECT_NEAR(fit.band.high, std::exp(1.2816 * validation::kPublishedSpread * std::sqrt(2.0)),
              1e-4);
  EXPECT_NEAR(fit.band.low, 1.0 / fit.band.high, 1e-9);
}

TEST(CalibrateSite, RefusesRunsThatCannotTellTheTwoApart) {
  const std::vector<MeasuredRun> runs{run_of({"cluster.nodes=2", "workload.steps=100"}),
                                      run_of({"cluster.nodes=2", "workload.steps=200"})};
  const SiteFit fit = calibrate_site(runs, source_catalogue());
  ASSERT_TRUE(fit.is_refused());
  EXPECT_NE(fit.refusal.find("nic_efficiency"), std::string::npos) << fit.refusal;
  EXPECT_NE(fit.advice.find("would tell them apart"), std::string::npos) << fit.advice;
  EXPECT_TRUE(fit.compute.is_fitted);
  EXPECT_FALSE(fit.nic.is_fitted);
}

// The advice is taken: with the run that it names, both are found.
TEST(CalibrateSite, TheRunThatIsNamedTellsThemApart) {
  constexpr double kSlowNic = 0.2;
  std::vector<MeasuredRun> runs{
      run_of({"cluster.nodes=2", "workload.steps=100"}, kCompute, kSlowNic),
      run_of({"cluster.nodes=2", "workload.steps=200"}, kCompute, kSlowNic)};
  const std::string advice = calibrate_site(runs, source_catalogue()).advice;
  const std::string with = "' with ";
  const std::size_t at = advice.find(with) + with.size();
  runs.push_back(run_of({"cluster.nodes=2", advice.substr(at, advice.find(' ', at) - at)}, kCompute,
                        kSlowNic));
  const SiteFit fit = calibrate_site(runs, source_catalogue());
  ASSERT_FALSE(fit.is_refused()) << advice << "\n" << fit.refusal;
  EXPECT_NEAR(fit.nic.value, kSlowNic, 0.003);
}

// Eight NICs at seven tenths of their rate are faster than links of 55 GB/s between accelerators.
TEST(CalibrateSite, NicsThatNothingWaitsForAreNotFitted) {
  const std::string slow = "cluster.node.accelerator.scale_up_bandwidth=55 GB/s";
  const std::string whole = "cluster.node.accelerator.scale_up_efficiency=1";
  const SiteFit fit = calibrate_site(
      {run_of({"cluster.nodes=2", slow, whole}), run_of({"cluster.nodes=6", slow, whole})},
      source_catalogue());
  EXPECT_TRUE(fit.is_refused());
  EXPECT_NEAR(fit.compute.value, kCompute, 0.02);
}

TEST(CalibrateSite, OneNodeSaysNothingOfNics) {
  const std::vector<std::string> one{"cluster.nodes=1", "workload.global_batch=64"};
  std::vector<std::string> more = one;
  more.back() = "workload.global_batch=128";
  const SiteFit fit = calibrate_site({run_of(one), run_of(more)}, source_catalogue());
  ASSERT_TRUE(fit.is_refused());
  EXPECT_NE(fit.refusal.find("nic_efficiency cannot be determined"), std::string::npos);
  EXPECT_NEAR(fit.compute.value, kCompute, 1e-4);
}

TEST(CalibrateSite, RunsFasterThanTheirDevicesEndAtTheBound) {
  MeasuredRun run = run_of({"cluster.nodes=2"}, 1.0, 0.392);
  run.step_time *= 0.5;
  const SiteFit fit = calibrate_site({run}, source_catalogue());
  EXPECT_TRUE(fit.compute.is_at_bound);
  // The products of the device, faster by this, run at its peak.
  const simulation::Scenario& scenario = run.scenario.scenario;
  EXPECT_NEAR(fit.compute.value,
              1.0 / (scenario.cluster.node.accelerator.gemm_efficiency.value *
                     scenario.software.compute_efficiency.value),
              1e-6);
  EXPECT_GT(fit.runs[0].error, 0.1);
  EXPECT_NE(fit.notes.back().find("likely too slow"), std::string::npos);
  // The band lies around what was measured, and holds the prediction.
  EXPECT_LT(fit.band.low, 1.0 / (1.0 + fit.runs[0].error));
  EXPECT_EQ(fit.band.high, 1.0);
}

/// A device profile is the mean of sites: one of them may be faster.
TEST(CalibrateSite, ASiteMayBeFasterThanItsProfiles) {
  MeasuredRun run = run_of({"cluster.nodes=2"}, 1.0, 0.392);
  run.step_time *= 0.95;
  const SiteFit fit = calibrate_site({run}, source_catalogue());
  EXPECT_FALSE(fit.compute.is_at_bound);
  EXPECT_GT(fit.compute.value, 1.01);
  EXPECT_NEAR(fit.runs[0].error, 0.0, 1e-4);
}

TEST(CalibrateSite, TheModelsOwnErrorIsFoundBesideTheRunsErrors) {
  std::vector<MeasuredRun> runs = six_runs();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].standard_error = 0.001 * runs[i].step_time;
    runs[i].step_time *= i % 3 == 0 ? 1.03 : 0.98;
  }
  const SiteFit fit = calibrate_site(runs, source_catalogue());
  EXPECT_GT(fit.model_error, 0.01);
  EXPECT_LT(fit.model_error, 0.05);
}

TEST(CalibrateSite, HeldNumbersStay) {
  validation::CalibrationOptions options{.method = simulation::Method::kEstimate};
  options.hold_nic = true;
  const SiteFit fit = calibrate_site(six_runs(), source_catalogue(), options);
  EXPECT_FALSE(fit.nic.is_fitted);
  EXPECT_NEAR(fit.nic.value, 0.392, 1e-12);
  EXPECT_TRUE(fit.compute.is_fitted);
}

TEST(CalibrateSite, WritesAnInstallationThatReadsBack) {
  const SiteFit fit = calibrate_site({run_of({"cluster.nodes=2"}, 0.6, 0.392)}, source_catalogue());
  const std::string yaml = output::installation_yaml(fit, "my-site");
  core::Reader reader;
  models::Installation site;
  reader.read(core::parse_yaml(yaml, "my-site.yaml"), "", site);
  ASSERT_NO_THROW(reader.throw_if_any()) << yaml;
  EXPECT_EQ(site.name, "my-site");
  EXPECT_NEAR(site.compute_efficiency.value, 0.6, 1e-4);
  EXPECT_TRUE(site.compute_efficiency.estimate);
  EXPECT_NE(site.compute_efficiency.source.find("'cluster.nodes=2' ("), std::string::npos);
  EXPECT_NEAR(site.step_time_high.value, fit.band.high, 1e-3);
}

}  // namespace
}  // namespace railwright::test
