// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/perfetto/trace.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../support/scenario.hpp"
#include "railwright/simulation/step/link_loads.hpp"

namespace railwright::output {
namespace {

using Json = nlohmann::json;

/// A step with every kind of operation: four stages, data and tensor parallelism, all overlaps.
test::Settings four_stages() {
  return test::join({"cluster.nodes=2", "parallelism.pp=4", "workload.global_batch=32"},
                    test::overlaps(true));
}

Json json_of(const simulation::StepTrace& trace, std::size_t max_spans = 200'000) {
  std::ostringstream text;
  write_trace(text, "a \"step\"", &trace, simulation::RunResult{}, max_spans);
  return Json::parse(text.str());
}

std::int64_t picoseconds(const Json& microseconds) {
  return std::llround(microseconds.get<double>() * 1e6);
}

std::vector<Json> events(const Json& json, const std::string& phase) {
  std::vector<Json> found;
  for (const Json& event : json["traceEvents"]) {
    if (event["ph"] == phase) found.push_back(event);
  }
  return found;
}

class Trace : public ::testing::TestWithParam<simulation::Symmetry> {
 protected:
  Trace()
      : scenario_(four_stages()),
        trace_(trace_step(scenario_.costs, scenario_.built.fabric, GetParam())),
        step_(simulate_step(scenario_.costs, GetParam())) {}

  test::BuiltScenario scenario_;
  simulation::StepTrace trace_;
  simulation::StepResult step_;
};

TEST_P(Trace, SpansOfAThreadDoNotOverlap) {
  std::map<std::pair<int, int>, std::int64_t> busy_until;
  std::int64_t last = 0;
  for (const Json& span : events(json_of(trace_), "X")) {
    const std::int64_t start = picoseconds(span["ts"]);
    std::int64_t& until = busy_until[{span["pid"].get<int>(), span["tid"].get<int>()}];
    EXPECT_GE(start, until) << span;
    until = start + picoseconds(span["dur"]);
    last = std::max(last, until);
  }
  EXPECT_NEAR(static_cast<double>(last) * 1e-12,
              (step_.step_time - scenario_.costs.overhead).base(), 1e-11);
}

TEST_P(Trace, EveryMicroBatchPassesEachChunkForwardThenBackward) {
  const models::Layout& layout = scenario_.costs.layout;
  const auto num_passes = static_cast<std::size_t>(layout.num_microbatches) *
                          static_cast<std::size_t>(layout.chunks_per_stage());
  using Key = std::array<int, 3>;  // rank class, chunk, micro-batch
  std::map<std::string, std::map<Key, std::int64_t>> begins;
  for (const Json& span : events(json_of(trace_), "X")) {
    if (span["cat"] != "compute" || !span["args"].contains("pass")) continue;
    EXPECT_EQ(span["name"], span["args"]["pass"]);
    const Key key{span["pid"], span["args"]["chunk"], span["args"]["microbatch"]};
    begins[span["name"]].try_emplace(key, picoseconds(span["ts"]));
  }
  ASSERT_EQ(begins.size(), 2U);
  EXPECT_EQ(begins["forward"].size(), num_passes * trace_.rank_classes.size());
  EXPECT_EQ(begins["backward"].size(), begins["forward"].size());
  for (const auto& [key, begin] : begins["forward"]) EXPECT_LT(begin, begins["backward"].at(key));
}

TEST_P(Trace, BytesOfTheSpansAreThoseOfTheLinks) {
  std::map<std::string, double> bytes;
  for (const Json& span : events(json_of(trace_), "X")) {
    if (!span["args"].contains("link_bytes")) continue;
    for (const auto& [tier, on_links] : span["args"]["link_bytes"].items()) {
      bytes[tier] += on_links.get<double>();
    }
  }
  std::map<std::string, double> expected;
  for (std::size_t link = 0; link < step_.link_bytes.size(); ++link) {
    if (step_.link_bytes[link] == 0.0) continue;
    expected[std::string(core::to_string(scenario_.built.fabric.links()[link].tier))] +=
        step_.link_bytes[link];
  }
  ASSERT_EQ(bytes.size(), expected.size());
  for (const auto& [tier, sum] : expected) EXPECT_NEAR(bytes[tier] / sum, 1.0, 1e-9) << tier;
}

TEST_P(Trace, AchievedRateIsBytesOverTheTimeAfterTheLatency) {
  for (const Json& span : events(json_of(trace_), "X")) {
    const Json& args = span["args"];
    if (!args.contains("achieved_bytes_per_s")) continue;
    const double seconds = span["dur"].get<double>() * 1e-6 - args["latency_s"].get<double>();
    EXPECT_NEAR(args["achieved_bytes_per_s"].get<double>() * seconds, args["bytes"].get<double>(),
                1e-3 * args["bytes"].get<double>());
  }
}

TEST_P(Trace, CountersAddUpToWhatTheBusiestLinkCarried) {
  ASSERT_FALSE(trace_.watched.empty());
  ASSERT_LE(trace_.at.size(), 4096U);
  const std::size_t num_links = trace_.watched.size();
  ASSERT_EQ(trace_.carried.size(), trace_.at.size() * num_links);
  const auto loads = simulation::tier_loads(scenario_.built.fabric, scenario_.costs.capacity,
                                            step_.link_bytes, step_.step_time);
  ASSERT_EQ(loads.size(), num_links);
  for (std::size_t w = 0; w < num_links; ++w) {
    EXPECT_EQ(trace_.watched[w].tier, loads[w].tier);
    const double last = trace_.carried[trace_.carried.size() - num_links + w];
    EXPECT_NEAR(last / loads[w].busiest_bytes.base(), 1.0, 1e-9);
    for (std::size_t i = 1; i < trace_.at.size(); ++i) {
      EXPECT_GT(trace_.at[i], trace_.at[i - 1]);
      const double rate =
          (trace_.carried[i * num_links + w] - trace_.carried[(i - 1) * num_links + w]) /
          (trace_.at[i] - trace_.at[i - 1]).duration().base();
      EXPECT_LE(rate, trace_.watched[w].capacity * (1.0 + 1e-6) + 1.0);
    }
  }
  for (const Json& counter : events(json_of(trace_), "C")) {
    EXPECT_GE(counter["args"]["percent"].get<double>(), 0.0);
    EXPECT_LE(counter["args"]["percent"].get<double>(), 100.0);
  }
}

TEST_P(Trace, RanksOfAllClassesAreAllRanks) {
  std::int64_t ranks = 0;
  for (const simulation::RankClass& c : trace_.rank_classes) ranks += c.num_ranks;
  EXPECT_EQ(ranks, 16);
}

TEST_P(Trace, ASmallBudgetKeepsWholeClasses) {
  const Json whole = json_of(trace_);
  EXPECT_EQ(whole["otherData"]["spans_left_out"], 0);
  EXPECT_EQ(events(whole, "X").size(), trace_.spans.size());
  const Json part = json_of(trace_, trace_.spans.size() - 1);
  const auto spans = events(part, "X");
  EXPECT_LT(spans.size(), trace_.spans.size());
  EXPECT_EQ(spans.size() + part["otherData"]["spans_left_out"].get<std::size_t>(),
            trace_.spans.size());
  EXPECT_EQ(spans.back()["pid"].get<int>(), static_cast<int>(trace_.rank_classes.size()) - 1);
  EXPECT_FALSE(events(json_of(trace_, 1), "X").empty());
}

INSTANTIATE_TEST_SUITE_P(Symmetries, Trace,
                         ::testing::Values(simulation::Symmetry::kFolded,
                                           simulation::Symmetry::kUnfolded));

TEST(TraceOfAll, EveryOperationIsThereOnce) {
  const test::BuiltScenario scenario(four_stages());
  const simulation::StepTrace trace =
      trace_step(scenario.costs, scenario.built.fabric, simulation::Symmetry::kUnfolded);
  const simulation::Program program = make_program(scenario.costs);
  ASSERT_EQ(trace.spans.size(), program.ops.size());
  std::map<std::pair<simulation::OpKind, std::int64_t>, int> kinds;
  for (const simulation::Op& op : program.ops) ++kinds[{op.kind, op.bytes}];
  for (const simulation::Span& span : trace.spans) --kinds[{span.kind, span.bytes}];
  for (const auto& [kind, left] : kinds) EXPECT_EQ(left, 0) << kind.second;
}

}  // namespace
}  // namespace railwright::output
