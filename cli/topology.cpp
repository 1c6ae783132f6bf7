// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/results/topology.hpp"

#include "common.hpp"
#include "output_file.hpp"
#include "railwright/output/drawing/topology.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::cli {

namespace {

void draw(const simulation::TopologyResult& result, const std::string& dot_path,
          const std::string& svg_path) {
  if (dot_path.empty() && svg_path.empty()) return;
  const std::string dot = output::to_dot(result.fabric, result.name, result.parts.shortfalls);
  if (!dot_path.empty()) write_file("--dot", dot_path, [&](std::ostream& out) { out << dot; });
  if (!svg_path.empty()) write_svg("--svg", svg_path, dot);
}

int run_topology(const Options& options, Streams& streams) {
  const core::Catalogue catalogue = open_catalogue(options);
  const auto result = simulation::topology(simulation::read_cluster(load_tree(options), catalogue));
  draw(result, options.text("--dot"), options.text("--svg"));
  if (wants_json(options)) {
    streams.out << output::to_json(result);
  } else {
    put_text(streams, output::to_text(result, streams.style));
  }
  return result.feasible() ? kOk : kInfeasible;
}

}  // namespace

Verb topology_verb() {
  Verb verb{
      .name = "topology",
      .help = "What a scenario's fabric consists of: switches, cables, bandwidth; its drawing",
      .options = scenario_options(),
      .run = run_topology};
  std::erase_if(verb.options, [](const OptionSpec& spec) { return spec.name == "--estimate"; });
  verb.options.push_back({.name = "--dot",
                          .kind = OptionKind::kValue,
                          .value = "FILE",
                          .help = "Writes the drawing's source for Graphviz"});
  verb.options.push_back({.name = "--svg",
                          .kind = OptionKind::kValue,
                          .value = "FILE",
                          .help = "Draws the fabric, with Graphviz's program dot"});
  return verb;
}

}  // namespace railwright::cli
