// SPDX-License-Identifier: Apache-2.0
// Kinds of kernels that send data between accelerators.
#include <array>
#include <cmath>

#include "kernel_kinds.hpp"
#include "railwright/models/kernel/direct_all_reduce.hpp"
#include "railwright/models/kernel/expert_exchange.hpp"

namespace railwright::validation {

namespace {

using core::Accelerator;
using core::Duration;
using models::ExpertExchangeKernel;

/// Adapters of an accelerator wherever exchanges were measured between nodes: 400 Gb/s.
constexpr auto kNetwork = core::Bandwidth::from_base(50e9);

/// Returns what a format stands for: tokens go out narrow and return in bf16.
std::optional<models::ExpertExchangeOp> op_of(std::string_view format) {
  if (format == "dispatch") return models::ExpertExchangeOp::kDispatch;
  if (format == "combine") return models::ExpertExchangeOp::kCombine;
  return {};
}

KernelPrediction exchange_by(ExpertExchangeKernel kernel, models::ExpertExchangeOp op,
                             models::ExpertExchangeShape shape) {
  return [=](const Accelerator& device) mutable -> std::optional<Duration> {
    if (!device.kernels->expert_exchange) return {};
    if (kernel != ExpertExchangeKernel::kScaleUp) shape.per_node = device.name == "gb200" ? 4 : 8;
    return expert_exchange_time(device, *device.kernels->expert_exchange, kernel, op, shape);
  };
}

/// Returns a call of DeepEP, from the columns that both of its tables begin with. Tokens go out in
/// fp8 with scales.
models::ExpertExchangeShape deep_ep_call(models::ExpertExchangeOp op,
                                         const std::vector<double>& n) {
  const std::int64_t hidden = whole(n[1]);
  return {.num_tokens = whole(n[2]),
          .token_bytes = op == models::ExpertExchangeOp::kDispatch ? models::fp8_token_bytes(hidden)
                                                                   : 2 * hidden,
          .top_k = whole(n[3]),
          .num_experts = whole(n[4]),
          .num_nodes = whole(n[0]),
          .network = kNetwork};
}

constexpr auto kExchangeColumns = std::to_array<std::string_view>(
    {"nodes", "hidden", "tokens", "top_k", "experts", "dispatch_sms", "combine_sms"});

/// Predicts DeepEP between eight accelerators per node, or the four of a GB200 node.
KernelPrediction predict_exchange(const KernelLine& line) {
  const auto op = op_of(line.format);
  if (!op) return {};
  const bool is_dispatch = *op == models::ExpertExchangeOp::kDispatch;
  models::ExpertExchangeShape call = deep_ep_call(*op, line.numbers);
  call.num_multiprocessors = whole(line.numbers[is_dispatch ? 5 : 6]);
  return exchange_by(ExpertExchangeKernel::kThroughput, *op, call);
}

constexpr auto kLowLatencyColumns =
    std::to_array<std::string_view>({"nodes", "hidden", "tokens", "top_k", "experts"});

/// Predicts DeepEP's kernels for few tokens.
KernelPrediction predict_low_latency(const KernelLine& line) {
  const auto op = op_of(line.format);
  if (!op) return {};
  return exchange_by(ExpertExchangeKernel::kLowLatency, *op, deep_ep_call(*op, line.numbers));
}

std::string class_of_exchange(const KernelLine& line) {
  return class_of_tokens(line.numbers[2], "tokens");
}

constexpr auto kScaleUpColumns =
    std::to_array<std::string_view>({"members", "hidden", "tokens", "top_k", "experts"});

/// Predicts kernels in which each member of a scale-up domain writes to all others; each copy of a
/// token goes to another member. Tokens go out in nvfp4, with a scale of a byte for 16 numbers.
KernelPrediction predict_scale_up(const KernelLine& line) {
  const auto op = op_of(line.format);
  if (!op) return {};
  const std::vector<double>& n = line.numbers;
  const std::int64_t hidden = whole(n[1]);
  return exchange_by(
      ExpertExchangeKernel::kScaleUp, *op,
      {.num_tokens = whole(n[2]),
       .token_bytes =
           *op == models::ExpertExchangeOp::kDispatch ? hidden / 2 + hidden / 16 : 2 * hidden,
       .top_k = whole(n[3]),
       .num_experts = whole(n[4]),
       .per_node = whole(n[0]),
       .is_balanced = true});
}

constexpr auto kDirectColumns = std::to_array<std::string_view>({"members", "bytes"});

/// Predicts an all-reduce of an inference engine; larger buffers than its kernels take go to the
/// library, and are not predicted.
KernelPrediction predict_direct(const KernelLine& line) {
  if (line.format != "bf16") return {};
  const auto members = static_cast<int>(line.numbers[0]);
  const auto buffer = core::DataSize::from_base(line.numbers[1]);
  return [=](const Accelerator& device) -> std::optional<Duration> {
    if (!device.kernels->direct_all_reduce) return {};
    const Duration time =
        models::direct_all_reduce_time(device, *device.kernels->direct_all_reduce, buffer, members);
    if (std::isinf(time.base())) return {};
    return time;
  };
}

std::string class_of_direct(const KernelLine& line) {
  constexpr double kMebibyte = 1048576.0;
  return line.numbers[1] < kMebibyte ? "below 1 MiB" : "from 1 MiB";
}

constexpr auto kExchangeKinds = std::to_array<KernelKind>({
    {"expert_exchange", kExchangeColumns, predict_exchange, class_of_exchange},
    {"low_latency_exchange", kLowLatencyColumns, predict_low_latency, class_of_exchange},
    {"scale_up_exchange", kScaleUpColumns, predict_scale_up, class_of_exchange},
    {"direct_all_reduce", kDirectColumns, predict_direct, class_of_direct},
});

}  // namespace

std::span<const KernelKind> exchange_kinds() { return kExchangeKinds; }

}  // namespace railwright::validation
