// SPDX-License-Identifier: Apache-2.0
#include <variant>

#include "common.hpp"
#include "keep_so_far.hpp"
#include "progress.hpp"
#include "question.hpp"
#include "railwright/planner/search/search_any.hpp"
#include "report.hpp"

namespace railwright::cli {

namespace {

constexpr int kNumBest = 10;

int run_search(const Options& options, Streams& streams) {
  wants_report(options);  // refused before the work where it cannot be made
  const core::Catalogue catalogue = open_catalogue(options);
  const core::Node tree = load_question(options, catalogue, planner::Asked::kSearch, streams);
  Progress progress(streams.err, progress_style(options));
  const int num_best = options.has("--top") ? whole_number(options, "--top", 1, 1000) : kNumBest;
  const planner::SearchOptions search{.num_best = num_best,
                                      .num_simulated = whole_number(options, "--simulate", 0, 1000),
                                      .front = options.flag("--front"),
                                      .num_threads = whole_number(options, "--threads", 0, 1024),
                                      .progress = progress.function()};
  return keep_so_far(progress, streams, [&] {
    const planner::AnySearch result = planner::search_any(tree, catalogue, search);
    progress.end();
    return std::visit(
        [&](const auto& one) {
          return put_with_report(one, "search", {tree, catalogue}, options, streams);
        },
        result);
  });
}

}  // namespace

Verb search_verb() {
  Verb verb{.name = "search",
            .help = "The best parallelism and batch settings of a job or a service",
            .options = question_options(),
            .run = run_search};
  verb.options.push_back({.name = "--top",
                          .kind = OptionKind::kValue,
                          .value = "N",
                          .help = "List so many configurations; 10 with --tables alone"});
  verb.options.push_back({.name = "--simulate",
                          .kind = OptionKind::kValue,
                          .value = "N",
                          .help = "How many of those are simulated by events or requests",
                          .fallback = "3"});
  verb.options.push_back(
      {.name = "--front",
       .help = "Also print the Pareto front, with the list: time and memory, or tokens/s of a "
               "user and of an accelerator"});
  verb.options.push_back(tables_option());
  verb.options.push_back(threads_option());
  verb.options.push_back(progress_option());
  verb.options.push_back(format_option());
  verb.options.push_back(report_option());
  verb.options.push_back(catalogue_option());
  return verb;
}

}  // namespace railwright::cli
