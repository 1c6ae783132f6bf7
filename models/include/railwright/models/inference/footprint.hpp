// SPDX-License-Identifier: Apache-2.0
// Device memory of a decoder that serves requests, on one tensor-parallel rank.
#pragma once

#include "railwright/core/hardware/precision.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/inference/replica_layout.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::models {

/// Bytes of an activation between two kernels.
inline constexpr double kActivationBytes = 2.0;

/// Format of embeddings and head, which keep 16 bits if the layers' weights have fewer.
core::Precision head_format(core::Precision weights);

/// Bytes of the whole model's weights.
core::DataSize weights_size(const Transformer& model, core::Precision weights);

/// Layers of the stages of a replica: as many in each, or one more.
int layers_of_stage(const Transformer& model, const ReplicaLayout& layout);

/// Bytes of the weights on one accelerator of the stage that holds most: matrices and embeddings
/// are divided, norms are on every one. The first stage has the embeddings, the last the head.
core::DataSize weights_on_rank(const Transformer& model, const ReplicaLayout& layout,
                               core::Precision weights);

/// Bytes that the weights of an accelerator take beyond weights_on_rank(), where the matrices of no
/// expert have another format.
core::DataSize dense_weights_beyond(const Transformer& model, const ReplicaLayout& layout,
                                    core::Precision weights, core::Precision dense);

/// Bytes of the largest of a layer and the embeddings, which streaming holds twice.
core::DataSize largest_streamed_piece(const Transformer& model, const ReplicaLayout& layout,
                                      core::Precision weights);

/// Bytes that a token adds to what all layers keep of its sequence, each by the kind of its mixer:
/// keys and values of the rank's heads,
///   2 * num_kv_heads / tp * head_size   (at least one head: multi-query attention
///   [@shazeer2019mqa],
///                                        grouped-query attention [@ainslie2023gqa]),
/// kv_rank + rope_size on every rank with latent attention [@deepseek2024v2], a part of a
/// compressed key, and the key of an indexer. Where all layers carry states, that of a whole
/// sequence.
/// [@pope2022efficiently]
core::DataSize kv_cache_per_token(const Transformer& model, int tp, core::Precision precision);

/// Tokens of kv_cache_per_token() that are as many bytes as all layers keep of a sequence of
/// `tokens`: engines free what a window no longer reaches [@vllm_arguments], and a state is as
/// large as some tokens, counted with a cache of 16 bits on one rank.
double kept_tokens(const Transformer& model, double tokens);

/// Bytes of the largest set of activations alive at one time while `tokens` of an accelerator pass
/// the layers in bf16: residual stream, its norm, input and output of the widest product; plus the
/// fp32 logits of `sequences`. Its experts have `pairs` of tokens and experts, and with
/// data-parallel attention tokens of others, which come and go back.
core::DataSize activations(const Transformer& model, const ReplicaLayout& layout, double tokens,
                           double sequences, double pairs);

}  // namespace railwright::models
