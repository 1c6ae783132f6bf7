// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/compute/compute.hpp"

#include <algorithm>
#include <cmath>

#include "kernels.hpp"
#include "railwright/models/parallelism/image_share.hpp"
#include "railwright/models/workload/image_layers.hpp"
#include "shared_attention.hpp"

namespace railwright::models {

namespace {

/// The tokens of a micro-batch in a layer on one rank, which has its share of each sequence.
struct Tokens {
  std::int64_t queries = 0;
  std::int64_t sequence = 0;
  std::int64_t keys = 0;
  std::int64_t encoder_queries = 0;
  std::int64_t encoder_sequence = 0;
  std::int64_t of_experts = 0;  ///< of the fullest rank of a group

  Tokens(const Training& training, const Layout& layout, LayerKind kind)
      : sequence(sequence_length(training, kind) / layout.ranks_of_sequence()),
        keys(sequence_length(training, kind)),
        encoder_queries(static_cast<std::int64_t>(training.micro_batch) *
                        encoder_sequence_length(training)),
        encoder_sequence(encoder_sequence_length(training)) {
    queries = static_cast<std::int64_t>(training.micro_batch) * sequence;
    const double of_fullest = load_of_fullest_rank(training, layout.ep);
    of_experts = std::llround(static_cast<double>(queries) * of_fullest);
  }

  /// Returns the tokens that pass a matrix.
  [[nodiscard]] std::int64_t of(const Matrix& matrix) const {
    if (matrix.of_encoder) return encoder_queries;
    return matrix.of_expert ? of_experts : queries;
  }
};

/// Kernels of a forward pass, without those of experts that run separately.
struct PassKernels {
  double run = 0.0;
  double launched = 0.0;  ///< kernels that the host launches one by one
};

/// Counts kernels. Estimates beside those of a plain layer, counted from Megatron-Core: tokens
/// routed, sorted, laid out and brought back.
/// Half of the routing kernels run outside of partial graphs, with the experts. Graphs of the
/// router hold the other half.
PassKernels kernels_forward(const SoftwareProfile& software, const Transformer& model,
                            LayerKind kind) {
  constexpr double kRouting = 15.0;
  constexpr double kBesideExperts = 8.0;
  const bool is_routed = has_experts(kind);
  // A layer's kernels are those of attention and of a feed-forward block, about half each.
  const double plain = software.kernels_per_layer.value * (is_block_alone(kind) ? 0.5 : 1.0);
  const double of_mixer = has_mixer(kind) ? mixer_of(model, kind).kind->more_kernels : 0.0;
  const double run = plain + (is_routed ? kRouting : 0.0) + of_mixer;
  const CudaGraphs graphs = software.cuda_graphs.value;
  if (graphs == CudaGraphs::kNone) return {run, run};
  if (graphs == CudaGraphs::kRouter) {
    return {run, is_routed ? run - (kRouting - kBesideExperts) : run};
  }
  return {run, graphs == CudaGraphs::kPartial && is_routed ? kBesideExperts : 0.0};
}

/// Adds an expert's launches: each expert has products of its own, and under fp8 casts. They run in
/// several streams, without gaps.
void add_expert(const Matrix& matrix, const SoftwareProfile& software, const PassCost& product,
                Launches& launches) {
  const double of_product = core::bytes_of(software.precision.value) < 2.0 ? 2.0 : 1.0;
  launches.experts += of_product * static_cast<double>(matrix.copies);
  launches.experts_time += product.forward.total();
}

/// Adds the time that the device waits for the host. The host itself waits for the results of an
/// exchange, so in a forward pass it is not ahead when it launches the experts, and no exchange is
/// in progress then to fill their waits.
void add_host_waits(core::Duration host_launch, const Launches& launches, PassCost& cost) {
  const auto wait = [&](double num_kernels, core::Duration time) {
    return std::max(core::Duration{}, host_launch * num_kernels - time);
  };
  const auto add = [](core::Duration waits, ComputeCost& pass) {
    pass.gaps += waits;
    pass.host_wait += waits;
  };
  add(wait(launches.kernels, cost.forward.total() - launches.experts_time), cost.forward);
  cost.forward.gaps += wait(launches.experts, launches.experts_time);
  const core::Duration backward =
      wait((launches.kernels + launches.experts) * launches.backward_runs,
           cost.backward.total() + cost.weight.total());
  const bool is_split = cost.weight.total() > core::Duration{};
  const core::Duration of_weight = is_split ? backward / launches.backward_runs : core::Duration{};
  add(backward - of_weight, cost.backward);
  add(of_weight, cost.weight);
}

/// Adds what makes a matrix in four bits whole before the products of a pass: it is read, and
/// written in 16 bits [@dettmers2023].
void add_dequantization(const Kernels& kernels, const Matrix& matrix, PassCost& cost) {
  const double bytes =
      (kNf4Bytes + kernels.element_bytes()) * static_cast<double>(matrix.parameters());
  cost.forward.elementwise += kernels.stream(bytes);
  cost.backward.elementwise += kernels.stream(bytes);
}

/// Adds a matrix, or a frozen one and its adapter, whose sum costs one extra access of each output.
void add_weights(const Kernels& kernels, std::int64_t rows, const Matrix& matrix,
                 const Training& training, PassCost& cost) {
  add_matrix(kernels, rows, matrix, kernels.precision(),
             is_frozen(training) ? Weights::kFrozen : Weights::kTrained, cost);
  if (!training.lora) return;
  if (training.lora->base == LoraBase::kNf4) add_dequantization(kernels, matrix, cost);
  for (const Matrix& part : adapter_of(*training.lora, matrix)) {
    add_matrix(kernels, rows, part, kernels.activation_precision(), Weights::kTrained, cost);
  }
}

/// Returns the share of a forward pass's kernels that run again: 1 if the whole layer or everything
/// except matrix products does, about half if the feed-forward block does.
double share_of_kernels(const Recomputed& again, LayerKind kind) {
  if (again.layer || again.other_elementwise) return 1.0;
  if (!has_feed_forward(kind)) return 0.0;
  const double share = is_block_alone(kind) ? 1.0 : 0.5;
  return runs_feed_forward_again(again, kind, has_experts(kind)) ? share : 0.0;
}

/// Bytes of a layer's memory-bound kernels.
struct LayerBytes {
  StreamedBytes streamed;
  double again = 0.0;  ///< of those that run a second time
};

LayerBytes layer_bytes(const Kernels& kernels, const Transformer& model, LayerKind kind,
                       const Layout& layout, const Tokens& tokens, const Recomputed& again) {
  LayerBytes bytes{.streamed = block_bytes(kernels, model, kind, layout, tokens.queries)};
  const StreamedBytes permuted = permutation_bytes(kernels, model, kind, layout, tokens.of_experts);
  bytes.streamed += permuted;
  if (again.norms) {
    const double elements = stream_elements(model, kind, layout, tokens.queries);
    bytes.again += norm_bytes(kernels, elements).forward;
  }
  if (again.experts) bytes.again += permuted.forward;
  for (const FeedForward& block : feed_forward_blocks(model, kind, layout.slices())) {
    if (block.of_expert && kernels.software.has_fused_experts()) continue;
    const StreamedBytes activation = activation_bytes(
        kernels, model, block, block.of_expert ? tokens.of_experts : tokens.queries);
    const bool function_again = block.of_expert ? again.expert_activation : again.activation;
    if (function_again || runs_feed_forward_again(again, kind, block.of_expert)) {
      bytes.again += activation.forward;
    }
    bytes.streamed += activation;
  }
  return bytes;
}

/// Attention inside the documents of packed sequences: so many sequences of their mean length, as
/// often as gives the work of all, and of the replica with most.
struct Attended {
  std::int64_t sequences = 1;
  double length = 1.0;  ///< of a sequence that is attended to, over that of a packed one
  double repeats = 1.0;

  Attended(const SoftwareProfile& software, const Training& training, const Layout& layout)
      : sequences(training.micro_batch) {
    // A matrix of whole scores is made anyway.
    if (training.documents.empty() || software.attention.value == AttentionKernel::kUnfused) return;
    length = mean_document(training) / training.sequence_length;
    const double all = training.micro_batch / length;
    sequences = std::max<std::int64_t>(1, std::llround(all));
    const double of_replica = static_cast<double>(layout.num_microbatches) * training.micro_batch;
    repeats = all / static_cast<double>(sequences) *
              attention_of_fullest_replica(training, layout.dp, of_replica);
  }

  [[nodiscard]] std::int64_t of(std::int64_t tokens) const {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(tokens) * length));
  }
  /// Returns the keys that `queries` of a rank meet, as many times theirs as without documents.
  [[nodiscard]] std::int64_t keys(std::int64_t queries, std::int64_t all) const {
    return length == 1.0 ? all : of(queries) * (all / queries);
  }
  /// Adds what `add` does for these sequences as often as gives all.
  template <class Add>
  void repeat(PassCost& cost, const Add& add) const {
    if (repeats == 1.0) {
      add(cost);
      return;
    }
    PassCost one;
    add(one);
    cost += one * repeats;
  }
};

/// Adds what runs between the products of a layer's mixer. Bytes of states are among the layer's.
void add_mixer(const Kernels& kernels, const Training& training, const Layout& layout,
               LayerKind kind, const MixerKernel& kernel, const Tokens& tokens, PassCost& cost) {
  if (kernel.work == MixerKernel::Work::kState) {
    add_state_work(kernels, kernel, tokens.queries, cost);
    return;
  }
  if (!kernel.is_dense()) {
    const Attended attended(kernels.software, training, layout);
    attended.repeat(cost, [&](PassCost& one) {
      add_sparse_attention(kernels, kernel, attended.sequences, attended.of(tokens.sequence), one);
    });
    return;
  }
  const ContextRanks ranks = kernels.software.context_ranks(layout.cp);
  const Attended attended(kernels.software, training, layout);
  const auto attend = [&](std::int64_t keys, bool causal) {
    const Scores scores{.sequences = attended.sequences,
                        .queries = attended.of(tokens.sequence) * ranks.heads,
                        .keys = attended.keys(tokens.sequence, keys),
                        .heads = ceil_div(kernel.heads, std::int64_t{ranks.heads}),
                        .kv_heads = ceil_div(kernel.kv_heads, std::int64_t{ranks.heads}),
                        .local = {.window = static_cast<int>(kernel.window),
                                  .chunk = static_cast<int>(kernel.chunk)},
                        .causal = causal,
                        .exchange = kernels.software.context_exchange.value};
    const HeadSize head{.query = kernel.query_width, .value = kernel.value_width};
    attended.repeat(cost, [&](PassCost& one) { add_attention(kernels, head, scores, one); });
  };
  attend(tokens.keys, transformer_of(training).causal && kind != LayerKind::kEncoder);
  if (kind == LayerKind::kDecoder) attend(tokens.encoder_sequence, false);
}

LaunchedCost layer_cost(const Kernels& kernels, const Training& training, const Layout& layout,
                        LayerKind kind, const Recomputed& again) {
  const Transformer& model = transformer_of(training);
  const SoftwareProfile& software = kernels.software;
  const Tokens tokens(training, layout, kind);

  PassCost cost;
  ComputeCost runs_twice;
  Launches launches;
  const bool launches_experts = software.expert_kernels.value == ExpertKernels::kSeparate &&
                                software.cuda_graphs.value != CudaGraphs::kFull;
  for (const Matrix& matrix : layer_matrices(model, kind, layout.slices())) {
    PassCost product;
    add_weights(kernels, tokens.of(matrix) / matrix.token_shards, matrix, training, product);
    runs_twice += product.forward * share_again(again, kind, matrix, model);
    if (launches_experts && matrix.of_expert) add_expert(matrix, software, product, launches);
    cost += product;
  }
  for (const MixerKernel& kernel : mixer_kernels(model, kind, layout.tp)) {
    add_mixer(kernels, training, layout, kind, kernel, tokens, cost);
  }

  LayerBytes bytes = layer_bytes(kernels, model, kind, layout, tokens, again);
  if (layout.cp > 1 && has_mixer(kind)) {
    bytes.streamed += exchange_bytes(kernels, mixer_of(model, kind), training, layout);
  }
  cost.forward.elementwise += kernels.stream(bytes.streamed.forward);
  cost.backward.elementwise += kernels.stream(bytes.streamed.backward);
  runs_twice.elementwise += kernels.stream(bytes.again);

  if (again.attention) runs_twice.attention = cost.forward.attention;
  if (again.other_elementwise) runs_twice.elementwise = cost.forward.elementwise;
  cost.backward += again.layer ? cost.forward : runs_twice;
  const PassKernels forward = kernels_forward(software, model, kind);
  launches.kernels = forward.launched;
  launches.backward_runs = 2.0 + share_of_kernels(again, kind);
  add_gaps(kernels, forward.run, launches.backward_runs, cost);
  // Gradients of weights are part of the backward pass, unless the schedule parts them.
  if (!layout.schedule->splits_backward) join_backward(cost);
  return {cost, launches};
}

/// Returns a rank's columns of the head: stacks pad the vocabulary to whole tiles on each.
/// [@narayanan2021megatron]
std::int64_t padded_vocabulary(const Transformer& model, int tp) {
  constexpr std::int64_t kMultiple = 128;
  return ceil_div(model.vocabulary_size, kMultiple * tp) * kMultiple;
}

PassCost head_cost(const Kernels& kernels, const Training& training, const Layout& layout) {
  const std::int64_t tokens = static_cast<std::int64_t>(training.micro_batch) *
                              num_positions(training) / layout.ranks_of_sequence();
  const std::int64_t vocabulary = padded_vocabulary(transformer_of(training), layout.tp);
  const std::int64_t width = transformer_of(training).hidden_size;
  PassCost cost;
  add_matrix(kernels, tokens, {.inner = width, .columns = vocabulary},
             kernels.activation_precision(),
             is_frozen(training) ? Weights::kFrozen : Weights::kTrained, cost);
  StreamedBytes bytes = norm_bytes(kernels, static_cast<double>(tokens * width));
  bytes += loss_bytes(kernels, static_cast<double>(tokens * vocabulary));
  cost.forward.elementwise += kernels.stream(bytes.forward);
  cost.backward.elementwise += kernels.stream(bytes.backward);
  const int chunk = kernels.software.loss_chunk.value;
  if (chunk > 0 && chunk < tokens) cost.backward += cost.forward;  // made again, chunk by chunk
  // Gradients of weights are part of the backward pass, unless the schedule parts them.
  if (!layout.schedule->splits_backward) join_backward(cost);
  return cost;
}

/// Computes the cost of a module of multi-token prediction beside its layer: the projection, the
/// norms of both of its vectors, and another pass of the head.
PassCost mtp_cost(const Kernels& kernels, const Training& training, const Layout& layout) {
  const Transformer& model = transformer_of(training);
  const Tokens tokens(training, layout, last_kind(model));
  PassCost cost;
  add_matrix(kernels, tokens.queries, mtp_projection(model), kernels.activation_precision(),
             is_frozen(training) ? Weights::kFrozen : Weights::kTrained, cost);
  const StreamedBytes norms =
      norm_bytes(kernels, 2.0 * static_cast<double>(tokens.queries) * model.hidden_size);
  cost.forward.elementwise += kernels.stream(norms.forward);
  cost.backward.elementwise += kernels.stream(norms.backward);
  if (!layout.schedule->splits_backward) join_backward(cost);
  cost += head_cost(kernels, training, layout);
  return cost;
}

/// Adds the encoder of virtual tokens, which runs once per micro-batch. An LSTM processes them one
/// by one.
void add_prompt(const Kernels& kernels, const PTuning& tuning, int width, PassCost& cost) {
  const auto matrices = prompt_matrices(tuning, width);
  for (const Matrix& matrix : matrices) {
    add_matrix(kernels, tuning.virtual_tokens, matrix, kernels.activation_precision(),
               Weights::kTrained, cost);
  }
  const double steps = tuning.encoder == PromptEncoder::kLstm
                           ? static_cast<double>(tuning.num_layers) * tuning.virtual_tokens
                           : 0.0;
  const double num_kernels = static_cast<double>(matrices.size()) + steps;
  add_gaps(kernels, num_kernels, 2.0, cost);
  join_backward(cost);
}

/// Computes the embedding: rows are looked up; backward, those of the tokens are added to a dense
/// gradient of all.
PassCost embedding_cost(const Kernels& kernels, const Training& training, const Layout& layout) {
  const double width = transformer_of(training).hidden_size;
  const double tokens = static_cast<double>(training.micro_batch) * num_positions(training) /
                        layout.ranks_of_sequence();
  const auto vocabulary =
      static_cast<double>(padded_vocabulary(transformer_of(training), layout.tp));
  const double bytes = tokens * width * kernels.element_bytes();
  const double dense_bytes =
      vocabulary * width * (kernels.element_bytes() + gradient_sum_bytes(kernels));
  PassCost cost;
  cost.forward.elementwise = kernels.stream(2 * bytes);
  if (training.p_tuning) {
    add_prompt(kernels, *training.p_tuning, transformer_of(training).hidden_size, cost);
    return cost;
  }
  if (training.frozen_layers > 0) return cost;
  cost.backward.elementwise = kernels.stream(3 * bytes + dense_bytes);
  return cost;
}

/// Computes the encoding of the images of a micro-batch that fall to a rank; a backward pass ends
/// above a frozen encoder.
LaunchedCost image_cost(const Kernels& kernels, const Training& training, const Layout& layout) {
  const ImageShare share = image_share(training, layout);
  const Transformer& model = transformer_of(training);
  const ImageEncoder& encoder = *model.image_encoder;
  LaunchedCost cost = layer_cost(kernels, share.encoder, share.layout, LayerKind::kDense,
                                 kernels.software.recomputed());
  const double num_passes = encoder.num_layers * share.repeats();
  cost.cost = cost.cost * num_passes;
  cost.launches.kernels *= num_passes;
  const std::int64_t patches = num_patches(encoder, *training.images);
  for (const ImageProduct& product : image_products(encoder, model.hidden_size, patches)) {
    PassCost one;
    add_matrix(kernels, std::llround(product.rows * share.encoder.micro_batch), product.matrix,
               kernels.activation_precision(), Weights::kTrained, one);
    cost.cost += one * (product.count * share.repeats());
  }
  if (!layout.schedule->splits_backward) join_backward(cost.cost);
  if (!share.is_trained) {
    cost.cost.backward = cost.cost.weight = {};
    cost.launches.backward_runs = 0.0;
  }
  return cost;
}

PassCost slowed(const PassCost& cost, double efficiency) { return cost * (1.0 / efficiency); }

/// Slows the device but not the host.
PassCost slowed(const Kernels& kernels, LaunchedCost launched, double efficiency) {
  PassCost cost = slowed(launched.cost, efficiency);
  launched.launches.experts_time = launched.launches.experts_time / efficiency;
  add_host_waits(kernels.software.host_launch.value, launched.launches, cost);
  return cost;
}

}  // namespace

void add_gaps(const Kernels& kernels, double forward_kernels, double backward_runs,
              PassCost& cost) {
  const core::Duration gaps = kernels.device.kernel_overhead.value * forward_kernels;
  cost.forward.gaps += gaps;
  cost.backward.gaps += gaps * (backward_runs - 1.0);
  cost.weight.gaps += gaps;
}

void join_backward(PassCost& cost) {
  cost.backward += cost.weight;
  cost.weight = {};
}

ComputeCost& ComputeCost::operator+=(const ComputeCost& other) {
  matrix += other.matrix;
  attention += other.attention;
  elementwise += other.elementwise;
  gaps += other.gaps;
  host_wait += other.host_wait;
  return *this;
}

PassCost& PassCost::operator+=(const PassCost& other) {
  forward += other.forward;
  backward += other.backward;
  weight += other.weight;
  return *this;
}

ComputeModel::ComputeModel(const core::Accelerator& accelerator, const Training& training,
                           const Layout& layout, const SoftwareProfile& software, double efficiency)
    : efficiency_(efficiency),
      optimizer_bytes_(optimizer_bytes(software)),
      elementwise_bandwidth_(accelerator.elementwise_bandwidth()) {
  const Kernels kernels{accelerator, software};
  // Frozen weights are cast once, before the first step.
  if (kernels.is_narrow() && !casts_each_microbatch(software) && !is_frozen(training)) {
    cast_bytes_ = cast_bytes(kernels, kernels.precision());
  }
  if (const VisionModel* vision = vision_of(training)) {
    for (int place = 0; place < num_blocks(*vision); ++place) {
      blocks_.push_back(slowed(kernels, block_cost(kernels, training, layout, place), efficiency));
    }
    return;
  }
  const auto counts = layers_by_kind(transformer_of(training));
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    const auto cost = [&](const Recomputed& again) {
      return slowed(kernels,
                    layer_cost(kernels, training, layout, static_cast<LayerKind>(kind), again),
                    efficiency);
    };
    layers_[kind] = cost(software.recomputed());
    if (software.recompute_layers) kept_layers_[kind] = cost({});
  }
  embedding_ = slowed(embedding_cost(kernels, training, layout), efficiency);
  if (training.images) {
    embedding_ += slowed(kernels, image_cost(kernels, training, layout), efficiency);
  }
  head_ = slowed(head_cost(kernels, training, layout), efficiency);
  for (int module = 0; module < transformer_of(training).mtp_layers; ++module) {
    head_ += slowed(mtp_cost(kernels, training, layout), efficiency);
  }
}

core::Duration ComputeModel::weight_cast_time(double num_parameters) const {
  return core::DataSize::from_base(cast_bytes_ * num_parameters) / elementwise_bandwidth_ /
         efficiency_;
}

core::Duration ComputeModel::optimizer_time(double num_parameters) const {
  return core::DataSize::from_base(optimizer_bytes_ * num_parameters) / elementwise_bandwidth_ /
         efficiency_;
}

}  // namespace railwright::models
