// SPDX-License-Identifier: Apache-2.0
#include "serving_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "../common/checkpoint_name.hpp"
#include "../common/foreign_json.hpp"
#include "../common/looks_like.hpp"
#include "benchmark_load.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

using Json = nlohmann::json;

bool is_guidellm(std::string_view text) {
  return contains(text, "\"benchmarks\"") &&
         (contains(text, "\"prompt_token_count\"") || contains(text, "guidellm"));
}

bool is_inference_perf(std::string_view text) {
  return contains(text, "\"load_summary\"") && contains(text, "\"successes\"");
}

/// A file of SGLang has a line for each run.
std::vector<BenchmarkRun> runs_of_lines(std::string_view text, Findings& findings) {
  std::vector<BenchmarkRun> runs;
  int number = 0;
  for (const std::string_view line : core::lines_of(text)) {
    ++number;
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    runs.push_back(run_of_bench_serve(parse_large_json(line, findings.file(), number), findings));
  }
  return runs;
}

/// Whether each line is an object of its own.
bool has_objects_by_line(std::string_view text) {
  const auto lines = core::lines_of(text);
  return std::ranges::all_of(lines, [](std::string_view line) {
    const std::size_t last = line.find_last_not_of(" \t");
    return last == std::string_view::npos || (line.front() == '{' && line[last] == '}');
  });
}

std::vector<BenchmarkRun> runs_of(std::string_view text, Findings& findings) {
  if (is_guidellm(text)) return runs_of_guidellm(parse_large_json(text, findings.file()), findings);
  if (is_inference_perf(text)) {
    return {run_of_inference_perf(parse_large_json(text, findings.file()), findings)};
  }
  if (has_objects_by_line(text)) return runs_of_lines(text, findings);
  return {run_of_bench_serve(parse_large_json(text, findings.file()), findings)};
}

void add_model(const BenchmarkRun& run, Findings& findings) {
  if (run.model.empty()) {
    findings.unknown("inference.model", "the result does not name it");
  } else {
    const CheckpointName name = checkpoint_name(run.model);
    findings.assume("inference.model", name.model, "the catalogue's name for " + shown(run.model));
    if (name.weights) findings.know("inference.weights", *name.weights, "the checkpoint's name");
  }
  if (!run.engine.empty()) {
    findings.assume("inference.engine.model", run.engine, "the backend that was asked");
  }
}

/// Adds a mean length, unless runs of the file differ in it by more than a percent.
void add_length(const std::vector<BenchmarkRun>& runs, BenchmarkLengths BenchmarkRun::* part,
                const std::string& name, Findings& findings) {
  const BenchmarkLengths& first = (runs.front().*part);
  const std::string path = "inference." + name + "_tokens";
  if (!first.mean) {
    findings.outside(path, "the result does not tell it");
    return;
  }
  const bool differs = std::ranges::any_of(runs, [&](const BenchmarkRun& run) {
    const auto& mean = (run.*part).mean;
    return !mean || std::abs(*mean - *first.mean) > 0.01 * *first.mean;
  });
  if (differs) {
    findings.outside(path, "the runs of the file have different lengths");
    return;
  }
  findings.know(path, std::max<std::int64_t>(1, std::llround(*first.mean)), "mean of the requests");
  const std::string spread = "inference.load." + name + "_spread";
  if (first.spread) {
    findings.know(spread, std::min(10.0, std::round(*first.spread * 1e4) / 1e4),
                  "standard deviation of the lengths over their mean");
  } else {
    findings.unknown(spread, "lengths of single requests are not in the file");
  }
}

void add_load(const BenchmarkRun& run, Findings& findings) {
  if (run.requests && *run.requests >= 1.0) {
    findings.know("inference.load.requests", std::llround(*run.requests), "requests of the run");
  }
  if (run.rate) {
    findings.know("inference.requests_per_s", *run.rate, "the rate of the run");
    if (run.concurrency) {
      findings.not_expressed(fmt::format(
          "at most {:.0f} requests under way beside a rate: others wait at the client there",
          *run.concurrency));
    }
  } else if (run.concurrency) {
    findings.know("inference.load.concurrency", std::llround(*run.concurrency),
                  "most requests under way, no rate");
    findings.know("inference.requests_per_s", std::optional<double>(), "users in place of a rate");
  } else if (!run.arrivals) {
    findings.outside("inference.load", "the result tells neither a rate nor a concurrency");
  }
  if (run.arrivals) findings.know("inference.load.arrivals", *run.arrivals, "the rate of the run");
  if (run.burstiness && *run.burstiness != 1.0) {
    findings.know("inference.load.burstiness", *run.burstiness, "burstiness");
  }
}

}  // namespace

bool is_serving_benchmark(std::string_view head) {
  if (head.substr(0, 64).find('{') == std::string_view::npos) return false;
  return is_guidellm(head) || is_inference_perf(head) ||
         (contains(head, "\"request_rate\"") && contains(head, "\"total_input_tokens\""));
}

Imported import_serving_benchmark(std::string_view text, const std::string& file,
                                  const core::Node& /*known*/) {
  Findings findings(file);
  const std::vector<BenchmarkRun> runs = runs_of(text, findings);
  findings.throw_if_any();
  if (runs.empty() || std::ranges::none_of(runs, [](const BenchmarkRun& run) {
        return run.prompts.mean || run.outputs.mean;
      })) {
    findings.problem_in_file("no lengths of prompts or answers in it",
                             "the results of vLLM, SGLang, GuideLLM and inference-perf are known");
    findings.throw_if_any();
  }
  add_model(runs.front(), findings);
  add_length(runs, &BenchmarkRun::prompts, "prompt", findings);
  add_length(runs, &BenchmarkRun::outputs, "output", findings);
  if (runs.size() == 1) {
    add_load(runs.front(), findings);
  } else {
    std::string loads;
    for (const BenchmarkRun& run : runs) loads += (loads.empty() ? "" : "; ") + shown(run.load);
    findings.outside("inference.load",
                     fmt::format("{} runs of different loads: {}", runs.size(), loads));
  }
  for (const BenchmarkRun& run : runs) {
    if (!run.measured.empty()) {
      findings.not_expressed("measured there, to compare with: " + run.measured);
    }
  }
  findings.unknown("inference.prefix_hit_rate", "a result does not tell it");
  findings.unknown("cluster", "a result tells nothing of the nodes");
  return findings.take();
}

}  // namespace railwright::importers
