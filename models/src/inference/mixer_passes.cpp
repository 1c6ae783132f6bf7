// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/inference/mixer_passes.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::models {

namespace {

using core::Accelerator;
using core::DataSize;
using core::Duration;

/// Elements of a state that a work group carries: 32 values of a head's keys, of the usual 128.
/// [@flash_linear_attention]
constexpr double kStateOfGroup = 128.0 * 32.0;

KernelLoad state_load(const Accelerator& device, const MixerKernel& kernel,
                      const KernelTokens& tokens) {
  const double of_tokens =
      tokens.all() * (kernel.wide_forward * kActivationBytes + kernel.fp32_forward * kFp32Bytes);
  const double of_states =
      tokens.sequences * 2.0 * (kernel.state * kFp32Bytes + kernel.convolved * kActivationBytes);
  const double groups = std::max(1.0, kernel.state / kStateOfGroup);
  const double waves = std::max(1.0, tokens.sequences * groups / device.num_multiprocessors.value);
  const double chunks =
      tokens.of_prompt ? std::ceil(tokens.each() / kernel.chunk_size) : tokens.each();
  const double work = tokens.of_prompt ? std::max(kernel.bound_of_token, kernel.work_of_token)
                                       : kernel.work_of_token;
  return {.flops = tokens.all() * work,
          .bytes = (tokens.of_prompt ? of_tokens : 0.0) + of_states,
          .steps = chunks * waves};
}

KernelLoad index_load(const MixerKernel& kernel, const KernelTokens& tokens) {
  const double scores = tokens.all() * mean_attended(kernel, tokens.from, tokens.to);
  const auto width = static_cast<double>(kernel.query_width);
  const double keys = tokens.sequences * kernel.attended(tokens.to);
  return {.flops = 2.0 * scores * static_cast<double>(kernel.heads) * width,
          .bytes = scores * kScoreAccesses * kFp32Bytes + keys * width};
}

KernelLoad gathered_load(const MixerKernel& kernel, const KernelTokens& tokens,
                         double cache_bytes) {
  const double pairs = tokens.all() * mean_attended(kernel, tokens.from, tokens.to);
  const auto widths = static_cast<double>(kernel.query_width + kernel.value_width);
  const auto heads = static_cast<double>(kernel.heads);
  const double of_key = kernel.cached_query_width > 0
                            ? static_cast<double>(kernel.cached_query_width)
                            : static_cast<double>(kernel.kv_heads) * widths;
  return {.flops = 2.0 * pairs * heads * widths,
          .bytes = pairs * of_key * cache_bytes + tokens.all() * heads * widths * kActivationBytes};
}

}  // namespace

core::MixerConstants mixer_constants(const Accelerator& device, std::string_view name,
                                     bool of_prompt) {
  constexpr double kLaunches = 4.0;
  const core::MixerKernels& known = device.kernels->mixers;
  const auto found = known.find(std::string(name) + (of_prompt ? "" : "_decode"));
  if (found != known.end()) return found->second;
  return {.launch = device.kernel_overhead.value * kLaunches};
}

KernelLoad kernel_load(const Accelerator& device, const MixerKernel& kernel,
                       const KernelTokens& tokens, double cache_bytes) {
  switch (kernel.work) {
    case MixerKernel::Work::kState:
      return state_load(device, kernel, tokens);
    case MixerKernel::Work::kIndex:
      return index_load(kernel, tokens);
    case MixerKernel::Work::kAttention:
      break;
  }
  return gathered_load(kernel, tokens, cache_bytes);
}

Duration mixer_kernel_time(const Accelerator& device, const core::MixerConstants& constants,
                           const KernelLoad& load) {
  const core::ComputeRate rate = device.wide_rate() * constants.rate_share;
  const core::Bandwidth bandwidth = device.memory_bandwidth.value * constants.memory_share;
  const double p = constants.overlap;
  const double parts[] = {(core::Work::from_base(load.flops) / rate).base(),
                          (DataSize::from_base(load.bytes) / bandwidth).base(),
                          constants.step.base() * load.steps};
  double joint = 0.0;
  for (const double part : parts) joint += std::pow(part, p);
  return Duration::from_base(std::pow(joint, 1.0 / p));
}

}  // namespace railwright::models
