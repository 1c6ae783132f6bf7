// SPDX-License-Identifier: Apache-2.0
// The JSON of designs side by side, of which one is the best.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace railwright::output {

/// The name of a design, and the JSON of its result.
struct DesignJson {
  std::string name;
  std::string result;
};

/// Returns the result of a design whose scenario could not be read: only the reasons.
std::string invalid_json(const std::vector<std::string>& problems);

/// Returns whether all designs fit, the name of the best, if there is one, and each with its
/// result.
std::string designs_json(const std::vector<DesignJson>& designs, bool feasible,
                         const std::optional<std::size_t>& best);

}  // namespace railwright::output
