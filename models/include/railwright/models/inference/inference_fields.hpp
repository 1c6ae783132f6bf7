// SPDX-License-Identifier: Apache-2.0
// The keys of inference.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/inference/disaggregation_fields.hpp"
#include "railwright/models/inference/inference.hpp"
#include "railwright/models/inference/prefix_cache_fields.hpp"
#include "railwright/models/inference/request_load_fields.hpp"
#include "railwright/models/inference/serving_engine_fields.hpp"
#include "railwright/models/inference/speculative_fields.hpp"
#include "railwright/models/offload/tier_fields.hpp"
#include "railwright/models/software/collectives_fields.hpp"
#include "railwright/models/workload/transformer_fields.hpp"

namespace railwright::models {

// NOLINTNEXTLINE(readability-function-size): a row a key
constexpr auto Inference::fields() {
  using core::at_least;
  using core::between;
  using core::field;
  using core::optional;
  using core::positive;
  return core::field_list(
      field("model", &Inference::model, "The model, by catalogue name."),
      field("weights", &Inference::weights, "Number format of the weights.", optional),
      field("block_scales", &Inference::block_scales,
            "Whether fp8 weights have a scale for each block of 128 x 128, as DeepSeek's "
            "checkpoints, and their inputs one for each 128 numbers; else one a tensor.",
            optional),
      field("dense_weights", &Inference::dense_weights,
            "Number format of the layers' matrices that are of no expert. Where absent that of "
            "weights; 16 bits beside experts of less than 8, as in the checkpoints of gpt-oss, "
            "Kimi K2 and NVIDIA's DeepSeek-R1."),
      field("kv_cache", &Inference::kv_cache, "Number format of cached keys and values.", optional),
      field("prompt_tokens", &Inference::prompt_tokens, "Tokens that a request brings.",
            between(1, 1e8)),
      field("output_tokens", &Inference::output_tokens, "Tokens that it is answered with.",
            between(1, 1e8)),
      field("images", &Inference::images,
            "Images of a request, whose tokens are among its prompt_tokens; none where absent."),
      field("requests_per_s", &Inference::requests_per_s,
            "Requests a second that must be answered.", positive),
      field("tokens_per_s", &Inference::tokens_per_s,
            "The same as output tokens a second of all requests together.", positive),
      field("time_to_first_token", &Inference::time_to_first_token,
            "The longest that a request may wait for its first token.", positive),
      field("time_per_output_token", &Inference::time_per_output_token,
            "The longest mean time between its further tokens.", positive),
      field("load", &Inference::load,
            "Requests to simulate one by one, with their queue; without it the result is that of "
            "full batches."),
      field("redundant_nodes", &Inference::redundant_nodes,
            "Nodes that may fail with the load still carried.", between(0, 65536), optional),
      field("tp", &Inference::tp,
            "Accelerators that hold a layer together: of one node, or of several whole ones; "
            "where absent, what needs fewest nodes.",
            between(1, 65536)),
      field("pp", &Inference::pp,
            "Stages of the layers, `tp` accelerators each; requests pass them in as many groups, "
            "one behind the other. Where 1 and no node holds the model, more nodes are tried.",
            between(1, 1024), optional),
      field("disaggregated", &Inference::disaggregated,
            "Prompts run on replicas of their own, which hand their cache over to those that "
            "answer; without it each replica does both."),
      field("attention_dp", &Inference::attention_dp,
            "Whether each of the `tp` accelerators attends for its own requests, with attention "
            "and dense blocks whole; experts are shared.",
            optional),
      field("ep", &Inference::ep,
            "Accelerators that the experts are spread over; where absent all with attention_dp, "
            "else one: each expert is cut.",
            between(1, 65536)),
      field("max_batch", &Inference::max_batch, "Most requests that are answered at a time.",
            at_least(1)),
      field("prefix_hit_rate", &Inference::prefix_hit_rate,
            "Share of a prompt's tokens whose keys and values an earlier request left in the "
            "cache (prefix caching).",
            between(0, 1), optional),
      field("prefix_on_storage", &Inference::prefix_on_storage,
            "Whether keys and values of earlier requests lie on cluster.storage: a prompt waits "
            "until its part has been read, and what is new is written there; else in the "
            "replicas, where reading takes no time.",
            optional),
      field("prefix_on_host", &Inference::prefix_on_host,
            "Whether keys and values of earlier requests lie in the memory of the nodes' CPUs: a "
            "prompt waits until its part has come over PCIe, and what is new goes there.",
            optional),
      field("prefix_cache", &Inference::prefix_cache,
            "What prompts find of earlier ones by the room for these, and where they lie; in place "
            "of prefix_hit_rate."),
      field("others_read", &Inference::others_read,
            "What others, such as a training, read of cluster.storage all the time.",
            core::non_negative, optional),
      field("others_write", &Inference::others_write, "What they write to it.", core::non_negative,
            optional),
      field("start_up", &Inference::start_up,
            "Time to start a replica beside reading its weights: the container, compilation, "
            "graph capture.",
            core::non_negative, optional),
      field("speculative", &Inference::speculative,
            "Several tokens are drafted and verified in one step; without it a step gives one."),
      field("memory_share", &Inference::memory_share,
            "Share of the device memory that weights, cache and activations may fill.",
            core::fraction, optional),
      field("engine", &Inference::engine,
            "The program that answers; TensorRT-LLM where absent, by catalogue name.", optional),
      field("expert_skew", &Inference::expert_skew,
            "How unevenly tokens come to experts. 0: to all the same; 1.2: by the power law that "
            "AIConfigurator measures with, x^-1.2; s: loads are those to the power s / 1.2.",
            between(0, 3), optional),
      field("library", &Inference::library, "The collective library, by catalogue name."),
      field("offload", &Inference::offload,
            "Where weights lie that device memory cannot hold: the first tier that can.",
            optional));
}

}  // namespace railwright::models
