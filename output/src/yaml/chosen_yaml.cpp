// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/yaml/chosen_yaml.hpp"

#include <fmt/format.h>

#include <map>

#include "railwright/core/config/block_yaml.hpp"

namespace railwright::output {

std::string chosen_yaml(const planner::Filled& filled, std::string_view command) {
  std::map<std::string, std::string> comments;
  for (const planner::Chosen& one : filled.chosen) {
    comments[one.key] = fmt::format("chosen: {}", one.why);
  }
  return fmt::format("# {}\n{}", core::comment_text(command),
                     core::to_block_yaml(filled.tree, comments));
}

}  // namespace railwright::output
