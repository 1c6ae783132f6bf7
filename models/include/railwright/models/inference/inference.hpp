// SPDX-License-Identifier: Apache-2.0
// A model that serves requests, with its load and its formats.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/precision.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/inference/disaggregation.hpp"
#include "railwright/models/inference/request_load.hpp"
#include "railwright/models/inference/serving_engine.hpp"
#include "railwright/models/inference/speculative.hpp"
#include "railwright/models/offload/tier.hpp"
#include "railwright/models/software/collectives.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::models {

struct Inference {
  Transformer model;
  core::Precision weights = core::Precision::kBf16;
  bool block_scales = false;
  core::Precision kv_cache = core::Precision::kBf16;
  int prompt_tokens = 0;
  int output_tokens = 0;
  std::optional<double> requests_per_s;
  std::optional<double> tokens_per_s;
  std::optional<core::Duration> time_to_first_token;
  std::optional<core::Duration> time_per_output_token;
  std::optional<RequestLoad> load;
  int redundant_nodes = 1;
  std::optional<int> tp;
  int pp = 1;
  std::optional<Disaggregation> disaggregated;
  bool attention_dp = false;
  std::optional<int> ep;
  std::optional<int> max_batch;
  double prefix_hit_rate = 0.0;
  bool prefix_on_storage = false;
  bool prefix_on_host = false;
  core::Bandwidth others_read;
  core::Bandwidth others_write;
  core::Duration start_up;
  std::vector<Request> traced;  ///< no key: the requests of load.trace, in order of arrival
  core::Duration prefix_read;   ///< no key: time to read the cached part of a prompt from storage
  std::optional<SpeculativeDecoding> speculative;
  core::Sourced<double> memory_share{0.9, "vLLM's default of gpu_memory_utilization", false};
  ServingEngine engine;
  core::Sourced<double> expert_skew{
      1.2, "AIConfigurator's default distribution of loads for mixtures, recalled", true};
  CollectiveTuning library;
  std::vector<OffloadTier> offload;

  /// The load that must be carried; 0 where none is wanted.
  [[nodiscard]] double wanted_requests_per_s() const {
    return requests_per_s ? *requests_per_s : tokens_per_s.value_or(0.0) / output_tokens;
  }
  /// Number of requests of `load`.
  [[nodiscard]] std::int64_t num_requests() const {
    return traced.empty() ? load->requests : std::ssize(traced);
  }
  /// The requests of `load`, drawn or of its trace.
  [[nodiscard]] std::vector<Request> requests() const {
    if (!traced.empty()) return traced;
    return draw_requests(*load, wanted_requests_per_s(), prompt_tokens, output_tokens);
  }
  /// Tokens of a prompt that an earlier request left in the cache: never all.
  [[nodiscard]] double cached_prompt(double tokens) const {
    return std::min(std::floor(tokens * prefix_hit_rate), tokens - 1.0);
  }
  /// Whether the attention heads divide over so many accelerators, of what drafts too.
  [[nodiscard]] bool heads_divide(int size) const {
    const bool drafts = speculative && speculative->draft;
    return model.num_heads % size == 0 && !(drafts && speculative->draft->num_heads % size != 0);
  }
  /// Tokens of a request that pass in a decode step, and that it gives.
  [[nodiscard]] double step_tokens() const {
    return speculative ? speculative->step_tokens() : 1.0;
  }
  [[nodiscard]] double tokens_per_step() const {
    return speculative ? speculative->tokens_per_step() : 1.0;
  }

  static constexpr auto fields() {  // NOLINT(readability-function-size): a row a key
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
        field("kv_cache", &Inference::kv_cache, "Number format of cached keys and values.",
              optional),
        field("prompt_tokens", &Inference::prompt_tokens, "Tokens that a request brings.",
              between(1, 1e8)),
        field("output_tokens", &Inference::output_tokens, "Tokens that it is answered with.",
              between(1, 1e8)),
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
        field("others_read", &Inference::others_read,
              "What others, such as a training, read of cluster.storage all the time.",
              core::non_negative, optional),
        field("others_write", &Inference::others_write, "What they write to it.",
              core::non_negative, optional),
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
};

}  // namespace railwright::models
