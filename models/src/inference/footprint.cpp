// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/inference/footprint.hpp"

#include <algorithm>

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

double kv_elements(const Transformer& model, int tp) {
  if (model.latent_attention) {
    return static_cast<double>(model.latent_attention->kv_rank) + model.latent_attention->rope_size;
  }
  return 2.0 * static_cast<double>(kv_heads_on_rank(model, tp) * head_size(model).value);
}

core::DataSize kv_cache_per_token(const Transformer& model, int tp, core::Precision precision) {
  return core::DataSize::from_base(kv_elements(model, tp) * model.num_layers *
                                   core::bytes_of(precision));
}

double kept_tokens(const Transformer& model, double tokens) {
  if (!model.local_attention) return tokens;
  const auto counts = layers_by_kind(model);
  int num_near = 0;
  int num_layers = 0;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    num_layers += counts[kind];
    if (is_local(static_cast<LayerKind>(kind))) num_near += counts[kind];
  }
  const double near = model.local_attention->reached(tokens);
  return (near * num_near + tokens * (num_layers - num_near)) / num_layers;
}

core::DataSize activations(const Transformer& model, const ReplicaLayout& layout, double tokens,
                           double sequences, double pairs) {
  const double gathered = layout.dp() > 1 ? std::min(tokens * layout.dp(), pairs) : 0.0;
  double widest = 0.0;
  for (int layer = 0; layer < total_layers(model); ++layer) {
    for (const Matrix& matrix : layer_matrices(model, layer_kind(model, layer), layout.slices())) {
      const auto width = static_cast<double>(matrix.inner + matrix.columns);
      widest =
          std::max(widest, matrix.of_expert ? 2.0 * model.hidden_size * gathered + width * pairs
                                            : width * tokens);
    }
  }
  const double logits = embeddings_on_rank(model, layout.tp()) / model.hidden_size;
  return core::DataSize::from_base((tokens * 2.0 * model.hidden_size + widest) * kActivationBytes +
                                   sequences * logits * kFp32Bytes);
}

}  // namespace railwright::models
