// SPDX-License-Identifier: Apache-2.0
// Defines how a suite writes a published figure, and the checks it must pass.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// The roles that a suite gives a figure.
constexpr auto enum_words(ClaimRole) {
  using enum ClaimRole;
  return core::words<ClaimRole>({{"calibrate", kCalibrate}, {"validate", kValidate}});
}

constexpr auto enum_words(RowKind) {
  using enum RowKind;
  return core::words<RowKind>({{"prediction", kPrediction},
                               {"derived", kDerived},
                               {"bound", kBound},
                               {"arithmetic", kArithmetic},
                               {"identity", kIdentity},
                               {"calibrated", kCalibrated}});
}

enum class CheckKind : std::uint8_t {
  kWithinPeak,          ///< the claimed time is long enough for the arithmetic
  kConsistentWith,      ///< a step takes as long as in another claim about the same configuration
  kNotFasterWithFewer,  ///< no shorter step than a claim with more of the same accelerators
  kProduct,             ///< the product of the claim's factors is its value
  kFits,                ///< the scenario's equipment can be built
  kReachable,           ///< the claim is at most what the scenario allows
  kKeepsBusy,           ///< the claimed time is short enough for nothing but training
};

constexpr auto enum_words(CheckKind) {
  using enum CheckKind;
  return core::words<CheckKind>({{"within_peak", kWithinPeak},
                                 {"consistent_with", kConsistentWith},
                                 {"not_faster_with_fewer", kNotFasterWithFewer},
                                 {"product", kProduct},
                                 {"fits", kFits},
                                 {"reachable", kReachable},
                                 {"keeps_busy", kKeepsBusy}});
}

/// Relation of a prediction to the figure that counts as agreement.
enum class Bound : std::uint8_t { kEqual, kAtLeast, kAtMost };

constexpr auto enum_words(Bound) {
  using enum Bound;
  return core::words<Bound>({{"equal", kEqual}, {"at_least", kAtLeast}, {"at_most", kAtMost}});
}

enum class Combine : std::uint8_t { kNone, kDifference, kRatio };

constexpr auto enum_words(Combine) {
  using enum Combine;
  return core::words<Combine>({{"none", kNone}, {"difference", kDifference}, {"ratio", kRatio}});
}

/// A consistency check that is computed from the claim, its scenario and other claims.
struct Check {
  CheckKind kind = CheckKind::kWithinPeak;
  std::string other;       ///< id of the claim to compare with
  std::int64_t steps = 1;  ///< steps in the claimed time
  std::int64_t other_steps = 1;
  core::Duration excluding;  ///< part of the claimed time without training
  double tolerance = 0.1;
  double min_utilization = 0.0;
  std::vector<core::Node> factors;
  std::vector<core::Node> roundings;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("kind", &Check::kind, "What is computed."),
        field("case", &Check::other, "The other claim.", optional),
        field("steps", &Check::steps, "Steps in the claimed time.", core::at_least(1), optional),
        field("other_steps", &Check::other_steps, "Steps in the other claim's time.",
              core::at_least(1), optional),
        field("excluding", &Check::excluding, "Part of the claimed time that is no training.",
              core::non_negative, optional),
        field("tolerance", &Check::tolerance, "Largest relative difference of the two steps.",
              core::positive, optional),
        field("min_utilization", &Check::min_utilization,
              "Share of the peak that training alone would reach.", core::fraction, optional),
        field("factors", &Check::factors, "What should multiply to the claim.", optional),
        field("roundings", &Check::roundings, "Half of each factor's last digit.", optional));
  }
};

/// One published figure.
struct Claim {
  std::string id;
  std::string group;
  std::string quantity;
  ClaimRole role = ClaimRole::kValidate;
  std::optional<RowKind> kind;
  core::Node published;
  std::optional<core::Node> rounding;
  Bound bound = Bound::kEqual;
  std::string source;
  std::string product;
  bool keeps_role = false;  ///< whether no draw changes `role` and no fit of the suite uses it
  std::string scenario;
  std::vector<std::string> set;
  std::vector<std::string> against;
  Combine combine = Combine::kNone;
  std::string output;
  double factor = 1.0;
  std::vector<Check> checks;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("id", &Claim::id, "Name of the claim."),
        field("group", &Claim::group, "Claims shown together."),
        field("quantity", &Claim::quantity, "What kind of figure it is."),
        field("role", &Claim::role, "calibrate or validate; a failed check makes it reject."),
        field("kind", &Claim::kind, "What agreement is worth, where its other keys do not tell."),
        field("published", &Claim::published, "The figure, with its unit where it has one."),
        field("rounding", &Claim::rounding, "Half of its last printed digit."),
        field("bound", &Claim::bound,
              "Whether the prediction must equal the figure, or be at least or at most that.",
              optional),
        field("source", &Claim::source, "Where it stands."),
        field("product", &Claim::product,
              "What was measured, where a suite has many: a draw takes all rows of a product or "
              "none.",
              optional),
        field("scenario", &Claim::scenario, "Which of the suite's scenarios it is about."),
        field("set", &Claim::set, "Settings laid over the scenario.", optional),
        field("against", &Claim::against, "Further settings of the run to combine with.", optional),
        field("combine", &Claim::combine, "How the two runs make the prediction.", optional),
        field("output", &Claim::output, "Which output of simulate predicts it."),
        field("factor", &Claim::factor, "What the output is multiplied by.", optional),
        field("checks", &Claim::checks, "Checks that the claim must pass.", optional));
  }
};

/// A collective measured at many sizes: each becomes a claim `<id>/<op>/<bytes>`.
struct Series {
  std::string id;
  std::string op;
  std::string source;
  std::string scenario;
  std::vector<std::string> set;
  std::map<std::string, core::Node> bus_bandwidth;
  std::vector<std::string> calibrate;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("id", &Series::id, "Name of the measurement."),
        field("op", &Series::op, "The operation."),
        field("source", &Series::source, "Where it stands."),
        field("scenario", &Series::scenario, "Which of the suite's scenarios it is about."),
        field("set", &Series::set, "Settings laid over the scenario.", optional),
        field("bus_bandwidth", &Series::bus_bandwidth, "What was measured, by size."),
        field("calibrate", &Series::calibrate, "Sizes that a constant was taken from.", optional));
  }
};

/// A claim with its numbers, and the result of its scenario.
struct RunClaim {
  const Claim* claim = nullptr;
  double published = 0.0;  ///< in base units
  double rounding = 0.0;
  core::Exponents exponents{};
  double work_per_step = 0.0;  ///< FLOPs of all accelerators
  double peak_rate = 0.0;      ///< FLOP/s of one accelerator
  int num_accelerators = 0;
  std::optional<double> predicted;
  std::string misfit;  ///< part of the scenario that cannot be built; "" if there is none
};

/// Says why the claim cannot hold, with the numbers; "" if it passes all checks.
std::string failed_check(const RunClaim& claim, const std::map<std::string, RunClaim>& all);

}  // namespace railwright::validation
