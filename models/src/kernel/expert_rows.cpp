// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/kernel/expert_rows.hpp"

namespace railwright::models {

core::Duration permute_time(const core::Accelerator& device,
                            const core::ExpertsConstants& constants, double tokens, double rows,
                            double hidden, double element_bytes) {
  return core::DataSize::from_base((tokens + rows) * hidden * element_bytes) /
         (device.memory_bandwidth.value * constants.stream_share);
}

core::Duration router_time(const core::Accelerator& device, const core::ExpertsConstants& constants,
                           double tokens, double num_experts) {
  constexpr double kScoreBytes = 4.0;
  constexpr double kPasses = 4.0;
  return core::DataSize::from_base(tokens * num_experts * kScoreBytes * kPasses) /
         (device.memory_bandwidth.value * constants.token_stream_share);
}

}  // namespace railwright::models
