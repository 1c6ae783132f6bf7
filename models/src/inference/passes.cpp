// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/inference/passes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "railwright/core/arithmetic.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/inference/mixer_passes.hpp"
#include "railwright/models/kernel/attention.hpp"
#include "railwright/models/kernel/casts.hpp"
#include "railwright/models/kernel/experts.hpp"
#include "railwright/models/kernel/gemm.hpp"
#include "railwright/models/software/profile.hpp"
#include "railwright/models/workload/image_layers.hpp"

namespace railwright::models {

namespace {

using core::Accelerator;
using core::DataSize;
using core::Duration;
using core::Precision;

std::int64_t whole(double number) {
  return std::max<std::int64_t>(std::llround(std::ceil(number - 1e-9)), 1);
}

/// Adds a kernel to the part that limits it: `flops` at `rate` against `bytes` at the memory's
/// bandwidth.
void add_kernel(const Accelerator& device, Duration kernel, double flops, core::ComputeRate rate,
                double bytes, PassTime& time) {
  const bool by_arithmetic = core::Work::from_base(flops) / rate >
                             DataSize::from_base(bytes) / device.memory_bandwidth.value;
  (by_arithmetic ? time.compute : time.bandwidth) += kernel;
}

void add_bytes(const Accelerator& device, double bytes, PassTime& time) {
  time.bandwidth +=
      DataSize::from_base(bytes) / (device.memory_bandwidth.value * device.memory_efficiency.value);
}

void add_stream(const Accelerator& device, double bytes, PassTime& time) {
  add_bytes(device, bytes, time);
  time.gaps += device.kernel_overhead.value;
}

/// Whether operands are narrow too, or only the weights.
bool multiplies(const Accelerator& device, Precision weights) {
  return device.peak_rate(weights).has_value();
}

/// Returns the bytes of a product's input: narrow if the device multiplies the weights' format.
double input_bytes(const Accelerator& device, Precision weights) {
  return multiplies(device, weights) ? core::bytes_of(weights)
                                     : std::max(core::bytes_of(weights), kActivationBytes);
}

/// Returns the format in which the products of the layers run, but for experts.
core::ProductFormat product_format(const Inference& inference) {
  const core::ProductFormat format = core::format_of(inference.dense_format());
  const bool has_blocks = inference.block_scales && format == core::ProductFormat::kFp8;
  return has_blocks ? core::ProductFormat::kFp8Block : format;
}

/// Makes the shape in the format of the constants, with the rate share of formats wider than 16
/// bits.
GemmShape shape_of(const Accelerator& device, std::int64_t rows, const Matrix& matrix,
                   Precision weights, core::ProductFormat format) {
  if (!multiplies(device, weights)) {
    GemmShape shape = gemm_of(rows, matrix.columns, matrix.inner);
    const auto r = static_cast<double>(rows);
    const auto n = static_cast<double>(matrix.columns);
    const auto k = static_cast<double>(matrix.inner);
    shape.moved_bytes = kActivationBytes * r * (n + k) + core::bytes_of(weights) * n * k;
    return shape;
  }
  GemmShape shape = gemm_of(rows, matrix.columns, matrix.inner, format);
  if (core::bytes_of(weights) > kActivationBytes) {
    shape.operand_bytes = core::bytes_of(weights);
    shape.rate_share = *device.peak_rate(weights) / device.wide_rate();
  }
  return shape;
}

/// A product by the kernel that an engine chooses, with its launch and the cast of its inputs.
struct ChosenProduct {
  Duration kernel;
  Duration launch;
  Duration cast;

  [[nodiscard]] Duration total() const { return kernel + launch + cast; }
};

ChosenProduct measured_product(const Accelerator& device, const GemmShape& shape) {
  ChosenProduct product{.kernel = gemm_time(device, shape),
                        .launch = device.kernels->gemm.of(shape.format).launch_time,
                        .cast = block_cast_time(device, shape)};
  if (shape.format == core::ProductFormat::kFp8 && device.kernels->casts) {
    product.cast =
        cast_time(device, *device.kernels->casts, {.rows = shape.rows, .columns = shape.inner});
  }
  return product;
}

/// With rows of one tile engines do better than the products measured alone. Inputs are narrowed in
/// the kernel before, a norm or an activation function: a product with blocks has no more launches
/// than one with a scale a tensor. And kernels are tuned: those measured in fp4 share no tile's
/// sum, so that multiprocessors idle; one that divides the work as in fp8 reads half the bytes in
/// no more time.
ChosenProduct product_of(const Accelerator& device, const GemmShape& shape) {
  const core::GemmByFormat& gemm = device.kernels->gemm;
  ChosenProduct fastest = measured_product(device, shape);
  const bool is_fp4 = shape.format == core::ProductFormat::kFp4;
  const bool has_blocks = is_fp4 || shape.format == core::ProductFormat::kFp8Block;
  if (!has_blocks || static_cast<double>(shape.rows) > gemm.of(shape.format).min_tile_rows)
    return fastest;
  const Duration launch = gemm.of(core::ProductFormat::kFp8).launch_time;
  fastest.launch = std::min(fastest.launch, launch);
  if (!is_fp4) return fastest;
  for (const auto wider : {core::ProductFormat::kFp8, core::ProductFormat::kFp8Block}) {
    ChosenProduct other =
        measured_product(device, gemm_of(shape.rows, shape.columns, shape.inner, wider));
    other.launch = std::min(other.launch, launch);
    if (other.total() < fastest.total()) fastest = other;
  }
  return fastest;
}

/// Adds a product and, if its inputs have to be narrow, their cast by a known scale.
void add_product(const Accelerator& device, std::int64_t rows, const Matrix& matrix,
                 Precision weights, core::ProductFormat format, PassTime& time) {
  if (matrix.inner < 1 || matrix.columns < 1) return;  // divided over more ranks than it is wide
  const GemmShape shape = shape_of(device, rows, matrix, weights, format);
  const auto r = static_cast<double>(rows);
  const auto n = static_cast<double>(matrix.columns);
  const auto k = static_cast<double>(matrix.inner);
  const double bytes = core::bytes_of(weights) * n * k +
                       r * (k * input_bytes(device, weights) + n * kActivationBytes);
  const ChosenProduct product = product_of(device, shape);
  add_kernel(device, product.kernel, 2.0 * r * n * k,
             device.peak_rate(shape.format) * shape.rate_share, bytes, time);
  time.gaps += product.launch;
  time.bandwidth += product.cast;
}

struct ExpertKernels {
  ExpertsRecipe recipe = ExpertsRecipe::kBf16;
  const core::ExpertsConstants* constants = nullptr;
  bool is_own = true;   ///< the kernels are of the weights' own format
  double slower = 1.0;  ///< time factor of formats wider than 16 bits
};

/// Returns the kernels of the weights' format, or of 16 bits if the device has none. With
/// data-parallel attention engines take those for many tokens, else those for few where there are
/// any.
ExpertKernels expert_kernels(const Accelerator& device, Precision weights, bool attention_dp) {
  const bool has_format = multiplies(device, weights);
  if (has_format && core::bytes_of(weights) < kActivationBytes) {
    const bool is_fp4 = weights == Precision::kFp4;
    const core::ExpertsConstants* low =
        is_fp4 && !attention_dp ? experts_kernel(device, ExpertsRecipe::kNvfp4LowLatency) : nullptr;
    if (low != nullptr) return {.recipe = ExpertsRecipe::kNvfp4LowLatency, .constants = low};
    const ExpertsRecipe recipe = is_fp4 ? ExpertsRecipe::kNvfp4 : ExpertsRecipe::kFp8;
    const core::ExpertsConstants* own = experts_kernel(device, recipe);
    if (own != nullptr) return {.recipe = recipe, .constants = own};
  }
  const bool is_wide = has_format && core::bytes_of(weights) > kActivationBytes;
  return {
      .constants = experts_kernel(device, ExpertsRecipe::kBf16),
      .is_own = core::bytes_of(weights) == kActivationBytes,
      .slower = is_wide ? *device.peak_rate(Precision::kFp16) / *device.peak_rate(weights) : 1.0};
}

/// Adds the experts for the tokens of all accelerators of the replica: each routes and combines
/// those of its group.
void add_experts(const Accelerator& device, const Inference& inference, const ReplicaLayout& layout,
                 double tokens, PassTime& time) {
  const Experts& experts = *inference.model.experts;
  const ExpertKernels kernels = expert_kernels(device, inference.weights, inference.attention_dp);
  const Slices slices = layout.slices();
  const ExpertsShape shape{
      .tokens = whole(tokens),
      .hidden = expert_width(inference.model),
      .inter = std::max(experts.ffn_size / slices.etp, 1),
      .top_k = experts.top_k,
      .num_experts = experts.count,
      .expert_parallel = slices.ep,
      .skew = inference.expert_skew.value,
      .recipe = kernels.recipe,
      .stored_bytes = kernels.is_own ? 0.0 : core::bytes_of(inference.weights)};
  const ExpertsTime parts = experts_parts(device, *kernels.constants, shape);
  const double matrices = inference.model.gated_ffn ? 3.0 : 2.0;
  const double of_expert = matrices * static_cast<double>(shape.hidden * shape.inter);
  const double active = expert_loads(shape.routing()).num_active();
  const double pairs = tokens * experts.top_k / slices.ep;
  const double of_products = matrices / 3.0 * kernels.slower;  // the kernels' experts are gated
  add_kernel(device, (parts.gate_up + parts.down) * of_products, 2.0 * pairs * of_expert,
             *device.peak_rate(multiplies(device, inference.weights) ? inference.weights
                                                                     : Precision::kFp16),
             active * of_expert * core::bytes_of(inference.weights), time);
  const double received =
      layout.sends_to_experts ? std::min(1.0, static_cast<double>(experts.top_k) / slices.ep) : 1.0;
  time.bandwidth += parts.tokens * received + parts.rows;
  time.gaps += parts.launch;
}

/// Adds norms with their residual, twice per layer, and the activation function, by bytes read and
/// written. A norm behind an all-reduce may be a part of its kernel.
void add_elementwise(const Accelerator& device, const Inference& inference,
                     const ReplicaLayout& layout, LayerKind kind, double tokens, PassTime& time) {
  const Transformer& model = inference.model;
  const bool is_fused =
      inference.engine.fuses_on(device.generation.value) && layout.size > 1 && !layout.attention_dp;
  for (int block = 0; block < num_blocks(kind); ++block) {
    const double bytes = tokens * model.hidden_size * 4.0 * kActivationBytes;
    is_fused ? add_bytes(device, bytes, time) : add_stream(device, bytes, time);
  }
  for (const FeedForward& block : feed_forward_blocks(model, kind, layout.slices())) {
    if (block.of_expert) continue;
    const double accesses = model.gated_ffn ? 3.0 : 2.0;
    add_stream(device, tokens * static_cast<double>(block.ffn_size) * accesses * kActivationBytes,
               time);
  }
}

/// Returns the kernels of a layer's norms of queries and keys: one of each head or of narrow
/// vectors, whose two run side by side; that of the whole is two, before and behind its sum. Mixers
/// that carry a state norm theirs in their own kernel.
int norm_kernels(const Transformer& model, LayerKind kind) {
  if (mixer_of(model, kind).kind->is_state) return 0;
  switch (model.query_key_norm) {
    case QueryKeyNorm::kNone:
      return model.latent_attention ? 1 : 0;
    case QueryKeyNorm::kHead:
      return 1;
    case QueryKeyNorm::kWhole:
      break;
  }
  return 2;
}

/// Adds the kernels beside attention of a layer, which read and write queries, keys and values.
void add_attention_kernels(const Accelerator& device, const Inference& inference, LayerKind kind,
                           PassTime& time) {
  const int count = inference.engine.attention_kernels.value + norm_kernels(inference.model, kind);
  time.gaps += device.kernel_overhead.value * static_cast<double>(count);
}

const core::AttentionConstants& prompt_kernel(const Accelerator& device, const Inference& inference,
                                              const MixerKernel& kernel) {
  const core::AttentionKernels& own = device.kernels->attention;
  const bool narrow = core::bytes_of(inference.kv_cache) < kActivationBytes;
  const bool multiplies_fp8 = multiplies(device, Precision::kFp8);
  if (kernel.cached_query_width > 0) {
    if (narrow && multiplies_fp8 && own.latent_fp8) return *own.latent_fp8;
    if (own.latent_bf16) return *own.latent_bf16;
  } else if (narrow) {
    if (multiplies_fp8 && core::bytes_of(inference.weights) < kActivationBytes && own.fp8) {
      return *own.fp8;
    }
    if (own.bf16_queries_fp8_cache) return *own.bf16_queries_fp8_cache;
  }
  return own.bf16 ? *own.bf16 : own.training;
}

/// Returns the kernel of the cache's format or, if it was not measured, the 16-bit kernel, which
/// then reads half the bytes.
const core::DecodeConstants* cache_kernel(const Accelerator& device, const DecodeShape& shape) {
  const core::DecodeConstants* own = decode_kernel(device, shape);
  if (own != nullptr) return own;
  DecodeShape wide = shape;
  wide.cache_precision = Precision::kBf16;
  return decode_kernel(device, wide);
}

}  // namespace

PassTime& PassTime::operator+=(const PassTime& other) {
  compute += other.compute;
  bandwidth += other.bandwidth;
  gaps += other.gaps;
  communication += other.communication;
  host += other.host;
  stall += other.stall;
  return *this;
}

TokenPass prefill_pass(double tokens, double cached) {
  return {.prompts = 1.0, .prompt_tokens = tokens - cached, .prompt_keys = tokens};
}

TokenPass decode_pass(double sequences, double context, double tokens) {
  return {.decodes = sequences, .decode_tokens = tokens, .context = context};
}

PassTime layers_time(const Accelerator& device, const Inference& inference,
                     const ReplicaLayout& layout, double tokens, double own_tokens) {
  const Transformer& model = inference.model;
  const auto counts = layers_by_kind(model);
  PassTime total;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    const auto kind = static_cast<LayerKind>(k);
    PassTime layer;
    for (const Matrix& matrix : layer_matrices(model, kind, layout.slices())) {
      if (matrix.of_expert) continue;
      const bool is_router = matrix.block == MatrixBlock::kRouter;
      const Precision weights =
          is_router ? head_format(inference.weights) : inference.dense_format();
      add_product(device, whole(own_tokens), matrix, weights,
                  is_router ? core::format_of(weights) : product_format(inference), layer);
    }
    add_elementwise(device, inference, layout, kind, own_tokens, layer);
    if (has_mixer(kind)) add_attention_kernels(device, inference, kind, layer);
    if (has_experts(kind)) add_experts(device, inference, layout, tokens, layer);
    total += layer * static_cast<double>(counts[k]);
  }
  return total;
}

PassTime head_time(const Accelerator& device, const Inference& inference,
                   const ReplicaLayout& layout, double sequences) {
  const Transformer& model = inference.model;
  const double own = of_busiest(sequences, layout.dp());
  const Matrix head{.inner = model.hidden_size,
                    .columns = core::ceil_div(model.vocabulary_size, layout.tp())};
  PassTime time;
  const Precision weights = head_format(inference.weights);
  add_product(device, whole(own), head, weights, core::format_of(weights), time);
  const double logits = own * model.vocabulary_size;
  add_stream(device, logits * (kActivationBytes + kFp32Bytes), time);
  add_stream(device, logits * 2.0 * kFp32Bytes, time);
  return time;
}

namespace {

/// Adds a kernel that is not dense attention's.
void add_other_kernel(const Accelerator& device, const Inference& inference,
                      const MixerKernel& kernel, const KernelTokens& tokens, double count,
                      PassTime& time) {
  const core::MixerConstants constants = mixer_constants(device, kernel.name, tokens.of_prompt);
  const KernelLoad load = kernel_load(device, kernel, tokens, core::bytes_of(inference.kv_cache));
  add_kernel(device, mixer_kernel_time(device, constants, load) * count, load.flops,
             device.wide_rate(), load.bytes, time);
  time.gaps += constants.launch * count;
}

/// Adds dense attention of prompts.
void add_prompt_attention(const Accelerator& device, const Inference& inference,
                          const MixerKernel& kernel, const KernelTokens& tokens, double count,
                          PassTime& time) {
  const core::AttentionConstants& constants = prompt_kernel(device, inference, kernel);
  AttentionShape shape{.sequences = whole(tokens.sequences),
                       .queries = whole(tokens.each()),
                       .keys = whole(tokens.to),
                       .heads = kernel.heads,
                       .kv_heads = kernel.kv_heads,
                       .query_width = kernel.query_width,
                       .value_width = kernel.value_width,
                       .window = kernel.window,
                       .chunk = kernel.chunk};
  if (core::bytes_of(inference.kv_cache) < kActivationBytes)
    shape.cache_precision = Precision::kFp8;
  if (&constants == (device.kernels->attention.fp8 ? &*device.kernels->attention.fp8 : nullptr)) {
    shape.precision = Precision::kFp8;
  }
  const Duration time_of_one = attention_operator_time(device, constants, shape);
  time.gaps += constants.operator_overhead * count;
  time.compute += (time_of_one - constants.operator_overhead) * count;
}

/// Computes dense attention of one layer over the caches. All tokens of a sequence read them at
/// once, as its heads do.
PassTime cache_attention_time(const Accelerator& device, const Inference& inference,
                              const ReplicaLayout& layout, const TokenPass& pass,
                              const MixerKernel& kernel, const MixerCache& cache) {
  PassTime time;
  const bool is_latent = kernel.cached_query_width > 0;
  const bool narrow = core::bytes_of(inference.kv_cache) < kActivationBytes;
  const DecodeShape shape{.sequences = whole(of_busiest(pass.decodes, layout.dp())),
                          .keys = whole(kernel.near(pass.context)),
                          .heads = kernel.heads * whole(pass.decode_tokens),
                          .kv_heads = is_latent ? 1 : kernel.kv_heads,
                          .query_width = is_latent ? kernel.cached_query_width : kernel.query_width,
                          .value_width = is_latent ? kernel.cached_value_width : kernel.value_width,
                          .values_in_keys = is_latent,
                          .cache_precision = narrow ? Precision::kFp8 : Precision::kBf16};
  const core::DecodeConstants* constants = cache_kernel(device, shape);
  const auto sequences = static_cast<double>(shape.sequences);
  const auto keys = static_cast<double>(shape.keys);
  const double bytes = sequences * keys * cache.of_token * core::bytes_of(inference.kv_cache);
  const double flops = 2.0 * sequences * keys * static_cast<double>(shape.heads) *
                       static_cast<double>(shape.query_width + shape.value_width);
  if (constants == nullptr) {  // a user's accelerator without decode kernels
    add_stream(device, bytes, time);
    return time;
  }
  add_kernel(device, attention_decode_time(device, *constants, shape), flops,
             *device.peak_rate(Precision::kFp16), bytes, time);
  time.gaps += constants->operator_overhead;
  return time;
}

}  // namespace

PassTime image_time(const Accelerator& device, const Inference& inference,
                    const ReplicaLayout& layout) {
  PassTime time;
  if (!inference.images) return time;
  const ImageEncoder& encoder = *inference.model.image_encoder;
  const std::int64_t patches = num_patches(encoder, *inference.images);
  const auto tokens = static_cast<double>(patches);
  Inference alone;
  alone.model = layers_of(encoder);
  alone.engine = inference.engine;
  time += layers_time(device, alone, {}, tokens, tokens);
  const HeadSize head = head_size(alone.model);
  const AttentionShape shape{.queries = patches,
                             .keys = patches,
                             .heads = encoder.num_heads,
                             .kv_heads = encoder.num_heads,
                             .query_width = head.query,
                             .value_width = head.value,
                             .causal = false};
  // The engine's kernel and its call, without a cache.
  for (const MixerKernel& kernel : mixer_kernels(alone.model, LayerKind::kDense)) {
    const core::AttentionConstants& constants = prompt_kernel(device, alone, kernel);
    time.gaps += constants.operator_overhead * encoder.num_layers;
    time.compute += attention_prefill_time(device, constants, shape) * encoder.num_layers;
  }
  for (const ImageProduct& product :
       image_products(encoder, inference.model.hidden_size, patches)) {
    PassTime one;
    add_product(device, whole(product.rows), product.matrix, Precision::kBf16,
                core::format_of(Precision::kBf16), one);
    time += one * product.count;
  }
  return time * (inference.images->count / layout.tp());
}

PassTime prompt_attention_time(const Accelerator& device, const Inference& inference,
                               const ReplicaLayout& layout, const TokenPass& pass) {
  PassTime time;
  if (pass.prompts * pass.prompt_tokens <= 0.0) return time;
  const double sequences = of_busiest(pass.prompts, layout.dp());
  const double keys = std::max(pass.prompt_keys, pass.prompt_tokens);
  const KernelTokens tokens{.sequences = static_cast<double>(whole(sequences)),
                            .from = keys - pass.prompt_tokens,
                            .to = keys};
  for (const MixerLayers& layers : mixer_layers(inference.model)) {
    for (const MixerKernel& kernel : layers.mixer.kind->kernels(layers.mixer, layout.tp())) {
      if (kernel.is_dense()) {
        add_prompt_attention(device, inference, kernel, tokens, layers.count, time);
      } else {
        add_other_kernel(device, inference, kernel, tokens, layers.count, time);
      }
    }
  }
  // A mean number of prompts takes its share of the next whole one.
  time = time * (sequences / static_cast<double>(whole(sequences)));
  if (!inference.images) return time;
  const double share = sequences * pass.prompt_tokens / inference.prompt_tokens;
  return time += image_time(device, inference, layout) * share;
}

PassTime decode_attention_time(const Accelerator& device, const Inference& inference,
                               const ReplicaLayout& layout, const TokenPass& pass) {
  PassTime time;
  if (pass.decodes <= 0.0) return time;
  const auto sequences = static_cast<double>(whole(of_busiest(pass.decodes, layout.dp())));
  const KernelTokens tokens{.sequences = sequences,
                            .from = std::max(pass.context - pass.decode_tokens, 0.0),
                            .to = pass.context,
                            .of_prompt = false};
  for (const MixerLayers& layers : mixer_layers(inference.model)) {
    const MixerCache cache = layers.mixer.kind->cache(layers.mixer, layout.tp());
    for (const MixerKernel& kernel : layers.mixer.kind->kernels(layers.mixer, layout.tp())) {
      if (kernel.is_dense()) {
        time += cache_attention_time(device, inference, layout, pass, kernel, cache) * layers.count;
      } else {
        add_other_kernel(device, inference, kernel, tokens, layers.count, time);
      }
    }
  }
  return time;
}

int num_all_reduces(const Transformer& model) {
  if (model.layer_pattern.empty()) return 2 * model.num_layers + 1;
  const auto counts = layers_by_kind(model);
  int calls = 1;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    calls += counts[kind] * num_blocks(static_cast<LayerKind>(kind));
  }
  return calls;
}

core::DataSize all_reduce_size(const Transformer& model, double tokens) {
  return core::DataSize::from_base(tokens * model.hidden_size * kActivationBytes);
}

}  // namespace railwright::models
