// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/sweep/sweep.hpp"

#include <fmt/format.h>

#include "common.hpp"
#include "progress.hpp"
#include "railwright/output/tables/sweep_table.hpp"
#include "railwright/planner/sweep/sweep_rows.hpp"
#include "report.hpp"
#include "stop_on_signal.hpp"

namespace railwright::cli {

namespace {

/// Refuses a page of more points than one shows.
void check_page(const planner::SweepQuestion& question, const planner::Shard& shard) {
  if (question.num_points / shard.count <= output::kMaxPointsOfPage) return;
  throw core::ConfigError(
      {{{"--report"},
        "",
        fmt::format("a page shows at most {} points, this sweep has {}", output::kMaxPointsOfPage,
                    question.num_points / shard.count),
        "vary less, or take one of its parts: --shard 1/N"}});
}

/// Runs the sweep; its rows are kept for a page alone.
planner::SweepWithRows run_into(const planner::Sweep& sweep, planner::SweepTable& table,
                                bool with_page) {
  if (with_page) return planner::run_with_rows(sweep, table);
  return {.summary = sweep.run(table), .columns = {}};
}

/// Writes the page if one is requested, and the summary.
void put_sweep(const planner::SweepWithRows& done, const output::ReportSource& source,
               const Options& options, Streams& streams) {
  const std::string out = options.text("--out");
  std::string json = output::to_json(done.summary, out);
  if (wants_report(options) && !done.summary.interrupted) {
    json = output::report_json(done, out, source);
    write_report(options, "sweep", json);
  }
  if (wants_json(options)) {
    streams.out << json;
  } else {
    put_text(streams, output::to_text(done.summary, out));
  }
}

int run_sweep(const Options& options, Streams& streams) {
  const bool with_page = wants_report(options);
  const auto vary = simulation::read_variations(options.list("--vary"));
  const core::Catalogue catalogue = open_catalogue(options);
  const core::Node tree = load_tree(options);
  Progress progress(streams.err, progress_style(options));
  planner::SweepOptions sweep_options{
      .method = method_of(options),
      .with_run = !options.flag("--steps-only"),
      .version = program_version(),
      .num_threads = whole_number(options, "--threads", 0, 1024),
      .progress = [&](std::int64_t done, std::int64_t all) { progress.tell("points", done, all); },
      .stop = &StopOnSignal::flag()};
  if (!options.text("--shard").empty()) {
    sweep_options.shard = planner::read_shard(options.text("--shard"));
  }
  const planner::Shard shard = sweep_options.shard;
  const planner::Sweep sweep(tree, catalogue, vary, std::move(sweep_options));
  if (with_page) check_page(sweep.question(), shard);
  const std::string out = options.text("--out");
  const StopOnSignal stop;
  const auto table = output::open_sweep_table(out, sweep.question());
  try {
    const planner::SweepWithRows done = run_into(sweep, *table, with_page);
    const planner::SweepSummary& summary = done.summary;
    progress.end();
    put_sweep(done, {tree, catalogue}, options, streams);
    if (summary.interrupted) {
      streams.err << fmt::format(
          "interrupted after {} of {} points in {}; run the same command again to resume\n",
          summary.found + summary.made, summary.wanted, out);
      return kInterrupted;
    }
    return summary.feasible > 0 || summary.wanted == 0 ? kOk : kInfeasible;
  } catch (const planner::TableError& error) {
    progress.end();
    streams.err << fmt::format(
        "{}: {}; committed rows are kept: run the same command again to resume\n", out,
        error.what());
    return kInternal;
  }
}

}  // namespace

Verb sweep_verb() {
  Verb verb{.name = "sweep",
            .help = "Evaluate every combination of key values; one table row each",
            .options = scenario_options(),
            .run = run_sweep};
  verb.options.push_back({.name = "--out",
                          .kind = OptionKind::kValue,
                          .value = "TABLE",
                          .help =
                              "Output file (.sqlite, .csv or .jsonl). An existing file of the same "
                              "sweep is resumed. 'none' discards rows",
                          .required = true});
  verb.options.push_back({.name = "--vary",
                          .kind = OptionKind::kList,
                          .value = "KEY=A,B,C",
                          .help = "A key and its values, added to those of the scenario's sweep "
                                  "or in their place; repeatable"});
  verb.options.push_back(
      {.name = "--steps-only", .help = "Steps alone, without the run that they are part of"});
  verb.options.push_back({.name = "--shard",
                          .kind = OptionKind::kValue,
                          .value = "I/N",
                          .help = "Only every N-th point, from the I-th on"});
  verb.options.push_back(threads_option());
  verb.options.push_back(progress_option());
  verb.options.push_back(report_option());
  return verb;
}

}  // namespace railwright::cli
