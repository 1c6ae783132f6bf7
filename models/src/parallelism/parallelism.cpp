// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/parallelism/parallelism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "order.hpp"

namespace railwright::models {

namespace {

constexpr std::int64_t kMostPasses = 1'000'000;  // of one replica; a minute of simulation

/// "32 layers", "126 layers, embedding and loss counted as 2 more".
std::string layers_in_words(int num_layers, bool embedding_as_layer, bool loss_as_layer) {
  std::string words = fmt::format("{} layers", num_layers);
  if (embedding_as_layer && loss_as_layer) {
    words += ", embedding and loss counted as 2 more";
  } else if (embedding_as_layer || loss_as_layer) {
    words += fmt::format(", {} counted as 1 more", embedding_as_layer ? "embedding" : "loss");
  }
  return words;
}

using Require = std::function<void(bool holds, std::string_view key, std::string message)>;

/// That the numbers of a model's shape go together.
void check_model(const Transformer& model, const Require& require) {
  require(model.head_size || model.hidden_size % model.num_heads == 0, "workload.model.num_heads",
          fmt::format("hidden_size {} is not divisible by num_heads {}", model.hidden_size,
                      model.num_heads));
  require(model.num_heads % model.num_kv_heads == 0, "workload.model.num_kv_heads",
          fmt::format("num_heads {} is not divisible by num_kv_heads {}", model.num_heads,
                      model.num_kv_heads));
  require(!model.latent_attention || model.num_kv_heads == model.num_heads,
          "workload.model.num_kv_heads",
          fmt::format("latent attention has as many key-value heads as heads, got {} and {}",
                      model.num_kv_heads, model.num_heads));
  const bool has_encoder = model.encoder_layers > 0;
  require(!has_encoder || model.causal, "workload.model.causal",
          "a decoder with an encoder is causal");
  require(!has_encoder || !(model.experts || model.latent_attention),
          "workload.model.encoder_layers",
          "experts and latent attention are known for decoders alone");
  if (!model.experts) return;
  require(model.experts->top_k <= model.experts->count, "workload.model.experts.top_k",
          fmt::format("a token cannot pass {} of {} experts", model.experts->top_k,
                      model.experts->count));
  require(model.experts->dense_layers <= model.num_layers, "workload.model.experts.dense_layers",
          fmt::format("{} dense layers are more than the {} layers", model.experts->dense_layers,
                      model.num_layers));
}

}  // namespace

std::vector<LayoutProblem> make_layout(const Training& training, const Parallelism& parallelism,
                                       int num_accelerators, Layout& layout) {
  std::vector<LayoutProblem> problems;
  const auto require = [&](bool holds, std::string_view key, std::string message) {
    if (!holds) problems.push_back({std::string(key), std::move(message)});
  };
  const Transformer& model = training.model;
  check_model(model, require);
  const auto& [tp, cp, ep, etp_or_tp, pp, virtual_stages, schedule, order, zero_group,
               sequence_parallel, embedding_as_layer, loss_as_layer] = parallelism;
  const int etp = etp_or_tp.value_or(tp);

  require(model.num_heads % tp == 0, "parallelism.tp",
          fmt::format("tp {} does not divide the {} attention heads", tp, model.num_heads));
  const bool grouped = model.num_kv_heads != model.num_heads;
  require(!grouped || model.num_kv_heads % tp == 0 || tp % model.num_kv_heads == 0,
          "parallelism.tp",
          fmt::format("tp {} and the {} key-value heads do not divide one another", tp,
                      model.num_kv_heads));
  require(model.ffn_size % tp == 0, "parallelism.tp",
          fmt::format("tp {} does not divide ffn_size {}", tp, model.ffn_size));
  if (model.experts) {
    require(model.experts->shared_ffn_size % tp == 0, "parallelism.tp",
            fmt::format("tp {} does not divide experts.shared_ffn_size {}", tp,
                        model.experts->shared_ffn_size));
    require(model.experts->ffn_size % etp == 0, etp_or_tp ? "parallelism.etp" : "parallelism.tp",
            fmt::format("{} {} does not divide experts.ffn_size {}", etp_or_tp ? "etp" : "tp", etp,
                        model.experts->ffn_size));
    require(etp == 1 || etp == tp, "parallelism.etp",
            fmt::format("an expert is on one rank or cut over all tp {}, got etp {}", tp, etp));
    require(etp == tp || sequence_parallel, "parallelism.sequence_parallel",
            "etp 1 needs sequence_parallel: each rank brings its own tokens");
    require(
        model.experts->count % ep == 0, "parallelism.ep",
        fmt::format("ep {} does not divide the {} experts of a layer", ep, model.experts->count));
    require(ep == 1 || tp == 1 || sequence_parallel, "parallelism.sequence_parallel",
            fmt::format("ep {} with tp {} needs sequence_parallel: each rank sends its own tokens",
                        ep, tp));
  } else {
    require(ep == 1, "parallelism.ep", fmt::format("ep {} needs a model with experts", ep));
    require(!etp_or_tp, "parallelism.etp", "etp needs a model with experts");
  }
  const std::int64_t sequence_shards =
      static_cast<std::int64_t>(sequence_parallel ? tp : 1) * (cp == 1 ? 1 : 2 * cp);
  require(training.sequence_length % sequence_shards == 0,
          cp == 1 ? "parallelism.tp" : "parallelism.cp",
          cp == 1
              ? fmt::format("sequence_parallel needs tp {} to divide sequence_length {}", tp,
                            training.sequence_length)
              : fmt::format("2 x cp {} shares of a sequence{} do not divide sequence_length {}", cp,
                            sequence_parallel ? fmt::format(" on tp {} ranks each", tp) : "",
                            training.sequence_length));
  require(cp == 1 || model.encoder_layers == 0, "parallelism.cp",
          "context parallelism is known for decoders alone");

  const std::int64_t chunks = static_cast<std::int64_t>(pp) * virtual_stages;
  const int places = total_layers(model) + (embedding_as_layer ? 1 : 0) + (loss_as_layer ? 1 : 0);
  const std::string layers =
      layers_in_words(total_layers(model), embedding_as_layer, loss_as_layer);
  if (chunks > places) {
    require(
        false, pp > places ? "parallelism.pp" : "parallelism.virtual_stages",
        fmt::format("pp {} x virtual_stages {} is more than the {}", pp, virtual_stages, layers));
  } else {
    require(places % chunks == 0, "parallelism.pp",
            fmt::format("pp {} x virtual_stages {} does not divide the {}", pp, virtual_stages,
                        layers));
  }
  require(virtual_stages == 1 || pp > 1, "parallelism.virtual_stages",
          fmt::format("virtual_stages {} needs pp of at least 2", virtual_stages));

  require(schedule != Schedule::kGpipe || virtual_stages == 1, "parallelism.virtual_stages",
          "gpipe has one model chunk a stage");

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
  const std::int64_t expert_parallel = static_cast<std::int64_t>(etp) * ep;
  require(!model.experts || stage_size % expert_parallel == 0, "parallelism.ep",
          fmt::format("etp {} x ep {} = {} does not divide the {} accelerators of a stage", etp, ep,
                      expert_parallel, stage_size));
  const int dp = static_cast<int>(num_accelerators / model_parallel);
  const std::int64_t samples = static_cast<std::int64_t>(dp) * training.micro_batch;
  if (training.global_batch % samples != 0) {
    require(false, "workload.global_batch",
            fmt::format("global_batch {} is not divisible by dp {} x micro_batch {} = {}",
                        training.global_batch, dp, training.micro_batch, samples));
    return problems;
  }
  const int num_microbatches = static_cast<int>(training.global_batch / samples);
  require(num_microbatches * chunks <= kMostPasses, "workload.global_batch",
          fmt::format("{} micro-batches through {} model chunks are more than the {} passes of a "
                      "step that can be simulated",
                      num_microbatches, chunks, kMostPasses));
  require(virtual_stages == 1 || num_microbatches % pp == 0, "parallelism.virtual_stages",
          fmt::format("interleaved 1F1B needs the {} micro-batches of a replica to be divisible by "
                      "pp {}",
                      num_microbatches, pp));
  const int num_replicas = dp * cp;
  require(zero_group.value_or(num_replicas) <= num_replicas &&
              num_replicas % zero_group.value_or(num_replicas) == 0,
          "parallelism.zero_group",
          fmt::format("zero_group {} does not divide the {} replicas",
                      zero_group.value_or(num_replicas), num_replicas));
  Layout made{.tp = tp,
              .cp = cp,
              .ep = ep,
              .etp = model.experts ? etp : 1,
              .pp = pp,
              .dp = dp,
              .virtual_stages = virtual_stages,
              .schedule = schedule,
              .zero_group = zero_group.value_or(num_replicas),
              .sequence_parallel = sequence_parallel,
              .num_microbatches = num_microbatches,
              .layers_per_chunk = static_cast<int>(places / chunks),
              .embedding_as_layer = embedding_as_layer,
              .loss_as_layer = loss_as_layer,
              .strides = {},
              .strides_in_stage = {},
              .expert_strides = {}};
  require(
      apply_order(order, made), "parallelism.order",
      fmt::format("expected tp, cp, ep, dp and pp once each, as tp-cp-ep-dp-pp, got '{}'", order));
  if (problems.empty()) layout = made;
  return problems;
}

int num_warmup_passes(const Layout& layout, int stage) {
  const int total = layout.num_microbatches * layout.virtual_stages;
  if (layout.schedule == Schedule::kGpipe) return total;
  const int distance = layout.pp - stage - 1;
  if (layout.virtual_stages == 1) return std::min(total, distance);
  if (layout.num_microbatches == layout.pp) return total;
  return std::min(total, 2 * distance + (layout.virtual_stages - 1) * layout.pp);
}

int microbatches_in_flight(const Layout& layout, int stage, int chunk) {
  const int passes = std::min(num_warmup_passes(layout, stage) + 1,
                              layout.num_microbatches * layout.virtual_stages);
  // Interleaved, micro-batches pass in groups of pp through chunk after chunk.
  const int group = layout.virtual_stages == 1 ? 1 : layout.pp;
  const int turn = group * layout.virtual_stages;
  return passes / turn * group + std::clamp(passes % turn - chunk * group, 0, group);
}

}  // namespace railwright::models
