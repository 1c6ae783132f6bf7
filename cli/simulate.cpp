// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/verbs/simulate.hpp"

#include "common.hpp"
#include "output_file.hpp"
#include "railwright/core/error.hpp"
#include "railwright/planner/benchmark/benchmark.hpp"
#include "railwright/planner/inference/inference.hpp"
#include "railwright/planner/jobs/jobs.hpp"
#include "railwright/planner/out/json.hpp"
#include "railwright/planner/out/load_csv.hpp"
#include "railwright/planner/out/text.hpp"
#include "railwright/planner/out/trace.hpp"

namespace railwright::cli {

namespace {

void write_load(const Options& options, const planner::StorageRun& storage) {
  const std::string file = options.text("--load");
  if (file.empty()) return;
  if (storage.bins.empty()) {
    throw core::ConfigError({{{"--load " + file}, "", "nothing runs that storage would see", ""}});
  }
  write_file("--load", file, [&](std::ostream& out) { planner::write_load_csv(out, storage); });
}

int run(const Options& options, Streams& streams) {
  const core::Catalogue catalogue = open_catalogue(options);
  const core::Node tree = load_tree(options);
  if (planner::is_benchmark(tree)) {
    const auto result = planner::simulate(planner::read_benchmark(tree, catalogue));
    streams.out << (wants_json(options) ? planner::to_json(result)
                                        : planner::to_text(result, streams.style));
    return result.feasible() ? kOk : kInfeasible;
  }
  if (planner::is_inference(tree)) {
    const auto result = planner::simulate(planner::read_inference(tree, catalogue));
    streams.out << (wants_json(options) ? planner::to_json(result)
                                        : planner::to_text(result, streams.style));
    return result.feasible() ? kOk : kInfeasible;
  }
  if (planner::is_jobs(tree)) {
    const auto result = planner::simulate(planner::read_jobs(tree, catalogue));
    write_load(options, result.run.storage);
    streams.out << (wants_json(options) ? planner::to_json(result)
                                        : planner::to_text(result, streams.style));
    return result.feasible() ? kOk : kInfeasible;
  }
  const auto checked = planner::read_scenario(tree, catalogue);
  const auto symmetry =
      options.flag("--unfolded") ? planner::Symmetry::kUnfolded : planner::Symmetry::kFolded;
  const std::string trace = options.text("--trace");
  if (!trace.empty() && options.flag("--estimate")) {
    throw core::ConfigError(
        {{{"--trace " + trace}, "", "an estimate has no events to trace", "leave out --estimate"}});
  }
  const auto result = planner::simulate(
      checked, {.method = method_of(options), .symmetry = symmetry, .trace = !trace.empty()});
  write_load(options, result.run.storage);
  if (result.trace) {
    write_file("--trace", trace,
               [&](std::ostream& out) { planner::write_trace(out, *result.trace, result.name); });
  }
  streams.out << (wants_json(options) ? planner::to_json(result)
                                      : planner::to_text(result, streams.style));
  return result.feasible() ? kOk : kInfeasible;
}

std::vector<OptionSpec> simulate_options() {
  std::vector<OptionSpec> options = scenario_options();
  options.push_back({.name = "--unfolded",
                     .help = "Simulates every replica on every link, not one of each class"});
  options.push_back({.name = "--trace",
                     .kind = OptionSpec::Kind::kValue,
                     .value = "FILE",
                     .help = "Writes a trace of the step for Perfetto and Chrome"});
  options.push_back({.name = "--load",
                     .kind = OptionSpec::Kind::kValue,
                     .value = "FILE",
                     .help = "Writes what storage reads and writes over time, as CSV"});
  return options;
}

}  // namespace

Verb simulate_verb() {
  return {.name = "simulate",
          .help = "How long a scenario trains, what it needs, and what limits it",
          .options = simulate_options(),
          .run = run};
}

}  // namespace railwright::cli
