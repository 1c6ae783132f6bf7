// SPDX-License-Identifier: Apache-2.0
// Time to send tokens to their experts and back without NCCL: DeepEP's kernels, and those of a
// scale-up domain. [@aiconfigurator] [@deepep]
#pragma once

#include <cstdint>

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/hardware/expert_exchange_constants.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

enum class ExpertExchangeOp : std::uint8_t { kDispatch, kCombine };
enum class ExpertExchangeKernel : std::uint8_t {
  kThroughput,  ///< a token goes once to each node, then over its scale-up domain
  kLowLatency,  ///< a copy for each expert, directly to its accelerator
  kScaleUp      ///< one scale-up domain, each member writes to all others
};

/// A call, as seen by one accelerator.
struct ExpertExchangeShape {
  std::int64_t num_tokens = 0;   ///< tokens of one accelerator
  std::int64_t token_bytes = 0;  ///< as sent: see fp8_token_bytes
  std::int64_t top_k = 1;        ///< experts a token goes to
  std::int64_t num_experts = 1;  ///< over all accelerators
  std::int64_t num_nodes = 1;
  std::int64_t per_node = 8;              ///< accelerators of a node
  std::int64_t num_multiprocessors = 20;  ///< multiprocessors that copy; DeepEP's default
  std::int64_t groups = 1;      ///< equal groups of experts, in order of their accelerators
  std::int64_t top_groups = 1;  ///< groups that the router chooses a token's experts from
  bool is_balanced = false;     ///< each copy goes to another accelerator, else by chance
  core::Bandwidth network{};    ///< rate of an accelerator's adapters, one direction
};

/// Bytes of a token in fp8 with a scale of four bytes for each 128 values.
constexpr std::int64_t fp8_token_bytes(std::int64_t hidden_size) {
  return hidden_size + 4 * ((hidden_size + 127) / 128);
}

struct ExpertExchange {
  core::Duration time;          ///< without other traffic, including latency
  core::Duration latency;       ///< part of the time that does not depend on bytes
  double scale_up_bytes = 0.0;  ///< sent by an accelerator over the scale-up domain
  double network_bytes = 0.0;   ///< sent by an accelerator through its adapters
};

/// Computes the expected number of `places`, each with an equal part of the experts, that a token
/// reaches with `top_k` different experts drawn at random: places * (1 - prod((E - E/places - i) /
/// (E - i))).
double expected_places(double places, double top_k, double num_experts);

/// Computes the same for a router that first chooses `top_groups` of `groups`, at random too: in
/// places that share a group, as among the top_groups / groups of them that it chose; in places of
/// several groups, over the numbers of their own groups that it may have chosen.
double expected_places(double places, const ExpertExchangeShape& shape);

/// Computes the time of an exchange. Throughput:
///   latency + tokens * max(multiprocessors, scale-up bytes / (share * scale-up bandwidth),
///                          network bytes / (share * adapters))
/// where a token takes max(token + copies * (copy + KiB * copy_kib), KiB * sum_kib) + nodes * node
/// of the multiprocessors, which share the tokens. Maxima are smoothed: (sum of 8th powers)^1/8.
/// Measured on one node of 8 H100 and B200 and of 4 GB200, and on 2, 4 and 8 nodes of H100. Low
/// latency: bytes are those of top_k copies; scale-up: those to other members.
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
