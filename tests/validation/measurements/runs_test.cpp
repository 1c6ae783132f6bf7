// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/measurements/runs.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "../../support/temporary_folder.hpp"
#include "railwright/core/error.hpp"
#include "railwright/validation/measurements/measured_file.hpp"

namespace railwright::test {
namespace {

using validation::BaseScenario;
using validation::MeasuredRun;

BaseScenario base() { return {.tree = nics_example(), .settings = {}}; }

template <class Read>
std::vector<std::string> problems_of(const TemporaryFolder& folder, Read read) {
  std::vector<std::string> problems;
  try {
    read();
  } catch (const core::ConfigError& error) {
    for (const auto& problem : error.diagnostics()) {
      problems.push_back(folder.shortened(core::to_string(problem)));
    }
  }
  return problems;
}

TEST(Runs, YamlNamesItsScenarioAndLaysSettingsOver) {
  const std::vector<MeasuredRun> runs =
      validation::read_runs(kSource + "/examples/calibrate-h20003.yaml", {}, source_catalogue());
  ASSERT_EQ(runs.size(), 8U);
  EXPECT_EQ(runs[1].name, "7B, 2 nodes, 4 NICs");
  EXPECT_EQ(runs[1].scenario.scenario.cluster.node.nics.count, 4);
  EXPECT_NEAR(runs[1].step_time.base(), 7.56, 1e-12);  // 63 min of 500 steps
  EXPECT_NEAR(runs[1].standard_error->base(), 0.035, 1e-12);
  EXPECT_EQ(runs[1].source, "Dell H20003 (Apr 2024) Table 4");
  EXPECT_EQ(runs[7].scenario.layout.pp, 4);
}

TEST(Runs, AListAloneIsLaidOverTheGivenScenario) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "runs.yaml", "- {name: a, set: [cluster.nodes=4], step_time: 3900 ms, source: log 3}\n");
  BaseScenario given = base();
  given.settings = {"cluster.node.nics.count=4"};
  const auto runs = validation::read_runs(file, given, source_catalogue());
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].scenario.scenario.cluster.num_nodes, 4);
  EXPECT_EQ(runs[0].scenario.scenario.cluster.node.nics.count, 4);
  EXPECT_NEAR(runs[0].step_time.base(), 3.9, 1e-12);
  EXPECT_FALSE(runs[0].standard_error);
}

TEST(Runs, AStepThatNoPeakRateAllowsIsRefused) {
  const TemporaryFolder folder;
  const std::string file = folder.write("runs.yaml", "- {name: a, step_time: 100 us}\n");
  const auto problems =
      problems_of(folder, [&] { (void)validation::read_runs(file, base(), source_catalogue()); });
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("runs.yaml:1:"), std::string::npos) << problems[0];
  EXPECT_NE(problems[0].find("100 us of run 'a' is less than the"), std::string::npos)
      << problems[0];
}

TEST(Runs, ALogStandsInForTheTime) {
  const TemporaryFolder folder;
  std::string log;
  for (const char* time : {"9000.0", "4000.0", "4000.0", "4100.0"}) {
    log += std::string("elapsed time per iteration (ms): ") + time + " |\n";
  }
  (void)folder.write("logs/a.log", log);
  const std::string file = folder.write("runs.yaml", "- {name: a, log: logs/a.log}\n");
  const auto runs = validation::read_runs(file, base(), source_catalogue());
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_NEAR(runs[0].step_time.base(), 4.0, 1e-12);
  EXPECT_EQ(runs[0].source, "logs/a.log, 3 of 4 lines of Megatron-LM");
}

TEST(Runs, EveryProblemOfAYamlFileAtItsPlace) {
  const TemporaryFolder folder;
  const std::string file = folder.write("runs.yaml",
                                        "- {name: a, set: [cluster.nodez=4], step_time: 4 s}\n"
                                        "- {name: a, step_time: 4 s}\n"
                                        "- name: c\n"
                                        "  set:\n"
                                        "    - cluster.nodes=0\n"
                                        "    - nonsense\n"
                                        "  step_time: 4 s\n"
                                        "- {name: d}\n");
  const auto problems =
      problems_of(folder, [&] { validation::read_runs(file, base(), source_catalogue()); });
  ASSERT_EQ(problems.size(), 4U);
  EXPECT_TRUE(problems[0].starts_with("runs.yaml:1:19: cluster.nodez: unknown key")) << problems[0];
  EXPECT_EQ(problems[1], "runs.yaml:2:10: name: a second run 'a'");
  EXPECT_TRUE(problems[2].starts_with("runs.yaml:6:7: ")) << problems[2];
  EXPECT_EQ(problems[3],
            "runs.yaml:8:10: step_time: a run needs a step_time, or a log to take it from");
}

TEST(Runs, ValuesOutOfRangeStandAtTheirSetting) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "runs.yaml",
      "- {name: a, set: [cluster.nodes=2, cluster.node.nics.count=0], step_time: 4 s}\n");
  const auto problems =
      problems_of(folder, [&] { validation::read_runs(file, base(), source_catalogue()); });
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_TRUE(problems[0].starts_with("runs.yaml:1:36: cluster.node.nics.count: ")) << problems[0];
}

TEST(Runs, WithoutAScenarioItSaysHowToNameOne) {
  const TemporaryFolder folder;
  const std::string file = folder.write("runs.yaml", "- {name: a, step_time: 4 s}\n");
  const auto problems =
      problems_of(folder, [&] { validation::read_runs(file, {}, source_catalogue()); });
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("--scenario"), std::string::npos);
}

TEST(RunsCsv, ColumnsArePathsAndTimesHaveTheirUnit) {
  const std::string text =
      "# H20003, Table 4\r\n"
      "name,cluster.nodes,cluster.node.nics.count,step_time_s,standard_error_ms,source\r\n"
      "\"two nodes, eight\",2,8,7.32,35,Table 4\r\n"
      "four,2,,7.56,,\r\n";
  const auto runs = validation::read_runs_csv(text, "runs.csv", base(), source_catalogue());
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].name, "two nodes, eight");
  EXPECT_NEAR(runs[0].standard_error->base(), 0.035, 1e-12);
  EXPECT_EQ(runs[0].source, "Table 4");
  EXPECT_EQ(runs[1].source, "runs.csv");
  EXPECT_EQ(runs[1].scenario.scenario.cluster.node.nics.count, 8);  // as the scenario has it
  EXPECT_FALSE(runs[1].standard_error);
}

TEST(RunsCsv, EveryProblemAtItsLineAndColumn) {
  const TemporaryFolder folder;
  const std::string text =
      "name,cluster.nodes,step_time\n"
      "a,2,7.32\n"
      "b,-1,7.5 s\n"
      "c,2\n"
      "d,2,-3 s\n";
  const auto problems = problems_of(
      folder, [&] { validation::read_runs_csv(text, "runs.csv", base(), source_catalogue()); });
  ASSERT_EQ(problems.size(), 4U);
  EXPECT_TRUE(problems[0].starts_with("runs.csv:2:5: step_time: ")) << problems[0];
  EXPECT_TRUE(problems[1].starts_with("runs.csv:3:3: cluster.nodes: ")) << problems[1];
  EXPECT_EQ(problems[2], "runs.csv:4:1: 2 cells under a header of 3");
  EXPECT_TRUE(problems[3].starts_with("runs.csv:5:5: step_time: ")) << problems[3];
}

TEST(RunsCsv, AHeaderWithoutATimeAndAQuoteWithoutAnEnd) {
  const TemporaryFolder folder;
  auto problems = problems_of(folder, [&] {
    validation::read_runs_csv("name,cluster.nodes\na,2\n", "r.csv", base(), source_catalogue());
  });
  ASSERT_FALSE(problems.empty());
  EXPECT_TRUE(problems[0].starts_with("r.csv:1:1: no column step_time, nor step_time_s"));
  problems = problems_of(folder, [&] {
    validation::read_runs_csv("name,step_time\n\"a,2 s\n", "r.csv", base(), source_catalogue());
  });
  EXPECT_EQ(problems, (std::vector<std::string>{"r.csv:2:1: this quote never ends"}));
}

TEST(MeasuredFile, KindsByEndingAndByWhatStandsInThem) {
  using validation::MeasuredKind;
  const TemporaryFolder folder;
  const auto kind = [&](const std::string& name, const std::string& text) {
    return validation::open_measured(folder.write(name, text)).kind;
  };
  EXPECT_EQ(kind("a.yaml", "x"), MeasuredKind::kRunsYaml);
  EXPECT_EQ(kind("a.csv", "x"), MeasuredKind::kRunsCsv);
  EXPECT_EQ(kind("a.json", "{}"), MeasuredKind::kStorage);
  EXPECT_EQ(kind("a.out", "# size time busbw\n"), MeasuredKind::kCollectives);
  EXPECT_EQ(kind("a.log", "4.1s/it\n"), MeasuredKind::kTrainingLog);
  EXPECT_EQ(kind("b.log", "\x1b[31mstep:  1  \x1b[34mtps: 5\x1b[39m\n"),
            MeasuredKind::kTrainingLog);
  EXPECT_EQ(kind("b.csv", "hosts,operation,MiB/s [last]\n"), MeasuredKind::kStorage);
  EXPECT_EQ(kind("c.out", "Summary of all tests:\nOperation Mean(MiB)\n"), MeasuredKind::kStorage);
  EXPECT_THROW(kind("a.txt", "hello\n"), core::ConfigError);
  EXPECT_THROW(validation::open_measured((folder.path() / "none.log").string()), core::ConfigError);
}

}  // namespace
}  // namespace railwright::test
