// SPDX-License-Identifier: Apache-2.0
// Estimates points of a sweep that differ in their Configuration alone.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "estimate_results.hpp"
#include "railwright/simulation/estimator/estimator.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "sweep_base.hpp"

namespace railwright::planner {

/// A group of points. Thread-safe.
class SweepGroup {
 public:
  SweepGroup(const SweepBase& base, std::int64_t group);

  /// Fills rows of points in this group; their numbers must be set.
  void make_rows(std::span<SweepRow> rows);
  /// Accelerators of all its fabrics, to which its memory is proportional.
  [[nodiscard]] std::int64_t weight() const;

 private:
  struct Asked {
    SweepRow* row;
    simulation::Configuration configuration;
  };

  /// Space that rows are made in.
  struct Scratch {
    simulation::SimulationResult result;
    simulation::Scenario scenario;
  };

  void read(std::int64_t group);
  void make_tables();
  /// Fills rows from the tables, in microseconds each; returns those that need new entries first.
  std::vector<Asked> make_from_tables(std::span<const Asked> asked);
  void prepare(std::span<const Asked> asked);
  void make_row(const Asked& asked, const simulation::Estimate& estimate, Scratch& scratch);
  [[nodiscard]] std::vector<core::Diagnostic> problems_of(const simulation::Configuration& c,
                                                          simulation::Scenario& scratch) const;

  SweepBase base_;
  std::vector<core::Diagnostic> problems_;  ///< problems of every configuration
  bool fields_are_sound_ = true;
  bool goes_alone_ = false;             ///< no configuration is in the tables
  simulation::Configuration defaults_;  ///< values of keys that do not vary
  std::optional<int> etp_;              ///< etp as given by the scenario
  std::optional<simulation::CheckedScenario> checked_;
  std::optional<topologies::BuiltCluster> built_;
  std::optional<EstimateResults> results_;
  bool can_be_built_ = false;  ///< whether the parts suffice, for every configuration
  std::optional<simulation::Estimator> estimator_;
};

}  // namespace railwright::planner
