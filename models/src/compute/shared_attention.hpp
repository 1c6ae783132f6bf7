// SPDX-License-Identifier: Apache-2.0
// Attention of ranks that share a sequence: its kernels, and what joins their results.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels.hpp"

namespace railwright::models {

/// Kernels of attention that are alike on a rank.
struct AttentionPiece {
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  bool causal = true;
  double count = 1.0;  ///< in the mean over ranks
  /// Whether they run beside the first kernels, and fill their last wave of tiles.
  bool beside = false;
};

/// Returns the kernels of a rank in the mean: each has a block of the start of a causal sequence
/// and one of its end, so that all have as much work. [@llama3]
std::vector<AttentionPiece> shared_attention(const Scores& scores);

/// Returns the bytes that order what ranks send one another, and join the results of their pieces,
/// for a micro-batch in a layer.
StreamedBytes exchange_bytes(const Kernels& kernels, const Mixer& mixer, const Training& training,
                             const Layout& layout);

}  // namespace railwright::models
