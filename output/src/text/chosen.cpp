// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/text/chosen.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "railwright/core/config/block_yaml.hpp"

namespace railwright::output {

std::string chosen_text(std::span<const planner::Chosen> chosen) {
  if (chosen.empty()) return {};
  std::string text = "\nchosen for you, since the question leaves it open:\n";
  for (const planner::Chosen& one : chosen) {
    text += fmt::format("  {}={}  # {}\n", one.key, one.value, one.why);
  }
  return text;
}

std::string with_chosen(const std::string& result_json, std::span<const planner::Chosen> chosen) {
  if (chosen.empty()) return result_json;
  auto json = nlohmann::ordered_json::parse(result_json);
  json["chosen"] = nlohmann::ordered_json::array();
  for (const planner::Chosen& one : chosen) {
    json["chosen"].push_back({{"key", one.key}, {"value", one.value}, {"why", one.why}});
  }
  return json.dump(2) + "\n";
}

std::string scenario_file(const core::Node& tree, std::span<const planner::Chosen> chosen,
                          std::string_view command) {
  std::map<std::string, std::string> comments;
  for (const planner::Chosen& one : chosen) {
    comments[one.key] = fmt::format("chosen: {}", one.why);
  }
  return fmt::format("# {}\n{}", core::comment_text(command), core::to_block_yaml(tree, comments));
}

}  // namespace railwright::output
