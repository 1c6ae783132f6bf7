// SPDX-License-Identifier: Apache-2.0
// Judges a row by its figures alone.
#include <algorithm>
#include <cmath>

#include "claims.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

namespace {

/// Relative difference that another order of operations can make.
constexpr double kRoundOff = 1e-9;

}  // namespace

std::string_view to_string(ClaimRole role) {
  switch (role) {
    case ClaimRole::kCalibrate:
      return "calibrate";
    case ClaimRole::kValidate:
      return "validate";
    case ClaimRole::kFact:
      return "fact";
    case ClaimRole::kInput:
      return "input";
    case ClaimRole::kArithmetic:
      return "arithmetic";
    case ClaimRole::kOutside:
      return "outside";
    case ClaimRole::kReject:
      break;
  }
  return "reject";
}

std::string_view to_string(RowKind kind) { return core::to_string(kind); }

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAgrees:
      return "agrees";
    case Verdict::kDiffers:
      return "differs";
    case Verdict::kContradicted:
      return "contradicted";
    case Verdict::kDoesNotFit:
      return "does not fit";
    case Verdict::kOutside:
      break;
  }
  return "outside what is modelled";
}

Verdict verdict_of(const ValidationCase& c) {
  if (!c.reason.empty()) return Verdict::kContradicted;
  if (!c.predicted) {
    const bool is_modelled = !c.is.empty() || !c.scenario.empty();
    return is_modelled ? Verdict::kDoesNotFit : Verdict::kOutside;
  }
  return agrees(c) ? Verdict::kAgrees : Verdict::kDiffers;
}

bool ValidationResult::feasible() const {
  return summary.num_unfit == 0 || std::ranges::any_of(cases, [](const ValidationCase& c) {
           return c.predicted.has_value();
         });
}

bool agrees(const ValidationCase& c) {
  if (!c.relative_error) return false;
  const double allowed = c.rounding.value_or(0.0) + kRoundOff * std::abs(c.published);
  return std::abs(*c.relative_error * c.published) <= allowed;
}

}  // namespace railwright::validation
