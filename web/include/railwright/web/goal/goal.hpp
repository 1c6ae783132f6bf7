// SPDX-License-Identifier: Apache-2.0
// Questions of the page that sizes a cluster for a goal, and their answers, as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/planner/size/size_any.hpp"
#include "railwright/planner/unsaid/question.hpp"

namespace railwright::web {

/// A model and what it must do, in the words that the command `size` takes as options.
struct GoalQuestion {
  std::string page;       ///< identifies the page, or its part, that asks
  std::int64_t turn = 0;  ///< number of the question, ascending within a page
  planner::Question question;
};

/// Reads `{"page": "a", "turn": 3, "words": {"model": "llama-3.1-70b", "tokens": "1.5T"}, "set":
/// ["goals.power=300 kW"]}`, with all keys and no others. Throws QuestionError.
GoalQuestion read_goal(std::string_view json);

/// Sizes a cluster for the goal. Writes `kind: sized`, the `verdict` as `size` prints it, the
/// `result` of `size --format json`, what was `chosen`, and the `scenario` of the answer as text;
/// of a service also the `front` of its designs. Throws ConfigError and core::Interrupted.
std::string goal_json(planner::Question question, const core::Catalogue& catalogue);

}  // namespace railwright::web
