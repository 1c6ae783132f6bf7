// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/results/topology.hpp"

#include "common.hpp"
#include "output_file.hpp"
#include "question.hpp"
#include "railwright/core/error.hpp"
#include "railwright/output/drawing/topology.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/report_json.hpp"
#include "railwright/output/text/text.hpp"
#include "report.hpp"

namespace railwright::cli {

namespace {

void draw(const simulation::TopologyResult& result, const std::string& dot_path,
          const std::string& svg_path) {
  if (dot_path.empty() && svg_path.empty()) return;
  if (!result.pools.empty()) {
    throw core::ConfigError({{{}, "cluster.pools", "a drawing is of nodes of one kind", {}}});
  }
  const std::string dot = output::to_dot(result.fabric, result.name, result.parts.shortfalls);
  if (!dot_path.empty()) write_file("--dot", dot_path, [&](std::ostream& out) { out << dot; });
  if (!svg_path.empty()) write_svg("--svg", svg_path, dot);
}

int run_topology(const Options& options, Streams& streams) {
  const bool with_report = wants_report(options);
  const core::Catalogue catalogue = open_catalogue(options);
  const core::Node tree = load_question(options, catalogue, planner::Asked::kFabric, streams);
  const auto result = simulation::topology(tree, catalogue);
  draw(result, options.text("--dot"), options.text("--svg"));
  std::string report;
  if (with_report) {
    report = output::report_json(result, {tree, catalogue});
    write_report(options, "topology", report);
  }
  if (wants_json(options)) {
    streams.out << (with_report ? report : output::to_json(result));
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
      .options = scenario_options(question_options("cluster.")),
      .run = run_topology};
  std::erase_if(verb.options, [](const OptionSpec& spec) { return spec.name == "--estimate"; });
  verb.options.push_back({.name = "--dot",
                          .kind = OptionKind::kValue,
                          .value = "FILE",
                          .help = "Write the drawing's source for Graphviz"});
  verb.options.push_back({.name = "--svg",
                          .kind = OptionKind::kValue,
                          .value = "FILE",
                          .help = "Draw the fabric, with Graphviz's program dot"});
  verb.options.push_back(report_option());
  return verb;
}

}  // namespace railwright::cli
