// SPDX-License-Identifier: Apache-2.0
// Numbers that nobody has published and that are known only within a range.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::simulation {

/// A number with a `range` in an entry of the catalogue that a scenario uses. One that the scenario
/// states has none.
struct RangedNumber {
  std::string path;   ///< "cluster.storage.node.write_rate"
  std::string entry;  ///< the entry's name, "powerscale-f710"
  std::string source;
  core::Node value;
  core::Node low;
  core::Node high;

  /// Returns "write_rate".
  [[nodiscard]] std::string key() const { return path.substr(path.rfind('.') + 1); }
};

/// Lists those of the scenario's storage nodes, accelerators, fleet, reader of samples and drafts,
/// in this order.
std::vector<RangedNumber> ranged_numbers(const core::Node& tree, const core::Catalogue& catalogue);

/// Returns the scenario with `value` in place of the number.
core::Node with_number(core::Node tree, const RangedNumber& number, const core::Node& value);

}  // namespace railwright::simulation
