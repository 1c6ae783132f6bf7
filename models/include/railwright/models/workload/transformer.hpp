// SPDX-License-Identifier: Apache-2.0
// The shape of a transformer, as published.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/workload/image_encoder.hpp"
#include "railwright/models/workload/mixer.hpp"

namespace railwright::models {

/// Multi-head latent attention: the keys and values of all heads are computed from one narrow
/// vector, queries from another. [@deepseek2024v2]
struct LatentAttention {
  int query_rank = 0;
  int kv_rank = 0;
  int rope_size = 0;
  int value_size = 0;

  static constexpr auto fields();
};

/// Layers whose tokens attend to those near by alone.
struct LocalAttention {
  int window = 0;
  int chunk = 0;
  int global_every = 0;

  /// Tokens that a token attends to at most, of `keys`.
  template <class Number>
  [[nodiscard]] Number reached(Number keys) const {
    const int reach = window > 0 ? window : chunk;
    return reach > 0 ? std::min<Number>(keys, reach) : keys;
  }

  static constexpr auto fields();
};

/// A set of feed-forward blocks, of which each token passes a few. [@shazeer2017moe]
struct Experts {
  int count = 0;
  int top_k = 1;
  int ffn_size = 0;
  int shared_ffn_size = 0;
  int latent_size = 0;
  int dense_layers = 0;
  int every = 1;
  int groups = 1;
  int top_groups = 1;

  static constexpr auto fields();
};

/// A mixer of tokens by a selective state space, in place of attention: a short causal convolution,
/// then a state of head_size x state_size a head, carried from chunk to chunk. [@dao2024mamba2]
struct Mamba {
  int num_heads = 0;
  int head_size = 0;
  int state_size = 0;
  int num_groups = 1;
  int conv_size = 4;
  int chunk_size = 128;

  /// Width of all heads together.
  [[nodiscard]] std::int64_t inner() const {
    return static_cast<std::int64_t>(num_heads) * head_size;
  }
  /// Width of the vectors that write to the states of all groups; as many read from them.
  [[nodiscard]] std::int64_t states() const {
    return static_cast<std::int64_t>(num_groups) * state_size;
  }

  static constexpr auto fields();
};

/// The vectors over which queries and keys are normed before attention.
enum class QueryKeyNorm : std::uint8_t { kNone, kHead, kWhole };

constexpr auto enum_words(QueryKeyNorm) {
  using enum QueryKeyNorm;
  return core::words<QueryKeyNorm>({{"none", kNone}, {"head", kHead}, {"whole", kWhole}});
}

/// All counts are whole-model values, before any parallelism.
struct Transformer {
  static constexpr std::string_view kKind = "workloads";

  std::string name;
  std::string description;
  std::string source;
  int num_layers = 0;
  int encoder_layers = 0;
  int mtp_layers = 0;
  int hidden_size = 0;
  int num_heads = 0;
  int num_kv_heads = 0;
  std::optional<int> head_size;
  std::optional<LatentAttention> latent_attention;
  std::optional<LocalAttention> local_attention;
  std::optional<ImageEncoder> image_encoder;
  bool causal = true;
  QueryKeyNorm query_key_norm = QueryKeyNorm::kNone;
  int ffn_size = 0;
  bool gated_ffn = true;
  std::optional<Experts> experts;
  std::optional<Mamba> mamba;
  std::vector<Mixer> mixers;
  std::string mixer_pattern;
  std::string layer_pattern;
  int vocabulary_size = 0;
  bool tied_embeddings = false;
  int positions = 0;
  int context = 0;
  bool embedding_norm = false;
  bool biases = false;
  std::optional<core::Sourced<std::vector<double>>> acceptance_lengths;

  /// Converts a Hugging Face config.json to an entry. Reports an unknown `model_type`; reading the
  /// entry reports missing keys.
  static core::Node from_json(const core::Node& document, std::vector<core::Diagnostic>& problems);

  static constexpr auto fields();
};

/// Returns the part of a config.json that describes the text model, where it stands beside encoders
/// of images; otherwise all of it.
const core::Node& text_config(const core::Node& config);
/// Finds numbers of a shape that contradict one another.
std::vector<core::Problem> find_problems(const Transformer& model);
/// Returns the most tokens of a sequence that the model answers; 0 if no limit is known.
inline int longest_context(const Transformer& model) {
  return model.context > 0 ? model.context : model.positions;
}
/// Counts the layers of encoder and decoder.
int total_layers(const Transformer& model);
/// Counts the parameters of one vocabulary_size x hidden_size matrix.
std::int64_t embedding_parameters(const Transformer& model);

}  // namespace railwright::models
