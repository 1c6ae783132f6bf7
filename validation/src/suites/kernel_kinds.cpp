// SPDX-License-Identifier: Apache-2.0
#include "kernel_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "railwright/models/kernel/attention.hpp"
#include "railwright/models/kernel/casts.hpp"
#include "railwright/models/kernel/experts.hpp"
#include "railwright/models/kernel/gemm.hpp"

namespace railwright::validation {

namespace {

using core::Accelerator;
using core::AttentionConstants;
using core::Duration;
using core::Precision;
using Predicted = std::optional<Duration>;

/// Finds what a name stands for; null if it is not there.
template <class Names>
const auto* named(const Names& names, std::string_view name) {
  const auto found = std::ranges::find(names, name, [](const auto& pair) { return pair.first; });
  return found == names.end() ? nullptr : &found->second;
}

// --- matrix products

constexpr auto kGemmColumns = std::to_array<std::string_view>({"m", "n", "k"});

/// Measured times include the launch between consecutive products, and for formats with blocks the
/// cast of their input.
KernelPrediction predict_gemm(const KernelLine& line) {
  const auto* format = named(core::kWordsOf<core::ProductFormat>, line.format);
  if (format == nullptr) return {};
  models::GemmShape shape = models::gemm_of(whole(line.numbers[0]), whole(line.numbers[1]),
                                            whole(line.numbers[2]), *format);
  shape.repeats_operands = true;
  return [shape](const Accelerator& device) -> Predicted {
    return device.kernels->gemm.of(shape.format).launch_time + gemm_time(device, shape) +
           block_cast_time(device, shape);
  };
}

/// Predicts the gradients of m inputs of k numbers, outputs of n, and of the k x n weights. A sum
/// is added to fp32 gradients inside the product.
KernelPrediction predict_gradient(const KernelLine& line) {
  using models::GemmGradient;
  struct Format {
    core::ProductFormat operands;
    GemmGradient gradient;
    double output_bytes = 2.0;
  };
  constexpr double kReadAndWritten = 8.0;
  constexpr auto kFormats = std::to_array<std::pair<std::string_view, Format>>(
      {{"bf16_input", {core::ProductFormat::kWide, GemmGradient::kInput}},
       {"bf16_weight", {core::ProductFormat::kWide, GemmGradient::kWeight}},
       {"bf16_weight_sum", {core::ProductFormat::kWide, GemmGradient::kWeight, kReadAndWritten}},
       {"fp8_input", {core::ProductFormat::kFp8, GemmGradient::kInput}},
       {"fp8_weight", {core::ProductFormat::kFp8, GemmGradient::kWeight}}});
  const auto* format = named(kFormats, line.format);
  if (format == nullptr) return {};
  models::GemmShape shape =
      gradient_of(models::gemm_of(whole(line.numbers[0]), whole(line.numbers[1]),
                                  whole(line.numbers[2]), format->operands),
                  format->gradient);
  shape.output_bytes = format->output_bytes;
  return [shape](const Accelerator& device) -> Predicted {
    return device.kernels->gemm.of(shape.format).launch_time + gemm_time(device, shape);
  };
}

std::string class_of_gemm(const KernelLine& line) {
  constexpr double kRowsOfTraining = 256.0;
  constexpr double kWidthOfTraining = 1024.0;
  if (line.numbers[0] < kRowsOfTraining) return "m < 256";
  const bool wide = std::min(line.numbers[1], line.numbers[2]) >= kWidthOfTraining;
  return wide ? "m >= 256, n and k >= 1,024" : "m >= 256, n or k < 1,024";
}

// --- attention

constexpr auto kAttentionColumns =
    std::to_array<std::string_view>({"batch", "tokens", "heads", "kv_heads", "head_dim", "cached"});

using AttentionOf = const std::optional<AttentionConstants>& (*)(const Accelerator&);

KernelPrediction attention_by(AttentionOf constants, models::AttentionShape shape) {
  return [constants, shape](const Accelerator& device) -> Predicted {
    const auto& own = constants(device);
    if (!own) return {};
    return attention_operator_time(device, *own, shape);
  };
}

KernelPrediction predict_attention(const KernelLine& line) {
  const std::vector<double>& n = line.numbers;
  models::AttentionShape shape{.sequences = whole(n[0]),
                               .queries = whole(n[1]),
                               .keys = whole(n[1] + n[5]),
                               .heads = whole(n[2]),
                               .kv_heads = whole(n[3]),
                               .query_width = whole(n[4]),
                               .value_width = whole(n[4])};
  if (line.format == "bf16") {
    return attention_by([](const Accelerator& d) -> auto& { return d.kernels->attention.bf16; },
                        shape);
  }
  shape.cache_precision = Precision::kFp8;
  if (line.format == "bf16_queries_fp8_cache") {
    return attention_by(
        [](const Accelerator& d) -> auto& { return d.kernels->attention.bf16_queries_fp8_cache; },
        shape);
  }
  if (line.format != "fp8") return {};
  shape.precision = Precision::kFp8;
  return attention_by([](const Accelerator& d) -> auto& { return d.kernels->attention.fp8; },
                      shape);
}

std::string class_of_attention(const KernelLine& line) {
  return class_of_tokens(line.numbers[1], "tokens");
}

constexpr auto kTrainingAttentionColumns =
    std::to_array<std::string_view>({"batch", "tokens", "heads", "kv_heads", "head_dim"});

/// Predicts causal attention of a training step, by FlashAttention-2 or by the kernel written for
/// the device. Heads of 192 are latent attention's, with values of 128. [@deepseek2024v2]
KernelPrediction predict_training_attention(const KernelLine& line) {
  constexpr auto kPasses = std::to_array<std::string_view>(
      {"flash_2_forward", "flash_2_backward", "native_forward", "native_backward"});
  if (std::ranges::find(kPasses, line.format) == kPasses.end()) return {};
  const bool native = line.format.starts_with("native");
  const bool forward = line.format.ends_with("forward");
  const std::vector<double>& n = line.numbers;
  const models::AttentionShape shape{.sequences = whole(n[0]),
                                     .queries = whole(n[1]),
                                     .keys = whole(n[1]),
                                     .heads = whole(n[2]),
                                     .kv_heads = whole(n[3]),
                                     .query_width = whole(n[4]),
                                     .value_width = n[4] == 192.0 ? 128 : whole(n[4])};
  return [shape, native, forward](const Accelerator& device) -> Predicted {
    const models::TrainingAttention kernel = models::training_attention(device, native);
    const auto time = forward ? models::attention_prefill_time : models::attention_backward_time;
    return device.kernel_overhead.value + time(device, kernel.constants, shape) * kernel.slowdown;
  };
}

constexpr auto kLatentColumns =
    std::to_array<std::string_view>({"heads", "batch", "tokens", "tp", "cached"});

/// Predicts latent attention of a prompt: heads of 192 and 128. [@deepseek2024v2]
KernelPrediction predict_latent_attention(const KernelLine& line) {
  const std::vector<double>& n = line.numbers;
  models::AttentionShape shape{.sequences = whole(n[1]),
                               .queries = whole(n[2]),
                               .keys = whole(n[2] + n[4]),
                               .heads = whole(n[0]),
                               .kv_heads = whole(n[0]),
                               .query_width = 192,
                               .value_width = 128};
  if (line.format == "bf16") {
    return attention_by(
        [](const Accelerator& d) -> auto& { return d.kernels->attention.latent_bf16; }, shape);
  }
  if (line.format != "fp8") return {};
  shape.cache_precision = Precision::kFp8;
  return attention_by([](const Accelerator& d) -> auto& { return d.kernels->attention.latent_fp8; },
                      shape);
}

std::string class_of_latent_attention(const KernelLine& line) {
  return class_of_tokens(line.numbers[2], "tokens");
}

KernelPrediction decode_of(const models::DecodeShape& shape) {
  return [shape](const Accelerator& device) -> Predicted {
    const core::DecodeConstants* own = decode_kernel(device, shape);
    if (own == nullptr) return {};
    return attention_decode_operator_time(device, *own, shape);
  };
}

/// Returns a cache format for which kernels were measured.
std::optional<Precision> cache_of(std::string_view format) {
  if (format == "bf16") return Precision::kBf16;
  if (format == "fp8") return Precision::kFp8;
  return {};
}

KernelPrediction predict_decode(const KernelLine& line) {
  const std::optional<Precision> cache = cache_of(line.format);
  if (!cache) return {};
  const std::vector<double>& n = line.numbers;
  return decode_of({.sequences = whole(n[0]),
                    .keys = whole(n[5]) + 1,
                    .heads = whole(n[2]),
                    .kv_heads = whole(n[3]),
                    .query_width = whole(n[4]),
                    .value_width = whole(n[4]),
                    .cache_precision = *cache,
                    .repeats_cache = true});
}

std::string class_of_decode(const KernelLine& line) {
  return class_of_tokens(line.numbers[5] + 1.0, "keys");
}

/// Predicts latent decode: one key head of 576, whose first 512 are the values. [@deepseek2024v2]
KernelPrediction predict_latent_decode(const KernelLine& line) {
  const std::optional<Precision> cache = cache_of(line.format);
  if (!cache) return {};
  const std::vector<double>& n = line.numbers;
  return decode_of({.sequences = whole(n[1]),
                    .keys = whole(n[4]) + 1,
                    .heads = whole(n[0]),
                    .kv_heads = 1,
                    .query_width = 576,
                    .value_width = 512,
                    .values_in_keys = true,
                    .cache_precision = *cache,
                    .repeats_cache = true});
}

std::string class_of_latent_decode(const KernelLine& line) {
  return class_of_tokens(line.numbers[4] + 1.0, "keys");
}

// --- experts, casts

constexpr auto kExpertsColumns = std::to_array<std::string_view>(
    {"tokens", "hidden", "inter", "top_k", "experts", "tp", "ep", "distribution"});

/// Predicts experts; the benchmark multiplies by the same weights repeatedly.
KernelPrediction predict_experts(const KernelLine& line) {
  constexpr auto kRecipes = std::to_array<std::pair<std::string_view, models::ExpertsRecipe>>(
      {{"bf16", models::ExpertsRecipe::kBf16},
       {"fp8", models::ExpertsRecipe::kFp8},
       {"fp8_block", models::ExpertsRecipe::kFp8Block},
       {"nvfp4", models::ExpertsRecipe::kNvfp4},
       {"nvfp4_low_latency", models::ExpertsRecipe::kNvfp4LowLatency}});
  const auto* recipe = named(kRecipes, line.format);
  if (recipe == nullptr) return {};
  const std::vector<double>& n = line.numbers;
  const models::ExpertsShape shape{.tokens = whole(n[0]),
                                   .hidden = whole(n[1]),
                                   .inter = whole(n[2] / n[5]),
                                   .top_k = whole(n[3]),
                                   .num_experts = whole(n[4]),
                                   .expert_parallel = whole(n[6]),
                                   .skew = n[7],
                                   .recipe = *recipe,
                                   .repeats_weights = true};
  return [shape](const Accelerator& device) -> Predicted {
    const core::ExpertsConstants* own = experts_kernel(device, shape.recipe);
    if (own == nullptr) return {};
    return experts_time(device, *own, shape);
  };
}

std::string class_of_experts(const KernelLine& line) {
  constexpr double kTokens = 64.0;
  const double of_expert = line.numbers[0] * line.numbers[3] / line.numbers[4];
  return of_expert < kTokens ? "below 64 tokens an expert" : "64 tokens an expert or more";
}

constexpr auto kGroupedColumns = std::to_array<std::string_view>({"tokens", "experts", "n", "k"});

/// Predicts the product of each expert's tokens with its weight, or a gradient of it, in one
/// kernel.
KernelPrediction predict_grouped(const KernelLine& line) {
  constexpr auto kFormats =
      std::to_array<std::pair<std::string_view, std::optional<models::GemmGradient>>>(
          {{"bf16", {}},
           {"bf16_input", models::GemmGradient::kInput},
           {"bf16_weight", models::GemmGradient::kWeight}});
  const auto* gradient = named(kFormats, line.format);
  if (gradient == nullptr) return {};
  const std::vector<double>& n = line.numbers;
  const models::ExpertGemm product{.tokens_of_expert = whole(n[0]),
                                   .num_experts = whole(n[1]),
                                   .columns = whole(n[2]),
                                   .inner = whole(n[3])};
  return [product, gradient = *gradient](const Accelerator& device) -> Predicted {
    return device.kernel_overhead.value + expert_gemm_time(device, product, gradient);
  };
}

std::string class_of_grouped(const KernelLine& line) {
  return line.numbers[0] < 256.0 ? "below 256 tokens an expert" : "256 tokens an expert or more";
}

constexpr auto kElementwiseColumns = std::to_array<std::string_view>({"m", "k"});

/// Predicts a kernel that memory bounds: the bytes that it reads and writes for each of m x k
/// numbers, and a launch.
KernelPrediction predict_elementwise(const KernelLine& line) {
  constexpr auto kBytes =
      std::to_array<std::pair<std::string_view, double>>({{"copy", 4},
                                                          {"sum", 6},
                                                          {"sum_fp32", 10},
                                                          {"zero_fp32", 4},
                                                          {"norm_of_gradients", 4},
                                                          {"silu", 4},
                                                          {"gelu", 4},
                                                          {"swiglu", 6},
                                                          {"swiglu_gradient", 10},
                                                          {"cast_fp8", 3},
                                                          {"to_experts", 4},
                                                          {"adam", 28}});
  const auto* bytes_of_number = named(kBytes, line.format);
  if (bytes_of_number == nullptr) return {};
  const auto bytes =
      core::DataSize::from_base(line.numbers[0] * line.numbers[1] * *bytes_of_number);
  return [bytes](const Accelerator& device) -> Predicted {
    return device.kernel_overhead.value + bytes / device.elementwise_bandwidth();
  };
}

constexpr auto kCastColumns = std::to_array<std::string_view>({"m", "k"});

KernelPrediction predict_cast(const KernelLine& line) {
  const models::CastShape shape{.rows = whole(line.numbers[0]), .columns = whole(line.numbers[1])};
  if (line.format == "amax") {
    return [shape](const Accelerator& device) -> Predicted {
      if (!device.kernels->casts) return {};
      return amax_time(device, *device.kernels->casts, shape);
    };
  }
  if (line.format != "cast") return {};
  return [shape](const Accelerator& device) -> Predicted {
    if (!device.kernels->casts) return {};
    return cast_time(device, *device.kernels->casts, shape);
  };
}

std::string class_of_all(const KernelLine&) { return "all shapes"; }

constexpr auto kKinds = std::to_array<KernelKind>({
    {"gemm", kGemmColumns, predict_gemm, class_of_gemm},
    {"gradients", kGemmColumns, predict_gradient, class_of_gemm},
    {"attention", kAttentionColumns, predict_attention, class_of_attention},
    {"training_attention", kTrainingAttentionColumns, predict_training_attention,
     class_of_attention},
    {"latent_attention", kLatentColumns, predict_latent_attention, class_of_latent_attention},
    {"decode", kAttentionColumns, predict_decode, class_of_decode},
    {"latent_decode", kLatentColumns, predict_latent_decode, class_of_latent_decode},
    {"experts", kExpertsColumns, predict_experts, class_of_experts},
    {"grouped_products", kGroupedColumns, predict_grouped, class_of_grouped},
    {"elementwise", kElementwiseColumns, predict_elementwise, class_of_all},
    {"casts", kCastColumns, predict_cast, class_of_all},
});

}  // namespace

std::string class_of_tokens(double tokens, std::string_view word) {
  return fmt::format("{} {} 1,024", word, tokens < 1024.0 ? "<" : ">=");
}

const KernelKind* find_kernel_kind(std::string_view name) {
  for (const auto kinds : {std::span<const KernelKind>(kKinds), exchange_kinds(), mixer_kinds()}) {
    const auto found = std::ranges::find(kinds, name, &KernelKind::name);
    if (found != kinds.end()) return &*found;
  }
  return nullptr;
}

std::string kernel_kind_names() {
  std::vector<std::string_view> names;
  for (const KernelKind& kind : kKinds) names.push_back(kind.name);
  for (const KernelKind& kind : exchange_kinds()) names.push_back(kind.name);
  for (const KernelKind& kind : mixer_kinds()) names.push_back(kind.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

KernelPrediction without_launch(KernelPrediction predict, const std::string& format) {
  const auto* words = named(core::kWordsOf<core::ProductFormat>, format);
  if (words == nullptr || !predict) return {};
  return [predict = std::move(predict), words = *words](const Accelerator& device) -> Predicted {
    const Predicted time = predict(device);
    if (!time) return time;
    return *time - device.kernels->gemm.of(words).launch_time;
  };
}

}  // namespace railwright::validation
