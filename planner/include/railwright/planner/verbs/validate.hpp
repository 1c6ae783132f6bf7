// SPDX-License-Identifier: Apache-2.0
// `validate`: published figures against predictions, every row a scenario that `simulate` runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::planner {

enum class ClaimRole : std::uint8_t {
  kCalibrate,  ///< a fitted number comes from it
  kValidate,   ///< a prediction stands beside it
  kReject,     ///< its own arithmetic, physics or another figure contradicts it
};

std::string_view to_string(ClaimRole role);

struct ValidationCase {
  std::string id;
  std::string group;
  std::string quantity;
  std::string unit;
  std::string source;
  ClaimRole role = ClaimRole::kValidate;
  std::string reason;  ///< why it is rejected, with the numbers
  double published = 0.0;
  std::optional<double> rounding;
  std::optional<double> predicted;       ///< nothing where the scenario is infeasible
  std::optional<double> relative_error;  ///< predicted / published - 1
  std::optional<double> size_bytes;      ///< of a collective's buffer
  std::optional<double> published_low;   ///< of the records of one call that contradict each other
  std::optional<double> published_high;
  std::string scenario;  ///< the complete scenario it ran, as YAML
};

/// Errors of a group's rows of the role `validate` with buffers from `from_bytes` on.
struct SizeClass {
  std::string group;
  double from_bytes = 0.0;
  int num_rows = 0;
  double median_absolute_error = 0.0;
  int num_contested = 0;  ///< calls whose records contradict each other
  int num_between = 0;    ///< of those, calls that are predicted between their records
};

/// Errors of the rows in the role `validate`.
struct ValidationSummary {
  int num_calibrate = 0;
  int num_validate = 0;
  int num_reject = 0;
  double mean_absolute_error = 0.0;
  double median_absolute_error = 0.0;
  double largest_absolute_error = 0.0;
  std::vector<SizeClass> size_classes;  ///< of collectives
};

/// A record that no scenario can be made of.
struct NotRun {
  std::string id;
  std::string group;
  std::string missing;  ///< what it does not say, in words
};

struct ValidationResult {
  std::string suite;
  std::vector<ValidationCase> cases;
  ValidationSummary summary;
  std::vector<NotRun> not_run;
  std::vector<std::string> not_covered;  ///< by any public record, each in words
};

/// Runs a suite. Throws ConfigError for a suite that cannot be read.
ValidationResult validate(const core::Node& suite, const core::Catalogue& catalogue);

}  // namespace railwright::planner
