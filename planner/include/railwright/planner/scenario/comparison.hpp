// SPDX-License-Identifier: Apache-2.0
// The part of a scenario file that `compare` runs.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::planner {

/// The key whose values stand side by side.
struct Variation {
  std::string key;
  std::vector<core::Node> values;

  static constexpr auto fields() {
    return std::tuple{
        core::field("key", &Variation::key, "Dotted path of the key that varies."),
        core::field("values", &Variation::values, "Its values, in the order of the columns.")};
  }
};

/// Published times of a case, one for each value that varies.
struct PublishedTimes {
  std::vector<core::Duration> training_time;
  core::Duration rounding;
  std::string source;

  static constexpr auto fields() {
    return std::tuple{
        core::field("training_time", &PublishedTimes::training_time,
                    "Published training time for each value.", core::positive),
        core::field("rounding", &PublishedTimes::rounding, "Half of their last printed digit.",
                    core::non_negative, core::optional),
        core::field("source", &PublishedTimes::source, "Where they stand.")};
  }
};

struct ComparisonCase {
  std::string name;
  std::vector<std::string> set;
  std::optional<PublishedTimes> published;

  static constexpr auto fields() {
    using core::field;
    return std::tuple{field("name", &ComparisonCase::name, "The case in a few words."),
                      field("set", &ComparisonCase::set,
                            "Settings `path=value` laid over the scenario.", core::optional),
                      field("published", &ComparisonCase::published, "What was measured.")};
  }
};

/// A departure from the scenario in one thing, fitted again and compared on all cases.
struct Assumption {
  std::string name;
  std::vector<std::string> set;

  static constexpr auto fields() {
    return std::tuple{core::field("name", &Assumption::name, "The assumption in a few words."),
                      core::field("set", &Assumption::set, "Settings `path=value`.")};
  }
};

struct Comparison {
  Variation vary;
  std::vector<ComparisonCase> cases;
  std::string fitted_to;
  std::vector<Assumption> assumptions;

  static constexpr auto fields() {
    using core::field;
    return std::tuple{
        field("vary", &Comparison::vary, "What stands side by side."),
        field("cases", &Comparison::cases, "The rows; without any, the scenario itself.",
              core::optional),
        field("fitted_to", &Comparison::fitted_to,
              "Name of the case whose published times the installation was fitted to.",
              core::optional),
        field("assumptions", &Comparison::assumptions,
              "Departures whose effect on the cases is shown.", core::optional)};
  }
};

}  // namespace railwright::planner
