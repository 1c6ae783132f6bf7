// SPDX-License-Identifier: Apache-2.0
#include "railwright/web/goal/goal.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "../what_if/question_json.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/output/yaml/scenario_file.hpp"
#include "railwright/planner/search/serving_search.hpp"
#include "railwright/planner/what_if/what_if.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::web {

namespace {

Json chosen_json(const std::vector<planner::Chosen>& chosen) {
  Json list = Json::array();
  for (const planner::Chosen& one : chosen) {
    list.push_back({{"key", one.key}, {"value", one.value}, {"why", one.why}});
  }
  return list;
}

/// Returns the scenario of an answer as a file that needs no other.
std::string file_of(core::Node scenario, const core::Catalogue& catalogue) {
  return output::scenario_file(planner::in_one_piece(std::move(scenario), catalogue));
}

/// Returns the designs that no other one beats for a user and for an accelerator.
Json front_json(const core::Node& tree, const core::Catalogue& catalogue) {
  Json list = Json::array();
  const planner::ServingSearchResult found =
      planner::search_service(tree, catalogue, {.num_best = 1, .front = true});
  for (const planner::ServingEntry& one : found.front) {
    list.push_back({{"settings", one.settings},
                    {"user_tokens_per_s", one.user_tokens_per_s()},
                    {"accelerator_tokens_per_s", one.result.accelerator_tokens_per_s},
                    {"num_accelerators", one.result.num_accelerators},
                    {"num_nodes", one.result.num_nodes},
                    {"meets_latencies", one.meets_latencies}});
  }
  return list;
}

/// Returns the scenario that was asked about, on as many nodes as the answer has.
core::Node on_nodes_of(const planner::SizedScenario& sized, const core::Node& tree) {
  std::vector<std::string> nodes = sized.settings;
  std::erase_if(nodes, [](const std::string& one) { return !one.starts_with("cluster.nodes="); });
  return simulation::with_settings(tree, nodes);
}

Json service_json(const planner::SizedScenario& sized, const core::Node& tree,
                  const core::Catalogue& catalogue) {
  return {{"of", "service"},
          {"verdict", output::verdict(sized)},
          {"result", Json::parse(output::to_json(sized))},
          {"scenario", output::scenario_file(sized.scenario)},
          {"front", front_json(on_nodes_of(sized, tree), catalogue)}};
}

Json training_json(const core::Node& tree, const core::Catalogue& catalogue) {
  const planner::SizingResult sized = planner::size(tree, catalogue);
  Json json = {{"of", "training"},
               {"verdict", output::verdict(sized)},
               {"result", Json::parse(output::to_json(sized))}};
  if (sized.feasible()) {
    const auto& settings = sized.sized[*sized.chosen].cluster.settings;
    json["scenario"] = file_of(simulation::with_settings(tree, settings), catalogue);
  }
  return json;
}

}  // namespace

GoalQuestion read_goal(std::string_view json) {
  static constexpr auto kKeys = std::to_array<std::string_view>({"page", "turn", "words", "set"});
  const Json question = Json::parse(json, nullptr, false);
  check_keys(question, kKeys, "the question");
  GoalQuestion read{
      .page = page_of(question),
      .turn = turn_of(question),
      .question = {.scenario = std::nullopt, .words = {}, .settings = texts(question, "set")}};
  const Json& words = value(question, "words");
  if (!words.is_object()) refuse("'words' is not a JSON object");
  for (const planner::Word& word : planner::kWords) {
    if (!words.contains(word.name)) continue;
    read.question.words.push_back(
        planner::said(word, text(words, std::string(word.name).c_str()), planner::Door::kCommand));
  }
  if (read.question.words.size() != words.size()) refuse("'words' has an unknown word");
  return read;
}

std::string goal_json(planner::Question question, const core::Catalogue& catalogue) {
  const planner::Filled filled = planner::answerable(
      std::move(question), catalogue, planner::Asked::kSize, planner::Door::kCommand);
  Json json = {{"kind", "sized"}, {"chosen", chosen_json(filled.chosen)}};
  const std::optional<planner::SizedScenario> sized = planner::size_any(filled.tree, catalogue);
  json.update(sized ? service_json(*sized, filled.tree, catalogue)
                    : training_json(filled.tree, catalogue));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace railwright::web
