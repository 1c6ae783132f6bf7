// SPDX-License-Identifier: Apache-2.0
// Fine-tuning of narrow adapters beside frozen matrices. [@hu2021lora]
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

/// Matrices of a layer that have an adapter.
enum class LoraTargets : std::uint8_t {
  kQkv,        ///< queries, keys and values
  kAttention,  ///< attention's output too
  kAll,        ///< the feed-forward block's too
};

constexpr auto enum_words(LoraTargets) {
  using enum LoraTargets;
  return core::words<LoraTargets>({{"qkv", kQkv}, {"attention", kAttention}, {"all", kAll}});
}

/// Format in which the frozen matrices of layers are kept.
enum class LoraBase : std::uint8_t {
  kWhole,  ///< as without adapters
  kNf4,    ///< in four bits, made whole again before each product (QLoRA) [@dettmers2023]
};

constexpr auto enum_words(LoraBase) {
  using enum LoraBase;
  return core::words<LoraBase>({{"whole", kWhole}, {"nf4", kNf4}});
}

/// Bytes of a weight in NF4: 4 bits, a scale of 8 bits for 64 weights, and one of 32 bits for 256
/// scales, 4.127 bits in all [@dettmers2023].
inline constexpr double kNf4Bytes = (4.0 + 8.0 / 64.0 + 32.0 / (64.0 * 256.0)) / 8.0;

struct Lora {
  int rank = 0;
  LoraTargets targets = LoraTargets::kAttention;
  LoraBase base = LoraBase::kWhole;

  static constexpr auto fields();
};

/// Returns the adapter of a matrix, down to `rank` columns and up again, on the rank that holds the
/// matrix; empty if the matrix is no target.
std::vector<Matrix> adapter_of(const Lora& lora, const Matrix& matrix);

/// Parameters of all adapters of a layer on one rank: of dense matrices, and of experts.
struct AdapterParameters {
  std::int64_t dense = 0;
  std::int64_t expert = 0;
};
AdapterParameters adapter_parameters(const Lora& lora, const Transformer& model, LayerKind kind,
                                     const Slices& slices = {});

}  // namespace railwright::models
