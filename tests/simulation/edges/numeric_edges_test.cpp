// SPDX-License-Identifier: Apache-2.0
// Any number that a scenario can be given, from one end of its range to the other: what comes out
// is a result whose numbers are finite and not negative, or a refusal that says what is wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "numeric_fields.hpp"
#include "railwright/core/config/describe.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::simulation {
namespace {

constexpr double kBeyondAll = 1e60;  // what only an overflow or a division by nothing gives

/// Paths of numbers that are no result: "/step_time_s -3".
void add_bad_numbers(const nlohmann::json& json, const std::string& path,
                     std::vector<std::string>& bad) {
  if (json.is_structured()) {
    for (const auto& [key, value] : json.items()) {
      add_bad_numbers(value, std::string(path).append("/").append(key), bad);
    }
  } else if (json.is_null()) {
    // What does not fit was never compared with a run.
    if (!path.starts_with("/basis/")) bad.push_back(path + " is no number");
  } else if (json.is_number()) {
    const auto value = json.get<double>();
    // A step at another setting may be shorter.
    const bool may_be_less = path.starts_with("/unstated/") && path.ends_with("/change");
    if (!((value >= 0.0 || may_be_less) && value < kBeyondAll))
      bad.push_back(path + " " + json.dump());
  }
}

struct Tally {
  int num_results = 0;
  int num_refused = 0;
};

/// Runs an example with `settings`, and checks what comes of it.
class Example {
 public:
  explicit Example(const std::string& name)
      : path_(std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/" + name),
        fields_(test::numeric_fields(describe_any(load_scenario_tree(path_, {})),
                                     load_scenario_tree(path_, {}))) {
    // Takes as long as it says.
    std::erase_if(fields_,
                  [](const test::NumericField& field) { return field.path == "run.replicas"; });
  }

  [[nodiscard]] const std::vector<test::NumericField>& fields() const { return fields_; }

  void check(const std::vector<std::string>& settings, Method method, Tally& tally) const {
    std::string all;
    for (const std::string& setting : settings) all += " --set '" + setting + "'";
    SCOPED_TRACE(path_ + all);
    try {
      const AnyResult result =
          simulate(load_scenario_tree(path_, settings), catalogue_, {.method = method});
      const std::string json =
          std::visit([](const auto& one) { return output::to_json(one); }, result);
      std::vector<std::string> bad;
      add_bad_numbers(nlohmann::json::parse(json), "", bad);
      for (const std::string& number : bad) ADD_FAILURE() << number;
      ++tally.num_results;
    } catch (const core::ConfigError& error) {
      for (const core::Diagnostic& problem : error.diagnostics()) {
        EXPECT_FALSE(problem.message.empty());
      }
      ++tally.num_refused;
    } catch (const core::SimulationError& error) {
      EXPECT_NE(std::string(error.what()).find("clock"), std::string::npos) << error.what();
      ++tally.num_refused;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }

 private:
  std::string path_;
  core::Catalogue catalogue_{catalogue_roots()};
  std::vector<test::NumericField> fields_;
};

class NumericEdges : public testing::TestWithParam<const char*> {};

TEST_P(NumericEdges, EachNumberAtBothEnds) {
  const Example example(GetParam());
  Tally tally;
  for (const test::NumericField& field : example.fields()) {
    for (const double value : {field.low, field.high}) {
      example.check({field.setting(value)}, Method::kEstimate, tally);
    }
  }
  // The property would hold of a program that refuses all.
  EXPECT_GT(tally.num_results, tally.num_refused / 4);
}

TEST_P(NumericEdges, SeveralNumbersAtRandom) {
  constexpr int kDraws = 40;
  const Example example(GetParam());
  core::RandomStream random(20240701);
  Tally tally;
  for (int i = 0; i < kDraws; ++i) {
    std::vector<std::string> settings;
    for (std::uint64_t n = 0; n <= random.below(3); ++n) {
      const auto& field = example.fields()[random.below(example.fields().size())];
      settings.push_back(field.setting(test::draw(field, random)));
    }
    example.check(settings, i % 4 == 0 ? Method::kSimulate : Method::kEstimate, tally);
  }
  EXPECT_GT(tally.num_results, tally.num_refused / 4);
}

INSTANTIATE_TEST_SUITE_P(
    Examples, NumericEdges,
    testing::Values("neutral-llama-2-7b.yaml", "powerscale-checkpoints.yaml",
                    "checkpoints-on-local-drives.yaml", "llama-2-70b-cost.yaml",
                    "storage-on-infiniband.yaml", "three-jobs-one-powerscale.yaml",
                    "all-reduce-8-h100-nodes.yaml", "inference-llama-2-70b.yaml",
                    "inference-offload-bloom.yaml", "zero-infinity-1t-dgx-2.yaml",
                    "resnet50-f600p.yaml"),
    [](const auto& example) {
      std::string name = example.param;
      std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
      return name;
    });

/// 62,500 nodes of 16: the most that a scenario may have.
TEST(NumericEdgesOfScale, OneToAMillionAccelerators) {
  const Example example("neutral-llama-2-7b.yaml");
  Tally tally;
  for (const auto& [nodes, of_node] :
       std::vector<std::pair<int, int>>{{1, 1}, {1, 8}, {1000, 8}, {62500, 16}}) {
    const std::int64_t accelerators = std::int64_t{nodes} * of_node;
    example.check({"cluster.nodes=" + std::to_string(nodes),
                   "cluster.node.num_accelerators=" + std::to_string(of_node), "parallelism.tp=1",
                   "cluster.node.nics.count=1", "cluster.storage=null",
                   "cluster.fabric={topology: fat_tree, switch: qm9790}",
                   "workload.global_batch=" + std::to_string(accelerators)},
                  Method::kEstimate, tally);
  }
  EXPECT_EQ(tally.num_results, 4);
}

}  // namespace
}  // namespace railwright::simulation
