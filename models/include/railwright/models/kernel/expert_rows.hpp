// SPDX-License-Identifier: Apache-2.0
// Kernels around grouped products, for stacks that run them separately. They are estimated as bytes
// over bandwidth: no kernel of this kind was measured alone.
#pragma once

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/experts_constants.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// Estimates the time to lay out tokens by expert, or to sum rows of experts into tokens: one side
/// is read, the other written.
core::Duration permute_time(const core::Accelerator& device,
                            const core::ExpertsConstants& constants, double tokens, double rows,
                            double hidden, double element_bytes);

/// Estimates the time of a router after its product: softmax and top-k each read and write fp32
/// scores of all experts.
core::Duration router_time(const core::Accelerator& device, const core::ExpertsConstants& constants,
                           double tokens, double num_experts);

}  // namespace railwright::models
