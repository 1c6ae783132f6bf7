// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/sweep/sweep.hpp"

#include <fmt/format.h>

#include "common.hpp"
#include "progress.hpp"
#include "railwright/output/tables/sweep_table.hpp"
#include "stop_on_signal.hpp"

namespace railwright::cli {

namespace {

int run_sweep(const Options& options, Streams& streams) {
  const auto vary = simulation::read_variations(options.list("--vary"));
  const core::Catalogue catalogue = open_catalogue(options);
  Progress progress(streams.err);
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
  const planner::Sweep sweep(load_tree(options), catalogue, vary, std::move(sweep_options));
  const std::string out = options.text("--out");
  const StopOnSignal stop;
  const auto table = output::open_sweep_table(out, sweep.question());
  try {
    const planner::SweepSummary summary = sweep.run(*table);
    progress.end();
    if (wants_json(options)) {
      streams.out << output::to_json(summary, out);
    } else {
      put_text(streams, output::to_text(summary, out));
    }
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
            .help = "Every combination of the values of some keys into a table, a row a point",
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
                          .help = "A key and its values, beside or in place of those in the "
                                  "scenario's sweep; repeatable"});
  verb.options.push_back(
      {.name = "--steps-only", .help = "Steps alone, without the run that they are part of"});
  verb.options.push_back({.name = "--shard",
                          .kind = OptionKind::kValue,
                          .value = "I/N",
                          .help = "Only every N-th point, from the I-th on"});
  verb.options.push_back(threads_option());
  return verb;
}

}  // namespace railwright::cli
