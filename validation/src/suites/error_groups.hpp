// SPDX-License-Identifier: Apache-2.0
// Summarizes errors of training rows: by common properties, against limits, and as an interval.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// Limits on the errors of step_time rows with any role but `reject`.
struct Target {
  std::string name;
  std::vector<std::string> groups;  ///< families of the rows; all if empty
  bool left_out = false;            ///< only held-out rows
  std::optional<double> median;
  std::optional<double> mean;
  std::optional<double> percentile_90;
  std::optional<double> largest;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    using core::positive;
    return core::field_list(
        field("name", &Target::name, "Which rows, in words."),
        field("groups", &Target::groups, "Their families; all where absent.", optional),
        field("left_out", &Target::left_out, "Only rows that nothing was fitted to.", optional),
        field("median", &Target::median, "Median of the absolute relative errors.", positive),
        field("mean", &Target::mean, "Their mean.", positive),
        field("percentile_90", &Target::percentile_90, "Their ninetieth percentile.", positive),
        field("largest", &Target::largest, "The largest of them.", positive));
  }
};

/// Computes statistics of absolute values; all zero if there are none.
ErrorStatistics statistics_of(std::vector<double> errors);

/// Groups rows of the role `validate`: predictions by quantity, derived rows by quantity, products
/// by group, and predicted steps by family, device, size and parallelism.
std::vector<ErrorGroup> error_groups(const std::vector<ValidationCase>& cases);

/// Counts rows by kind.
std::vector<KindCount> count_kinds(const std::vector<ValidationCase>& cases);

std::vector<TargetResult> hold_against(const std::vector<Target>& targets,
                                       const std::vector<ValidationCase>& cases);

/// Returns the 80 % interval of training steps of the role `validate`; nothing if there are none.
std::optional<Band> band_of(const std::vector<ValidationCase>& cases);

/// Scores four intervals: of published / predicted, of a fit to one other run of the family, and,
/// without a model, of the utilization of other families and of the row's like. See BandScore.
std::vector<BandScore> band_scores_of(const std::vector<ValidationCase>& cases);

/// See ValidationSummary; nothing if no family has two rows.
std::optional<double> family_spread_of(const std::vector<ValidationCase>& cases);

/// See ValidationSummary; rows of the role `validate`. The first group holds all pairs.
std::vector<ErrorGroup> pairs_of(const std::vector<ValidationCase>& cases);

/// Returns every step except those with the fewest accelerators, among steps that differ only in
/// nodes and batch.
std::vector<ScalingPoint> scaling_of(const std::vector<ValidationCase>& cases);

/// Computes all of the above, and the size classes of collectives.
ValidationSummary summarize(const std::vector<ValidationCase>& cases,
                            const std::vector<Target>& targets);

}  // namespace railwright::validation
