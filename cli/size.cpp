// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/size.hpp"

#include "common.hpp"
#include "keep_so_far.hpp"
#include "progress.hpp"
#include "question.hpp"
#include "railwright/planner/size/size_any.hpp"
#include "report.hpp"

namespace railwright::cli {

namespace {

int run_size(const Options& options, Streams& streams) {
  wants_report(options);  // refused before the work where it cannot be made
  const core::Catalogue catalogue = open_catalogue(options);
  const core::Node tree = load_question(options, catalogue, planner::Asked::kSize, streams);
  Progress progress(streams.err, progress_style(options));
  const planner::SizeOptions how{.num_threads = whole_number(options, "--threads", 0, 1024),
                                 .progress = progress.function()};
  return keep_so_far(progress, streams, [&] {
    if (const auto sized = planner::size_any(tree, catalogue, how)) {
      progress.end();
      return put_with_report(*sized, "simulate", {tree, catalogue}, options, streams);
    }
    const planner::SizingResult result = planner::size(tree, catalogue, how);
    progress.end();
    return put_with_report(result, "size", {tree, catalogue}, options, streams);
  });
}

}  // namespace

Verb size_verb() {
  Verb verb{.name = "size",
            .help = "The cluster that meets a scenario's `goals`, or carries its service's load",
            .options = question_options(),
            .run = run_size};
  verb.options.push_back(tables_option());
  verb.options.push_back(threads_option());
  verb.options.push_back(progress_option());
  verb.options.push_back(format_option());
  verb.options.push_back(report_option());
  verb.options.push_back(catalogue_option());
  return verb;
}

}  // namespace railwright::cli
