// SPDX-License-Identifier: Apache-2.0
// A scenario that was read once, and what becomes of it with changes.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

/// A change of one key, as text and as what reading that text does.
struct Change {
  std::string setting;  ///< as for `--set`
  std::function<void(Scenario&)> apply;
};

/// A scenario's tree and the fields read from it, unchecked.
class ScenarioSource {
 public:
  /// `catalogue` must outlive this. Throws ConfigError if a field is wrong.
  ScenarioSource(core::Node tree, const core::Catalogue& catalogue);

  /// Returns the source with changes, without reading it again.
  [[nodiscard]] ScenarioSource with(std::span<const Change> changes) const;

  /// Returns what read_scenario() returns for the tree. Throws ConfigError.
  [[nodiscard]] CheckedScenario checked() const;
  /// Leaves out traits, basis and the site's interval, which take longer than all checks.
  [[nodiscard]] CheckedScenario checked_without_basis() const;
  /// Returns what read_cluster() returns for the tree. Throws ConfigError.
  [[nodiscard]] CheckedCluster cluster() const;

  [[nodiscard]] const core::Node& tree() const { return tree_; }
  [[nodiscard]] const Scenario& fields() const { return fields_; }
  [[nodiscard]] const core::Catalogue& catalogue() const { return *catalogue_; }

 private:
  core::Node tree_;
  const core::Catalogue* catalogue_;
  Scenario fields_;
};

}  // namespace railwright::simulation
