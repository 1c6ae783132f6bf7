// SPDX-License-Identifier: Apache-2.0
// Errors of training rows in sum: by what they have in common, against bars, and as a band.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// A bar for some rows of the quantity step_time, whatever their role.
struct Target {
  std::string name;
  std::vector<std::string> groups;  ///< their families; all where empty
  bool left_out = false;            ///< only rows that nothing was fitted to
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

/// Of absolute values; all zero where there are none.
ErrorStatistics statistics_of(std::vector<double> errors);

/// Rows of the role `validate`: predictions by quantity, derived ones by quantity, and the
/// predicted steps by family, device, size and parallelism.
std::vector<ErrorGroup> error_groups(const std::vector<ValidationCase>& cases);

/// Rows that ran a scenario, by kind.
std::vector<KindCount> count_kinds(const std::vector<ValidationCase>& cases);

std::vector<TargetResult> hold_against(const std::vector<Target>& targets,
                                       const std::vector<ValidationCase>& cases);

/// Nothing where there are no training steps of the role `validate`.
std::optional<Band> band_of(const std::vector<ValidationCase>& cases);

/// Four bands: of published / predicted; of a fit to one other run of the family; and without a
/// model, of the utilization of other families, and of the row's like. See BandScore.
std::vector<BandScore> band_scores_of(const std::vector<ValidationCase>& cases);

/// See ValidationSummary; nothing where no family has two rows.
std::optional<double> family_spread_of(const std::vector<ValidationCase>& cases);

/// See ValidationSummary, of rows of the role `validate`; the first is of all.
std::vector<ErrorGroup> pairs_of(const std::vector<ValidationCase>& cases);

/// Every step but the one with the fewest accelerators of those that differ in nodes and batch
/// only.
std::vector<ScalingPoint> scaling_of(const std::vector<ValidationCase>& cases);

/// All of the above, and the size classes of collectives.
ValidationSummary summarize(const std::vector<ValidationCase>& cases,
                            const std::vector<Target>& targets);

}  // namespace railwright::validation
