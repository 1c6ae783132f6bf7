// SPDX-License-Identifier: Apache-2.0
// Facts of a step that a simulation and a sweep of estimates both state.
#pragma once

#include <string>
#include <string_view>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::simulation {

/// Work of a step, by what is counted.
struct StepWork {
  core::Work model;
  core::Work causal;    ///< attention counted half
  core::Work hardware;  ///< with what is computed again
};
StepWork step_work(const models::Training& training, const models::Layout& layout,
                   const models::SoftwareProfile& software);

/// What an accelerator of a stage needs, and the largest line of it.
struct MemoryNeed {
  int stage = 0;
  core::DataSize total;
  std::string_view largest;
  core::DataSize largest_size;
};
/// Why it does not fit.
std::string memory_shortage(const MemoryNeed& need, core::DataSize capacity);

}  // namespace railwright::simulation
