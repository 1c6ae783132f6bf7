// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/verbs/simulate.hpp"

#include "common.hpp"
#include "railwright/planner/out/json.hpp"
#include "railwright/planner/out/text.hpp"

namespace railwright::cli {

namespace {

int run(const Options& options, Streams& streams) {
  const core::Catalogue catalogue = open_catalogue(options);
  const auto checked = planner::read_scenario(load_tree(options), catalogue);
  const auto result = planner::simulate(checked, method_of(options));
  streams.out << (wants_json(options) ? planner::to_json(result)
                                      : planner::to_text(result, streams.style));
  return result.feasible() ? kOk : kInfeasible;
}

}  // namespace

Verb simulate_verb() {
  return {.name = "simulate",
          .help = "How long a scenario trains, what it needs, and what limits it",
          .options = scenario_options(),
          .run = run};
}

}  // namespace railwright::cli
