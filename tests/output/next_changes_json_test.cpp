// SPDX-License-Identifier: Apache-2.0
// What is advised, as JSON: settings that `--set` takes, and what the scenario gives with them.
#include "railwright/output/json/next_changes_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace railwright::output {
namespace {

using core::Duration;
using Json = nlohmann::json;
using planner::AnyChangesTried;

Json json_of(const AnyChangesTried& changes) { return Json::parse(to_json(changes)); }

TEST(NextChangesJson, IsAListOfWhatIsAdvised) {
  AnyChangesTried changes;
  EXPECT_TRUE(json_of(changes).is_null()) << "nothing was tried";
  changes.of_step = planner::ChangesTried{.num_tried = 3};
  EXPECT_EQ(json_of(changes), Json::array()) << "nothing helps";
  changes.of_step->best = planner::NextChange{.setting = "parallelism.tp=8",
                                              .training_time = Duration::from_base(100.0),
                                              .step_time = Duration::from_base(2.0),
                                              .saving = 0.5,
                                              .step_saving = 0.25};
  EXPECT_EQ(json_of(changes), Json::parse(R"([{"settings": ["parallelism.tp=8"],
      "training_time_s": 100.0, "step_time_s": 2.0, "saving": 0.5, "step_saving": 0.25}])"));
}

TEST(NextChangesJson, NamesTheJobOrTheRateOfAService) {
  AnyChangesTried jobs;
  jobs.of_jobs.emplace().best =
      planner::NextJobsChange{.setting = "jobs.0.parallelism.tp=8",
                              .job = "a",
                              .training_time = Duration::from_base(1.0),
                              .mean_training_time = Duration::from_base(2.0)};
  EXPECT_EQ(json_of(jobs)[0]["job"], "a");
  EXPECT_EQ(json_of(jobs)[0]["mean_training_time_s"], 2.0);
  AnyChangesTried service;
  planner::NextServiceChange change{
      .settings = {"inference.tp=8", "inference.attention_dp=true"}, .share = 0.5, .result = {}};
  change.result.accelerator_tokens_per_s = 10.0;
  service.of_service.emplace().best = change;
  EXPECT_EQ(json_of(service)[0]["settings"],
            Json::array({"inference.tp=8", "inference.attention_dp=true"}));
  EXPECT_EQ(json_of(service)[0]["gain"], "throughput");
  EXPECT_EQ(json_of(service)[0]["accelerator_tokens_per_s"], 10.0);
}

/// Last of the keys of a result, none of which changes.
TEST(NextChangesJson, StandsInTheJsonOfAResult) {
  const std::string result = R"({"name": "x", "step_time_s": 0.1234567890123456})";
  EXPECT_EQ(with_changes(result, {}), result);
  AnyChangesTried changes;
  changes.of_step.emplace();
  const Json with = Json::parse(with_changes(result, changes));
  EXPECT_EQ(with["try_next"], Json::array());
  EXPECT_EQ(with["step_time_s"], 0.1234567890123456);
  EXPECT_EQ(with.size(), 3U);
}

}  // namespace
}  // namespace railwright::output
