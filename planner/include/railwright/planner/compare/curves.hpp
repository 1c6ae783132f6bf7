// SPDX-License-Identifier: Apache-2.0
// The curves of a comparison: its values at each place along another key, and what they are worth.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/simulation/scenario/comparison.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// One value at one place.
struct CurvePoint {
  core::Duration step_time;      ///< 0 where it does not fit
  core::Duration step_time_low;  ///< a tenth of unmeasured sites is faster (see Installation)
  core::Duration step_time_high;
  double samples_per_s = 0.0;
  std::string why_not;  ///< what does not fit; empty where it does

  [[nodiscard]] bool feasible() const { return why_not.empty(); }
};

/// 80 % interval of `worth` over sites.
struct WorthBand {
  double low = 0.0;
  double high = 0.0;
};

/// The curve under one variant.
struct CurveLine {
  std::string variant;                          ///< empty: the scenario as it stands
  std::vector<std::vector<CurvePoint>> places;  ///< of each place, a point of each value

  /// What the cluster may cost more with `value` than with the first one and still train as much
  /// for its price: samples/s over samples/s, less 1. Nothing where either does not fit.
  [[nodiscard]] std::optional<double> worth(std::size_t place, std::size_t value) const;
  /// The same at sites where the step with `value` takes its band while the seconds between the two
  /// stay: worth * step_time / step_time_high to worth * step_time / step_time_low. A site that is
  /// slower in everything alike keeps `worth`; one slower in its network alone lies above it.
  [[nodiscard]] std::optional<WorthBand> worth_band(std::size_t place, std::size_t value) const;
  /// The first place from which on `value` is worth at least `premium` wherever both fit.
  [[nodiscard]] std::optional<std::size_t> pays_from(std::size_t value, double premium) const;
};

struct CurveResult {
  std::string name;
  std::string key;                   ///< along which it runs
  std::vector<std::string> along;    ///< the places
  std::vector<double> extra_pieces;  ///< of each value: pieces more than the first, where it counts
  std::optional<simulation::Basis> basis;  ///< of the step at the last place
  std::vector<CurveLine> lines;            ///< the scenario as it stands, then the variants
};

/// Runs the step of every value at every place under every variant. Throws ConfigError.
std::vector<CurveResult> run_curves(const core::Node& tree,
                                    const simulation::Comparison& comparison,
                                    const core::Catalogue& catalogue, simulation::Method method,
                                    const ProgressFunction& progress = {});

}  // namespace railwright::planner
