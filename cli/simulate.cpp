// SPDX-License-Identifier: Apache-2.0
#include "common.hpp"
#include "output_file.hpp"
#include "railwright/core/error.hpp"
#include "railwright/planner/out/json.hpp"
#include "railwright/planner/out/load.hpp"
#include "railwright/planner/out/text.hpp"
#include "railwright/planner/out/trace.hpp"
#include "railwright/planner/verbs/simulate_any.hpp"

namespace railwright::cli {

namespace {

/// Null where the design does not fit; throws ConfigError where nothing runs that `file` would
/// show.
const planner::RunResult* run_for(const std::string& option, const std::string& file,
                                  const planner::AnyResult& result) {
  const planner::RunResult* run = planner::run_of(result);
  if (run == nullptr && !planner::is_feasible(result)) return nullptr;
  const bool is_load = option == "--load";
  if (run != nullptr && !(is_load && run->storage.bins.empty())) return run;
  throw core::ConfigError(
      {{{option + " " + file},
        "",
        is_load ? "nothing runs that storage would see" : "nothing runs that a trace would show",
        ""}});
}

void write_load(const std::string& file, const planner::AnyResult& result) {
  if (file.empty()) return;
  const planner::RunResult* run = run_for("--load", file, result);
  if (run == nullptr) return;
  write_file("--load", file, [&](std::ostream& out) {
    if (file.ends_with(".json")) {
      out << planner::load_json(run->storage);
    } else {
      planner::write_load_csv(out, run->storage);
    }
  });
}

void write_trace(const std::string& file, const planner::AnyResult& result) {
  if (file.empty()) return;
  const planner::RunResult* run = run_for("--trace", file, result);
  if (run == nullptr) return;
  const auto* training = std::get_if<planner::SimulationResult>(&result);
  const planner::StepTrace* step =
      training != nullptr && training->trace ? &*training->trace : nullptr;
  write_file("--trace", file, [&](std::ostream& out) {
    planner::write_trace(out, planner::name_of(result), step, *run);
  });
}

void put_explained(const planner::AnyResult& result, const planner::Explanation& explanation,
                   const Options& options, Streams& streams) {
  const auto& training = std::get<planner::SimulationResult>(result);
  if (wants_json(options)) {
    streams.out << planner::to_json(training, explanation);
    return;
  }
  streams.out << planner::to_text(training, streams.style) << '\n'
              << planner::to_text(explanation, streams.style);
}

int run(const Options& options, Streams& streams) {
  const core::Catalogue catalogue = open_catalogue(options);
  const core::Node tree = load_tree(options);
  const auto symmetry =
      options.flag("--unfolded") ? planner::Symmetry::kUnfolded : planner::Symmetry::kFolded;
  const std::string trace = options.text("--trace");
  if (!trace.empty() && options.flag("--estimate")) {
    throw core::ConfigError(
        {{{"--trace " + trace}, "", "an estimate has no events to trace", "leave out --estimate"}});
  }
  const planner::AnyResult result = planner::simulate(
      tree, catalogue,
      {.method = method_of(options), .symmetry = symmetry, .trace = !trace.empty()});
  if (options.flag("--explain") && !std::holds_alternative<planner::SimulationResult>(result)) {
    throw core::ConfigError({{{"--explain"}, "", "explains the step of one training job", ""}});
  }
  write_load(options.text("--load"), result);
  write_trace(trace, result);
  if (options.flag("--explain")) {
    put_explained(result, planner::explain(tree, catalogue, method_of(options)), options, streams);
    return planner::is_feasible(result) ? kOk : kInfeasible;
  }
  std::visit(
      [&](const auto& one) {
        streams.out << (wants_json(options) ? planner::to_json(one)
                                            : planner::to_text(one, streams.style));
      },
      result);
  return planner::is_feasible(result) ? kOk : kInfeasible;
}

std::vector<OptionSpec> simulate_options() {
  std::vector<OptionSpec> options = scenario_options();
  options.push_back({.name = "--unfolded",
                     .help = "Simulates every replica on every link, not one of each class"});
  options.push_back(
      {.name = "--explain",
       .help = "Adds what `explain` says: what limits the step, and what comes next"});
  options.push_back({.name = "--trace",
                     .kind = OptionSpec::Kind::kValue,
                     .value = "FILE",
                     .help = "Writes a trace of the step and the run for Perfetto and Chrome"});
  options.push_back(
      {.name = "--load",
       .kind = OptionSpec::Kind::kValue,
       .value = "FILE",
       .help =
           "Writes the load of the storage over time, as CSV or where FILE ends in .json as JSON"});
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
