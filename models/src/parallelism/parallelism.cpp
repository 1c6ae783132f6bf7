// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/parallelism/parallelism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "layout_checks.hpp"
#include "rank_order.hpp"

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

bool has_experts(const Training& training) {
  const auto* transformer = std::get_if<Transformer>(&training.model);
  return transformer != nullptr && transformer->experts;
}

/// Divides the model over the accelerators, which the dimensions must divide. Micro-batches, the
/// group of ZeRO and the order of ranks are left to the caller.
Layout divided(const Training& training, const Parallelism& parallelism, int num_accelerators) {
  const auto& of_chunks = parallelism.layers_per_chunk;
  const int num_chunks = std::max(1, parallelism.pp * parallelism.virtual_stages);
  return {.tp = parallelism.tp,
          .cp = parallelism.cp,
          .ep = parallelism.ep,
          .etp = has_experts(training) ? parallelism.etp.value_or(parallelism.tp) : 1,
          .pp = parallelism.pp,
          .dp = num_accelerators / (parallelism.tp * parallelism.cp * parallelism.pp),
          .virtual_stages = parallelism.virtual_stages,
          .schedule = parallelism.schedule,
          .sequence_parallel = parallelism.sequence_parallel,
          .layers_per_chunk = of_chunks.empty()
                                  ? num_places(training.model, parallelism) / num_chunks
                                  : std::ranges::max(of_chunks),
          .chunk_starts = chunk_starts(of_chunks),
          .embedding_as_layer = parallelism.embedding_as_layer,
          .loss_as_layer = parallelism.loss_as_layer,
          .strides = {},
          .strides_in_stage = {},
          .expert_strides = {}};
}

/// Checks that the dimensions divide the accelerators; false where no layout can be made.
bool check_accelerators(const Training& training, const Parallelism& parallelism,
                        int num_accelerators, const Require& require) {
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
    return false;
  }
  const std::int64_t stage_size = num_accelerators / pp;
  const int etp = parallelism.etp.value_or(tp);
  const std::int64_t expert_parallel = static_cast<std::int64_t>(etp) * parallelism.ep;
  require(!has_experts(training) || stage_size % expert_parallel == 0, "parallelism.ep",
          fmt::format("etp {} x ep {} = {} does not divide the {} accelerators of a stage", etp,
                      parallelism.ep, expert_parallel, stage_size));
  return true;
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

namespace {

/// Returns "128 or 160 is": the multiples of `samples` beside a batch that is none.
std::string nearest_batches(std::int64_t batch, std::int64_t samples) {
  const std::int64_t below = batch / samples * samples;
  return below == 0 ? fmt::format("{} is", samples)
                    : fmt::format("{} and {} are", below, below + samples);
}

}  // namespace

std::vector<core::Problem> make_layout(const Training& training, const Parallelism& parallelism,
                                       int num_accelerators, Layout& layout) {
  std::vector<core::Problem> problems;
  const auto require = [&](bool holds, std::string_view key, std::string message) {
    if (!holds) problems.push_back({std::string(key), std::move(message)});
  };
  check_division(training, parallelism, require);
  if (!check_accelerators(training, parallelism, num_accelerators, require)) return problems;

  Layout made = divided(training, parallelism, num_accelerators);
  const std::int64_t samples = static_cast<std::int64_t>(made.dp) * training.micro_batch;
  if (training.global_batch % samples != 0) {
    require(false, "workload.global_batch",
            fmt::format("global_batch {} is not divisible by dp {} x micro_batch {} = {}; {}",
                        training.global_batch, made.dp, training.micro_batch, samples,
                        nearest_batches(training.global_batch, samples)));
    return problems;
  }
  made.num_microbatches = static_cast<int>(training.global_batch / samples);
  check_microbatches(parallelism, made.num_microbatches, require);
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
