// SPDX-License-Identifier: Apache-2.0
// Time of a pass of tokens through a decoder on one accelerator of a replica: the sum of its
// kernels, each by the model validated against its measured times.
#pragma once

#include <cmath>

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/inference/inference.hpp"
#include "railwright/models/inference/replica_layout.hpp"

namespace railwright::models {

/// Returns the sequences on the busiest of `dp` accelerators that share them: whole ones. Alone, it
/// has all, a mean number as it is.
inline double of_busiest(double sequences, int dp) {
  return dp == 1 ? sequences : std::ceil(sequences / dp - 1e-9);
}

/// Tokens that pass the layers together: prompts, or pieces of them, and the tokens of each request
/// in decode.
struct TokenPass {
  double prompts = 0.0;        ///< sequences whose prompts pass
  double prompt_tokens = 0.0;  ///< tokens of each, in this pass
  double prompt_keys = 0.0;    ///< keys that the last of them attends to, including itself
  double decodes = 0.0;        ///< sequences in decode
  double decode_tokens = 1.0;  ///< tokens of each: one, or those of a draft too
  double context = 0.0;        ///< keys that each of these attends to, including itself
  double padding = 0.0;  ///< sequences that fill the batch of a CUDA graph; they attend to nothing

  [[nodiscard]] double tokens() const {
    return prompts * prompt_tokens + (decodes + padding) * decode_tokens;
  }
  /// Tokens on the busiest of `dp` accelerators that share the sequences.
  [[nodiscard]] double tokens_of_rank(int dp) const {
    return of_busiest(prompts, dp) * prompt_tokens +
           of_busiest(decodes + padding, dp) * decode_tokens;
  }
  /// Tokens that the head sees.
  [[nodiscard]] double outputs() const { return prompts + (decodes + padding) * decode_tokens; }
  /// Requests on the busiest of `dp` accelerators that share them.
  [[nodiscard]] double sequences_of_rank(int dp) const { return of_busiest(prompts + decodes, dp); }
};

/// Makes the pass of a prompt of `tokens`, causal: token i attends to i. The first `cached` of them
/// do not pass.
TokenPass prefill_pass(double tokens, double cached = 0.0);
/// Makes the pass of `tokens` new tokens of each of `sequences`, which have `context` tokens
/// including them.
TokenPass decode_pass(double sequences, double context, double tokens = 1.0);

/// Time by the bound of each kernel.
struct PassTime {
  core::Duration compute;        ///< kernels whose arithmetic takes longer than their bytes
  core::Duration bandwidth;      ///< kernels whose bytes take longer
  core::Duration gaps;           ///< launches and the time of a call beside its kernel
  core::Duration communication;  ///< collectives inside the replica; set by the caller
  core::Duration host;           ///< waiting for the host; set by the caller
  core::Duration stall;          ///< waiting for offloaded weights; set by the caller

  [[nodiscard]] core::Duration total() const {
    return compute + bandwidth + gaps + communication + host + stall;
  }
  PassTime& operator+=(const PassTime& other);
  friend PassTime operator*(PassTime time, double factor) {
    return {time.compute * factor,       time.bandwidth * factor, time.gaps * factor,
            time.communication * factor, time.host * factor,      time.stall * factor};
  }
};

/// Computes the time of all layers without attention: products, norms, activation functions and
/// casts for the `own_tokens` of the busiest accelerator, experts for the `tokens` of the whole
/// replica. Products run by gemm_time() in the format of the weights, or in 16 bits if the device
/// cannot multiply it, which then only reduces the bytes of the weights. Experts run by
/// experts_parts(); the other kernels are limited by their bytes.
PassTime layers_time(const core::Accelerator& device, const Inference& inference,
                     const ReplicaLayout& layout, double tokens, double own_tokens);

/// Computes the time of the head, which sees one token of each sequence, and of choosing the next
/// one. Its matrix has 16 bits; logits become fp32 and are read twice.
PassTime head_time(const core::Accelerator& device, const Inference& inference,
                   const ReplicaLayout& layout, double sequences);

/// Computes the encoding of the images of a request, one after another in 16 bits; ranks of tensor
/// parallelism share them. Zero without images.
PassTime image_time(const core::Accelerator& device, const Inference& inference,
                    const ReplicaLayout& layout);

/// Computes attention of prompts in all layers, and of each its share of image_time(), by
/// attention_operator_time(), including the products that expand a latent vector to keys and
/// values. [@deepseek2024v2]
PassTime prompt_attention_time(const core::Accelerator& device, const Inference& inference,
                               const ReplicaLayout& layout, const TokenPass& pass);

/// Computes attention of one token per sequence over its cache in all layers, by
/// attention_decode_operator_time(). Latent attention multiplies with the narrow vector itself: the
/// expansion to heads is absorbed into queries and output. [@deepseek2024v2]
PassTime decode_attention_time(const core::Accelerator& device, const Inference& inference,
                               const ReplicaLayout& layout, const TokenPass& pass);

/// Returns the all-reduces in a pass of tensor-parallel ranks: two per layer and one after the
/// embedding. [@narayanan2021megatron]
int num_all_reduces(const Transformer& model);
/// Returns the buffer of each all-reduce, in bf16.
core::DataSize all_reduce_size(const Transformer& model, double tokens);

}  // namespace railwright::models
