// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/verbs/compare.hpp"

#include "common.hpp"
#include "railwright/planner/out/json.hpp"
#include "railwright/planner/out/text.hpp"

namespace railwright::cli {

namespace {

int run(const Options& options, Streams& streams) {
  const core::Catalogue catalogue = open_catalogue(options);
  const auto result = planner::compare(load_tree(options), catalogue, method_of(options),
                                       !options.flag("--no-assumptions"));
  streams.out << (wants_json(options) ? planner::to_json(result)
                                      : planner::to_text(result, streams.style));
  return result.feasible() ? kOk : kInfeasible;
}

}  // namespace

Verb compare_verb() {
  Verb verb{.name = "compare",
            .help = "The cases of a scenario's `comparison` side by side",
            .options = scenario_options(),
            .run = run};
  verb.options.push_back({.name = "--no-assumptions",
                          .help = "Leaves out what departs from the scenario in one thing"});
  return verb;
}

}  // namespace railwright::cli
