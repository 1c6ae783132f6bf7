// SPDX-License-Identifier: Apache-2.0
// What a what-if page asks, as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::web {

struct WhatIfQuestion {
  std::string page;       ///< whose question it is
  std::int64_t turn = 0;  ///< of this page, counted up
  core::Node scenario;
  std::vector<std::string> settings;
  simulation::Method method = simulation::Method::kEstimate;
};

/// What a question may be at most.
inline constexpr std::size_t kMaxSettings = 100;
inline constexpr std::size_t kLongestSetting = 4000;

/// A question that no page of ours asks. What is wrong with a scenario is a ConfigError.
class QuestionError : public core::Error {
 public:
  using core::Error::Error;
};

/// `{"page": "a", "turn": 3, "scenario": "YAML", "set": ["cluster.nodes=4"], "method":
/// "estimate"}`, with all keys and no others. Throws QuestionError, and ConfigError where the
/// scenario's text is no YAML.
WhatIfQuestion read_what_if(std::string_view json);

}  // namespace railwright::web
