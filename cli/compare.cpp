// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "answer.hpp"
#include "common.hpp"
#include "progress.hpp"
#include "question.hpp"
#include "railwright/planner/compare/side_by_side_any.hpp"
#include "railwright/planner/unsaid/fill_in_designs.hpp"
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

/// Returns the question that is asked without a file, as far as it is said.
planner::Design asked_design(const Options& options, const core::Catalogue& catalogue,
                             const std::vector<simulation::Variation>& variations) {
  if (variations.empty()) {
    throw core::ConfigError({{{"compare"},
                              "",
                              "there is nothing to compare one design with",
                              "give --vary KEY=VALUES, or scenario files"}});
  }
  const bool varies_nodes =
      std::ranges::count(variations, "cluster.nodes", &simulation::Variation::key) > 0;
  planner::Question question{
      .scenario = std::nullopt, .words = words_of(options), .settings = options.list("--set")};
  core::Node tree = planner::stated(std::move(question), catalogue,
                                    varies_nodes ? planner::Asked::kSize : planner::Asked::kDesign,
                                    planner::Door::kCommand);
  return {options.text("--model"), std::move(tree)};
}

/// Returns the scenarios of the files, with the words of the question laid over each.
std::vector<planner::Design> named_designs(const Options& options,
                                           const core::Catalogue& catalogue) {
  std::vector<planner::Design> scenarios;
  for (const std::string& file : options.list("scenario")) {
    core::Node tree =
        simulation::load_scenario_tree(file, options.list("--set"), include_folders(options));
    const std::vector<planner::Said> words = words_of(options);
    if (!words.empty()) tree = planner::with_words(std::move(tree), words, catalogue);
    std::string name = name_of(tree, file);
    scenarios.push_back({std::move(name), std::move(tree)});
  }
  return scenarios;
}

int run_compare(const Options& options, Streams& streams) {
  wants_report(options);  // throws early if none can be made
  const core::Catalogue catalogue = open_catalogue(options);
  const auto variations = simulation::read_variations(options.list("--vary"));
  std::vector<planner::Design> scenarios = named_designs(options, catalogue);
  if (scenarios.empty()) scenarios.push_back(asked_design(options, catalogue, variations));
  const simulation::Method method = method_of(options);
  Progress progress(streams.err);
  const output::ReportSource source{scenarios.front().tree, catalogue};
  if (scenarios.size() > 1 || !variations.empty()) {
    auto designs = planner::vary(scenarios, variations);
    streams.chosen = planner::fill_in_designs(designs, catalogue);
    const auto result = planner::side_by_side_any(designs, catalogue, method, progress.function());
    progress.end();
    return std::visit(
        [&](const auto& one) { return put_with_report(one, "compare", source, options, streams); },
        result);
  }
  if (const auto kind = simulation::other_kind(scenarios.front().tree); !kind.empty()) {
    throw core::ConfigError(
        {{scenarios.front().tree.where, "",
          fmt::format("a scenario alone that describes {} has nothing to be compared with", kind),
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
  std::ranges::move(word_options(), std::back_inserter(verb.options));
  const auto scenario = std::ranges::find(verb.options, "scenario", &OptionSpec::name);
  scenario->kind = OptionKind::kPositionals;
  scenario->required = false;
  scenario->help = "One scenario, or several to stand side by side. Options ask without one";
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
