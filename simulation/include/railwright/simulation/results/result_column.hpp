// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace railwright::simulation {

/// A column of numbers of a result: one for each bin of time, or for each job.
struct ResultColumn {
  std::string_view name;
  std::vector<double> values;
};

}  // namespace railwright::simulation
