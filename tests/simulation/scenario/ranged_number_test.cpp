// SPDX-License-Identifier: Apache-2.0
// Numbers of the catalogue that are known only within a range, as scenarios use them.
#include "railwright/simulation/scenario/ranged_number.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/hardware/storage_node.hpp"
#include "railwright/core/hardware/storage_node_fields.hpp"
#include "railwright/models/data_loading/data_reader_fields.hpp"
#include "railwright/models/reliability/reliability.hpp"
#include "railwright/models/reliability/reliability_fields.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/workloads/simulate_any.hpp"
#include "railwright/workloads/training/step_range.hpp"

namespace railwright::simulation {
namespace {

core::Node tree_of(const std::vector<std::string>& settings = {}) {
  const core::Node plain = core::parse_yaml(
      "cluster: {node: xe9785l-mi355x, storage: {node: powerscale-f710, count: 4}}\n"
      "reliability: llama-3\n",
      "x.yaml");
  return with_settings(plain, settings);
}

std::vector<std::string> paths(const core::Node& tree) {
  std::vector<std::string> found;
  for (const RangedNumber& one : ranged_numbers(tree, test::source_catalogue())) {
    found.push_back(one.path);
  }
  return found;
}

TEST(RangedNumber, AreThoseOfTheEntriesInUse) {
  EXPECT_EQ(paths(tree_of()),
            (std::vector<std::string>{
                "cluster.storage.node.read_rate", "cluster.storage.node.write_rate",
                "cluster.storage.node.burst_write_rate", "cluster.node.accelerator.gemm_efficiency",
                "cluster.node.accelerator.fp8_gemm_efficiency",
                "cluster.node.accelerator.attention_efficiency", "reliability.detection",
                "reliability.restart", "reliability.repair"}));
  const auto numbers = ranged_numbers(tree_of(), test::source_catalogue());
  EXPECT_EQ(numbers[1].entry, "powerscale-f710");
  EXPECT_EQ(numbers[1].key(), "write_rate");
  EXPECT_EQ(numbers[1].low.text, "2 GB/s");
  EXPECT_EQ(numbers[1].value.text, "4 GB/s");
  EXPECT_EQ(numbers[1].high.text, "5 GB/s");
}

TEST(RangedNumber, OnesThatAScenarioStatesHaveNone) {
  const auto left =
      paths(tree_of({"cluster.storage.node.write_rate=4.5 GB/s",
                     "cluster.node.accelerator.gemm_efficiency=0.55", "reliability.repair=2 d"}));
  EXPECT_EQ(left.size(), 6U);
  const auto own = ranged_numbers(
      tree_of({"cluster.storage.node.write_rate={value: 4.5 GB/s, range: [4 GB/s, 5 GB/s], "
               "source: quote}"}),
      test::source_catalogue());
  EXPECT_EQ(own[1].low.text, "4 GB/s") << "unless it has one of its own";
}

TEST(RangedNumber, AnEndTakesThePlaceOfTheValue) {
  for (const RangedNumber& one : ranged_numbers(tree_of(), test::source_catalogue())) {
    const core::Node changed = with_number(tree_of(), one, one.high);
    for (const RangedNumber& other : ranged_numbers(changed, test::source_catalogue())) {
      EXPECT_NE(other.path, one.path);
    }
    EXPECT_EQ(ranged_numbers(changed, test::source_catalogue()).size(), 8U) << one.path;
  }
}

template <class T>
std::vector<std::string> problems_of(const core::Catalogue& catalogue, core::Node entry,
                                     const std::string& key, const core::Node& end) {
  core::Node patch;
  patch.kind = core::Node::Kind::kMapping;
  patch.entries.push_back({key, end.where, end});
  T value{};
  core::Reader reader(&catalogue);
  reader.read(core::overlay(std::move(entry), patch), "", value);
  std::vector<std::string> problems;
  for (const core::Diagnostic& one : reader.diagnostics()) problems.push_back(to_string(one));
  return problems;
}

int num_ranges(const core::Node& node) {
  int found = node.find("range") != nullptr && node.find("value") != nullptr ? 1 : 0;
  for (const core::Entry& entry : node.entries) found += num_ranges(entry.value);
  for (const core::Node& item : node.items) found += num_ranges(item);
  return found;
}

/// Answers look at the keys of these four kinds alone: a range elsewhere would go unnoticed.
TEST(RangedNumber, EveryRangeOfTheCatalogueIsLookedAtAndLegal) {
  const core::Catalogue catalogue = test::source_catalogue();
  int all = 0;
  for (const auto& folder :
       std::filesystem::directory_iterator(test::kSource + "/models/catalogue")) {
    const std::string kind = folder.path().filename().string();
    for (const std::string& name : catalogue.names(kind)) {
      const core::Node entry = catalogue.load(kind, name);
      int known = 0;
      for (const core::Entry& key : entry.entries) {
        const core::Node* range = key.value.find("range");
        if (range == nullptr) continue;
        ++known;
        for (const core::Node& end : range->items) {
          std::vector<std::string> problems{"no answer looks at " + kind};
          if (kind == "storage_nodes") {
            problems = problems_of<core::StorageNode>(catalogue, entry, key.key, end);
          } else if (kind == "accelerators") {
            problems = problems_of<core::Accelerator>(catalogue, entry, key.key, end);
          } else if (kind == "reliability") {
            problems = problems_of<models::Reliability>(catalogue, entry, key.key, end);
          } else if (kind == "readers") {
            problems = problems_of<models::DataReader>(catalogue, entry, key.key, end);
          }
          EXPECT_EQ(problems, std::vector<std::string>{}) << kind << "/" << name << " " << key.key;
        }
      }
      EXPECT_EQ(known, num_ranges(entry)) << kind << "/" << name << ": only in keys of the entry";
      all += known;
    }
  }
  EXPECT_GT(all, 40);
}

core::Node mi355x_job(const std::vector<std::string>& settings = {}) {
  const core::Node plain = core::parse_yaml(
      "name: one accelerator's worth of communication\n"
      "workload: {model: llama-2-7b, sequence_length: 4096, global_batch: 8, micro_batch: 1, "
      "steps: 10}\n"
      "cluster: {node: xe9785l-mi355x, nodes: 1, fabric: {topology: single_switch, switch: "
      "sn5600}}\n"
      "software: nemo-24.09\n",
      "x.yaml");
  return with_settings(plain, settings);
}

/// Products that arithmetic bounds alone.
const char* const kKernels = "cluster.node.accelerator.kernels=h100-sxm-kernels";
const char* const kRangedProducts =
    "cluster.node.accelerator.gemm_efficiency={value: 0.6, range: [0.3, 0.7], source: test, "
    "estimate: true}";

/// Products take 0.6 / 0.3 of their time at the low end and 0.6 / 0.7 at the high end.
TEST(StepRange, ProductsTakeTheInverseOfTheirEfficiency) {
  const core::Catalogue catalogue = test::source_catalogue();
  const CheckedScenario checked = read_scenario(mi355x_job({kKernels, kRangedProducts}), catalogue);
  const SimulationResult result = simulate(checked, {.method = Method::kEstimate});
  ASSERT_TRUE(result.feasible());
  const std::vector<StepRange> ranges =
      step_ranges(mi355x_job({kKernels, kRangedProducts}), catalogue, checked, result);
  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_EQ(ranges[0].number.key(), "gemm_efficiency");
  const double share = result.breakdown[Cause::kMatrixProducts] / result.step_time;
  EXPECT_GT(share, 0.3);
  EXPECT_NEAR(ranges[0].at_low, 1.0 + share * (0.6 / 0.3 - 1.0), 0.02);
  EXPECT_NEAR(ranges[0].at_high, 1.0 + share * (0.6 / 0.7 - 1.0), 0.02);
}

/// Simulated with the end in place of the value, with pipeline stages, bubble and overlaps.
TEST(StepRange, IsNearTheStepThatIsSimulatedWithTheEnd) {
  const core::Catalogue catalogue = test::source_catalogue();
  const core::Node tree =
      mi355x_job({"cluster.nodes=4", "parallelism={tp: 4, pp: 4}", "workload.global_batch=32"});
  const CheckedScenario checked = read_scenario(tree, catalogue);
  const SimulationResult result = simulate(checked);
  ASSERT_TRUE(result.feasible());
  for (const StepRange& one : step_ranges(tree, catalogue, checked, result)) {
    for (const bool is_low : {true, false}) {
      const core::Node& end = is_low ? one.number.low : one.number.high;
      const auto again = simulate(read_scenario(with_number(tree, one.number, end), catalogue));
      EXPECT_NEAR((is_low ? one.at_low : one.at_high) * (result.step_time / again.step_time), 1.0,
                  0.03)
          << one.number.path << " " << end.text;
    }
  }
}

/// Two numbers that make a step 1.3 and 1.4 times as long make it exp(hypot(ln 1.3, ln 1.4)) = 1.53
/// times; an interval that is wider already stays as it is.
TEST(StepRange, IndependentRangesAddUpBySquares) {
  SimulationResult result;
  result.step_time = core::Duration::from_base(10.0);
  result.step_time_low = core::Duration::from_base(8.0);
  result.step_time_high = core::Duration::from_base(12.0);
  const std::vector<StepRange> ranges = {{.number = {}, .at_low = 1.3, .at_high = 0.9},
                                         {.number = {}, .at_low = 1.4, .at_high = 1.0}};
  widen_by(ranges, result);
  EXPECT_NEAR(result.step_time_high.base(), 15.33, 0.01);
  EXPECT_EQ(result.step_time_low.base(), 8.0);
}

TEST(StepRange, ASiteThatWasMeasuredHasNone) {
  const core::Catalogue catalogue = test::source_catalogue();
  for (const char* setting :
       {"run.step_time=3 s",
        "cluster.node={model: xe9680-h100, nics: {nic: connectx-7, count: 8, transport: roce}}",
        "installation={compute_efficiency: {value: 0.9, source: a fit, "
        "estimate: true}, nic_efficiency: 1.0}"}) {
    const core::Node tree = mi355x_job({setting, "cluster.fabric.switch=z9864f-on"});
    const CheckedScenario checked = read_scenario(tree, catalogue);
    EXPECT_TRUE(step_ranges(tree, catalogue, checked, simulate(checked)).empty()) << setting;
  }
}

TEST(StepRange, WidensTheIntervalOfSimulate) {
  const core::Catalogue catalogue = test::source_catalogue();
  const SimulateOptions estimate{.method = Method::kEstimate};
  const auto factor = [&](const core::Node& tree) {
    const auto result = std::get<SimulationResult>(simulate(tree, catalogue, estimate));
    return result.step_time_high / result.step_time;
  };
  const core::Node stated = mi355x_job({kKernels, "cluster.node.accelerator.gemm_efficiency=0.6"});
  EXPECT_GT(factor(mi355x_job({kKernels, kRangedProducts})), 1.05 * factor(stated));
}

}  // namespace
}  // namespace railwright::simulation
