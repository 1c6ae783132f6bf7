// SPDX-License-Identifier: Apache-2.0
// The part of a step that the shape of a cluster and its layout decide, apart from rates.
#pragma once

#include <memory>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/simulation/step/costs.hpp"
#include "railwright/simulation/step/fold.hpp"

namespace railwright::simulation {

struct CheckedScenario;

struct KnownTransfers;

struct StructuredStep;

/// The routes of a step's transfers, and the classes of replicas and links that do the same
/// (see fold.hpp). Made once for scenarios that differ in rates, latencies and efficiencies alone:
/// of each class one replica is worked out again. Immutable, so that threads share it.
class StepStructure {
 public:
  /// `fabric` must outlive this.
  StepStructure(const CheckedScenario& checked, const core::Fabric& fabric);
  StepStructure(StepStructure&&) noexcept;
  StepStructure& operator=(StepStructure&&) noexcept;
  ~StepStructure();

  /// Returns the costs of one replica of each class on one link of each class: for
  /// `Symmetry::kUnfolded` and the estimate. `checked` has the cluster's shape and the layout of
  /// the scenario that made this. Where its rates move a route, as by another algorithm of the
  /// library, or tell members of a class apart, all its transfers are made and folded anew.
  [[nodiscard]] StepCosts costs(const CheckedScenario& checked, const core::Fabric& fabric) const;

 private:
  friend StructuredStep structured_step(const CheckedScenario& checked, const core::Fabric& fabric);

  explicit StepStructure(std::unique_ptr<const KnownTransfers> known);

  std::unique_ptr<const KnownTransfers> known_;
};

/// The costs of a step, as step_costs() and fold() make them, and what others of its shape share.
/// Links of a class connect the same kinds of devices, so that a rate of one of these keeps them.
struct StructuredStep {
  StepCosts costs;
  FoldedCosts folded;
  StepStructure structure;
};

/// Makes all three with less work than one after another.
StructuredStep structured_step(const CheckedScenario& checked, const core::Fabric& fabric);

}  // namespace railwright::simulation
