// SPDX-License-Identifier: Apache-2.0
// The keys of training.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/lora_fields.hpp"
#include "railwright/models/workload/p_tuning_fields.hpp"
#include "railwright/models/workload/training.hpp"
#include "railwright/models/workload/transformer_fields.hpp"
#include "railwright/models/workload/vision_fields.hpp"

namespace railwright::models {

constexpr auto Documents::fields() {
  using core::between;
  using core::field;
  return core::field_list(
      field("tokens", &Documents::tokens, "Tokens of such a document.", between(1, 1e8)),
      field("share", &Documents::share,
            "Share of all documents that have as many, relative to the other shares.",
            between(1e-9, 1e9), core::optional));
}

constexpr auto Training::fields() {
  using core::at_least;
  using core::between;
  using core::field;
  return core::field_list(
      field("model", &Training::model, "The model, by catalogue name."),
      field("sequence_length", &Training::sequence_length,
            "Tokens in a sequence; a vision model has none.", between(0, 1e8), core::optional),
      field("encoder_sequence_length", &Training::encoder_sequence_length,
            "Tokens that the encoder reads beside them; sequence_length where absent.",
            between(1, 1e8)),
      field("global_batch", &Training::global_batch, "Sequences or images in an optimizer step.",
            between(1, 1e9)),
      field("micro_batch", &Training::micro_batch,
            "Sequences or images that pass through a pipeline stage at a time.", between(1, 1e6),
            core::optional),
      field("steps", &Training::steps, "Optimizer steps.", between(1, 1e12)),
      field("expert_imbalance", &Training::expert_imbalance,
            "Tokens that the fullest rank of an expert group gets, over their mean; at most all of "
            "the group's, which is `ep` times the mean.",
            between(1, 1024), core::optional),
      field("bytes_per_token", &Training::bytes_per_token,
            "Bytes of a token in the tokenized dataset.", between(1, 16), core::optional),
      field("bytes_per_image", &Training::bytes_per_image,
            "Bytes of an image in the dataset; where absent as in MLPerf Storage's ResNet-50.",
            between(1, 1e9), core::optional),
      field("frozen_layers", &Training::frozen_layers,
            "The first layers of a decoder that stay as they are, the embedding with them: a "
            "backward pass ends above them.",
            between(0, 100'000), core::optional),
      field("documents", &Training::documents,
            "Lengths of the documents that sequences are packed with; attention stays inside a "
            "document. One as long as a sequence where absent.",
            core::optional),
      field("images", &Training::images,
            "Images of a sequence, whose tokens are among its sequence_length; none where absent."),
      field("frozen_image_encoder", &Training::frozen_image_encoder,
            "Whether what encodes images stays as it is.", core::optional),
      field("lora", &Training::lora,
            "Fine-tuning of adapters beside frozen weights; where absent, all weights train."),
      field("p_tuning", &Training::p_tuning,
            "Fine-tuning of virtual tokens in front of each sequence, all weights frozen."));
}

}  // namespace railwright::models
