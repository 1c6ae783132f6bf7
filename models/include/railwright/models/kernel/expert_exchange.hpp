// SPDX-License-Identifier: Apache-2.0
// How long it takes to send tokens to their experts and back, beside NCCL: DeepEP's kernels, and
// those of a scale-up domain. [@aiconfigurator] [@deepep]
#pragma once

#include <cstdint>

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/expert_exchange_constants.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

enum class ExpertExchangeOp : std::uint8_t { kDispatch, kCombine };
enum class ExpertExchangeKernel : std::uint8_t {
  kThroughput,  ///< a token goes to a node once, and from there over the scale-up domain
  kLowLatency,  ///< a copy for each expert, straight to its accelerator
  kScaleUp      ///< one scale-up domain, each member writes to all others
};

/// A call as one accelerator sees it.
struct ExpertExchangeShape {
  std::int64_t num_tokens = 0;   ///< of one accelerator
  std::int64_t token_bytes = 0;  ///< as it is sent: see fp8_token_bytes
  std::int64_t top_k = 1;        ///< experts a token goes to
  std::int64_t num_experts = 1;  ///< over all accelerators
  std::int64_t num_nodes = 1;
  std::int64_t per_node = 8;              ///< accelerators of a node
  std::int64_t num_multiprocessors = 20;  ///< that copy; DeepEP's default
  std::int64_t max_nodes = 0;             ///< that the router sends a token to; 0: any number
  bool is_balanced = false;               ///< each copy to another accelerator, else by chance
  core::Bandwidth network{};              ///< of an accelerator's adapters, one direction
};

/// Bytes of a token in fp8 with a scale of four bytes for each 128 values.
constexpr std::int64_t fp8_token_bytes(std::int64_t hidden_size) {
  return hidden_size + 4 * ((hidden_size + 127) / 128);
}

struct ExpertExchange {
  core::Duration time;          ///< alone, latency and all
  core::Duration latency;       ///< of that what no byte takes
  double scale_up_bytes = 0.0;  ///< that an accelerator sends over the scale-up domain
  double network_bytes = 0.0;   ///< that an accelerator sends through its adapters
};

/// Expected number of `places`, each with an equal part of the experts, that a token reaches with
/// `top_k` different experts taken by chance: places * (1 - prod((E - E/places - i) / (E - i))).
double expected_places(double places, double top_k, double num_experts);

/// Throughput:
///   latency + tokens * max(multiprocessors, scale-up bytes / (share * scale-up bandwidth),
///                          network bytes / (share * adapters))
/// where the multiprocessors take max(token + copies * (copy + KiB * copy_kib), KiB * sum_kib) +
/// nodes * node for a token, shared by all of them. Maxima are rounded off: (sum of 8th
/// powers)^1/8. Measured on one node of 8 H100 and B200 and of 4 GB200, and on 2, 4 and 8 nodes of
/// H100. Low latency: bytes are those of top_k copies; scale-up: those to other members.
ExpertExchange expert_exchange(const core::Accelerator& device,
                               const core::ExpertExchangeConstants& constants,
                               ExpertExchangeKernel kernel, ExpertExchangeOp op,
                               const ExpertExchangeShape& shape);

inline core::Duration expert_exchange_time(const core::Accelerator& device,
                                           const core::ExpertExchangeConstants& constants,
                                           ExpertExchangeKernel kernel, ExpertExchangeOp op,
                                           const ExpertExchangeShape& shape) {
  return expert_exchange(device, constants, kernel, op, shape).time;
}

}  // namespace railwright::models
