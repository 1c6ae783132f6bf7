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

struct Lora {
  int rank = 0;
  LoraTargets targets = LoraTargets::kAttention;

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
