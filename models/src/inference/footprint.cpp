// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/inference/footprint.hpp"

#include <algorithm>
#include <vector>

#include "railwright/core/arithmetic.hpp"
#include "railwright/models/software/profile.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

namespace {

double embeddings_on_rank(const Transformer& model, int tp) {
  const std::int64_t vocabulary = core::ceil_div(model.vocabulary_size, tp);
  return static_cast<double>(vocabulary) * model.hidden_size;
}

}  // namespace

core::Precision head_format(core::Precision weights) {
  return core::bytes_of(weights) < kActivationBytes ? core::Precision::kFp16 : weights;
}

core::DataSize weights_size(const Transformer& model, core::Precision weights) {
  return weights_on_rank(model, {}, weights);
}

int layers_of_stage(const Transformer& model, const ReplicaLayout& layout) {
  return core::ceil_div(total_layers(model), layout.pp);
}

core::DataSize weights_on_rank(const Transformer& model, const ReplicaLayout& layout,
                               core::Precision weights) {
  const double table = embeddings_on_rank(model, layout.tp());
  const double format = core::bytes_of(head_format(weights));
  const bool shares_table = model.tied_embeddings && layout.pp == 1;
  double largest = 0.0;
  for (int stage = 0; stage < layout.pp; ++stage) {
    const int end = total_layers(model) * (stage + 1) / layout.pp;
    double parameters = 0.0;
    for (int layer = total_layers(model) * stage / layout.pp; layer < end; ++layer) {
      parameters +=
          static_cast<double>(layer_parameters(model, layer_kind(model, layer), layout.slices()));
    }
    double tables = 0.0;
    if (stage == 0) tables += table + static_cast<double>(embedding_vector_parameters(model));
    if (stage + 1 == layout.pp) {
      parameters += static_cast<double>(final_norm_parameters(model));
      if (!shares_table) tables += table;
    }
    largest = std::max(largest, tables * format + parameters * core::bytes_of(weights));
  }
  return core::DataSize::from_base(largest);
}

core::DataSize dense_weights_beyond(const Transformer& model, const ReplicaLayout& layout,
                                    core::Precision weights, core::Precision dense) {
  if (dense == weights) return {};
  double parameters = 0.0;
  for (int layer = 0; layer < total_layers(model); ++layer) {
    for (const Matrix& matrix : layer_matrices(model, layer_kind(model, layer), layout.slices())) {
      if (!matrix.of_expert) parameters += static_cast<double>(matrix.parameters());
    }
  }
  const double of_stage = static_cast<double>(layers_of_stage(model, layout)) / total_layers(model);
  return core::DataSize::from_base(parameters * of_stage *
                                   (core::bytes_of(dense) - core::bytes_of(weights)));
}

core::DataSize largest_streamed_piece(const Transformer& model, const ReplicaLayout& layout,
                                      core::Precision weights) {
  double largest = embeddings_on_rank(model, layout.tp()) * core::bytes_of(head_format(weights));
  for (int layer = 0; layer < total_layers(model); ++layer) {
    const auto parameters =
        static_cast<double>(layer_parameters(model, layer_kind(model, layer), layout.slices()));
    largest = std::max(largest, parameters * core::bytes_of(weights));
  }
  return core::DataSize::from_base(largest);
}

namespace {

/// Bytes that a mixer adds to its cache with each token, in the mean over many.
double bytes_of_token(const MixerCache& cache, double element) {
  return (cache.of_token + cache.of_compressed / cache.ratio) * element + cache.index_bytes;
}

double bytes_of_state(const MixerCache& cache) {
  return cache.state * kFp32Bytes + cache.convolved * kActivationBytes;
}

/// Sums up the layers; where none keeps anything of a token, what they keep of a sequence.
double mean_bytes_of_token(const Transformer& model, int tp, double element) {
  double bytes = 0.0;
  double states = 0.0;
  for (const auto& [mixer, count] : mixer_layers(model)) {
    const MixerCache cache = mixer.kind->cache(mixer, tp);
    bytes += count * bytes_of_token(cache, element);
    states += count * bytes_of_state(cache);
  }
  return bytes > 0.0 ? bytes : states;
}

/// Whether all layers keep the same of each token, and nothing else.
bool keeps_all_alike(const std::vector<MixerLayers>& layers) {
  double first = 0.0;
  return std::ranges::all_of(layers, [&](const MixerLayers& one) {
    const MixerCache cache = one.mixer.kind->cache(one.mixer, 1);
    if (first == 0.0) first = cache.of_token;
    return cache.of_token == first && cache.of_compressed == 0.0 && cache.index_bytes == 0.0 &&
           bytes_of_state(cache) == 0.0;
  });
}

}  // namespace

core::DataSize kv_cache_per_token(const Transformer& model, int tp, core::Precision precision) {
  return core::DataSize::from_base(mean_bytes_of_token(model, tp, core::bytes_of(precision)));
}

double kept_tokens(const Transformer& model, double tokens) {
  const bool is_plain = !model.local_attention && !model.mamba && model.mixers.empty();
  if (is_plain) return tokens;
  const std::vector<MixerLayers> layers = mixer_layers(model);
  const auto in_reach = [&](const MixerCache& cache) { return at_most(tokens, cache.reach); };
  if (layers.empty() || tokens <= 0.0) return tokens;
  if (keeps_all_alike(layers)) {
    double kept = 0.0;
    double count = 0.0;
    bool reaches_all = true;
    for (const MixerLayers& one : layers) {
      const MixerCache cache = one.mixer.kind->cache(one.mixer, 1);
      kept += in_reach(cache) * one.count;
      count += one.count;
      reaches_all = reaches_all && cache.reach == 0;
    }
    return reaches_all ? tokens : kept / count;
  }
  double bytes = 0.0;
  for (const auto& [mixer, count] : layers) {
    const MixerCache cache = mixer.kind->cache(mixer, 1);
    const double near = cache.of_token * in_reach(cache);
    const double far = cache.of_compressed * tokens / cache.ratio;
    bytes += count *
             ((near + far) * kActivationBytes + cache.index_bytes * tokens + bytes_of_state(cache));
  }
  return bytes / mean_bytes_of_token(model, 1, kActivationBytes);
}

core::DataSize activations(const Transformer& model, const ReplicaLayout& layout, double tokens,
                           double sequences, double pairs) {
  const double gathered = layout.dp() > 1 ? std::min(tokens * layout.dp(), pairs) : 0.0;
  double widest = 0.0;
  for (int layer = 0; layer < total_layers(model); ++layer) {
    for (const Matrix& matrix : layer_matrices(model, layer_kind(model, layer), layout.slices())) {
      const auto width = static_cast<double>(matrix.inner + matrix.columns);
      widest = std::max(
          widest, matrix.of_expert
                      ? 2.0 * static_cast<double>(expert_width(model)) * gathered + width * pairs
                      : width * tokens);
    }
  }
  const double logits = embeddings_on_rank(model, layout.tp()) / model.hidden_size;
  return core::DataSize::from_base((tokens * 2.0 * model.hidden_size + widest) * kActivationBytes +
                                   sequences * logits * kFp32Bytes);
}

}  // namespace railwright::models
