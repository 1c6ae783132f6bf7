// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "answer.hpp"
#include "common.hpp"
#include "progress.hpp"
#include "railwright/planner/compare/side_by_side_any.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/workloads/kinds.hpp"
#include "report.hpp"

namespace railwright::cli {

namespace {

/// Returns a scenario's `name`, or its file's name.
std::string name_of(const core::Node& tree, const std::string& file) {
  const core::Node* name = tree.find("name");
  return name != nullptr && name->is_scalar() ? name->text : file;
}

int run_compare(const Options& options, Streams& streams) {
  wants_report(options);  // throws early if none can be made
  const core::Catalogue catalogue = open_catalogue(options);
  const std::vector<std::string>& files = options.list("scenario");
  const auto variations = simulation::read_variations(options.list("--vary"));
  std::vector<planner::Design> scenarios;
  for (const std::string& file : files) {
    core::Node tree =
        simulation::load_scenario_tree(file, options.list("--set"), include_folders(options));
    std::string name = name_of(tree, file);
    scenarios.push_back({std::move(name), std::move(tree)});
  }
  const simulation::Method method = method_of(options);
  Progress progress(streams.err);
  const output::ReportSource source{scenarios.front().tree, catalogue};
  if (files.size() > 1 || !variations.empty()) {
    const auto designs = planner::vary(scenarios, variations);
    const auto result = planner::side_by_side_any(designs, catalogue, method, progress.function());
    progress.end();
    return std::visit(
        [&](const auto& one) { return put_with_report(one, "compare", source, options, streams); },
        result);
  }
  if (const auto kind = simulation::other_kind(scenarios.front().tree); !kind.empty()) {
    throw core::ConfigError(
        {{scenarios.front().tree.where, "",
          fmt::format("a scenario alone that describes {} has nothing beside it", kind),
          "give --vary KEY=VALUES, or several scenarios"}});
  }
  const auto result = planner::compare(scenarios.front().tree, catalogue, method,
                                       !options.flag("--no-assumptions"), progress.function());
  progress.end();
  return put_with_report(result, "compare", source, options, streams);
}

}  // namespace

Verb compare_verb() {
  Verb verb{.name = "compare",
            .help = "Scenarios or values side by side, or the cases of a scenario's `comparison`",
            .options = scenario_options(),
            .run = run_compare};
  const auto scenario = std::ranges::find(verb.options, "scenario", &OptionSpec::name);
  scenario->kind = OptionKind::kPositionals;
  scenario->help = "One scenario, or several to stand side by side";
  verb.options.push_back({.name = "--vary",
                          .kind = OptionKind::kList,
                          .value = "PATH=VALUES",
                          .help = "Values of a key to stand side by side, such as "
                                  "cluster.node.nics.count=8,4; repeatable: all combinations"});
  verb.options.push_back({.name = "--no-assumptions", .help = "Skip the scenario's `assumptions`"});
  verb.options.push_back(tables_option());
  verb.options.push_back(threads_option());
  verb.options.push_back(report_option());
  return verb;
}

}  // namespace railwright::cli
