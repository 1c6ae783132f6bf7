// SPDX-License-Identifier: Apache-2.0
// All-reduces of inference engines inside a node: each member reads the others' memory.
// [@aiconfigurator]
#pragma once

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/expert_exchange_constants.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// Computes the faster of two methods. In one shot, each member reads all of the n - 1 other
/// buffers:
///   start + n * rank + spread * s / (s + 16 KiB) + (n - 1) * s / (share * scale-up bandwidth),
/// In two shots, each member sums a part and the parts are gathered: 2 (n - 1) / n of the buffer,
/// after a second barrier. Measured with TensorRT-LLM on 2, 4 and 8 A100, H100 and B200, 2 and 4
/// GB200. Infinite beyond `constants.largest`, where engines call the library.
core::Duration direct_all_reduce_time(const core::Accelerator& device,
                                      const core::DirectAllReduceConstants& constants,
                                      core::DataSize buffer, int num_members);

}  // namespace railwright::models
