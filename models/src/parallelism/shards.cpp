// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/parallelism/shards.hpp"

#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "railwright/models/workload/image_layers.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

ShardParameters parameters_of_layer(const Transformer& model, LayerKind kind,
                                    const Slices& slices) {
  const std::int64_t all = layer_parameters(model, kind, slices);
  const std::int64_t expert = expert_parameters(model, kind, slices);
  return {.dense = static_cast<double>(all - expert), .expert = static_cast<double>(expert)};
}

ShardParameters matrices_of_layer(const Transformer& model, LayerKind kind, const Slices& slices) {
  ShardParameters parameters;
  for (const Matrix& matrix : layer_matrices(model, kind, slices)) {
    (matrix.of_expert ? parameters.expert : parameters.dense) +=
        static_cast<double>(matrix.parameters());
  }
  return parameters;
}

ShardParameters trained_of_layer(const Training& training, LayerKind kind, const Slices& slices) {
  if (!training.lora) return parameters_of_layer(transformer_of(training), kind, slices);
  const AdapterParameters adapters =
      adapter_parameters(*training.lora, transformer_of(training), kind, slices);
  return {.dense = static_cast<double>(adapters.dense),
          .expert = static_cast<double>(adapters.expert)};
}

double parameters_before_layers(const Transformer& model, const Layout& layout) {
  return static_cast<double>(embedding_parameters(model)) / layout.tp +
         static_cast<double>(embedding_vector_parameters(model));
}

ShardParameters parameters_behind_layers(const Transformer& model, const Layout& layout) {
  const bool shares_embedding = model.tied_embeddings && layout.pp == 1;
  const double head =
      shares_embedding ? 0.0 : static_cast<double>(embedding_parameters(model)) / layout.tp;
  ShardParameters parameters{
      .dense = static_cast<double>(final_norm_parameters(model) + mtp_parameters(model)) + head,
      .expert = 0.0};
  if (model.mtp_layers > 0) {
    parameters += parameters_of_layer(model, last_kind(model), layout.slices()) * model.mtp_layers;
  }
  return parameters;
}

namespace {

/// Returns the first place of a chunk's layers among those of its stage.
std::size_t first_place(const Layout& layout, int chunk) {
  return static_cast<std::size_t>(chunk) * static_cast<std::size_t>(layout.layers_per_chunk);
}

/// The parameters of layers of one model: layers of a kind have as many, and most are of one.
template <class Make>
class LayersByKind {
 public:
  explicit LayersByKind(Make make) : make_(make) {}

  const ShardParameters& of(LayerKind kind) {
    for (const auto& [known, parameters] : known_) {
      if (known == kind) return parameters;
    }
    return known_.emplace_back(kind, make_(kind)).second;
  }

 private:
  Make make_;
  std::vector<std::pair<LayerKind, ShardParameters>> known_;
};

std::vector<ShardParameters> of_blocks(const VisionModel& model, const Layout& layout) {
  std::vector<ShardParameters> parameters;
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    parameters.push_back(
        {.dense = static_cast<double>(num_parameters(block_at(model, place))), .expert = 0.0});
  }
  return parameters;
}

std::vector<ShardParameters> of_layers(const Transformer& model, const Layout& layout, int stage) {
  std::vector<ShardParameters> parameters(static_cast<std::size_t>(layout.layers_per_stage()));
  const Slices slices = layout.slices();
  LayersByKind layers([&](LayerKind kind) { return parameters_of_layer(model, kind, slices); });
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    const auto layer = layout.layer_at(stage, place);
    if (!layer) continue;
    parameters[static_cast<std::size_t>(place)] = layers.of(layer_kind(model, *layer));
  }
  for (int chunk = 0; chunk < layout.chunks_per_stage(); ++chunk) {
    const auto places =
        std::span(parameters)
            .subspan(first_place(layout, chunk), static_cast<std::size_t>(layout.layers_per_chunk));
    if (layout.is_first_chunk(stage, chunk)) {
      places.front().dense += parameters_before_layers(model, layout);
    }
    if (layout.is_last_chunk(stage, chunk)) {
      places.back() += parameters_behind_layers(model, layout);
    }
  }
  return parameters;
}

}  // namespace

std::vector<ShardParameters> parameters_by_layer(const Model& model, const Layout& layout,
                                                 int stage) {
  if (const auto* vision = std::get_if<VisionModel>(&model)) return of_blocks(*vision, layout);
  return of_layers(std::get<Transformer>(model), layout, stage);
}

std::vector<ShardParameters> trained_by_layer(const Training& training, const Layout& layout,
                                              int stage) {
  if (!is_frozen(training)) {
    auto trained = parameters_by_layer(training.model, layout, stage);
    if (training.frozen_image_encoder && training.frozen_layers == 0 && stage == 0) {
      trained.front().dense -=
          static_cast<double>(image_encoder_parameters(transformer_of(training)));
    }
    for (int place = 0; place < layout.layers_per_stage() && training.frozen_layers > 0; ++place) {
      const auto layer = layout.layer_at(stage, place);
      // The embedding may have a place of its own, and shares the first with a frozen layer else.
      const bool is_of_embedding = !layer && stage == 0 && place == 0;
      if (is_of_embedding || (layer && is_frozen_layer(training, *layer))) {
        trained[static_cast<std::size_t>(place)] = {};
      }
    }
    return trained;
  }
  const Transformer& model = transformer_of(training);
  std::vector<ShardParameters> parameters;
  if (training.p_tuning) {
    parameters.resize(static_cast<std::size_t>(layout.layers_per_stage()));
    for (int chunk = 0; chunk < layout.chunks_per_stage(); ++chunk) {
      if (!layout.is_first_chunk(stage, chunk)) continue;
      parameters[first_place(layout, chunk)].dense =
          static_cast<double>(prompt_parameters(*training.p_tuning, model.hidden_size));
    }
    return parameters;
  }
  const Slices slices = layout.slices();
  LayersByKind layers([&](LayerKind kind) { return trained_of_layer(training, kind, slices); });
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    const auto layer = layout.layer_at(stage, place);
    parameters.push_back(layer ? layers.of(layer_kind(model, *layer)) : ShardParameters{});
  }
  return parameters;
}

std::array<int, kNumLayerKinds> trained_layers(const Training& training, const Layout& layout,
                                               int stage) {
  std::array<int, kNumLayerKinds> counts{};
  const auto* model = std::get_if<Transformer>(&training.model);
  if (model == nullptr || is_frozen(training)) return counts;
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    const auto layer = layout.layer_at(stage, place);
    if (!layer || is_frozen_layer(training, *layer)) continue;
    ++counts[static_cast<std::size_t>(layer_kind(*model, *layer))];
  }
  if (has_last_chunk(layout, stage)) {
    counts[static_cast<std::size_t>(last_kind(*model))] += model->mtp_layers;
  }
  return counts;
}

bool has_last_chunk(const Layout& layout, int stage) {
  for (int chunk = 0; chunk < layout.chunks_per_stage(); ++chunk) {
    if (layout.is_last_chunk(stage, chunk)) return true;
  }
  return false;
}

ShardParameters parameters_in_layers(const Model& model, const Layout& layout, int stage) {
  const auto* transformer = std::get_if<Transformer>(&model);
  if (transformer == nullptr) return {};
  std::vector<ShardParameters> layers;
  const Slices slices = layout.slices();
  LayersByKind known(
      [&](LayerKind kind) { return parameters_of_layer(*transformer, kind, slices); });
  const auto add = [&](LayerKind kind) { layers.push_back(known.of(kind)); };
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    if (const auto layer = layout.layer_at(stage, place)) add(layer_kind(*transformer, *layer));
  }
  const int modules = has_last_chunk(layout, stage) ? transformer->mtp_layers : 0;
  for (int module = 0; module < modules; ++module) add(last_kind(*transformer));
  return sum(layers);
}

ShardParameters sum(const std::vector<ShardParameters>& places) {
  ShardParameters sum;
  for (const ShardParameters& place : places) sum += place;
  return sum;
}

int zero_group(const Layout& layout, bool of_experts) {
  return of_experts ? std::gcd(layout.zero_group, layout.num_expert_replicas()) : layout.zero_group;
}

double on_one_shard(const ShardParameters& parameters, const Layout& layout) {
  return parameters.dense / zero_group(layout, false) +
         parameters.expert / zero_group(layout, true);
}

double on_one_rank(const ShardParameters& parameters, const Layout& layout, bool is_spread) {
  return is_spread ? on_one_shard(parameters, layout) : parameters.total();
}

}  // namespace railwright::models
