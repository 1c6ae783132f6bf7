// SPDX-License-Identifier: Apache-2.0
// Time of a pass of tokens through a decoder on one accelerator of a replica: the sum of its
// kernels, each by the model that is held against its measured times.
#pragma once

#include "railwright/core/hardware/devices.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/inference/inference.hpp"
#include "railwright/models/inference/replica_layout.hpp"

namespace railwright::models {

/// Tokens that pass the layers together: prompts, or pieces of them, and one token of each request
/// that is being answered.
struct TokenPass {
  double prompts = 0.0;        ///< sequences whose prompts pass
  double prompt_tokens = 0.0;  ///< of each, in this pass
  double prompt_keys = 0.0;    ///< that the last of them attends to, itself included
  double decodes = 0.0;        ///< sequences with one new token
  double context = 0.0;        ///< keys that each of these attends to, itself included

  [[nodiscard]] double tokens() const { return prompts * prompt_tokens + decodes; }
  [[nodiscard]] double sequences() const { return prompts + decodes; }
};

/// A whole prompt of `tokens`, causal: token i attends to i.
TokenPass prefill_pass(double tokens);
/// One new token of each of `sequences`, which have `context` tokens with the new one.
TokenPass decode_pass(double sequences, double context);

/// Time by what bounds each kernel.
struct PassTime {
  core::Duration compute;        ///< kernels whose arithmetic takes longer than their bytes
  core::Duration bandwidth;      ///< kernels whose bytes take longer
  core::Duration gaps;           ///< launches and what a call takes beside its kernel
  core::Duration communication;  ///< collectives inside the replica; the caller's
  core::Duration host;           ///< waiting for the host; the caller's
  core::Duration stall;          ///< waiting for offloaded weights; the caller's

  [[nodiscard]] core::Duration total() const {
    return compute + bandwidth + gaps + communication + host + stall;
  }
  PassTime& operator+=(const PassTime& other);
  friend PassTime operator*(PassTime time, double factor) {
    return {time.compute * factor,       time.bandwidth * factor, time.gaps * factor,
            time.communication * factor, time.host * factor,      time.stall * factor};
  }
};

/// All layers but their attention: products, norms, activation functions, casts and experts, by the
/// number of tokens of the whole replica. Products run by gemm_time() in the format of the weights,
/// or in 16 bits where the device cannot multiply it: only the bytes of the weights are fewer then.
/// Experts run by experts_parts(), the rest moves its bytes.
PassTime layers_time(const core::Accelerator& device, const Inference& inference,
                     const ReplicaLayout& layout, double tokens);

/// The head, which sees one token of each sequence, and the choice of the next one. Its matrix has
/// 16 bits; logits become fp32 and are read twice.
PassTime head_time(const core::Accelerator& device, const Inference& inference,
                   const ReplicaLayout& layout, double sequences);

/// Attention of prompts in all layers, by attention_operator_time(): what makes keys and values of
/// a latent vector is in it. [@deepseek2024v2]
PassTime prompt_attention_time(const core::Accelerator& device, const Inference& inference,
                               const ReplicaLayout& layout, const TokenPass& pass);

/// Attention of one token a sequence over its cache in all layers, by
/// attention_decode_operator_time(). Latent attention multiplies with the narrow vector itself:
/// what makes heads of it is absorbed into queries and output. [@deepseek2024v2]
PassTime decode_attention_time(const core::Accelerator& device, const Inference& inference,
                               const ReplicaLayout& layout, const TokenPass& pass);

/// The sum of all: the accelerator with most requests, without collectives and host.
PassTime pass_time(const core::Accelerator& device, const Inference& inference,
                   const ReplicaLayout& layout, const TokenPass& pass);

/// All-reduces in a pass of tensor-parallel ranks: two a layer and one behind the embedding.
/// [@narayanan2021megatron]
int num_all_reduces(const Transformer& model);
/// Buffer of each, in bf16.
core::DataSize all_reduce_size(const Transformer& model, double tokens);

}  // namespace railwright::models
