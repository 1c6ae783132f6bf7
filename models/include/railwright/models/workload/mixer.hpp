// SPDX-License-Identifier: Apache-2.0
// Mixers of the tokens of a layer: attention of some kind, or a state carried from token to token.
// Each kind is a row of a table, with its formulas in a folder of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/row.hpp"
#include "railwright/core/error.hpp"

namespace railwright::models {

/// Accesses of a score in fp32: written, and read twice by the choice of an indexer.
inline constexpr double kScoreAccesses = 3.0;

struct Matrix;
struct Mixer;
struct MixerKernel;
struct Transformer;

/// Elements that a mixer keeps of each sequence that it serves.
struct MixerCache {
  double of_token = 0.0;       ///< elements of a token, in the format of the cache
  double of_compressed = 0.0;  ///< elements of each group of `ratio` tokens
  double index_bytes = 0.0;    ///< bytes of a token, whatever the format
  int ratio = 1;
  std::int64_t reach = 0;  ///< last tokens whose `of_token` is kept; 0: of all
  double state = 0.0;      ///< fp32 elements, whatever the length
  double convolved = 0.0;  ///< 16-bit elements, whatever the length
};

/// Elements of a token that a mixer keeps for its backward pass.
struct MixerKept {
  double queries = 0.0;
  double keys = 0.0;
  double values = 0.0;
  double output = 0.0;
  double others = 0.0;  ///< beside these: narrow vectors, the input of a convolution
  /// The last product's input where it is not the output but what a norm or a gate makes of it.
  double last_input = 0.0;
};

/// A row of the table of kinds: formulas of a mixer as one of `tp` ranks holds it.
struct MixerKind {
  /// All kinds, plain attention first.
  static std::span<const MixerKind> table();

  std::string_view name;
  /// Adds its products, in forward order.
  void (*add_matrices)(const Transformer& model, const Mixer& mixer, int tp,
                       std::vector<Matrix>& matrices);
  /// Counts what is no matrix: norms, convolutions, decays.
  std::int64_t (*vector_parameters)(const Mixer& mixer, int tp);
  /// Returns what runs between its products.
  std::vector<MixerKernel> (*kernels)(const Mixer& mixer, int tp);
  MixerCache (*cache)(const Mixer& mixer, int tp);
  MixerKept (*kept)(const Mixer& mixer, int tp);
  /// Finds what contradicts itself or is missing, by the mixer's keys. Null: nothing can.
  std::vector<core::Problem> (*problems)(const Mixer& mixer) = nullptr;
  /// Returns what tensor parallelism must divide.
  int (*num_divisible)(const Mixer& mixer);
  double more_kernels = 0.0;  ///< kernels of a forward pass beside those of plain attention
  /// Whether context parallelism passes keys and values round a ring. Other kinds do not divide a
  /// sequence.
  bool has_ring = false;
  bool is_state = false;  ///< a state carried from token to token, in place of keys
};

/// The gate that a mixer's output passes before its last product.
enum class OutputGate : std::uint8_t { kNone, kHeads, kElements };

constexpr auto enum_words(OutputGate) {
  using enum OutputGate;
  return core::words<OutputGate>({{"none", kNone}, {"heads", kHeads}, {"elements", kElements}});
}

/// A mixer of some layers. What is 0 is the model's own.
struct Mixer {
  core::Row<MixerKind> kind{};
  int num_heads = 0;
  int num_kv_heads = 0;
  int head_size = 0;
  int value_size = 0;
  OutputGate gate = OutputGate::kNone;
  int gate_rank = 0;
  bool shares_values = false;
  int window = 0;
  int chunk = 0;
  int query_rank = 0;
  int kv_rank = 0;
  int rope_size = 0;
  int output_groups = 0;
  int output_rank = 0;
  int index_heads = 0;
  int index_size = 0;
  int chosen_keys = 0;
  int ratio = 1;
  int state_size = 0;
  int num_groups = 1;
  int conv_size = 4;
  int chunk_size = 64;
  int step_rank = 0;

  friend bool operator==(const Mixer&, const Mixer&) = default;

  static constexpr auto fields();
};

/// Returns what is at most `limit`, of which 0 is none.
template <class Number>
Number at_most(Number number, std::int64_t limit) {
  return limit > 0 ? std::min<Number>(number, static_cast<Number>(limit)) : number;
}

/// A kernel between the products of a mixer.
struct MixerKernel {
  enum class Work : std::uint8_t {
    kAttention,  ///< queries against keys
    kIndex,      ///< scores of all keys in few narrow heads, and the choice of the best
    kState,      ///< a state that passes along the tokens
  };
  Work work = Work::kAttention;
  /// Name of the constants of the accelerator's kernels; "" for dense attention's own.
  std::string_view name{};
  // Attention and index.
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t query_width = 0;
  std::int64_t value_width = 0;
  /// Widths of the narrow vector that is key and value in one, over a cache; 0: as above.
  std::int64_t cached_query_width = 0;
  std::int64_t cached_value_width = 0;
  std::int64_t window = 0;
  std::int64_t chunk = 0;
  bool has_near = true;      ///< attends to single tokens, within `window` where one is set
  int ratio = 0;             ///< tokens of one of the compressed keys beside these; 0: none
  std::int64_t chosen = 0;   ///< keys, compressed ones where there are, that a query attends to
  bool is_gathered = false;  ///< keys are picked one by one
  // A state: operations and elements of a token, and elements of fp32 of a sequence.
  double work_of_token = 0.0;   ///< operations, as model FLOPs count them
  double bound_of_token = 0.0;  ///< operations that may limit the kernel
  double wide_forward = 0.0;    ///< elements moved in the format of activations
  double fp32_forward = 0.0;
  double wide_backward = 0.0;
  double fp32_backward = 0.0;
  double state = 0.0;
  double convolved = 0.0;  ///< elements that a convolution keeps of a sequence
  int chunk_size = 1;      ///< tokens between two states

  /// Single tokens in reach, of `keys`.
  template <class Number>
  [[nodiscard]] Number near(Number keys) const {
    if (!has_near) return Number{};
    const Number in_reach = at_most(keys, window > 0 ? window : chunk);
    return ratio == 0 ? at_most(in_reach, chosen) : in_reach;
  }
  /// Keys that the last of `keys` tokens attends to.
  [[nodiscard]] double attended(double keys) const {
    const double compressed = ratio > 0 ? at_most(keys / ratio, chosen) : 0.0;
    return near(keys) + compressed;
  }
  /// Whether dense attention's kernels run it.
  [[nodiscard]] bool is_dense() const { return work == Work::kAttention && name.empty(); }
};

/// Returns the mean of `attended` over the tokens behind the first `from`, up to `to`.
double mean_attended(const MixerKernel& kernel, double from, double to);

}  // namespace railwright::models
