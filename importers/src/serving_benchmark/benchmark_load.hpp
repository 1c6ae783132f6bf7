// SPDX-License-Identifier: Apache-2.0
// Load of a service as the result of a benchmark tells it.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "../common/findings.hpp"

namespace railwright::importers {

/// Lengths of prompts or of answers.
struct BenchmarkLengths {
  std::optional<double> mean;
  std::optional<double> spread;  ///< standard deviation over the mean
};

/// One run of a benchmark.
struct BenchmarkRun {
  std::string model;   ///< "" where the file does not tell it
  std::string engine;  ///< catalogue name; "" where not told
  BenchmarkLengths prompts;
  BenchmarkLengths outputs;
  std::optional<double> requests;
  std::optional<double> rate;         ///< requests a second; none where all come at once
  std::optional<double> concurrency;  ///< most requests under way
  std::optional<std::string> arrivals;
  std::optional<double> burstiness;
  std::string load;      ///< in words, as the tool says it
  std::string measured;  ///< latencies, in words
};

/// Readers of one tool's result each. The last one reads every benchmark of a file.
BenchmarkRun run_of_bench_serve(const nlohmann::json& result, Findings& findings);
BenchmarkRun run_of_inference_perf(const nlohmann::json& result, Findings& findings);
std::vector<BenchmarkRun> runs_of_guidellm(const nlohmann::json& report, Findings& findings);

}  // namespace railwright::importers
