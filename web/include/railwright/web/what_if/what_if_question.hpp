// SPDX-License-Identifier: Apache-2.0
// Questions of the what-if page, as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/planner/what_if/what_if.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::web {

/// Changes to a scenario.
struct WhatIfVariant {
  std::vector<std::string> settings;
  planner::DivisionChoice division = planner::DivisionChoice::kOwn;
  std::vector<std::string> kept;  ///< keys of the division that a chosen one keeps
};

struct WhatIfQuestion {
  std::string page;       ///< identifies the page, or its part, that asks
  std::int64_t turn = 0;  ///< number of the question, ascending within a page
  core::Node scenario;
  simulation::Method method = simulation::Method::kEstimate;
  WhatIfVariant variant;
};

/// Short answers to many variants: the stops of a slider, or changes that may help.
struct VariantsQuestion {
  std::string page;
  std::int64_t turn = 0;
  core::Node scenario;
  std::vector<WhatIfVariant> variants;
};

/// Limits of a question.
inline constexpr std::size_t kMaxSettings = 100;
inline constexpr std::size_t kLongestSetting = 4000;
inline constexpr std::size_t kMaxVariants = 200;

/// Thrown for a question that our page would not ask. An error in the scenario is a ConfigError.
class QuestionError : public core::Error {
 public:
  using core::Error::Error;
};

/// Reads `{"page": "a", "turn": 3, "scenario": "YAML", "set": ["cluster.nodes=4"], "method":
/// "estimate", "division": "where_needed", "keep": ["parallelism.tp"]}`, with all keys and no
/// others. Throws QuestionError, or ConfigError if the scenario's text is not YAML.
WhatIfQuestion read_what_if(std::string_view json);

/// Reads `{"page": "a", "turn": 3, "scenario": "YAML", "variants": [{"set": [...], "division":
/// "own", "keep": []}]}`; throws like read_what_if().
VariantsQuestion read_variants(std::string_view json);

}  // namespace railwright::web
