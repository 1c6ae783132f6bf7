// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/explain/explain.hpp"

#include "common.hpp"
#include "keep_so_far.hpp"
#include "progress.hpp"
#include "question.hpp"
#include "report.hpp"

namespace railwright::cli {

namespace {

int run_explain(const Options& options, Streams& streams) {
  wants_report(options);  // refused before the work where it cannot be made
  const core::Catalogue catalogue = open_catalogue(options);
  const core::Node tree = load_question(options, catalogue, planner::Asked::kDesign, streams);
  Progress progress(streams.err, progress_style(options));
  return keep_so_far(progress, streams, [&] {
    const auto result =
        planner::explain(tree, catalogue, method_of(options), 0, progress.function());
    progress.end();
    return put_with_report(result, "explain", {tree, catalogue}, options, streams);
  });
}

}  // namespace

Verb explain_verb() {
  Verb verb{.name = "explain",
            .help = "What limits a step, what comes next, and what an outage costs",
            .options = scenario_options(question_options()),
            .run = run_explain};
  verb.options.push_back(tables_option());
  verb.options.push_back(threads_option());
  verb.options.push_back(progress_option());
  verb.options.push_back(report_option());
  return verb;
}

}  // namespace railwright::cli
