// SPDX-License-Identifier: Apache-2.0
// The keys of comparison.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/simulation/scenario/comparison.hpp"
#include "railwright/simulation/scenario/variant_fields.hpp"

namespace railwright::simulation {

constexpr auto PublishedTimes::fields() {
  return core::field_list(
      core::field("training_time", &PublishedTimes::training_time,
                  "Published training time for each value.", core::positive),
      core::field("rounding", &PublishedTimes::rounding, "Half of their last printed digit.",
                  core::non_negative, core::optional),
      core::field("source", &PublishedTimes::source, "Where they stand."));
}

constexpr auto ComparisonCase::fields() {
  using core::field;
  return core::field_list(field("name", &ComparisonCase::name, "The case in a few words."),
                          field("set", &ComparisonCase::set,
                                "Settings `path=value` laid over the scenario.", core::optional),
                          field("published", &ComparisonCase::published, "What was measured."));
}

constexpr auto Curve::fields() {
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

constexpr auto Comparison::fields() {
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

}  // namespace railwright::simulation
