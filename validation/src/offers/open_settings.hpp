// SPDX-License-Identifier: Apache-2.0
// Finds what an offer leaves open: settings and numbers at which a claim of it may hold.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/ranged_number.hpp"

namespace railwright::validation {

/// A setting at a value that the scenario does not state.
struct OpenSetting {
  std::string setting;  ///< "software.recompute=none"
  std::string taken;    ///< the value that was taken in its place
};

/// Lists the settings of a recipe at the values of other stacks, and narrower formats of numbers,
/// as far as the scenario leaves them to its profile. None for other scenarios than training.
std::vector<OpenSetting> open_settings(const core::Node& tree, const core::Catalogue& catalogue);

/// Returns the value nearest to the taken one that meets a claim, to a thousandth of the range,
/// where one end of the number's range does; nothing if neither does.
std::optional<core::Node> value_that_meets(
    const simulation::RangedNumber& number,
    const std::function<bool(const core::Node& value)>& meets_at);

/// Lists the values of the catalogue in an expression, `kind/entry:key`, that have a range; `path`
/// is such an operand.
std::vector<simulation::RangedNumber> ranged_operands(std::string_view expression,
                                                      const core::Catalogue& catalogue);

/// Returns a node between two that hold quantities of one unit: 0 is `from`, 1 is `to`.
core::Node between(const core::Node& from, const core::Node& to, double share);

}  // namespace railwright::validation
