// SPDX-License-Identifier: Apache-2.0
// A verb of its own, added as the how-to says: the nodes of a scenario.
#include <fmt/format.h>

#include "../../cli/common.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::cli {

namespace {

int run_nodes(const Options& options, Streams& streams) {
  const core::Catalogue catalogue = open_catalogue(options);
  const auto checked = simulation::read_scenario(load_tree(options), catalogue);
  streams.out << fmt::format("{} nodes\n", checked.scenario.cluster.num_nodes);
  return kOk;
}

}  // namespace

Verb nodes_verb() {
  std::vector<OptionSpec> options = file_options();
  options.push_back(catalogue_option());
  return {.name = "nodes",
          .help = "How many nodes a scenario has",
          .options = std::move(options),
          .run = run_nodes};
}

}  // namespace railwright::cli
