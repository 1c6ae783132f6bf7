// SPDX-License-Identifier: Apache-2.0
// Kernels around grouped products that stacks run apart from them. Estimates: bytes over bandwidth,
// no kernel of this kind was measured alone.
#pragma once

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/experts_constants.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// Tokens laid out by expert, or rows of experts summed into tokens: one side is read, the other
/// written. An estimate.
core::Duration permute_time(const core::Accelerator& device,
                            const core::ExpertsConstants& constants, double tokens, double rows,
                            double hidden, double element_bytes);

/// Scores of a router after its product: softmax and top-k each read and write fp32 scores of all
/// experts. An estimate.
core::Duration router_time(const core::Accelerator& device, const core::ExpertsConstants& constants,
                           double tokens, double num_experts);

}  // namespace railwright::models
