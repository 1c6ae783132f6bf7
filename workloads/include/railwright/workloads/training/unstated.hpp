// SPDX-License-Identifier: Apache-2.0
// Settings of a recipe that nobody stated, and what a step takes at the values of other stacks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {
class Fabric;
}  // namespace railwright::core

namespace railwright::simulation {

struct CheckedScenario;
struct SimulationResult;
class StepStructure;

/// A value that other stacks have in place of the assumed one.
struct OtherValue {
  std::string value;                ///< as YAML
  std::vector<std::string> stacks;  ///< by catalogue name
  double share = 0.0;               ///< of the stacks in use on the accelerator
  double factor = 1.0;              ///< the step over that with the assumed value, in closed form
};

/// A setting that the profile filled in.
struct UnstatedSetting {
  std::string key;                 ///< "software.bucket"
  std::string value;               ///< the assumed one, as YAML
  std::vector<OtherValue> others;  ///< those that change the step, the largest change first

  /// Returns "key=value", as for `--set`.
  [[nodiscard]] std::string setting(const OtherValue& other) const {
    return key + "=" + other.value;
  }
  /// Returns the largest change of the step, as the logarithm of its factor.
  [[nodiscard]] double effect() const;
};

/// Least change of a step that is worth a line.
inline constexpr double kMinUnstatedEffect = 0.01;

/// Spread of a step by all settings that nobody stated, as logarithms of factors: the root of the
/// mean squares over the stacks in use, which are independent of one another.
struct UnstatedSpread {
  double faster = 0.0;
  double slower = 0.0;
};

/// Tries each setting that the scenario leaves to its profile at the values that other stacks in
/// use have, one at a time, in closed form; `fabric` is that of its cluster. Leaves out values that
/// do not fit into memory or that a rule forbids, and settings that change nothing. The largest
/// changes come first.
std::vector<UnstatedSetting> unstated_settings(const CheckedScenario& checked,
                                               const core::Fabric& fabric,
                                               const core::Catalogue& catalogue);

/// Returns these settings by a structure of the scenario's step on the fabric.
std::vector<UnstatedSetting> unstated_settings(const CheckedScenario& checked,
                                               const core::Fabric& fabric,
                                               const StepStructure& structure,
                                               const core::Catalogue& catalogue);

/// Returns the settings that change a step by kMinUnstatedEffect or more; `settings` outlives it.
std::span<const UnstatedSetting> those_that_matter(const std::vector<UnstatedSetting>& settings);

UnstatedSpread spread_of(std::span<const UnstatedSetting> settings);

/// Ends of an 80 % interval of a step, over its prediction.
struct StatedInterval {
  double low = 1.0;
  double high = 1.0;
};

/// Returns the interval that the step would have if its recipe were stated: that of the site if it
/// has one of its own.
StatedInterval stated_interval(const CheckedScenario& checked);

/// Whether the scenario leaves settings to its profile, and neither its step nor its site was
/// measured.
bool leaves_unstated(const CheckedScenario& checked);

/// Adds settings to a result that fits and widens or narrows its 80 % interval by them, unless its
/// step or its site was measured.
void add_settings(const CheckedScenario& checked, std::vector<UnstatedSetting> settings,
                  SimulationResult& result);

}  // namespace railwright::simulation
