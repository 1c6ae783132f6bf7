// SPDX-License-Identifier: Apache-2.0
// Constants of one device's kernels: a file of the catalogue that accelerators refer to.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/attention_constants.hpp"
#include "railwright/core/hardware/cast_constants.hpp"
#include "railwright/core/hardware/expert_exchange_constants.hpp"
#include "railwright/core/hardware/experts_constants.hpp"
#include "railwright/core/hardware/gemm_constants.hpp"
#include "railwright/core/hardware/mixer_constants.hpp"

namespace railwright::core {

/// Matrix products, by format.
struct GemmByFormat {
  GemmConstants bf16;
  std::optional<GemmConstants> fp8;
  std::optional<GemmConstants> fp8_block;
  std::optional<GemmConstants> nvfp4;

  /// Constants of a format, or of the nearest wider one if it was not measured.
  [[nodiscard]] const GemmConstants& of(ProductFormat format) const {
    switch (format) {
      case ProductFormat::kFp4:
        if (nvfp4) return *nvfp4;
        [[fallthrough]];
      case ProductFormat::kFp8Block:
        if (fp8_block) return *fp8_block;
        [[fallthrough]];
      case ProductFormat::kFp8:
        if (fp8) return *fp8;
        [[fallthrough]];
      case ProductFormat::kWide:
        break;
    }
    return bf16;
  }

  static constexpr auto fields();
};

/// Fused attention: the device's fastest kernel for training and, where that is another,
/// FlashAttention-2; others for inference engines by the formats of queries and cache. Latent
/// attention before its keys are absorbed has kernels of its own.
struct AttentionKernels {
  double training_efficiency = 0.6;
  AttentionConstants training;
  std::optional<double> flash_2_efficiency;
  std::optional<AttentionConstants> flash_2;
  std::optional<AttentionConstants> bf16;
  std::optional<AttentionConstants> fp8;
  std::optional<AttentionConstants> bf16_queries_fp8_cache;
  std::optional<AttentionConstants> latent_bf16;
  std::optional<AttentionConstants> latent_fp8;

  static constexpr auto fields();
};

/// Attention of one new token, by the format of the cache and the number of query heads per key
/// head.
struct DecodeKernels {
  std::optional<DecodeConstants> bf16_cache;
  std::optional<DecodeConstants> bf16_cache_single_head;
  std::optional<DecodeConstants> bf16_cache_many_heads;
  std::optional<DecodeConstants> fp8_cache;
  std::optional<DecodeConstants> fp8_cache_single_head;
  std::optional<DecodeConstants> fp8_cache_many_heads;
  std::optional<DecodeConstants> latent_bf16_cache;
  std::optional<DecodeConstants> latent_fp8_cache;

  static constexpr auto fields();
};

/// A layer of experts, by the format of its grouped products.
struct ExpertsByFormat {
  ExpertsConstants bf16;
  std::optional<ExpertsConstants> fp8;
  std::optional<ExpertsConstants> fp8_block;
  std::optional<ExpertsConstants> nvfp4;
  std::optional<ExpertsConstants> nvfp4_low_latency;

  static constexpr auto fields();
};

/// Measured on one device, used for it and, marked as an estimate, for others of its generation.
struct KernelConstants {
  static constexpr std::string_view kKind = "kernels";

  std::string name;
  std::string description;
  std::string source;
  GemmByFormat gemm;
  AttentionKernels attention;
  DecodeKernels decode;
  ExpertsByFormat experts;
  std::optional<CastConstants> casts;
  std::optional<ExpertExchangeConstants> expert_exchange;
  std::optional<DirectAllReduceConstants> direct_all_reduce;
  MixerKernels mixers;

  static constexpr auto fields();
};

}  // namespace railwright::core
