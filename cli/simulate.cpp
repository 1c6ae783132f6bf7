// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>
#include <vector>

#include "answer.hpp"
#include "chakra_folder.hpp"
#include "common.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "question.hpp"
#include "railwright/core/error.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/next_changes_json.hpp"
#include "railwright/output/json/ranges_json.hpp"
#include "railwright/output/json/report_json.hpp"
#include "railwright/output/perfetto/trace.hpp"
#include "railwright/planner/next_change/next_changes.hpp"
#include "railwright/planner/ranges/hangs_on.hpp"
#include "railwright/workloads/serving/start_files.hpp"
#include "railwright/workloads/simulate_any.hpp"
#include "report.hpp"

namespace railwright::cli {

namespace {

/// Returns null if the design does not fit. Throws ConfigError if there is no run for `file` to
/// show.
const simulation::RunResult* run_for(const std::string& option, const std::string& file,
                                     const simulation::AnyResult& result) {
  const simulation::RunResult* run = simulation::run_of(result);
  if (run == nullptr && !simulation::is_feasible(result)) return nullptr;
  const bool is_load = option == "--load";
  if (run != nullptr && !(is_load && run->storage.bins.empty())) return run;
  throw core::ConfigError(
      {{{option + " " + file},
        "",
        is_load ? "nothing runs that storage would see" : "nothing runs that a trace would show",
        ""}});
}

void write_load(const std::string& file, const simulation::AnyResult& result) {
  if (file.empty()) return;
  const simulation::RunResult* run = run_for("--load", file, result);
  if (run == nullptr) return;
  write_file("--load", file, [&](std::ostream& out) {
    if (file.ends_with(".json")) {
      out << output::load_json(run->storage);
    } else {
      output::write_load_csv(out, run->storage);
    }
  });
}

void write_jobs(const std::string& file, const simulation::AnyResult& result) {
  if (file.empty()) return;
  const auto* queue = std::get_if<simulation::QueueResult>(&result);
  if (queue == nullptr) {
    throw core::ConfigError(
        {{{"--jobs " + file}, "", "the scenario has no `queue`, whose jobs it lists", ""}});
  }
  if (!queue->has_run()) return;
  write_file("--jobs", file, [&](std::ostream& out) {
    if (file.ends_with(".json")) {
      out << output::jobs_json(*queue);
    } else {
      output::write_jobs_csv(out, *queue);
    }
  });
}

void write_trace(const std::string& file, const simulation::AnyResult& result) {
  if (file.empty()) return;
  const simulation::RunResult* run = run_for("--trace", file, result);
  if (run == nullptr) return;
  const auto* training = std::get_if<simulation::SimulationResult>(&result);
  const simulation::StepTrace* step =
      training != nullptr && training->trace ? &*training->trace : nullptr;
  write_file("--trace", file, [&](std::ostream& out) {
    output::write_trace(out, simulation::name_of(result), step, *run);
  });
}

/// Writes the file that starts the service, in place of an answer.
int put_start(const std::string& form, const simulation::AnyResult& result, const core::Node& tree,
              const core::Catalogue& catalogue, Streams& streams) {
  const auto* service = std::get_if<simulation::InferenceResult>(&result);
  if (service == nullptr) {
    throw core::ConfigError({{{"--start " + form},
                              "",
                              "the scenario has no `inference`, whose replicas it starts",
                              ""}});
  }
  streams.out << simulation::start_file(form, simulation::read_inference(tree, catalogue),
                                        *service);
  return kOk;
}

/// Tries the changes that an answer advises; on large clusters, where that takes seconds, only with
/// --tables.
planner::AnyChangesTried changes_of(const simulation::AnyResult& result,
                                    const output::ReportSource& source, const Options& options,
                                    Progress& progress) {
  if (!planner::are_changes_quick(result) && !wants_tables(options)) return {};
  return planner::next_changes(source.tree, source.catalogue, result, method_of(options),
                               progress.function());
}

/// Changes that were tried on a result, and the numbers that it hangs on.
struct Advice {
  planner::AnyChangesTried changes;
  std::vector<planner::HangsOn> hangs_on;
};

Advice advice_of(const simulation::AnyResult& result, const output::ReportSource& source,
                 const Options& options, Streams& streams) {
  Progress progress(streams.err);
  planner::AnyChangesTried changes = changes_of(result, source, options, progress);
  progress.end();
  return {.changes = std::move(changes),
          .hangs_on = planner::hangs_on(source.tree, source.catalogue, result)};
}

/// Writes the verdict, then all numbers and the explanation of the step if requested.
void put_words(const simulation::AnyResult& result, const planner::Explanation* explanation,
               const Advice& advice, const Options& options, Streams& streams) {
  std::string text = output::verdict(result, advice.changes, streams.style, advice.hangs_on);
  text +=
      wants_tables(options)
          ? '\n' + std::visit([&](const auto& one) { return output::to_text(one, streams.style); },
                              result)
          : kMore;
  if (explanation != nullptr) {
    text += '\n' + output::verdict(*explanation, streams.style) + '\n' +
            output::to_text(*explanation, streams.style);
  }
  put_text(streams, text);
}

void put_json(const simulation::AnyResult& result, const planner::Explanation* explanation,
              const Advice& advice, Streams& streams) {
  const std::string json =
      explanation != nullptr
          ? output::to_json(std::get<simulation::SimulationResult>(result), *explanation)
          : std::visit([](const auto& one) { return output::to_json(one); }, result);
  streams.out << output::with_hangs_on(output::with_changes(json, advice.changes), advice.hangs_on);
}

/// Explains the limits of the step if requested, and for a report unless that takes minutes.
std::optional<planner::Explanation> explanation_of(const simulation::AnyResult& result,
                                                   const output::ReportSource& source,
                                                   const Options& options, Progress& progress) {
  const auto* training = std::get_if<simulation::SimulationResult>(&result);
  const bool unasked = wants_report(options) && training != nullptr && training->feasible() &&
                       training->num_accelerators <= output::kMaxExplainedUnasked;
  if (!options.flag("--explain") && !unasked) return std::nullopt;
  return planner::explain(source.tree, source.catalogue, method_of(options), 0,
                          progress.function());
}

int run_simulate(const Options& options, Streams& streams) {
  const bool with_report = wants_report(options);
  const core::Catalogue catalogue = open_catalogue(options);
  const core::Node tree = load_question(options, catalogue, planner::Asked::kDesign, streams);
  const output::ReportSource source{tree, catalogue};
  const auto symmetry =
      options.flag("--unfolded") ? simulation::Symmetry::kUnfolded : simulation::Symmetry::kFolded;
  const std::string trace = options.text("--trace");
  const simulation::Method method = method_of(options);
  if (!trace.empty() && options.flag("--estimate")) {
    throw core::ConfigError(
        {{{"--trace " + trace}, "", "an estimate has no events to trace", "leave out --estimate"}});
  }
  check_chakra(options, tree);
  const bool traced = !trace.empty() || (with_report && method == simulation::Method::kSimulate);
  Progress progress(streams.err);
  const auto tell = [&](std::int64_t done, std::int64_t all) { progress.tell("runs", done, all); };
  const simulation::AnyResult result = simulation::simulate(
      tree, catalogue, {.method = method, .symmetry = symmetry, .trace = traced, .tell = tell});
  const std::string start = options.text("--start");
  if (!start.empty() && simulation::is_feasible(result)) {
    progress.end();
    return put_start(start, result, tree, catalogue, streams);
  }
  if (options.flag("--explain") && !std::holds_alternative<simulation::SimulationResult>(result)) {
    throw core::ConfigError({{{"--explain"}, "", "explains the step of one training job", ""}});
  }
  const auto explained = explanation_of(result, source, options, progress);
  progress.end();
  const planner::Explanation* explanation = explained ? &*explained : nullptr;
  write_load(options.text("--load"), result);
  write_jobs(options.text("--jobs"), result);
  write_trace(trace, result);
  if (simulation::is_feasible(result) && !write_chakra(options, tree, catalogue, streams)) {
    return kInterrupted;
  }
  const planner::Explanation* asked = options.flag("--explain") ? explanation : nullptr;
  const Advice advice = advice_of(result, source, options, streams);
  std::string report;
  if (with_report) {
    report = output::with_verdict(output::report_json(result, explanation, source),
                                  output::verdict(result, advice.changes, {}, advice.hangs_on));
    write_report(options, "simulate", report);
  }
  if (!wants_json(options)) {
    put_words(result, asked, advice, options, streams);
  } else if (with_report) {
    streams.out << report;
  } else {
    put_json(result, asked, advice, streams);
  }
  return simulation::is_feasible(result) ? kOk : kInfeasible;
}

std::string start_forms() {
  std::string names;
  for (const simulation::StartForm& form : simulation::start_forms()) {
    if (!names.empty()) names += ", ";
    names += form.name;
  }
  return names;
}

std::vector<OptionSpec> simulate_options() {
  std::vector<OptionSpec> options = scenario_options(question_options());
  options.push_back({.name = "--unfolded",
                     .help = "Simulate every replica on every link, not one of each class"});
  options.push_back(tables_option());
  options.push_back({.name = "--explain",
                     .help = "Add what `explain` says: what limits the step, and what comes next"});
  options.push_back({.name = "--trace",
                     .kind = OptionKind::kValue,
                     .value = "FILE",
                     .help = "Write a trace of the step and the run for Perfetto and Chrome"});
  options.push_back(chakra_option());
  options.push_back(
      {.name = "--load",
       .kind = OptionKind::kValue,
       .value = "FILE",
       .help =
           "Writes the load of the storage over time, as CSV or where FILE ends in .json as JSON"});
  options.push_back({.name = "--jobs",
                     .kind = OptionKind::kValue,
                     .value = "FILE",
                     .help = "Write start and end of each job of a queue, as CSV or where FILE "
                             "ends in .json as JSON"});
  options.push_back({.name = "--start",
                     .kind = OptionKind::kValue,
                     .value = "FORM",
                     .help = "Print the file that starts the service: " + start_forms()});
  options.push_back(threads_option());
  options.push_back(report_option());
  return options;
}

}  // namespace

Verb simulate_verb() {
  return {.name = "simulate",
          .help = "How long a scenario trains, what it needs, and what limits it",
          .options = simulate_options(),
          .run = run_simulate};
}

}  // namespace railwright::cli
