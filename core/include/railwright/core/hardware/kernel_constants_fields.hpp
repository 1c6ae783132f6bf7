// SPDX-License-Identifier: Apache-2.0
// The keys of kernel_constants.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/attention_constants_fields.hpp"
#include "railwright/core/hardware/cast_constants_fields.hpp"
#include "railwright/core/hardware/expert_exchange_constants_fields.hpp"
#include "railwright/core/hardware/experts_constants_fields.hpp"
#include "railwright/core/hardware/gemm_constants_fields.hpp"
#include "railwright/core/hardware/kernel_constants.hpp"
#include "railwright/core/hardware/mixer_constants_fields.hpp"

namespace railwright::core {

constexpr auto GemmByFormat::fields() {
  return field_list(
      field("bf16", &GemmByFormat::bf16, "bf16, fp16 and wider."),
      field("fp8", &GemmByFormat::fp8, "fp8 with one scale a tensor."),
      field("fp8_block", &GemmByFormat::fp8_block, "fp8 with a scale a block, MXFP8 on Blackwell."),
      field("nvfp4", &GemmByFormat::nvfp4, "nvfp4."));
}

constexpr auto AttentionKernels::fields() {
  using A = AttentionKernels;
  return field_list(
      field("training_efficiency", &A::training_efficiency,
            "Share of the peak rate that the forward kernel of `training` reaches on the measured "
            "device: causal, 16,384 tokens, heads of 128. An accelerator whose own efficiency is "
            "another scales its time by it.",
            fraction),
      field("training", &A::training, "bf16, the fastest public kernel of the device."),
      field("flash_2_efficiency", &A::flash_2_efficiency, "As training_efficiency, of `flash_2`.",
            fraction),
      field("flash_2", &A::flash_2,
            "bf16, FlashAttention-2, where the device has a faster kernel. Without it, `training` "
            "is scaled."),
      field("bf16", &A::bf16, "Of an inference engine, queries and cache in bf16."),
      field("fp8", &A::fp8, "Queries and cache in fp8."),
      field("bf16_queries_fp8_cache", &A::bf16_queries_fp8_cache,
            "Queries in bf16, the cache in fp8."),
      field("latent_bf16", &A::latent_bf16, "Latent attention of a prompt, bf16 cache."),
      field("latent_fp8", &A::latent_fp8, "Latent attention of a prompt, fp8 cache."));
}

constexpr auto DecodeKernels::fields() {
  using D = DecodeKernels;
  return field_list(
      field("bf16_cache", &D::bf16_cache, "2 to 32 query heads a key head, bf16 cache."),
      field("bf16_cache_single_head", &D::bf16_cache_single_head, "One query head a key head."),
      field("bf16_cache_many_heads", &D::bf16_cache_many_heads,
            "More than 32 query heads a key head, or no whole number of them."),
      field("fp8_cache", &D::fp8_cache, "As bf16_cache, with a cache in fp8."),
      field("fp8_cache_single_head", &D::fp8_cache_single_head,
            "As bf16_cache_single_head, with a cache in fp8."),
      field("fp8_cache_many_heads", &D::fp8_cache_many_heads,
            "As bf16_cache_many_heads, with a cache in fp8."),
      field("latent_bf16_cache", &D::latent_bf16_cache,
            "Latent attention with absorbed keys, bf16 cache."),
      field("latent_fp8_cache", &D::latent_fp8_cache,
            "Latent attention with absorbed keys, fp8 cache."));
}

constexpr auto ExpertsByFormat::fields() {
  using E = ExpertsByFormat;
  return field_list(field("bf16", &E::bf16, "bf16."),
                    field("fp8", &E::fp8, "fp8 with one scale a tensor."),
                    field("fp8_block", &E::fp8_block, "fp8 with a scale a block, or MXFP8."),
                    field("nvfp4", &E::nvfp4, "nvfp4."),
                    field("nvfp4_low_latency", &E::nvfp4_low_latency,
                          "nvfp4, by the kernels that TensorRT-LLM generates for few tokens: fewer "
                          "launches, and products that need no padded tiles."));
}

constexpr auto KernelConstants::fields() {
  using K = KernelConstants;
  return field_list(
      field("name", &K::name, "Name in the catalogue."),
      field("description", &K::description, "The measured device in words."),
      field("source", &K::source, "Where the measured times stand."),
      field("gemm", &K::gemm, "Matrix products."),
      field("attention", &K::attention, "Attention of many queries."),
      field("decode", &K::decode, "Attention of one new token over its cache."),
      field("experts", &K::experts, "Grouped products of a layer of experts, and what is around."),
      field("casts", &K::casts, "Casts to fp8."),
      field("expert_exchange", &K::expert_exchange,
            "Dispatch of tokens to their experts, and their way back."),
      field("direct_all_reduce", &K::direct_all_reduce,
            "All-reduce of an inference engine in one node."),
      field("mixers", &K::mixers,
            "Kernels of linear, sparse and compressed attention and of state spaces, by name.",
            optional));
}

}  // namespace railwright::core
