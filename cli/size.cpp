// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/size.hpp"

#include "answer.hpp"
#include "common.hpp"
#include "progress.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/report_json.hpp"
#include "report.hpp"

namespace railwright::cli {

namespace {

int run_size(const Options& options, Streams& streams) {
  const bool with_report = wants_report(options);
  const core::Catalogue catalogue = open_catalogue(options);
  const core::Node tree = load_tree(options);
  Progress progress(streams.err);
  const planner::SizeOptions how{.num_threads = whole_number(options, "--threads", 0, 1024),
                                 .progress = progress.function()};
  const planner::SizingResult result = planner::size(tree, catalogue, how);
  progress.end();
  std::string json;
  if (with_report) {
    json = output::report_json(result, {tree, catalogue});
    write_report(options, "size", json);
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

}  // namespace

Verb size_verb() {
  Verb verb{.name = "size",
            .help = "The cluster that meets a scenario's `goals`, and what no smaller one does",
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
