// SPDX-License-Identifier: Apache-2.0
// Parts that several kinds of mixers have in common.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "railwright/core/arithmetic.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/mixer.hpp"

namespace railwright::models {

// Kernels of a forward pass beside those of plain attention. Estimates, counted from the operations
// of the public implementations: narrow products, norms and joins of latent vectors; norms,
// positions, casts, scores and choice of an indexer; the same of a compression of keys.
inline constexpr double kLatentKernels = 8.0;
inline constexpr double kIndexKernels = 8.0;
inline constexpr double kCompressionKernels = 16.0;

/// Heads on a rank; every rank has at least one of queries, and of keys and values.
inline std::int64_t heads_on_rank(int heads, int tp) { return core::ceil_div(heads, tp); }

/// Width of the values of a rank's heads together.
inline std::int64_t output_width(const Mixer& mixer, int tp) {
  return heads_on_rank(mixer.num_heads, tp) * mixer.value_size;
}

/// Width of what multiplies the output of a rank's heads; 0 without a gate.
inline std::int64_t gate_width(const Mixer& mixer, int tp) {
  if (mixer.gate == OutputGate::kNone) return 0;
  return mixer.gate == OutputGate::kHeads ? heads_on_rank(mixer.num_heads, tp)
                                          : output_width(mixer, tp);
}

/// Adds the matrices of a gate that is made by itself: one, or two with a narrow vector between.
inline void add_gate(std::int64_t hidden, const Mixer& mixer, int tp, MatrixBlock block,
                     std::vector<Matrix>& matrices) {
  const std::int64_t width = gate_width(mixer, tp);
  if (width == 0) return;
  const std::int64_t rank = mixer.gate_rank;
  matrices.push_back(
      {.inner = hidden, .columns = rank > 0 ? rank : width, .block = block, .behind_norm = true});
  if (rank > 0) matrices.push_back({.inner = rank, .columns = width, .block = block});
}

/// Adds what a gate keeps: itself, and the output that it has multiplied.
inline MixerKept with_gate(MixerKept kept, const Mixer& mixer, int tp) {
  const std::int64_t width = gate_width(mixer, tp);
  if (width == 0) return kept;
  kept.others += static_cast<double>(width);
  kept.last_input = kept.output;
  return kept;
}

/// Adds the products of an indexer whose queries come out of `query_source`, which every rank has
/// whole, and keys out of the model's vector.
inline void add_indexer(std::int64_t hidden, std::int64_t query_source, std::int64_t key_columns,
                        const Mixer& mixer, std::vector<Matrix>& matrices) {
  if (mixer.index_heads == 0) return;
  const std::int64_t queries = static_cast<std::int64_t>(mixer.index_heads) * mixer.index_size;
  matrices.push_back({.inner = query_source,
                      .columns = queries,
                      .behind_norm = query_source == hidden,
                      .from_latent = query_source != hidden});
  matrices.push_back({.inner = hidden, .columns = key_columns, .behind_norm = true});
}

/// Returns the scores of an indexer over all keys, or over compressed ones.
inline MixerKernel index_kernel(const Mixer& mixer, std::string_view name, int ratio) {
  return {.work = MixerKernel::Work::kIndex,
          .name = name,
          .heads = mixer.index_heads,
          .kv_heads = 1,
          .query_width = mixer.index_size,
          .has_near = ratio == 0,
          .ratio = ratio};
}

/// Bytes of an index key, in fp8 with a scale of fp32. [@deepseek_v32]
inline double index_key_bytes(const Mixer& mixer) {
  constexpr double kScaleBytes = 4.0;
  return mixer.index_heads > 0 ? mixer.index_size + kScaleBytes : 0.0;
}

/// Operations of a token in a state of `key` x `value` a head: what it forgets (1), what it knows
/// of the key (2, with the delta rule), what it learns (2) and what is read (2).
inline double state_work(double heads, double key, double value, bool has_delta) {
  return heads * key * value * (has_delta ? 7.0 : 5.0);
}

/// Operations of the chunked form: products of the tokens of a chunk with one another, with the
/// delta rule also the inverse of a triangle of them, and products with the state.
/// [@yang2024deltanet]
inline double chunk_work(double heads, double key, double value, double chunk, bool has_delta) {
  const double pairs = has_delta
                           ? 2.0 * chunk * (3.0 * key + 2.0 * value) + 2.0 / 3.0 * chunk * chunk
                           : 2.0 * chunk * (key + value);
  return heads * (pairs + (has_delta ? 6.0 : 4.0) * key * value);
}

/// Kinds whose tensor parallelism divides the heads of queries.
inline int divides_heads(const Mixer& mixer) { return mixer.num_heads; }

/// Collects contradictions.
struct MixerProblems {
  std::vector<core::Problem> list;

  MixerProblems& require(bool holds, std::string_view key, std::string_view message) {
    if (!holds) list.push_back({std::string(key), std::string(message), ""});
    return *this;
  }
};

}  // namespace railwright::models
