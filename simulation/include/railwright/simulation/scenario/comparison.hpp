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

  static constexpr auto fields();
};

struct ComparisonCase {
  std::string name;
  std::vector<std::string> set;
  std::optional<PublishedTimes> published;

  static constexpr auto fields();
};

/// Designs along a key, such as the number of nodes; the varied values are compared at each.
struct Curve {
  std::string name;
  std::vector<std::string> set;
  Variation along;
  std::vector<std::string> proportional;
  std::vector<Variant> variants;

  static constexpr auto fields();
};

struct Comparison {
  Variation vary;
  std::vector<ComparisonCase> cases;
  std::string fitted_to;
  std::vector<Variant> assumptions;
  std::vector<Curve> curves;

  static constexpr auto fields();
};

}  // namespace railwright::simulation
