// SPDX-License-Identifier: Apache-2.0
// Estimates of the points of a sweep that differ in their Configuration alone.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "estimate_results.hpp"
#include "railwright/simulation/estimator/estimator.hpp"
#include "sweep_base.hpp"

namespace railwright::planner {

/// Any number of threads may ask it for rows.
class SweepGroup {
 public:
  SweepGroup(const SweepBase& base, std::int64_t group);

  /// Rows of points in this group, their numbers set.
  void make_rows(std::span<SweepRow> rows);
  /// What it holds in memory goes with this: accelerators of all its fabrics.
  [[nodiscard]] std::int64_t weight() const;

 private:
  struct Asked {
    SweepRow* row;
    simulation::Configuration configuration;
  };

  void read(std::int64_t group);
  void make_tables();
  /// Those that want entries first; without them an estimate is a few microseconds.
  std::vector<Asked> make_from_tables(std::span<const Asked> asked);
  void prepare(std::span<const Asked> asked);
  /// `result` is a place to write on.
  void make_row(const Asked& asked, const simulation::Estimate& estimate,
                simulation::SimulationResult& result);
  [[nodiscard]] std::vector<core::Diagnostic> problems_of(const simulation::Configuration& c) const;

  SweepBase base_;
  std::vector<core::Diagnostic> problems_;  ///< whatever the configuration
  bool fields_are_sound_ = true;
  bool goes_alone_ = false;             ///< nothing of it is in tables
  simulation::Configuration defaults_;  ///< where nothing varies
  std::optional<int> etp_;              ///< as the scenario says it
  std::optional<simulation::CheckedScenario> checked_;
  std::optional<topologies::BuiltCluster> built_;
  std::optional<EstimateResults> results_;
  bool can_be_built_ = false;  ///< parts suffice, whatever the configuration
  std::optional<simulation::Estimator> estimator_;
};

}  // namespace railwright::planner
