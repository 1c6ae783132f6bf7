// SPDX-License-Identifier: Apache-2.0
// Curves of a comparison: its values at each place along another key, and their worth.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/simulation/scenario/comparison.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::planner {

/// One value at one place.
struct CurvePoint {
  core::Duration step_time;      ///< 0 where it does not fit
  core::Duration step_time_low;  ///< a tenth of unmeasured sites is faster (see Installation)
  core::Duration step_time_high;
  double samples_per_s = 0.0;
  std::string why_not;  ///< reason that it does not fit; empty if it fits

  [[nodiscard]] bool feasible() const { return why_not.empty(); }
};

/// 80 % interval of `worth` over sites.
struct WorthBand {
  double low = 0.0;
  double high = 0.0;
};

/// A curve under one variant.
struct CurveLine {
  std::string variant;                          ///< empty: the scenario as it stands
  std::vector<std::vector<CurvePoint>> places;  ///< indexed by place, then by value

  /// Price premium at which the cluster with `value` trains as much for its price as with the first
  /// value: samples/s over samples/s, less 1. Nothing where either does not fit.
  [[nodiscard]] std::optional<double> worth(std::size_t place, std::size_t value) const;
  /// Interval of `worth` over sites, where the step with `value` takes its own interval and its
  /// difference to the first one in seconds stays: worth * step_time / step_time_high to worth *
  /// step_time / step_time_low. A site that is slower in everything keeps `worth`; one with only a
  /// slower network has more.
  [[nodiscard]] std::optional<WorthBand> worth_band(std::size_t place, std::size_t value) const;
  /// The first place from which on `value` is worth at least `premium` wherever both fit.
  [[nodiscard]] std::optional<std::size_t> pays_from(std::size_t value, double premium) const;
};

struct CurveResult {
  std::string name;
  std::string key;                         ///< the key that varies along it
  std::vector<std::string> along;          ///< the places
  std::vector<double> extra_pieces;        ///< pieces more than the first value's; 0 for other keys
  std::optional<simulation::Basis> basis;  ///< provenance of the step at the last place
  std::vector<CurveLine> lines;            ///< the scenario unchanged, then its variants
};

/// Runs the step of every value at every place under every variant. Throws ConfigError.
std::vector<CurveResult> run_curves(const core::Node& tree,
                                    const simulation::Comparison& comparison,
                                    const core::Catalogue& catalogue, simulation::Method method,
                                    const ProgressFunction& progress = {});

}  // namespace railwright::planner
