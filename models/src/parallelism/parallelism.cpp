// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/parallelism/parallelism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "layout_checks.hpp"
#include "order.hpp"

namespace railwright::models {

namespace {

/// Returns the starts of chunks, if some have fewer layers than the largest; else nothing.
std::vector<int> chunk_starts(const std::vector<int>& layers_per_chunk) {
  if (std::ranges::adjacent_find(layers_per_chunk, std::not_equal_to{}) == layers_per_chunk.end()) {
    return {};
  }
  std::vector<int> starts{0};
  for (const int layers : layers_per_chunk) starts.push_back(starts.back() + layers);
  return starts;
}

}  // namespace

std::optional<int> Layout::layer_at(int stage, int place) const {
  const int chunk = model_chunk(stage, place / layers_per_chunk);
  const int in_chunk = place % layers_per_chunk;
  const auto start_of = [this](int c) {
    return chunk_starts.empty() ? c * layers_per_chunk : chunk_starts[static_cast<std::size_t>(c)];
  };
  const int place_in_model = start_of(chunk) + in_chunk;
  if (place_in_model >= start_of(chunk + 1)) return std::nullopt;
  if (embedding_as_layer && place_in_model == 0) return std::nullopt;
  if (loss_as_layer && place_in_model == start_of(pp * virtual_stages) - 1) return std::nullopt;
  return place_in_model - (embedding_as_layer ? 1 : 0);
}

int num_places(const Model& model, const Parallelism& parallelism) {
  return num_layers(model) + (parallelism.embedding_as_layer ? 1 : 0) +
         (parallelism.loss_as_layer ? 1 : 0);
}

std::vector<LayoutProblem> make_layout(const Training& training, const Parallelism& parallelism,
                                       int num_accelerators, Layout& layout) {
  std::vector<LayoutProblem> problems;
  const auto require = [&](bool holds, std::string_view key, std::string message) {
    if (!holds) problems.push_back({std::string(key), std::move(message)});
  };
  const auto* transformer = std::get_if<Transformer>(&training.model);
  const bool has_experts = transformer != nullptr && transformer->experts;
  check_division(training, parallelism, require);

  const int tp = parallelism.tp;
  const int cp = parallelism.cp;
  const int pp = parallelism.pp;
  const std::int64_t model_parallel = static_cast<std::int64_t>(tp) * cp * pp;
  if (model_parallel > num_accelerators || num_accelerators % model_parallel != 0) {
    require(false, "parallelism",
            cp == 1 ? fmt::format("tp {} x pp {} = {} does not divide the {} accelerators", tp, pp,
                                  model_parallel, num_accelerators)
                    : fmt::format("tp {} x cp {} x pp {} = {} does not divide the {} accelerators",
                                  tp, cp, pp, model_parallel, num_accelerators));
    return problems;
  }
  const std::int64_t stage_size = num_accelerators / pp;
  const int etp = parallelism.etp.value_or(tp);
  const std::int64_t expert_parallel = static_cast<std::int64_t>(etp) * parallelism.ep;
  require(!has_experts || stage_size % expert_parallel == 0, "parallelism.ep",
          fmt::format("etp {} x ep {} = {} does not divide the {} accelerators of a stage", etp,
                      parallelism.ep, expert_parallel, stage_size));
  const int dp = static_cast<int>(num_accelerators / model_parallel);
  const std::int64_t samples = static_cast<std::int64_t>(dp) * training.micro_batch;
  if (training.global_batch % samples != 0) {
    require(false, "workload.global_batch",
            fmt::format("global_batch {} is not divisible by dp {} x micro_batch {} = {}",
                        training.global_batch, dp, training.micro_batch, samples));
    return problems;
  }
  const int num_microbatches = static_cast<int>(training.global_batch / samples);
  check_microbatches(parallelism, num_microbatches, require);
  const auto& of_chunks = parallelism.layers_per_chunk;
  const int num_chunks = std::max(1, pp * parallelism.virtual_stages);
  Layout made{.tp = tp,
              .cp = cp,
              .ep = parallelism.ep,
              .etp = has_experts ? etp : 1,
              .pp = pp,
              .dp = dp,
              .virtual_stages = parallelism.virtual_stages,
              .schedule = parallelism.schedule,
              .sequence_parallel = parallelism.sequence_parallel,
              .num_microbatches = num_microbatches,
              .layers_per_chunk = of_chunks.empty()
                                      ? num_places(training.model, parallelism) / num_chunks
                                      : std::ranges::max(of_chunks),
              .chunk_starts = chunk_starts(of_chunks),
              .embedding_as_layer = parallelism.embedding_as_layer,
              .loss_as_layer = parallelism.loss_as_layer,
              .strides = {},
              .strides_in_stage = {},
              .expert_strides = {}};
  const int replicas = made.num_parameter_replicas();
  made.zero_group = parallelism.zero_group.value_or(replicas);
  require(made.zero_group <= replicas && replicas % made.zero_group == 0, "parallelism.zero_group",
          fmt::format("zero_group {} does not divide the {} replicas", made.zero_group, replicas));
  require(apply_order(parallelism.rank_order, made), "parallelism.rank_order",
          fmt::format("expected tp, cp, ep, dp and pp once each, as tp-cp-ep-dp-pp, got '{}'",
                      parallelism.rank_order));
  if (problems.empty()) layout = made;
  return problems;
}

}  // namespace railwright::models
