// SPDX-License-Identifier: Apache-2.0
// The keys of mixer.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/mixer.hpp"

namespace railwright::models {

// NOLINTNEXTLINE(readability-function-size): a row a key
constexpr auto Mixer::fields() {
  using M = Mixer;
  using core::between;
  using core::field;
  using core::optional;
  constexpr auto kWidth = between(0, 1'000'000);
  constexpr auto kTokens = between(0, 100'000'000);
  return core::field_list(
      field("kind", &M::kind,
            "How tokens are mixed: attention to all, to a window or to a chunk; latent; sparse by "
            "an indexer; block_sparse; compressed; a state of gated_delta_net, kimi_delta, "
            "lightning, mamba2 or mamba1."),
      field("num_heads", &M::num_heads,
            "Heads of queries; of values where a state is carried. 0: the model's.", kWidth,
            optional),
      field("num_kv_heads", &M::num_kv_heads,
            "Heads of keys and values; of queries and keys where a state is carried. 0: the "
            "model's.",
            kWidth, optional),
      field("head_size", &M::head_size, "Width of a query and a key. 0: the model's.", kWidth,
            optional),
      field("value_size", &M::value_size, "Width of a value. 0: head_size.", kWidth, optional),
      field("gate", &M::gate,
            "What a gate before the last product multiplies: whole heads, or each element.",
            optional),
      field("gate_rank", &M::gate_rank,
            "Width between the two matrices that make the gate; 0: it is made by one.", kWidth,
            optional),
      field("shares_values", &M::shares_values, "Whether keys are values too, made by one product.",
            optional),
      field("window", &M::window,
            "Last tokens that a token attends to, itself included; 0: all before it.", kTokens,
            optional),
      field("chunk", &M::chunk,
            "In place of a window: a token attends to those of its own chunk of this length.",
            kTokens, optional),
      field("query_rank", &M::query_rank,
            "Width of the vector that queries come out of; 0: they come from the model's.", kWidth,
            optional),
      field("kv_rank", &M::kv_rank, "Width of the vector that latent keys and values come out of.",
            kWidth, optional),
      field("rope_size", &M::rope_size,
            "Width of a latent query and of the one shared key that carries positions, beside "
            "head_size.",
            kWidth, optional),
      field("output_groups", &M::output_groups,
            "Groups of heads that each have a first output matrix of their own; 0: one matrix for "
            "all.",
            kWidth, optional),
      field("output_rank", &M::output_rank, "Width of what comes out of a group's matrix.", kWidth,
            optional),
      field("index_heads", &M::index_heads,
            "Heads that score all keys for the choice; 0: the choice of an earlier layer is used, "
            "or none is made.",
            kWidth, optional),
      field("index_size", &M::index_size, "Width of such a head.", kWidth, optional),
      field("chosen_keys", &M::chosen_keys, "Keys that a token attends to, at most.", kTokens,
            optional),
      field("ratio", &M::ratio,
            "Tokens of one compressed key; neighbouring tokens of a block that is scored as one.",
            between(1, 1'000'000), optional),
      field("state_size", &M::state_size, "State of each channel of a head, of a state space.",
            kWidth, optional),
      field("num_groups", &M::num_groups,
            "Groups of heads that write to and read from states by the same vectors.",
            between(1, 1'000'000), optional),
      field("conv_size", &M::conv_size, "Tokens that the convolution before a state spans.",
            between(0, 1'000), optional),
      field("chunk_size", &M::chunk_size,
            "Tokens between two states that the kernels write to memory.", between(1, 100'000),
            optional),
      field("step_rank", &M::step_rank,
            "Width between the two matrices that make the decays of a state.", kWidth, optional));
}

}  // namespace railwright::models
