// SPDX-License-Identifier: Apache-2.0
// The part of a scenario file that `compare` runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/simulation/scenario/variant.hpp"

namespace railwright::simulation {

/// Published times of a case, one for each value that varies.
struct PublishedTimes {
  std::vector<core::Duration> training_time;
  core::Duration rounding;
  std::string source;

  static constexpr auto fields() {
    return core::field_list(
        core::field("training_time", &PublishedTimes::training_time,
                    "Published training time for each value.", core::positive),
        core::field("rounding", &PublishedTimes::rounding, "Half of their last printed digit.",
                    core::non_negative, core::optional),
        core::field("source", &PublishedTimes::source, "Where they stand."));
  }
};

struct ComparisonCase {
  std::string name;
  std::vector<std::string> set;
  std::optional<PublishedTimes> published;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(field("name", &ComparisonCase::name, "The case in a few words."),
                            field("set", &ComparisonCase::set,
                                  "Settings `path=value` laid over the scenario.", core::optional),
                            field("published", &ComparisonCase::published, "What was measured."));
  }
};

/// Designs along a key, such as the number of nodes; the varied values are compared at each.
struct Curve {
  std::string name;
  std::vector<std::string> set;
  Variation along;
  std::vector<std::string> proportional;
  std::vector<Variant> variants;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("name", &Curve::name, "The curve in a few words."),
        field("set", &Curve::set, "Settings `path=value` laid over the scenario.", optional),
        field("along", &Curve::along, "The key along which it runs; numbers that rise."),
        field("proportional", &Curve::proportional,
              "Keys whose values rise in proportion, from the scenario's at the first value; such "
              "as workload.global_batch for a fixed work of each accelerator.",
              optional),
        field("variants", &Curve::variants, "Departures, each with the whole curve.", optional));
  }
};

struct Comparison {
  Variation vary;
  std::vector<ComparisonCase> cases;
  std::string fitted_to;
  std::vector<Variant> assumptions;
  std::vector<Curve> curves;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("vary", &Comparison::vary, "What stands side by side."),
        field("cases", &Comparison::cases, "The rows; without any, the scenario itself.",
              core::optional),
        field("fitted_to", &Comparison::fitted_to,
              "Name of the case whose published times the installation was fitted to.",
              core::optional),
        field("assumptions", &Comparison::assumptions,
              "Departures in one thing each: fitted again and compared on all cases.",
              core::optional),
        field("curves", &Comparison::curves,
              "Where each value pays: times along another key, and what may be paid for them.",
              core::optional));
  }
};

}  // namespace railwright::simulation
