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
#include "railwright/models/inference/prefix_cache.hpp"
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
  std::optional<core::Precision> dense_weights;
  core::Precision kv_cache = core::Precision::kBf16;
  int prompt_tokens = 0;
  int output_tokens = 0;
  std::optional<Images> images;
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
  std::optional<PrefixCache> prefix_cache;
  core::Bandwidth others_read;
  core::Bandwidth others_write;
  core::Duration start_up;
  std::vector<Request> traced;  ///< no key: the requests of load.trace, in order of arrival
  core::Duration prefix_read;   ///< no key: time to read the cached part of a prompt from storage
  /// No key: share of a prompt that comes from storage, where other places hold a part.
  std::optional<double> prefix_from_storage;
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
  /// Format of the layers' matrices that are of no expert. Checkpoints of mixtures with less than 8
  /// bits keep them in 16.
  [[nodiscard]] core::Precision dense_format() const {
    if (dense_weights) return *dense_weights;
    const bool is_narrow = model.experts && core::bytes_of(weights) < 1.0;
    return is_narrow ? core::Precision::kFp16 : weights;
  }
  /// Time of a prompt of so many tokens in front of the engine, and of its first token behind it.
  [[nodiscard]] core::Duration overhead(double prompt) const {
    return engine.request_overhead.value + engine.token_overhead.value * prompt;
  }
  /// Time that such a request waits beside the replica: for its cached part too.
  [[nodiscard]] core::Duration before_prompt(double prompt) const {
    return prefix_read + overhead(prompt);
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

  static constexpr auto fields();
};

}  // namespace railwright::models
