// SPDX-License-Identifier: Apache-2.0
#include "layout_checks.hpp"

#include <fmt/format.h>

#include <iterator>
#include <numeric>
#include <tuple>

namespace railwright::models {

namespace {

/// Returns "32 layers" or "126 layers, embedding and loss counted as 2 more".
std::string layers_in_words(int num_layers, bool embedding_as_layer, bool loss_as_layer) {
  std::string words = fmt::format("{} layers", num_layers);
  if (embedding_as_layer && loss_as_layer) {
    words += ", embedding and loss counted as 2 more";
  } else if (embedding_as_layer || loss_as_layer) {
    words += fmt::format(", {} counted as 1 more", embedding_as_layer ? "embedding" : "loss");
  }
  return words;
}

/// Checks that the numbers of a model's shape are consistent.
template <class Shape>
void check_shape(const Shape& model, const Require& require) {
  for (core::Problem& problem : find_problems(model)) {
    require(false, "workload.model." + problem.key, std::move(problem.message));
  }
}

/// Checks that tensor and expert parallelism divide matrices and experts into whole pieces.
void check_slices(const Transformer& model, const Parallelism& parallelism,
                  const Require& require) {
  const int tp = parallelism.tp;
  const int ep = parallelism.ep;
  require(model.num_heads % tp == 0, "parallelism.tp",
          fmt::format("tp {} does not divide the {} attention heads", tp, model.num_heads));
  const bool grouped = model.num_kv_heads != model.num_heads;
  require(!grouped || model.num_kv_heads % tp == 0 || tp % model.num_kv_heads == 0,
          "parallelism.tp",
          fmt::format("tp {} and the {} key-value heads do not divide one another", tp,
                      model.num_kv_heads));
  require(model.ffn_size % tp == 0, "parallelism.tp",
          fmt::format("tp {} does not divide ffn_size {}", tp, model.ffn_size));
  require(!model.mamba || model.mamba->num_groups % tp == 0, "parallelism.tp",
          fmt::format("tp {} does not divide the {} groups of Mamba-2's heads", tp,
                      model.mamba ? model.mamba->num_groups : 0));
  for (const Mixer& mixer : listed_mixers(model)) {
    const int divided = mixer.kind->num_divisible(mixer);
    require(divided % tp == 0, "parallelism.tp",
            fmt::format("tp {} does not divide the {} heads of {}", tp, divided, mixer.kind->name));
  }
  if (!model.experts) {
    require(ep == 1, "parallelism.ep", fmt::format("ep {} needs a model with experts", ep));
    require(!parallelism.etp, "parallelism.etp", "etp needs a model with experts");
    return;
  }
  const int etp = parallelism.etp.value_or(tp);
  require(model.experts->shared_ffn_size % tp == 0, "parallelism.tp",
          fmt::format("tp {} does not divide experts.shared_ffn_size {}", tp,
                      model.experts->shared_ffn_size));
  require(model.experts->ffn_size % etp == 0,
          parallelism.etp ? "parallelism.etp" : "parallelism.tp",
          fmt::format("{} {} does not divide experts.ffn_size {}", parallelism.etp ? "etp" : "tp",
                      etp, model.experts->ffn_size));
  require(etp == 1 || etp == tp, "parallelism.etp",
          fmt::format("an expert is on one rank or cut over all tp {}, got etp {}", tp, etp));
  require(etp == tp || parallelism.sequence_parallel, "parallelism.sequence_parallel",
          "etp 1 needs sequence_parallel: each rank brings its own tokens");
  require(model.experts->count % ep == 0, "parallelism.ep",
          fmt::format("ep {} does not divide the {} experts of a layer", ep, model.experts->count));
  require(ep == 1 || tp == 1 || parallelism.sequence_parallel, "parallelism.sequence_parallel",
          fmt::format("ep {} with tp {} needs sequence_parallel: each rank sends its own tokens",
                      ep, tp));
}

void check_sequence(const Training& training, const Parallelism& parallelism,
                    const Require& require) {
  require(training.sequence_length > 0, "workload",
          "missing key 'sequence_length'; it gives: Tokens in a sequence.");
  const int tp = parallelism.tp;
  const int cp = parallelism.cp;
  const bool divided = parallelism.sequence_parallel;
  const std::int64_t shards = static_cast<std::int64_t>(divided ? tp : 1) * (cp == 1 ? 1 : 2 * cp);
  require(num_positions(training) % shards == 0, cp == 1 ? "parallelism.tp" : "parallelism.cp",
          cp == 1 ? fmt::format("sequence_parallel needs tp {} to divide sequence_length {}", tp,
                                num_positions(training))
                  : fmt::format("2 x cp {} shares of a sequence{} do not divide sequence_length {}",
                                cp, divided ? fmt::format(" on tp {} ranks each", tp) : "",
                                num_positions(training)));
  require(cp == 1 || transformer_of(training).encoder_layers == 0, "parallelism.cp",
          "context parallelism is only supported for decoder-only models");
  require(cp == 1 || !transformer_of(training).mamba, "parallelism.cp",
          "context parallelism is not modelled for Mamba-2 layers");
  for (const Mixer& mixer : listed_mixers(transformer_of(training))) {
    require(cp == 1 || mixer.kind->has_ring, "parallelism.cp",
            fmt::format("context parallelism is not modelled for layers of {}", mixer.kind->name));
  }
}

/// Checks that a vision model has no settings of tokens, and that the model stays whole.
void check_vision(const Training& training, const Parallelism& parallelism,
                  const Require& require) {
  constexpr auto kNoSequence = "a vision model reads images, which have no sequence length";
  require(training.sequence_length == 0, "workload.sequence_length", kNoSequence);
  require(!training.encoder_sequence_length, "workload.encoder_sequence_length", kNoSequence);
  require(!training.lora, "workload.lora", "adapters are known for transformers alone");
  const auto require_one = [&](std::string_view name, int value) {
    require(value == 1, fmt::format("parallelism.{}", name),
            fmt::format("a vision model is whole on each accelerator, got {} {}", name, value));
  };
  for (const auto& [name, size] : kDimensions<Parallelism>) require_one(name, parallelism.*size);
  require_one("etp", parallelism.etp.value_or(1));
  require(!parallelism.sequence_parallel, "parallelism.sequence_parallel",
          "a vision model has no sequences to divide");
  require(!parallelism.embedding_as_layer, "parallelism.embedding_as_layer",
          "a vision model has no embedding");
  require(!parallelism.loss_as_layer, "parallelism.loss_as_layer",
          "the loss of a vision model has no place of its own");
}

/// Checks that a schedule fits the number of stages and of their chunks.
void check_schedule(const Parallelism& parallelism, const Require& require) {
  const int pp = parallelism.pp;
  const int virtual_stages = parallelism.virtual_stages;
  const std::string_view schedule = parallelism.schedule->name;
  require(virtual_stages == 1 || pp > 1, "parallelism.virtual_stages",
          fmt::format("virtual_stages {} needs pp of at least 2", virtual_stages));
  require(virtual_stages == 1 || parallelism.schedule->interleaves, "parallelism.virtual_stages",
          fmt::format("{} has one model chunk a stage", schedule));
  require(pp > 1 || parallelism.schedule->runs_on_one_stage, "parallelism.schedule",
          fmt::format("{} needs pp of at least 2", schedule));
  require(pp % parallelism.schedule->num_directions == 0 || pp == 1, "parallelism.pp",
          fmt::format("{} needs an even number of stages, got pp {}", schedule, pp));
}

/// Checks that the layers fill the chunks.
void check_chunks(const Model& model, const Parallelism& parallelism, const Require& require) {
  const auto& [pp, virtual_stages, of_chunks] =
      std::tie(parallelism.pp, parallelism.virtual_stages, parallelism.layers_per_chunk);
  const std::int64_t chunks = static_cast<std::int64_t>(pp) * virtual_stages;
  const std::int64_t places = num_places(model, parallelism);
  const std::string layers =
      layers_in_words(num_layers(model), parallelism.embedding_as_layer, parallelism.loss_as_layer);
  if (!of_chunks.empty()) {
    const std::int64_t sum = std::accumulate(of_chunks.begin(), of_chunks.end(), std::int64_t{0});
    require(std::ssize(of_chunks) == chunks, "parallelism.layers_per_chunk",
            fmt::format("pp {} x virtual_stages {} needs {} numbers, got {}", pp, virtual_stages,
                        chunks, of_chunks.size()));
    require(sum == places, "parallelism.layers_per_chunk",
            fmt::format("the numbers add up to {}, not to the {}", sum, layers));
  } else if (chunks > places) {
    require(
        false, pp > places ? "parallelism.pp" : "parallelism.virtual_stages",
        fmt::format("pp {} x virtual_stages {} is more than the {}", pp, virtual_stages, layers));
  } else {
    require(places % chunks == 0, "parallelism.pp",
            fmt::format("pp {} x virtual_stages {} does not divide the {}; layers_per_chunk gives "
                        "each chunk a number of its own",
                        pp, virtual_stages, layers));
  }
}

}  // namespace

void check_division(const Training& training, const Parallelism& parallelism,
                    const Require& require) {
  if (const VisionModel* vision = vision_of(training)) {
    check_shape(*vision, require);
    check_vision(training, parallelism, require);
  } else {
    check_shape(transformer_of(training), require);
    check_slices(transformer_of(training), parallelism, require);
    require(training.expert_imbalance == 1.0 || transformer_of(training).experts,
            "workload.expert_imbalance", "changes no prediction: the model has no experts");
    check_sequence(training, parallelism, require);
  }
  check_chunks(training.model, parallelism, require);
  check_schedule(parallelism, require);
}

void check_microbatches(const Parallelism& parallelism, int num_microbatches,
                        const Require& require) {
  const std::int64_t chunks =
      static_cast<std::int64_t>(parallelism.pp) * parallelism.virtual_stages;
  require(num_microbatches * chunks <= kMaxPasses, "workload.global_batch",
          fmt::format("{} micro-batches through {} model chunks are more than the {} passes of a "
                      "step that can be simulated",
                      num_microbatches, chunks, kMaxPasses));
  require(parallelism.virtual_stages == 1 || num_microbatches % parallelism.pp == 0,
          "parallelism.virtual_stages",
          fmt::format("interleaved 1F1B needs the {} micro-batches of a replica to be divisible by "
                      "pp {}",
                      num_microbatches, parallelism.pp));
  const int directions = parallelism.schedule->num_directions;
  const bool is_enough =
      num_microbatches >= directions * parallelism.pp && num_microbatches % directions == 0;
  require(directions == 1 || is_enough, "workload.global_batch",
          fmt::format("{} needs an even number of micro-batches, at least 2 x pp {}, got {}",
                      parallelism.schedule->name, parallelism.pp, num_microbatches));
}

}  // namespace railwright::models
