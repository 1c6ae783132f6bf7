// SPDX-License-Identifier: Apache-2.0
#include "activations.hpp"

#include <algorithm>
#include <vector>

#include "railwright/models/parallelism/image_share.hpp"
#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::models {

namespace {

/// Returns the tokens of one micro-batch on one rank, which has its share of each sequence.
double tokens_of_microbatch(const Training& training, const Layout& layout, LayerKind kind) {
  return static_cast<double>(training.micro_batch) * sequence_length(training, kind) /
         layout.ranks_of_sequence();
}

/// A transformer, as a stack trains it.
struct Kept {
  const Training& training;
  const SoftwareProfile& software;
  const Transformer& model = transformer_of(training);

  /// Returns the bytes of an element that no product casts.
  [[nodiscard]] double wide() const { return element_bytes(software); }
  /// Whether products save their cast inputs. Transformer Engine does, and saves nothing for a
  /// weight without a gradient. [@transformer_engine]
  [[nodiscard]] bool saves_cast() const {
    return !is_frozen(training) && software.fp8_saved_inputs.value &&
           core::bytes_of(software.precision.value) < wide();
  }
  [[nodiscard]] bool is_adapted(MatrixBlock block) const {
    return training.lora && !adapter_of(*training.lora, Matrix{.block = block}).empty();
  }
  /// Returns the bytes of an element that goes into a product of `block` and nowhere else.
  [[nodiscard]] double input(MatrixBlock block) const {
    if (saves_cast()) return core::bytes_of(software.precision.value);
    return !is_frozen(training) || is_adapted(block) ? wide() : 0.0;
  }
};

/// Returns the bytes that a token keeps in attention: queries, keys, values, output unless
/// recomputed, and what its kind keeps besides. Attention keeps its output wide; a narrow product
/// also keeps a cast of it. A state is made again, and its output is kept.
double mixer_bytes(const Kept& kept, LayerKind kind, int tp, const Recomputed& again) {
  if (!has_mixer(kind)) return 0.0;
  const Mixer mixer = mixer_of(kept.model, kind);
  const MixerKept elements = mixer.kind->kept(mixer, tp);
  if (mixer.kind->is_state) {
    return kept.wide() * (elements.others + elements.output) +
           kept.input(MatrixBlock::kMamba) * elements.last_input;
  }
  const double blocks = kind == LayerKind::kDecoder ? 2.0 : 1.0;
  // Recomputing attention also gives its output, unless attention is a listed module of its own.
  const bool output_again = again.attention && again.other_elementwise;
  const double output = output_again ? 0.0 : elements.output;
  const double keys = again.alternate_products ? 0.0 : elements.keys;
  const double inputs = again.latent_projections ? 0.0 : elements.queries + keys + elements.values;
  double bytes = blocks * kept.wide() * (inputs + output);
  if (elements.last_input > 0.0) {
    bytes += kept.input(MatrixBlock::kAttention) * elements.last_input;
  } else if (kept.saves_cast()) {
    bytes += blocks * kept.input(MatrixBlock::kAttention) * output;
  }
  return bytes + kept.wide() * elements.others;
}

/// Returns the bytes of the inputs of the activation (and its gate), its output unless recomputed,
/// and the tokens as the experts get them. The experts' outputs are kept for the gradient of the
/// routing weights, unless these multiply the activation, as in Megatron-Core since its permutation
/// is fused. [@megatron_core_moe]
double feed_forward_bytes(const Kept& kept, LayerKind kind, const Slices& slices,
                          const Recomputed& again) {
  const Transformer& model = kept.model;
  const double input = kept.software.fp8_activation_input.value ? 1.0 : kept.wide();
  const double of_product = kept.input(MatrixBlock::kFeedForward);
  const double fullest = load_of_fullest_rank(kept.training, slices.ep);
  double bytes = 0.0;
  for (const FeedForward& block : feed_forward_blocks(model, kind, slices)) {
    if (runs_feed_forward_again(again, kind, block.of_expert)) continue;
    const bool output_again = block.of_expert ? again.expert_activation : again.activation;
    const double inputs = model.gated_ffn && !again.alternate_products ? 2.0 : 1.0;
    const double of_element = input * inputs + (output_again ? 0.0 : of_product);
    bytes += (block.of_expert ? fullest : 1.0) * of_element *
             static_cast<double>(block.passes * block.ffn_size) /
             static_cast<double>(block.token_shards);
  }
  if (has_experts(kind) && !again.experts) {
    const double tokens =
        fullest * static_cast<double>(model.experts->top_k) * slices.etp / slices.tp;
    const double returned = kept.software.fused_permutation.value ? 0.0 : kept.wide();
    bytes += tokens * static_cast<double>(expert_width(model)) * (of_product + returned);
    if (model.experts->latent_size > 0) {
      // The sum of the outputs of experts goes into the matrix behind them.
      bytes += of_product * model.experts->latent_size;
    }
  }
  return bytes;
}

/// Returns the bytes of the inputs of norms, of their outputs unless recomputed, and of a dropout
/// mask after each block. A router reads the last norm's output in 16 bits.
double norm_bytes(const Kept& kept, LayerKind kind, const Recomputed& again) {
  const double blocks = num_blocks(kind);
  const double residuals = again.residual ? 1.0 : blocks;
  double bytes = residuals * kept.wide() * (kept.software.dropout.value ? 1.5 : 1.0);
  if (again.norms) return bytes;
  const bool is_routed = has_experts(kind) && !is_frozen(kept.training);
  bytes += (blocks - 1.0) * kept.input(MatrixBlock::kAttention);
  return bytes + (is_routed ? kept.wide() : kept.input(MatrixBlock::kFeedForward));
}

/// Returns the bytes between the two matrices of each adapter.
double adapter_bytes(const Kept& kept, LayerKind kind, const Slices& slices) {
  if (!kept.training.lora) return 0.0;
  double elements = 0.0;
  for (const Matrix& matrix : layer_matrices(kept.model, kind, slices)) {
    if (!kept.is_adapted(matrix.block)) continue;
    elements += static_cast<double>(kept.training.lora->rank * matrix.passes) /
                static_cast<double>(matrix.token_shards);
  }
  return elements * kept.wide();
}

/// Returns the bytes of scores that a token keeps if attention is not fused: the softmax's output
/// and, with dropout, its result and the mask. Selective recompute and more drop them.
/// [@korthikanti2022reducing]
double score_bytes(const Kept& kept, LayerKind kind, int tp, const Recomputed& again) {
  const bool keeps = kept.software.attention.value == AttentionKernel::kUnfused;
  if (!keeps || again.attention || !has_attention(kind)) return 0.0;
  if (mixer_of(kept.model, kind).kind->is_state) return 0.0;
  double keys = sequence_length(kept.training, kind);
  if (kind == LayerKind::kDecoder) keys += encoder_sequence_length(kept.training);
  return kept.wide() * keys * kept.model.num_heads / tp * (kept.software.dropout.value ? 2.5 : 1.0);
}

/// Returns the bytes that a layer keeps for its backward pass.
double layer_bytes(const Training& training, const Layout& layout, const SoftwareProfile& software,
                   LayerKind kind, const Recomputed& again) {
  const Kept kept{training, software};
  const double tokens = tokens_of_microbatch(training, layout, kind);
  const double stream = kept.model.hidden_size * (layout.sequence_parallel ? 1.0 / layout.tp : 1.0);
  if (again.layer) return tokens * kept.wide() * stream;
  return tokens *
         (stream * norm_bytes(kept, kind, again) + mixer_bytes(kept, kind, layout.tp, again) +
          score_bytes(kept, kind, layout.tp, again) +
          feed_forward_bytes(kept, kind, layout.slices(), again) +
          adapter_bytes(kept, kind, layout.slices()));
}

/// Returns the bytes that the layer or block in a place keeps; nothing passes back through a frozen
/// one.
double place_bytes(const Training& training, const Layout& layout, const SoftwareProfile& software,
                   int layer, const Recomputed& again) {
  if (is_frozen_layer(training, layer)) return 0.0;
  if (const VisionModel* vision = vision_of(training)) {
    const double elements = kept_elements(block_at(*vision, layer), again.layer);
    return training.micro_batch * elements * element_bytes(software);
  }
  return layer_bytes(training, layout, software, layer_kind(transformer_of(training), layer),
                     again);
}

/// Returns the largest of `bytes(layer, recomputed)` over the layers of a stage.
template <class Bytes>
double largest_of_stage(const Layout& layout, const SoftwareProfile& software, int stage,
                        const Bytes& bytes) {
  double largest = 0.0;
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    const auto layer = layout.layer_at(stage, place);
    if (!layer) continue;
    largest =
        std::max(largest, bytes(*layer, software.recomputed_at(place % layout.layers_per_chunk)));
  }
  return largest;
}

/// Returns the bytes that encoding the images of a micro-batch keeps for the backward pass.
double activations_of_images(const Training& training, const Layout& layout,
                             const SoftwareProfile& software) {
  const ImageShare share = image_share(training, layout);
  if (!share.is_trained) return 0.0;
  const double of_layer =
      layer_bytes(share.encoder, share.layout, software, LayerKind::kDense, software.recomputed());
  return of_layer * transformer_of(share.encoder).num_layers * share.repeats();
}

}  // namespace

double activations_of_stage(const Training& training, const Layout& layout,
                            const SoftwareProfile& software, int stage) {
  std::vector<int> in_flight;
  for (int chunk = 0; chunk < layout.chunks_per_stage(); ++chunk) {
    in_flight.push_back(microbatches_in_flight(layout, stage, chunk));
  }
  double bytes = 0.0;
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    const auto layer = layout.layer_at(stage, place);
    if (!layer) continue;
    const auto chunk = static_cast<std::size_t>(place / layout.layers_per_chunk);
    bytes +=
        in_flight[chunk] * place_bytes(training, layout, software, *layer,
                                       software.recomputed_at(place % layout.layers_per_chunk));
  }
  for (int chunk = 0; chunk < layout.chunks_per_stage(); ++chunk) {
    if (layout.is_first_chunk(stage, chunk) && training.images) {
      bytes += in_flight[static_cast<std::size_t>(chunk)] *
               activations_of_images(training, layout, software);
    }
    if (!layout.is_last_chunk(stage, chunk)) continue;
    bytes += in_flight[static_cast<std::size_t>(chunk)] *
             activations_behind_layers(training, layout, software).base();
  }
  return bytes;
}

double largest_layer(const Training& training, const Layout& layout,
                     const SoftwareProfile& software, int stage) {
  return largest_of_stage(layout, software, stage, [&](int layer, const Recomputed& again) {
    return place_bytes(training, layout, software, layer, again);
  });
}

double recomputed_layer(const Training& training, const Layout& layout,
                        const SoftwareProfile& software, int stage) {
  return largest_of_stage(layout, software, stage, [&](int layer, const Recomputed& again) {
    return place_bytes(training, layout, software, layer, {}) -
           place_bytes(training, layout, software, layer, again);
  });
}

core::DataSize activations_per_layer(const Training& training, const Layout& layout,
                                     const SoftwareProfile& software, LayerKind kind) {
  return activations_per_layer(training, layout, software, kind, software.recomputed());
}

core::DataSize activations_per_layer(const Training& training, const Layout& layout,
                                     const SoftwareProfile& software, LayerKind kind,
                                     const Recomputed& again) {
  return core::DataSize::from_base(layer_bytes(training, layout, software, kind, again));
}

core::DataSize activations_behind_layers(const Training& training, const Layout& layout,
                                         const SoftwareProfile& software) {
  const auto* model = std::get_if<Transformer>(&training.model);
  if (model == nullptr || model->mtp_layers == 0) return {};
  const LayerKind kind = last_kind(*model);
  const double shards = layout.sequence_parallel ? layout.tp : 1.0;
  const double projected = tokens_of_microbatch(training, layout, kind) * element_bytes(software) *
                           static_cast<double>(mtp_projection(*model).inner) / shards;
  const core::DataSize one = activations_per_layer(training, layout, software, kind) +
                             core::DataSize::from_base(projected);
  return one * model->mtp_layers;
}

core::DataSize recomputed_activations_per_layer(const Training& training, const Layout& layout,
                                                const SoftwareProfile& software, LayerKind kind) {
  return activations_per_layer(training, layout, software, kind, {}) -
         activations_per_layer(training, layout, software, kind);
}

core::DataSize logits_memory(const Training& training, const Layout& layout,
                             const SoftwareProfile& software) {
  const Transformer& model = transformer_of(training);
  double tokens = tokens_of_microbatch(training, layout, LayerKind::kDense);
  const int chunk = software.loss_chunk.value;
  if (chunk > 0) tokens = std::min(tokens, static_cast<double>(chunk));
  const double logits = tokens * model.vocabulary_size / layout.tp * (1.0 + model.mtp_layers);
  // Logarithms of probabilities and two gradients: aten's log_softmax and nll_loss, backward
  // [@pytorch_loss].
  if (software.loss_copies.value) return core::DataSize::from_base(3 * kFp32Bytes * logits);
  // Plus a gradient, or the fp32 copy that becomes it.
  const double beside = software.fused_loss.value ? element_bytes(software) : kFp32Bytes;
  return core::DataSize::from_base((element_bytes(software) + beside) * logits);
}

}  // namespace railwright::models
