// SPDX-License-Identifier: Apache-2.0
#include "benchmark_load.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "../common/foreign_json.hpp"

namespace railwright::importers {

namespace {

using Json = nlohmann::json;

constexpr double kMost = 1e9;

/// Names of engines as the benchmarks of vLLM and SGLang call the program they ask.
struct Backend {
  std::string_view word;
  std::string_view engine;
};
constexpr auto kBackends = std::to_array<Backend>({{"vllm", "vllm"},
                                                   {"vllm-chat", "vllm"},
                                                   {"sglang", "sglang"},
                                                   {"sglang-native", "sglang"},
                                                   {"sglang-oai", "sglang"},
                                                   {"sglang-oai-chat", "sglang"}});

/// Mean and spread of a list of whole numbers; nothing where there is none.
BenchmarkLengths lengths_of(const Json& result, const char* key, Findings& findings) {
  const Json* list = json_at(result, key);
  if (list == nullptr || !list->is_array() || list->empty()) return {};
  double sum = 0.0;
  double squares = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < list->size() && !findings.is_full(); ++i) {
    const auto length = json_number(*list, std::to_string(i), 0.0, kMost, findings);
    // A request that failed has no answer.
    if (!length || *length == 0.0) continue;
    sum += *length;
    squares += *length * *length;
    count += 1.0;
  }
  if (count == 0.0) return {};
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean)) / mean};
}

std::string in_words(const Json& result, std::initializer_list<const char*> keys) {
  std::string text;
  for (const char* key : keys) {
    const Json* node = json_at(result, key);
    if (node == nullptr || !node->is_number()) continue;
    text += fmt::format("{}{} {:.4g}", text.empty() ? "" : ", ", key, node->get<double>());
  }
  return text;
}

/// A rate as a number, or as the word for all at once.
bool is_endless(const Json& result, const char* key) {
  const auto word = json_text(result, key);
  return word && (*word == "inf" || *word == "trace");
}

BenchmarkLengths distribution(const Json& root, const std::string& path, Findings& findings) {
  BenchmarkLengths lengths;
  lengths.mean = json_number(root, path + ".mean", 0.0, kMost, findings);
  if (lengths.mean && *lengths.mean == 0.0) lengths.mean.reset();
  const auto deviation = json_number(root, path + ".std_dev", 0.0, kMost, findings);
  if (lengths.mean && deviation) lengths.spread = *deviation / *lengths.mean;
  return lengths;
}

/// The strategy of a benchmark of GuideLLM, which has moved from release to release.
const Json* strategy_of(const Json& benchmark) {
  for (const char* path : {"config.strategy", "args.strategy", "scheduler.strategy"}) {
    if (const Json* found = json_at(benchmark, path)) return found;
  }
  return nullptr;
}

void add_strategy(const Json& strategy, BenchmarkRun& run, Findings& findings) {
  const std::string type = json_text(strategy, "type_").value_or("");
  run.load = type;
  if (type == "synchronous") {
    run.concurrency = 1.0;
  } else if (type == "concurrent") {
    run.concurrency = json_number(strategy, "streams", 1.0, 1e6, findings);
    if (!run.concurrency) {
      run.concurrency = json_number(strategy, "max_concurrency", 1.0, 1e6, findings);
    }
  } else if (type == "throughput") {
    run.concurrency = json_number(strategy, "max_concurrency", 1.0, 1e6, findings);
    if (!run.concurrency) run.arrivals = "at_once";
  } else if (type == "constant" || type == "poisson") {
    run.rate = json_number(strategy, "rate", 1e-6, 1e6, findings);
    run.arrivals = type == "constant" ? "even" : "poisson";
    if (run.rate) run.load += fmt::format(" {:.4g}/s", *run.rate);
  }
  if (run.concurrency) run.load += fmt::format(" {:.0f}", *run.concurrency);
}

}  // namespace

BenchmarkRun run_of_bench_serve(const Json& result, Findings& findings) {
  BenchmarkRun run;
  for (const char* key : {"model_id", "model"}) {
    if (run.model.empty()) run.model = json_text(result, key).value_or("");
  }
  const std::string backend = json_text(result, "backend").value_or("");
  for (const Backend& known : kBackends) {
    if (known.word == backend) run.engine = known.engine;
  }
  const auto completed = json_number(result, "completed", 0.0, kMost, findings);
  run.requests = json_number(result, "num_prompts", 1.0, kMost, findings);
  if (!run.requests) run.requests = completed;
  run.prompts = lengths_of(result, "input_lens", findings);
  run.outputs = lengths_of(result, "output_lens", findings);
  const auto mean_of = [&](const char* key, BenchmarkLengths& lengths) {
    const auto total = json_number(result, key, 0.0, 1e15, findings);
    if (!lengths.mean && total && completed && *completed > 0.0 && *total > 0.0) {
      lengths.mean = *total / *completed;
    }
  };
  mean_of("total_input_tokens", run.prompts);
  mean_of("total_output_tokens", run.outputs);
  run.concurrency = json_number(result, "max_concurrency", 1.0, 1e6, findings);
  if (!is_endless(result, "request_rate")) {
    run.rate = json_number(result, "request_rate", 1e-6, 1e6, findings);
  } else if (!run.concurrency) {
    run.arrivals = "at_once";
  }
  if (run.rate) {
    run.burstiness = json_number(result, "burstiness", 0.01, 1000.0, findings);
    run.arrivals = run.burstiness.value_or(1.0) == 1.0 ? "poisson" : "gamma";
  }
  run.load = in_words(result, {"request_rate", "max_concurrency"});
  run.measured = in_words(result, {"mean_ttft_ms", "mean_tpot_ms", "p99_ttft_ms", "p99_tpot_ms",
                                   "request_throughput", "output_throughput"});
  return run;
}

BenchmarkRun run_of_inference_perf(const Json& result, Findings& findings) {
  BenchmarkRun run;
  run.requests = json_number(result, "load_summary.count", 0.0, kMost, findings);
  run.rate = json_number(result, "load_summary.requested_rate", 0.0, 1e6, findings);
  if (run.rate && *run.rate == 0.0) run.rate.reset();
  for (const char* folder : {"successes.", "successes.throughput."}) {
    const std::string at(folder);
    if (!run.prompts.mean) run.prompts = distribution(result, at + "prompt_len", findings);
    if (!run.outputs.mean) run.outputs = distribution(result, at + "output_len", findings);
  }
  run.load = in_words(result, {"load_summary.requested_rate"});
  run.measured = in_words(result, {"successes.latency.time_to_first_token.mean",
                                   "successes.latency.time_per_output_token.mean",
                                   "successes.throughput.output_tokens_per_sec"});
  return run;
}

std::vector<BenchmarkRun> runs_of_guidellm(const Json& report, Findings& findings) {
  std::vector<BenchmarkRun> runs;
  const Json* benchmarks = json_at(report, "benchmarks");
  if (benchmarks == nullptr || !benchmarks->is_array()) return runs;
  for (const Json& benchmark : *benchmarks) {
    BenchmarkRun run;
    for (const char* path : {"worker.backend_model", "config.backend.model", "backend.model"}) {
      if (run.model.empty()) run.model = json_text(benchmark, path).value_or("");
    }
    if (run.model.empty()) run.model = json_text(report, "args.model").value_or("");
    run.prompts = distribution(benchmark, "metrics.prompt_token_count.successful", findings);
    run.outputs = distribution(benchmark, "metrics.output_token_count.successful", findings);
    run.requests = json_number(benchmark, "metrics.request_totals.successful", 0, kMost, findings);
    if (const Json* strategy = strategy_of(benchmark)) add_strategy(*strategy, run, findings);
    run.measured = in_words(benchmark, {"metrics.time_to_first_token_ms.successful.mean",
                                        "metrics.inter_token_latency_ms.successful.mean",
                                        "metrics.output_tokens_per_second.successful.mean"});
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace railwright::importers
