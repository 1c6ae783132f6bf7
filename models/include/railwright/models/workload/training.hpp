// SPDX-License-Identifier: Apache-2.0
// A training job: the model and how much of it is trained on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/lora.hpp"
#include "railwright/models/workload/model.hpp"
#include "railwright/models/workload/p_tuning.hpp"

namespace railwright::models {

/// Documents of a length among those that sequences are packed with.
struct Documents {
  int tokens = 0;
  double share = 1.0;  ///< of the number of documents, relative to the others'

  static constexpr auto fields();
};

struct Training {
  Model model;
  int sequence_length = 0;
  std::optional<int> encoder_sequence_length;
  int global_batch = 0;
  int micro_batch = 1;
  std::int64_t steps = 0;
  double expert_imbalance = 1.0;
  int bytes_per_token = 2;
  int bytes_per_image = 114'660;
  int frozen_layers = 0;
  std::vector<Documents> documents;
  std::optional<Images> images;
  bool frozen_image_encoder = false;
  std::optional<Lora> lora;
  std::optional<PTuning> p_tuning;

  static constexpr auto fields();
};

/// Returns the tokens of the fullest of `ep` ranks over their mean.
inline double load_of_fullest_rank(const Training& training, int ep) {
  return std::min(training.expert_imbalance, static_cast<double>(ep));
}

/// Returns the trained transformer. Must not be called for a vision model.
inline const Transformer& transformer_of(const Training& training) {
  return std::get<Transformer>(training.model);
}
/// Returns the trained vision model, or null.
inline const VisionModel* vision_of(const Training& training) {
  return std::get_if<VisionModel>(&training.model);
}

/// Whether the model's own weights are frozen and only additions are trained.
bool is_frozen(const Training& training);

/// Whether layers of a kind cost the same wherever they stand and however many replicas there are.
bool has_like_layers(const Training& training);

/// Whether a layer, numbered from 0, is frozen: the first of the model, below all that is trained.
inline bool is_frozen_layer(const Training& training, int layer) {
  return layer < training.frozen_layers;
}

/// Whether what encodes images is trained: it is the lowest part of a model.
bool trains_image_encoder(const Training& training);

/// Counts the parameters of frozen layers, of the embedding below them and of a frozen encoder of
/// images; 0 without any.
std::int64_t num_frozen_parameters(const Training& training);

/// Returns the tokens of the document that a token of a packed sequence is in, in the mean over
/// tokens; sequence_length without documents. Attention inside documents has the work of sequences
/// of this length.
double mean_document(const Training& training);

/// Returns the attention of the replica with most in a step over the mean of `num_replicas`, of
/// which each has `num_sequences`. Sums over independent documents are near normal, and the largest
/// of n such is about sqrt(2 ln n) deviations above the mean. [@david2003order]
double attention_of_fullest_replica(const Training& training, int num_replicas,
                                    double num_sequences);

/// Returns the tokens of a sequence in a decoder, including virtual ones if there is no encoder.
int num_positions(const Training& training);

/// Returns the tokens of a sequence in an encoder, including virtual ones.
int encoder_sequence_length(const Training& training);

/// Returns the tokens of a sequence in a layer of this kind.
int sequence_length(const Training& training, LayerKind kind);

/// Returns the bytes of one micro-batch's residual stream, in bf16.
std::int64_t residual_bytes(const Training& training);

/// Counts all parameters, or those added to frozen weights.
std::int64_t num_trained_parameters(const Training& training);

/// Computes the forward and backward products of one optimizer step: training_work_per_token() of
/// its tokens, without gradients of frozen matrices; six operations for each multiply-add of its
/// images.
core::Work training_work_per_step(const Training& training);

/// Returns the bytes that a step reads from the dataset.
core::DataSize data_per_step(const Training& training);

/// Returns the tokens of one optimizer step, without the encoder's and virtual ones; 0 for images.
std::int64_t tokens_per_step(const Training& training);

}  // namespace railwright::models
