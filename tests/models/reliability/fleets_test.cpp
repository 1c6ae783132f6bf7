// SPDX-License-Identifier: Apache-2.0
// The fleets of the catalogue against what was published of them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iostream>
#include <map>
#include <string>

#include "../../support/checkpoint_waste.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/models/reliability/checkpoint_interval.hpp"
#include "railwright/models/reliability/failure_process.hpp"
#include "railwright/models/reliability/reliability_fields.hpp"

namespace railwright::models {
namespace {

using core::Duration;

constexpr double kSecondsPerDay = 86400.0;
constexpr FleetSize kLlama3Job{
    .num_nodes = 2048, .accelerators_per_node = 8, .nics_per_node = 8, .num_storage_nodes = 0};
constexpr double kLlama3Days = 54.0;

struct Cause {
  const char* what;
  int count;
  Component component;
};

// Llama 3 paper, Table 5.
constexpr std::array<Cause, 18> kLlama3Causes{
    {{"faulty GPU", 148, Component::kAccelerator},
     {"GPU HBM3 memory", 72, Component::kAccelerator},
     {"software bug", 54, Component::kSoftware},
     {"network switch or cable", 35, Component::kLink},
     {"host maintenance", 32, Component::kNode},
     {"GPU SRAM memory", 19, Component::kAccelerator},
     {"GPU system processor", 17, Component::kAccelerator},
     {"NIC", 7, Component::kNic},
     {"NCCL watchdog timeouts", 7, Component::kSoftware},
     {"silent data corruption", 6, Component::kAccelerator},
     {"GPU thermal interface and sensor", 6, Component::kAccelerator},
     {"SSD", 3, Component::kNode},
     {"power supply", 3, Component::kNode},
     {"node chassis", 2, Component::kNode},
     {"IO expansion board", 2, Component::kNode},
     {"dependency", 2, Component::kSoftware},
     {"CPU", 2, Component::kNode},
     {"system memory", 2, Component::kNode}}};

Reliability fleet(const std::string& name) {
  const core::Catalogue catalogue({std::string(RAILWRIGHT_SOURCE_DIR) + "/models/catalogue"});
  Reliability read;
  core::Reader reader(&catalogue);
  reader.read(core::text_node(name), "", read);
  reader.throw_if_any();
  return read;
}

double failures_in(const Reliability& fleet, const FleetSize& job, double days) {
  return expected_interruptions(fleet, job, Duration::from_base(days * kSecondsPerDay));
}

TEST(Fleets, Llama3IsItsTable) {
  std::map<Component, int> published;
  int sum = 0;
  for (const Cause& cause : kLlama3Causes) {
    published[cause.component] += cause.count;
    sum += cause.count;
  }
  ASSERT_EQ(sum, 419);
  const Reliability llama = fleet("llama-3");
  for (const FailureRate& rate : llama.failures) {
    const double failures = expected_failures(rate, num_components(rate.component, kLlama3Job),
                                              Duration::from_base(kLlama3Days * kSecondsPerDay));
    EXPECT_NEAR(failures, published.at(rate.component), 0.01) << rate.mtbf.source;
    // The source tells the count of the entry.
    EXPECT_NE(rate.mtbf.source.find(std::to_string(published.at(rate.component))),
              std::string::npos);
    published.erase(rate.component);
  }
  EXPECT_TRUE(published.empty());
  EXPECT_NEAR(failures_in(llama, kLlama3Job, kLlama3Days), 419.0, 0.02);
  EXPECT_NEAR(failures_in(llama, kLlama3Job, 1.0), 7.76, 0.005);
  EXPECT_NEAR(mean_time_to_interruption(llama, kLlama3Job).base() / 3600.0, 3.09, 0.005);
}

TEST(Fleets, OtherFleetsAreWhatWasPublishedOfThem) {
  constexpr FleetSize kThousandNodes{
      .num_nodes = 1000, .accelerators_per_node = 8, .nics_per_node = 8, .num_storage_nodes = 0};
  EXPECT_NEAR(failures_in(fleet("rsc-1"), kThousandNodes, 1.0), 6.5, 0.001);
  EXPECT_NEAR(failures_in(fleet("rsc-2"), kThousandNodes, 1.0), 2.34, 0.001);
  // Published of RSC-1: a job on 16,384 GPUs is interrupted after 1.8 h.
  EXPECT_NEAR(mean_time_to_interruption(fleet("rsc-1"), kLlama3Job).base() / 3600.0, 1.8, 0.05);
  constexpr FleetSize kCrusoe{
      .num_nodes = 200, .accelerators_per_node = 8, .nics_per_node = 8, .num_storage_nodes = 0};
  EXPECT_NEAR(failures_in(fleet("crusoe-h200"), kCrusoe, 120.0), 205.0, 0.1);
  EXPECT_NEAR(failures_in(fleet("crusoe-h200"), kCrusoe, 1.0) / 1600.0 * 1e6, 1068.0, 1.0);
}

// What rates of other fleets say of the 419, as published in docs/models/reliability.md. A factor
// of 3 either way is all that one fleet tells of another.
TEST(Fleets, OthersPredictLlama3WithinAFactorOfThree) {
  const std::map<std::string, double> factors{
      {"rsc-1", 1.716}, {"rsc-2", 0.618}, {"crusoe-h200", 2.255}};
  for (const auto& [name, factor] : factors) {
    const double predicted = failures_in(fleet(name), kLlama3Job, kLlama3Days);
    std::cout << name << ": " << predicted << " interruptions, " << predicted / 419.0
              << " of the published 419\n";
    EXPECT_NEAR(predicted / 419.0, factor, 0.001) << name;
    EXPECT_LT(std::abs(std::log(predicted / 419.0)), std::log(3.0)) << name;
  }
}

// The table of docs/models/reliability.md. Published: above 90 %, the interval not.
TEST(Fleets, Llama3TrainsEffectivelyByTheClosedForm) {
  const Reliability llama = fleet("llama-3");
  const Duration mtti = mean_time_to_interruption(llama, kLlama3Job);
  const Duration restart = llama.detection.value + llama.replacement.value + llama.restart.value;
  const Duration write = Duration::from_base(3.0);
  const Duration daly = daly_interval(write, mtti);
  EXPECT_NEAR(daly.base() / 60.0, 4.3, 0.05);
  const auto ratio = [&](Duration interval) {
    return effective_training_time_ratio(interval, write, restart, mtti);
  };
  EXPECT_NEAR(ratio(daly), 0.910, 0.0005);
  EXPECT_NEAR(ratio(Duration::from_base(600.0)), 0.901, 0.0005);
  EXPECT_NEAR(ratio(Duration::from_base(1800.0)), 0.850, 0.0005);
}

// 200 simulated runs deviate by the square root of 200 times the mean: 0.3 % here.
TEST(Fleets, DrawnFailuresAverageThePublishedOnes) {
  constexpr int kRuns = 200;
  const Reliability llama = fleet("llama-3");
  std::int64_t drawn = 0;
  for (int run = 0; run < kRuns; ++run) {
    for (const FailureRate& rate : llama.failures) {
      FailureProcess process(rate, num_components(rate.component, kLlama3Job), run,
                             static_cast<std::uint64_t>(rate.component));
      while (process.next().base() <= kLlama3Days * kSecondsPerDay) ++drawn;
    }
  }
  EXPECT_NEAR(static_cast<double>(drawn), kRuns * 419.0, 4.0 * std::sqrt(kRuns * 419.0));
}

TEST(Fleets, EveryFleetReads) {
  const core::Catalogue catalogue({std::string(RAILWRIGHT_SOURCE_DIR) + "/models/catalogue"});
  for (const std::string& name : catalogue.names("reliability")) {
    const Reliability read = fleet(name);
    EXPECT_EQ(read.name, name);
    EXPECT_FALSE(read.failures.empty()) << name;
  }
}

}  // namespace
}  // namespace railwright::models
