// SPDX-License-Identifier: Apache-2.0
// Fine-tuning of virtual tokens in front of each sequence, all weights frozen. [@liu2021ptuning]
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

/// The network that makes the embeddings of virtual tokens from a trained table of them.
enum class PromptEncoder : std::uint8_t {
  kMlp,   ///< `num_layers` linear layers
  kLstm,  ///< `num_layers` of a bidirectional LSTM, then two linear layers
};

constexpr auto enum_words(PromptEncoder) {
  using enum PromptEncoder;
  return core::words<PromptEncoder>({{"mlp", kMlp}, {"lstm", kLstm}});
}

struct PTuning {
  int virtual_tokens = 0;
  PromptEncoder encoder = PromptEncoder::kMlp;
  int encoder_size = 0;
  int num_layers = 2;

  static constexpr auto fields();
};

/// Returns the products of the encoder for a model `width` wide, each with a row for each virtual
/// token, as in NeMo's PromptEncoder. Every rank of the first stage holds and runs the whole
/// encoder.
std::vector<Matrix> prompt_matrices(const PTuning& tuning, int width);

/// Counts the table of virtual tokens, matrices and biases.
std::int64_t prompt_parameters(const PTuning& tuning, int width);

}  // namespace railwright::models
