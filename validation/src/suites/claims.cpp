// SPDX-License-Identifier: Apache-2.0
#include "claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace railwright::validation {

namespace {

/// Returns the seconds per step that a claimed time leaves for training.
double step_seconds(double time, double excluding, std::int64_t steps) {
  return (time - excluding) / static_cast<double>(steps);
}

double number_of(const core::Node& node) {
  core::QuantityError error;
  const auto parsed = core::parse_quantity(node.text, error);
  return parsed ? parsed->base : std::nan("");
}

std::string within_peak(const RunClaim& claim, const Check& check) {
  const double seconds = step_seconds(claim.published, check.excluding.base(), check.steps);
  const double rate = claim.work_per_step / (seconds * claim.num_accelerators);
  if (seconds > 0.0 && rate <= claim.peak_rate) return {};
  if (seconds <= 0.0) return "nothing of the claimed time is left for training";
  return fmt::format("needs {:.0f} TFLOP/s of each accelerator's {:.0f}: {:.2f} s a step",
                     rate / 1e12, claim.peak_rate / 1e12, seconds);
}

std::string keeps_busy(const RunClaim& claim, const Check& check) {
  const double seconds = step_seconds(claim.published, check.excluding.base(), check.steps);
  const double rate = claim.work_per_step / (seconds * claim.num_accelerators);
  const double share = rate / claim.peak_rate;
  if (share >= check.min_utilization) return {};
  return fmt::format(
      "{:.0f} TFLOP/s of each accelerator's {:.0f} are {:.1f} %, less than the {:.0f} "
      "% of training alone",
      rate / 1e12, claim.peak_rate / 1e12, 100.0 * share, 100.0 * check.min_utilization);
}

std::string consistent_with(const RunClaim& claim, const Check& check, const RunClaim& other) {
  const double seconds = step_seconds(claim.published, check.excluding.base(), check.steps);
  const double other_seconds = step_seconds(other.published, 0.0, check.other_steps);
  const double difference = seconds / other_seconds - 1.0;
  if (std::abs(difference) <= check.tolerance) return {};
  return fmt::format("{:.2f} s a step against {:.2f} s in {}, {:+.0f} %", seconds, other_seconds,
                     other.claim->id, 100.0 * difference);
}

std::string not_faster_with_fewer(const RunClaim& claim, const Check& check,
                                  const RunClaim& other) {
  const double seconds = step_seconds(claim.published, check.excluding.base(), check.steps);
  const double other_seconds = step_seconds(other.published, 0.0, check.other_steps);
  if (claim.num_accelerators >= other.num_accelerators || seconds >= other_seconds) return {};
  return fmt::format("{:.2f} s a step on {} accelerators against {:.2f} s on {} in {}", seconds,
                     claim.num_accelerators, other_seconds, other.num_accelerators,
                     other.claim->id);
}

std::string product(const RunClaim& claim, const Check& check) {
  double value = 1.0;
  double low = 1.0;
  double high = 1.0;
  for (std::size_t i = 0; i < check.factors.size(); ++i) {
    const double factor = number_of(check.factors[i]);
    const double rounding = i < check.roundings.size() ? number_of(check.roundings[i]) : 0.0;
    value *= factor;
    low *= factor - rounding;
    high *= factor + rounding;
  }
  if (low <= claim.published + claim.rounding && high >= claim.published - claim.rounding)
    return {};
  return fmt::format("its factors multiply to {}, not {}",
                     core::format_quantity(value, claim.exponents),
                     core::format_quantity(claim.published, claim.exponents));
}

std::string reachable(const RunClaim& claim, const Check& check) {
  if (!claim.predicted) return "the scenario that should allow it is infeasible";
  if (claim.published - claim.rounding <= *claim.predicted * (1.0 + check.tolerance)) return {};
  return fmt::format("the scenario allows at most {}",
                     core::format_quantity(*claim.predicted, claim.exponents));
}

std::string failure(const RunClaim& claim, const Check& check,
                    const std::map<std::string, RunClaim>& all) {
  if (check.kind == CheckKind::kWithinPeak) return within_peak(claim, check);
  if (check.kind == CheckKind::kKeepsBusy) return keeps_busy(claim, check);
  if (check.kind == CheckKind::kProduct) return product(claim, check);
  if (check.kind == CheckKind::kFits) return claim.misfit;
  if (check.kind == CheckKind::kReachable) return reachable(claim, check);
  const RunClaim& other = all.at(check.other);
  return check.kind == CheckKind::kConsistentWith ? consistent_with(claim, check, other)
                                                  : not_faster_with_fewer(claim, check, other);
}

}  // namespace

std::string failed_check(const RunClaim& claim, const std::map<std::string, RunClaim>& all) {
  std::string reasons;
  for (const Check& check : claim.claim->checks) {
    const std::string reason = failure(claim, check, all);
    if (!reason.empty()) reasons += (reasons.empty() ? "" : "; ") + reason;
  }
  return reasons;
}

}  // namespace railwright::validation
