// SPDX-License-Identifier: Apache-2.0
// Time of a pass of tokens through a decoder on one tensor-parallel rank: a roofline for each
// operation. [@williams2009roofline] [@pope2022efficiently]
#pragma once

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/inference/inference.hpp"

namespace railwright::models {

/// Tokens that pass together.
struct TokenPass {
  double sequences = 1.0;
  double new_tokens = 1.0;  ///< of each sequence
  double keys = 1.0;        ///< mean number that a new token attends to, itself included
  bool from_cache = false;  ///< keys and values are read from the cache, not made in this pass

  [[nodiscard]] double tokens() const { return sequences * new_tokens; }
};

/// A whole prompt of `tokens`, causal: token i attends to i.
TokenPass prefill_pass(double tokens);
/// One new token of each of `sequences`, which have `context` tokens with the new one.
TokenPass decode_pass(double sequences, double context);

/// Time by what bounds each operation.
struct PassTime {
  core::Duration compute;        ///< operations that the peak rate bounds
  core::Duration bandwidth;      ///< operations that memory bandwidth bounds
  core::Duration gaps;           ///< between kernels
  core::Duration communication;  ///< all-reduces of tensor parallelism; the caller's
  core::Duration stall;          ///< waiting for offloaded weights; the caller's

  [[nodiscard]] core::Duration total() const {
    return compute + bandwidth + gaps + communication + stall;
  }
  PassTime& operator+=(const PassTime& other);
  friend PassTime operator*(PassTime time, double factor) {
    return {time.compute * factor, time.bandwidth * factor, time.gaps * factor,
            time.communication * factor, time.stall * factor};
  }
};

/// Each matrix takes the longer of
///   2 * tokens * inner * columns / (peak rate of the weights' format * gemm_efficiency) and
///   (weights + inputs + outputs) / (memory_bandwidth * memory_efficiency),
/// attention that of its two products and of the keys and values it reads. A mixture of experts
/// reads the experts that its tokens are sent to, in the mean. The LM head sees one token of each
/// sequence. Weights in a format that the device lacks run at its fp16 rate. Norms, activation
/// functions and rotary positions are fused into their neighbours.
PassTime pass_time(const core::Accelerator& device, const Inference& inference, int tp,
                   const TokenPass& pass);

/// Copies out of `copies` that at least one of `tokens` is sent to, `passes` each, drawn evenly:
///   copies * (1 - (1 - passes / copies) ^ tokens).
double copies_touched(double copies, double passes, double tokens);

/// All-reduces in a pass of tensor-parallel ranks: two a layer and one behind the embedding.
/// [@narayanan2021megatron]
int num_all_reduces(const Transformer& model);
/// Buffer of each, in bf16.
core::DataSize all_reduce_size(const Transformer& model, double tokens);

}  // namespace railwright::models
