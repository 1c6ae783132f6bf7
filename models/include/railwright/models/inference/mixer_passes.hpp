// SPDX-License-Identifier: Apache-2.0
// Time of the kernels of a mixer that is not dense attention, on one accelerator.
#pragma once

#include <string_view>

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/workload/mixer.hpp"

namespace railwright::models {

/// Returns the constants of a kernel, or an estimate where nobody measured it: launches as the
/// device's kernels have them, and shares of the rates like those of other narrow kernels.
core::MixerConstants mixer_constants(const core::Accelerator& device, std::string_view name,
                                     bool of_prompt);

/// Tokens of a pass in one kernel: of each of `sequences`, those behind the first `from`, up to
/// `to`.
struct KernelTokens {
  double sequences = 0.0;
  double from = 0.0;
  double to = 0.0;
  bool of_prompt = true;

  [[nodiscard]] double each() const { return to - from; }
  [[nodiscard]] double all() const { return sequences * each(); }
};

/// The work of a kernel in a pass.
struct KernelLoad {
  double flops = 0.0;
  double bytes = 0.0;
  double steps = 0.0;  ///< one after the other on the busiest multiprocessor
};

/// Returns the load of a kernel, with `cache_bytes` for an element of the cache. A state in decode
/// is read and written, and each token passes it by itself; scores of an indexer are written in
/// fp32 and read twice by the choice; each token gathers its own chosen keys.
KernelLoad kernel_load(const core::Accelerator& device, const MixerKernel& kernel,
                       const KernelTokens& tokens, double cache_bytes);

/// Computes the time of a load without its launch.
core::Duration mixer_kernel_time(const core::Accelerator& device,
                                 const core::MixerConstants& constants, const KernelLoad& load);

}  // namespace railwright::models
