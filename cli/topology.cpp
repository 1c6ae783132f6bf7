// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/verbs/topology.hpp"

#include "common.hpp"
#include "railwright/planner/out/topology.hpp"

namespace railwright::cli {

namespace {

int run(const Options& options, Streams& streams) {
  const core::Catalogue catalogue = open_catalogue(options);
  const auto result = planner::topology(planner::read_cluster(load_tree(options), catalogue));
  streams.out << (wants_json(options) ? planner::to_json(result)
                                      : planner::to_text(result, streams.style));
  return result.feasible() ? kOk : kInfeasible;
}

}  // namespace

Verb topology_verb() {
  Verb verb{
      .name = "topology",
      .help = "What a scenario's fabric consists of: switches, cables, bandwidth; its drawing",
      .options = scenario_options(),
      .run = run};
  std::erase_if(verb.options, [](const OptionSpec& spec) { return spec.name == "--estimate"; });
  return verb;
}

}  // namespace railwright::cli
