// SPDX-License-Identifier: Apache-2.0
#include "replica.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/kernel/direct_all_reduce.hpp"
#include "railwright/models/kernel/expert_exchange.hpp"
#include "railwright/models/kernel/expert_loads.hpp"
#include "railwright/models/software/profile.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::simulation {

namespace {

using core::DataSize;
using core::Duration;

/// Pieces of streamed weights in memory: the next one is read while one is computed with.
constexpr double kPiecesInFlight = 2.0;

/// Accelerators of a scale-up domain up to which engines gather all tokens at all experts:
/// TensorRT-LLM sends each to its experts where memory is shared between trays, recalled.
constexpr int kMostThatGather = 8;

/// Barriers of an all-reduce that is no part of a norm: vLLM's csrc/custom_all_reduce.cuh.
constexpr double kBarriers = 2.0;

/// Launches of a layer whose prompts run as graphs: the graph and attention.
constexpr double kLaunchesOfGraph = 2.0;

/// Kernels beside those of a layer of plain attention and a dense block, counted from DeepSeek-V3
/// in TensorRT-LLM 1.0 (modeling_deepseekv3.py, modules/attention.py, recalled; estimates).
/// Experts: the router and its choice 4, casts 2, the sort of tokens 4, products and activation 4,
/// the combination and the sum with a shared expert 3, its own two products 3. Latent attention,
/// states and sparse attention: three more products with casts 6, norms 2, splits, joins and copies
/// 8, the rotation and the write to the cache 4.
constexpr double kKernelsOfExperts = 20.0;
constexpr double kKernelsOfMixer = 20.0;

/// Returns the kernels of all layers, of which the engine counts those of a plain one.
double kernels_of(const models::Transformer& model, double of_plain_layer) {
  double kernels = of_plain_layer * models::total_layers(model);
  kernels += kKernelsOfExperts * models::layers_with_experts(model);
  for (const models::MixerLayers& layers : models::mixer_layers(model)) {
    const bool is_plain = std::ranges::all_of(
        layers.mixer.kind->kernels(layers.mixer, 1), [](const models::MixerKernel& kernel) {
          return kernel.is_dense() && kernel.cached_query_width == 0;
        });
    if (!is_plain) kernels += kKernelsOfMixer * layers.count;
  }
  return kernels;
}

}  // namespace

models::ReplicaLayout layout_of(const models::Inference& inference,
                                const models::ReplicaSize& size) {
  const int ep = !inference.model.experts ? 1
                 : inference.ep           ? std::min(*inference.ep, size.tp)
                 : inference.attention_dp ? size.tp
                                          : 1;
  return {.size = size.tp, .attention_dp = inference.attention_dp, .ep = ep, .pp = size.pp};
}

Replica::Replica(const CheckedInference& checked, const core::Fabric& fabric,
                 const models::ReplicaSize& size, std::optional<Offloaded> offload,
                 ReplicaRole role)
    : inference_(checked.inference),
      device_(checked.cluster.cluster.node.accelerator),
      layout_(layout_of(checked.inference, size)),
      offload_(std::move(offload)),
      role_(role),
      num_kernels_(kernels_of(inference_.model,
                              static_cast<double>(inference_.engine.kernels_per_layer.value))),
      is_in_node_(size.tp <= fabric.accelerators_per_node()) {
  // Each iteration asks twice, and engines list scores of graphs.
  constexpr int kMostListed = 1024;
  for (int requests = 0; requests < kMostListed; ++requests) {
    const auto batch = inference_.engine.captured_batch(requests);
    if (!batch) break;
    captured_.push_back(*batch);
  }
  if (inference_.speculative && inference_.speculative->draft) {
    draft_ = inference_;
    draft_->model = *inference_.speculative->draft;
  }
  // In a rack engines send each token to its experts; on eight accelerators they gather all.
  layout_.sends_to_experts = layout_.attention_dp && inference_.model.experts && is_in_node_ &&
                             fabric.accelerators_per_node() > kMostThatGather &&
                             layout_.ep == layout_.size && device_.kernels->expert_exchange;
  resident_ = resident_weights();
  drafting_ = draft_weights();
  if (size.num_accelerators() == 1) return;
  for (const core::Link& link : fabric.links()) capacity_.push_back(link.bandwidth.base());
  if (size.tp > 1) {
    std::vector<int> members(static_cast<std::size_t>(size.tp));
    std::iota(members.begin(), members.end(), 0);
    communicator_.emplace(fabric, std::move(members), inference_.library);
  }
  for (int stage = 0; stage + 1 < size.pp; ++stage) {
    std::vector<models::Communicator>& pairs = hops_.emplace_back();
    for (int i = stage * size.tp; i < (stage + 1) * size.tp; ++i) {
      pairs.emplace_back(fabric, std::vector<int>{i, i + size.tp}, inference_.library);
    }
  }
}

double Replica::cached_tokens(double sequences) const {
  const double output = role_ == ReplicaRole::kPrompts ? 1.0 : inference_.output_tokens;
  const double most = models::kept_tokens(inference_.model, inference_.prompt_tokens + output);
  if (!inference_.engine.preempts.value || role_ == ReplicaRole::kPrompts) return sequences * most;
  // One ends while the others are anywhere in their answers.
  return most + (sequences - 1.0) * models::kept_tokens(inference_.model, mean_context());
}

DataSize Replica::cache_of_token() const {
  const core::Precision format = inference_.kv_cache;
  const double of_stage = static_cast<double>(models::layers_of_stage(inference_.model, layout_)) /
                          models::total_layers(inference_.model);
  const DataSize own =
      models::kv_cache_per_token(inference_.model, layout_.tp(), format) * of_stage;
  if (!inference_.speculative || role_ == ReplicaRole::kPrompts) return own;
  if (draft_) return own + models::kv_cache_per_token(draft_->model, layout_.tp(), format);
  return own * (1.0 + 1.0 / inference_.model.num_layers);
}

DataSize Replica::draft_weights() const {
  if (!inference_.speculative || role_ == ReplicaRole::kPrompts) return {};
  if (draft_) return models::weights_on_rank(draft_->model, layout_, inference_.weights);
  const models::Transformer& model = inference_.model;
  const auto parameters = static_cast<double>(
      models::layer_parameters(model, models::last_kind(model), layout_.slices()));
  return DataSize::from_base(parameters * core::bytes_of(inference_.weights));
}

/// Within a node engines reserve room for all tokens at all their experts, wherever these are;
/// between nodes each token goes to the accelerators of its experts alone. TensorRT-LLM's workspace
/// and DeepEP's buffers, recalled.
DataSize Replica::activations(double tokens, double sequences) const {
  const models::Transformer& model = inference_.model;
  if (!model.experts) return models::activations(model, layout_, tokens, sequences, 0.0);
  const double all = tokens * layout_.dp();
  const double pairs = is_in_node_ || !layout_.attention_dp
                           ? all * model.experts->top_k
                           : models::expert_loads({.tokens = std::llround(std::ceil(all)),
                                                   .top_k = model.experts->top_k,
                                                   .num_experts = model.experts->count,
                                                   .expert_parallel = layout_.ep,
                                                   .skew = inference_.expert_skew.value})
                                 .pairs;
  return models::activations(model, layout_, tokens, sequences, pairs);
}

DataSize Replica::resident_weights() const {
  const core::Precision weights = inference_.weights;
  if (offload_) {
    return models::largest_streamed_piece(inference_.model, layout_, weights) * kPiecesInFlight;
  }
  return models::weights_on_rank(inference_.model, layout_, weights) +
         models::dense_weights_beyond(inference_.model, layout_, weights,
                                      inference_.dense_format());
}

models::MemoryUse Replica::memory(std::int64_t batch) const {
  const double sequences = std::ceil(static_cast<double>(batch) / layout_.dp());
  // The cache of a prompt stays until it has been sent, while the next ones pass.
  const double leaving = role_ == ReplicaRole::kPrompts ? 1.0 : 0.0;
  // Engines reserve room for their largest iteration before the first request. Without prompts, the
  // batch is the largest.
  const double most = role_ == ReplicaRole::kAnswers
                          ? sequences * inference_.step_tokens()
                          : static_cast<double>(inference_.engine.max_tokens.value);
  const double chosen = std::ceil(sequences / layout_.pp) * inference_.step_tokens();
  models::MemoryUse use{
      .stage = 0,
      .lines = {{"weights", resident_},
                {"kv_cache", cache_of_token() * cached_tokens(sequences + leaving)},
                {"activations", std::max(activations(most, 1.0), activations(chosen, chosen))},
                {"reserved", device_.memory.value * (1.0 - inference_.memory_share.value)}}};
  if (inference_.speculative) use.lines.push_back({"draft", drafting_});
  return use;
}

core::DataSize Replica::excess(std::int64_t batch) const {
  return memory(batch).total() - device_.memory.value;
}

double Replica::cache_tokens(std::int64_t batch) const {
  models::MemoryUse use = memory(batch);
  use.lines[1].size = {};
  const DataSize room = device_.memory.value - use.total();
  return room / cache_of_token() * layout_.dp();
}

Duration Replica::collective(models::CollectiveOp op, double bytes) const {
  const auto flow = communicator_->flow(op, bytes);
  return models::isolated_time(flow, bytes, capacity_);
}

/// Returns the time of the engine's own kernel or of the library, whichever is faster. Where data
/// do not say that they are there, members wait for one another before the first read and behind
/// the last: a flag over the links and a fence, as in a step of the library's Simple protocol.
Duration Replica::all_reduce(double bytes, bool is_joined) const {
  const Duration by_library = collective(models::CollectiveOp::kAllReduce, bytes);
  const auto& direct = device_.kernels->direct_all_reduce;
  if (!direct || !is_in_node_) return by_library;
  Duration by_engine =
      models::direct_all_reduce_time(device_, *direct, DataSize::from_base(bytes), layout_.size);
  if (!is_joined) {
    by_engine += inference_.library.ring.scale_up.value.back() * kBarriers;
  }
  return std::min(by_library, by_engine);
}

Duration Replica::communication(double tokens) const {
  return communication_of(inference_.model, tokens) + between_stages(tokens);
}

/// Returns the time to hand the tokens on between all stages: each accelerator sends its part,
/// which the next stage gathers.
Duration Replica::between_stages(double tokens) const {
  Duration sum;
  const double bytes = tokens * inference_.model.hidden_size * models::kActivationBytes;
  for (const std::vector<models::Communicator>& hop : hops_) {
    const double part = bytes / static_cast<double>(hop.size());
    std::vector<models::CollectiveFlow> flows;
    for (const models::Communicator& pair : hop) {
      flows.push_back(pair.flow(models::CollectiveOp::kSendReceive, part));
    }
    sum += models::isolated_time(models::merge(flows), part, capacity_);
    if (hop.size() > 1) sum += collective(models::CollectiveOp::kAllGather, bytes);
  }
  return sum;
}

/// Returns the time to write each token to the accelerators of its experts, and the outputs back.
Duration Replica::to_experts(const models::Transformer& model, double tokens, double narrow) const {
  const auto& constants = *device_.kernels->expert_exchange;
  const auto time = [&](models::ExpertExchangeOp op, double bytes) {
    const models::ExpertExchangeShape shape{
        .num_tokens = std::llround(std::ceil(tokens / layout_.size)),
        .token_bytes = std::llround(model.hidden_size * bytes),
        .top_k = model.experts->top_k,
        .num_experts = model.experts->count,
        .num_nodes = 1,
        .per_node = layout_.size};
    return models::expert_exchange_time(device_, constants, models::ExpertExchangeKernel::kScaleUp,
                                        op, shape);
  };
  return time(models::ExpertExchangeOp::kDispatch, narrow) +
         time(models::ExpertExchangeOp::kCombine, models::kActivationBytes);
}

/// Returns the time of a layer of experts with data-parallel attention. All tokens are gathered in
/// the format that experts multiply, and their outputs are summed and scattered; or each token goes
/// to the accelerators of its experts alone, and comes back. [@deepep]
Duration Replica::exchange(const models::Transformer& model, double tokens) const {
  const double elements = tokens * model.hidden_size;
  const double narrow = device_.peak_rate(inference_.weights)
                            ? std::min(core::bytes_of(inference_.weights), models::kActivationBytes)
                            : models::kActivationBytes;
  const Duration all =
      collective(models::CollectiveOp::kAllGather, elements * narrow) +
      collective(models::CollectiveOp::kReduceScatter, elements * models::kActivationBytes);
  if (layout_.sends_to_experts) return std::min(all, to_experts(model, tokens, narrow));
  if (is_in_node_) return all;
  const double of_rank = elements / layout_.size * std::min(model.experts->top_k, layout_.ep);
  return std::min(
      all, collective(models::CollectiveOp::kAllToAll, of_rank * narrow) +
               collective(models::CollectiveOp::kAllToAll, of_rank * models::kActivationBytes));
}

Duration Replica::communication_of(const models::Transformer& model, double tokens) const {
  if (!communicator_) return {};
  if (!layout_.attention_dp) {
    const Duration of_layers = all_reduce(models::all_reduce_size(model, tokens).base(),
                                          inference_.engine.fuses_on(device_.generation.value)) *
                               static_cast<double>(models::num_all_reduces(model));
    if (model.query_key_norm != models::QueryKeyNorm::kWhole) return of_layers;
    // A sum of squares of a token's queries and one of its keys, in fp32.
    double num_norms = 0.0;
    for (const models::MixerLayers& layers : models::mixer_layers(model)) {
      if (!layers.mixer.kind->is_state) num_norms += layers.count;
    }
    return of_layers + all_reduce(tokens * 2.0 * models::kFp32Bytes, false) * num_norms;
  }
  if (!model.experts) return {};
  return exchange(model, tokens) * static_cast<double>(models::layers_with_experts(model));
}

Duration Replica::logits_gather(double sequences) const {
  return logits_gather_of(inference_.model, sequences);
}

Duration Replica::logits_gather_of(const models::Transformer& model, double sequences) const {
  if (!communicator_ || layout_.attention_dp) return {};
  return collective(models::CollectiveOp::kAllGather,
                    sequences * model.vocabulary_size * models::kActivationBytes);
}

/// A draft comes token by token: of a small model, or of one layer like the model's own and its
/// head.
models::PassTime Replica::draft_time(double decodes, double context) const {
  if (!inference_.speculative || decodes <= 0.0) return {};
  const models::Inference& drafting = draft_ ? *draft_ : inference_;
  const models::TokenPass pass = models::decode_pass(decodes, context);
  models::PassTime time =
      models::layers_time(device_, drafting, layout_, decodes, pass.tokens_of_rank(layout_.dp()));
  time += models::decode_attention_time(device_, drafting, layout_, pass);
  time.communication = communication_of(drafting.model, decodes);
  if (!draft_) time = time * (1.0 / inference_.model.num_layers);
  time += models::head_time(device_, drafting, layout_, decodes);
  time.communication += logits_gather_of(drafting.model, decodes);
  return time * static_cast<double>(inference_.speculative->draft_tokens);
}

void Replica::add_waits(const models::TokenPass& pass, models::PassTime& time) const {
  if (offload_) time.stall = std::max(offload_->time - time.total(), Duration{});
  const models::ServingEngine& engine = inference_.engine;
  // Each accelerator that attends by itself has a host process for its requests; that of all groups
  // works while one is on its way.
  const Duration own = engine.host_iteration.value +
                       engine.host_request.value * pass.sequences_of_rank(layout_.dp());
  const Duration host = own * static_cast<double>(layout_.pp);
  const bool is_graph_a_layer =
      pass.tokens_of_rank(layout_.dp()) <= engine.prompt_graph_tokens.value;
  const double num_launches =
      is_graph_a_layer ? kLaunchesOfGraph * models::total_layers(inference_.model) : num_kernels_;
  const Duration launches =
      captured_batch(pass) ? Duration{} : engine.host_launch.value * num_launches;
  // The device follows the launches. The host's work before and after them overlaps with it, or
  // not.
  const Duration device = std::max(time.total(), launches);
  const Duration iteration =
      engine.overlaps_host.value ? std::max(device, host + launches) : std::max(device + own, host);
  time.host = iteration - time.total();
}

std::optional<int> Replica::captured_batch(const models::TokenPass& pass) const {
  if (pass.prompts > 0.0) return {};
  const double of_rank = std::ceil(pass.decodes / layout_.dp() - 1e-9);
  const auto requests = static_cast<std::size_t>(of_rank);
  if (requests < captured_.size()) return captured_[requests];
  return inference_.engine.captured_batch(static_cast<int>(of_rank));
}

models::TokenPass Replica::padded(const models::TokenPass& pass) const {
  models::TokenPass run = pass;
  const auto batch = captured_batch(pass);
  if (batch) run.padding = static_cast<double>(*batch) * layout_.dp() - pass.decodes;
  return run;
}

/// Two halves take turns: while one is in its layers, the other exchanges the tokens of its
/// experts. What the layers do not hide is left, and at both ends a layer of each. Engines do so
/// where it gains.
models::PassTime Replica::layers_time(double tokens, double own_tokens) const {
  models::PassTime all = models::layers_time(device_, inference_, layout_, tokens, own_tokens);
  all.communication = communication(tokens);
  if (!inference_.engine.overlaps_exchange.value || !communicator_ || !layout_.attention_dp) {
    return all;
  }
  models::PassTime halves =
      models::layers_time(device_, inference_, layout_, tokens / 2.0, own_tokens / 2.0) * 2.0;
  const Duration exchange = communication(tokens / 2.0) * 2.0;
  const Duration layers = halves.total();
  halves.communication = std::max(exchange - layers, Duration{}) +
                         std::min(exchange, layers) / models::total_layers(inference_.model);
  return halves.total() < all.total() ? halves : all;
}

models::PassTime Replica::time_of(const models::TokenPass& pass) const {
  const models::TokenPass run = padded(pass);
  models::PassTime time = layers_time(run.tokens(), run.tokens_of_rank(layout_.dp()));
  time += models::head_time(device_, inference_, layout_, run.outputs());
  time += models::prompt_attention_time(device_, inference_, layout_, run);
  time += models::decode_attention_time(device_, inference_, layout_, run);
  time.communication += logits_gather(run.outputs());
  time += draft_time(pass.decodes, pass.context);
  add_waits(pass, time);
  return time;
}

models::PassTime Replica::prefill() const {
  const double prompt = inference_.prompt_tokens;
  return time_of(models::prefill_pass(prompt, inference_.cached_prompt(prompt)));
}

double Replica::mean_context() const {
  return inference_.prompt_tokens + inference_.output_tokens / 2.0;
}

double Replica::groups_of(double batch) const {
  return std::min(static_cast<double>(layout_.pp), batch);
}

models::PassTime Replica::decode(std::int64_t batch) const {
  const auto all = static_cast<double>(batch);
  return time_of(
      models::decode_pass(all / groups_of(all), mean_context(), inference_.step_tokens()));
}

models::BatchingLimits Replica::limits() const {
  const double prompt = inference_.prompt_tokens;
  return {.prompt_tokens = prompt - inference_.cached_prompt(prompt),
          .output_tokens =
              role_ == ReplicaRole::kPrompts ? 1.0 : static_cast<double>(inference_.output_tokens),
          .max_tokens = static_cast<double>(inference_.engine.max_tokens.value),
          .num_shares = static_cast<double>(layout_.dp()),
          .step_tokens = inference_.step_tokens(),
          .tokens_per_step = inference_.tokens_per_step(),
          .mixes_prompts = inference_.engine.mixes_prompts.value};
}

/// Returns the pass of a piece in the middle of what passes of its prompt, which attends to what is
/// cached and to half of that and the piece.
models::TokenPass Replica::piece_pass(const models::BatchingMix& mix) const {
  const double prompt = inference_.prompt_tokens;
  return {.prompts = mix.pieces_at_once,
          .prompt_tokens = mix.piece,
          .prompt_keys = (prompt + inference_.cached_prompt(prompt) + mix.piece) / 2.0,
          .decodes = mix.decodes_beside(limits()),
          .decode_tokens = inference_.step_tokens(),
          .context = mean_context()};
}

models::PassTime Replica::mean_of(const models::BatchingMix& mix, std::int64_t batch,
                                  const models::PassTime& with_piece) const {
  models::PassTime time = with_piece * mix.piece_share;
  const bool has_steps_between = !limits().mixes_prompts && limits().steps() > 0.0;
  const double steps = has_steps_between ? 1.0 : 1.0 - mix.piece_share;
  if (steps > 0.0) time += decode(batch) * steps;
  return time;
}

models::BatchingMix Replica::mix_of(std::int64_t batch) const {
  const auto all = static_cast<double>(batch);
  return models::BatchingMix::of(all / groups_of(all), limits());
}

models::PassTime Replica::mean_iteration(std::int64_t batch) const {
  if (role_ == ReplicaRole::kAnswers) return decode(batch);
  const models::BatchingMix mix = mix_of(batch);
  return mean_of(mix, batch, time_of(piece_pass(mix)));
}

models::BatchCycle Replica::cycle(std::int64_t batch) const {
  {
    const std::scoped_lock lock(known_->mutex);
    const auto found = known_->by_batch.find(batch);
    if (found != known_->by_batch.end()) return found->second;
  }
  const models::BatchCycle made = cycle_of(batch);
  const std::scoped_lock lock(known_->mutex);
  return known_->by_batch.try_emplace(batch, made).first->second;
}

models::BatchCycle Replica::cycle_of(std::int64_t batch) const {
  models::BatchCycle cycle{.batch = static_cast<double>(batch),
                           .groups = groups_of(static_cast<double>(batch)),
                           .output_tokens = limits().output_tokens,
                           .tokens_per_step = limits().tokens_per_step};
  if (role_ == ReplicaRole::kAnswers) {
    cycle.pieces = 0.0;
    cycle.requests = cycle.batch / limits().steps();
    cycle.iteration = decode(batch).total();
    return cycle;
  }
  const models::BatchingMix mix = mix_of(batch);
  const models::PassTime with_piece = time_of(piece_pass(mix));
  cycle.pieces = mix.pieces;
  cycle.before_prompt = inference_.before_prompt(inference_.prompt_tokens);
  cycle.iterations_ahead = looks_ahead() ? 2.0 : 1.0;
  cycle.requests = mix.requests * cycle.groups;
  cycle.iteration = mean_of(mix, batch, with_piece).total();
  cycle.with_piece = with_piece.total();
  return cycle;
}

}  // namespace railwright::simulation
