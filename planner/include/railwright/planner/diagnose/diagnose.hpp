// SPDX-License-Identifier: Apache-2.0
// `diagnose`: why a measured step differs from the predicted one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/planner/diagnose/timed_parts.hpp"
#include "railwright/workloads/simulate_options.hpp"

namespace railwright::planner {

enum class CauseKind : std::uint8_t {
  kUnstated,    ///< a setting of the recipe that the scenario leaves to its profile
  kNotInForce,  ///< a setting that is stated, or a rule of the stack, and did not act
  kFault,       ///< a part of the cluster that is broken or slow
};

constexpr auto enum_words(CauseKind) {
  using enum CauseKind;
  return core::words<CauseKind>(
      {{"unstated", kUnstated}, {"not_in_force", kNotInForce}, {"fault", kFault}});
}

/// Something that may have been different from the scenario.
struct SuspectedCause {
  CauseKind kind = CauseKind::kFault;
  std::string what;      ///< "recompute full, not none"
  std::string settings;  ///< makes the scenario so, as for `--set`
  double prior = 0.0;    ///< plausibility before the measurement, an estimate
  double factor = 1.0;   ///< the step over the predicted one, in closed form
  std::string check;     ///< what to look at or to measure
};

/// One cause or two that act together.
struct PossibleReason {
  std::vector<SuspectedCause> causes;
  double factor = 1.0;
  core::Duration step_time;
  bool explains = false;      ///< the measurement is as near as those of known recipes
  double plausibility = 0.0;  ///< share of all that was considered, an estimate
};

struct Diagnosis {
  std::string name;
  std::vector<std::string> infeasible;  ///< reasons; no times where there are any
  core::Duration measured;
  core::Duration predicted;
  core::Duration low;  ///< 80 % interval of the prediction
  core::Duration high;
  int num_tried = 0;                    ///< causes whose step was computed
  std::vector<PossibleReason> reasons;  ///< the most plausible first
  double unexplained = 0.0;             ///< plausibility that none of them acts
  std::vector<std::string> measure;     ///< checks that tell the reasons apart, the best first
  std::vector<TimedPart> parts;         ///< where timers tell them, the one furthest off first

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
  [[nodiscard]] bool is_inside() const { return low <= measured && measured <= high; }
  [[nodiscard]] bool is_slower() const { return measured > predicted; }
};

/// Most reasons that are kept.
inline constexpr std::size_t kMaxReasons = 12;
/// Least plausibility of a reason that is kept.
inline constexpr double kMinPlausibility = 0.01;

/// Predicts the step of a training job, and tries what could make it `measured`: each setting that
/// nobody stated at the values of other stacks, settings that may not be in force, faults, and
/// pairs of them. A cause is as plausible as its prior times how close its step comes to the
/// measurement, by what predictions of known recipes are off. Compares the parts that `timers`
/// tell. Throws ConfigError.
Diagnosis diagnose(const core::Node& tree, const core::Catalogue& catalogue,
                   core::Duration measured, simulation::Method method,
                   const std::vector<StepTimer>& timers = {});

/// Reads a measured time such as "25.3 s". Throws ConfigError at `place` unless it is above 0.
core::Duration measured_time(const std::string& text, const std::string& place);

}  // namespace railwright::planner
