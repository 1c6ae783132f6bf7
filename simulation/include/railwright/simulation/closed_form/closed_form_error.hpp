// SPDX-License-Identifier: Apache-2.0
// Distance of a simulated step from its closed form, at most and as a rule.
#pragma once

#include <cstdint>

#include "railwright/simulation/step/breakdown.hpp"

namespace railwright::simulation {

struct CheckedScenario;

/// Reason why the closed form is not exact.
enum class Approximation : std::uint8_t {
  kNone,              ///< nothing overlaps; stages share no links and have one chunk each
  kPipeline,          ///< several chunks per stage, or transfers of several stages on one link
  kOverlaps,          ///< collectives or sends overlap with computation and its calls
  kCrowdedSends,      ///< sends overlap with computation, and stages share links
  kLayerCollectives,  ///< gathers or reductions of every layer overlap with computation
  kCrowdedCalls,      ///< like kOverlaps, and calls within passes leave the node
};
inline constexpr std::size_t kNumApproximations = 6;

/// Relative difference of a simulated step from the closed form: (events / estimate) - 1, whatever
/// its sign.
struct ClosedFormError {
  double usual = 0.0;    ///< nine of ten steps of the same kind are within it
  double largest = 0.0;  ///< all of them are
};

/// Returns the reason, and assumes that several stages share links: finding out costs more than the
/// estimate itself.
Approximation approximation_of(const CheckedScenario& checked);

/// Returns the errors that random designs have shown; see docs/models/schedule.md. The largest
/// grows with the share of the step in which data moves, since all else is exact.
ClosedFormError closed_form_error(Approximation approximation, const Breakdown& estimate) noexcept;

}  // namespace railwright::simulation
