// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/size.hpp"

#include "answer.hpp"
#include "common.hpp"
#include "progress.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/report_json.hpp"
#include "railwright/planner/size/size_any.hpp"
#include "report.hpp"

namespace railwright::cli {

namespace {

/// Writes the report if one is requested, whose page is that of `verb`, and the answer.
template <class Result>
int put_sized(const Result& result, std::string_view verb, const output::ReportSource& source,
              const Options& options, Streams& streams) {
  std::string json;
  if (wants_report(options)) {
    json = output::report_json(result, source);
    write_report(options, verb, json);
  } else if (wants_json(options)) {
    json = output::to_json(result);
  }
  if (wants_json(options)) {
    streams.out << json;
  } else {
    put_answer(result, options, streams);
  }
  return result.feasible() ? kOk : kInfeasible;
}

int run_size(const Options& options, Streams& streams) {
  wants_report(options);  // refused before the work where it cannot be made
  const core::Catalogue catalogue = open_catalogue(options);
  const core::Node tree = load_tree(options);
  Progress progress(streams.err);
  const planner::SizeOptions how{.num_threads = whole_number(options, "--threads", 0, 1024),
                                 .progress = progress.function()};
  if (const auto sized = planner::size_any(tree, catalogue, how)) {
    progress.end();
    return put_sized(*sized, "simulate", {tree, catalogue}, options, streams);
  }
  const planner::SizingResult result = planner::size(tree, catalogue, how);
  progress.end();
  return put_sized(result, "size", {tree, catalogue}, options, streams);
}

}  // namespace

Verb size_verb() {
  Verb verb{.name = "size",
            .help = "The cluster that meets a scenario's `goals`, or carries its service's load",
            .options = file_options(),
            .run = run_size};
  verb.options.push_back(tables_option());
  verb.options.push_back(threads_option());
  verb.options.push_back(format_option());
  verb.options.push_back(report_option());
  verb.options.push_back(catalogue_option());
  return verb;
}

}  // namespace railwright::cli
