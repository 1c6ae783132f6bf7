// SPDX-License-Identifier: Apache-2.0
// The schema says of a file what the reader says of it.
#include "railwright/output/schema/schema.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "../simulation/scenario/bad_input.hpp"
#include "json_schema.hpp"

namespace railwright::output {
namespace {

namespace fs = std::filesystem;
using test::Lines;

Lines errors_of(const core::Node& scenario) {
  static const std::string kSchema = scenario_schema(test::small_catalogue());
  return test::schema_errors(kSchema, scenario);
}

/// The sound scenario with one text replaced.
Lines errors_after(const std::string& from, const std::string& to) {
  std::string text = test::sound_scenario();
  text.replace(text.find(from), from.size(), to);
  return errors_of(core::parse_yaml(text, "s.yaml"));
}

TEST(Schema, AcceptsTheExamples) {
  int num_examples = 0;
  int num_benchmarks = 0;
  for (const auto& file : fs::directory_iterator(RAILWRIGHT_SOURCE_DIR "/examples")) {
    if (file.path().extension() != ".yaml") continue;
    const core::Node example = core::load_yaml(file.path());
    const bool has_scenarios = example.find("runs") != nullptr || example.find("claims") != nullptr;
    if (has_scenarios) continue;  // measurements, offers
    ++num_examples;
    num_benchmarks += example.find("benchmark") != nullptr ? 1 : 0;
    EXPECT_EQ(errors_of(example), Lines{}) << file.path();
  }
  EXPECT_GE(num_examples, 4);
  EXPECT_GE(num_benchmarks, 1);
}

TEST(Schema, AcceptsWhatTheReaderAccepts) {
  const std::string nic = "nic: connectx-7";
  EXPECT_EQ(errors_after("test", "7"), Lines{});
  EXPECT_EQ(errors_after(nic, "nic: {model: connectx-7, line_rate: 800 Gb/s}"), Lines{});
  EXPECT_EQ(errors_after(nic, "nic: {model: connectx-7, line_rate: 1.5e2GiB / min}"), Lines{});
  EXPECT_EQ(errors_after(nic, "nic: {model: connectx-7, power: {value: 1 kW, source: me}}"),
            Lines{});
  EXPECT_EQ(errors_after("model: xe9680-h100",
                         "model: xe9680-h100\n    accelerator: {model: h100-sxm, memory: 96 GB}"),
            Lines{});
  EXPECT_EQ(errors_after("installation: neutral", "installation: {compute_efficiency: 0.5}"),
            Lines{});
  EXPECT_EQ(errors_of(core::parse_yaml("{include: a.yaml, cluster: {nodes: 4}}", "s.yaml")),
            Lines{});
}

TEST(Schema, SaysOfBenchmarksWhatTheReaderSays) {
  const auto errors = [](const std::string& benchmark, const std::string& more = "") {
    return errors_of(core::parse_yaml(
        "{name: b, benchmark: {" + benchmark + ", library: {model: nccl}}, " + more +
            "cluster: {nodes: 2, node: xe9680-h100, fabric: {topology: single_switch, switch: x}}}",
        "s.yaml"));
  };
  EXPECT_EQ(errors("op: all_gather, size: 1 GiB"), Lines{});
  EXPECT_EQ(errors("op: all_gather, size: 1 GiB, ranks: 8"), Lines{});
  EXPECT_EQ(errors("op: gather, size: 1 GiB"), Lines{"/benchmark/op: enum"});
  EXPECT_EQ(errors("op: all_gather, size: 1 GiB, ranks: 1"), Lines{"/benchmark/ranks: anyOf"});
  EXPECT_EQ(errors("op: all_gather"), Lines{"/benchmark: required"});
  EXPECT_NE(errors("op: all_gather, size: 1 Gb/s"), Lines{});
  EXPECT_EQ(errors("op: all_gather, size: 1 GiB", "workload: {}, "),
            Lines{"/workload: additionalProperties"});
  EXPECT_EQ(errors_of(core::parse_yaml("{include: a.yaml, benchmark: {size: 2 MiB}}", "s.yaml")),
            Lines{});
}

TEST(Schema, RefusesWhatTheReaderRefuses) {
  const std::string at = "/workload/steps: ";
  EXPECT_EQ(errors_after("steps: 500", "steps: 0"), Lines{at + "minimum"});
  EXPECT_EQ(errors_after("steps: 500", "steps: 2.5"), Lines{at + "type"});
  EXPECT_EQ(errors_after("steps: 500", "steps: \"500\""), Lines{at + "type"});
  EXPECT_EQ(errors_after("steps: 500", "step: 500"),
            (Lines{"/workload: required", "/workload/step: additionalProperties"}));
  EXPECT_EQ(errors_after("tp: 2", "tq: 2"), Lines{"/parallelism/tq: additionalProperties"});
  EXPECT_EQ(errors_after("software: nemo-23.11\n", ""), Lines{": required"});
  EXPECT_EQ(errors_after("single_switch", "singel"), Lines{"/cluster/fabric: anyOf"});
  for (const std::string rate : {"400", "400 GB", "400 gb/s", "Gb/s", "fast", "{value: 4 Gb/s}"}) {
    EXPECT_NE(errors_after("nic: connectx-7", "nic: {name: x, line_rate: " + rate + "}"), Lines{})
        << rate;
  }
  EXPECT_NE(errors_after("nic: connectx-7", "nic: {model: connectx-7, line_rat: 1 Gb/s}"), Lines{});
  EXPECT_NE(errors_after("installation: neutral", "installation: {compute_efficiency: 2.5}"),
            Lines{});
}

}  // namespace
}  // namespace railwright::output
