// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "kernels.hpp"

namespace railwright::models {

namespace {

using core::Duration;
using core::Work;

/// Kernels exist for heads of whole multiples of this; narrower ones are padded.
constexpr std::int64_t kHeadStep = 32;
/// Queries and keys that a step of the kernel takes; one on the diagonal is computed whole.
constexpr double kBlock = 128.0;
/// Keys as long as which a block of queries takes to start and to end: an estimate.
constexpr double kFillKeys = 128.0;
/// A head's width as long as which the softmax of a score takes: 0.79 of the rate of heads of 128
/// at 64 in the figures of [@dao2023flashattention2].
constexpr double kSoftmaxWidth = 48.0;
constexpr double kReferenceWidth = 128.0;

/// Shares of the device's peak, forward and backward, at heads of 128, and the width beyond which
/// heads gain nothing.
struct Shares {
  double forward = 0.0;
  double backward = 0.0;
  double widest = kReferenceWidth;
};

/// FlashAttention-2 reaches up to 0.73 forward and 0.63 backward on an A100, its first version 0.5
/// and 0.35, and that at 64 already. Of the forward share of the second: [@dao2023flashattention2]
constexpr Shares kSecondVersion{.forward = 1.0, .backward = 0.63 / 0.73};
constexpr Shares kFirstVersion{.forward = 0.50 / 0.73, .backward = 0.35 / 0.73, .widest = 64.0};

std::int64_t padded(std::int64_t width) { return ceil_div(width, kHeadStep) * kHeadStep; }

double head_share(double width, double widest) {
  const auto rate = [](double w) { return w / (w + kSoftmaxWidth); };
  return rate(std::min(width, widest)) / rate(kReferenceWidth);
}

/// Flash attention's forward pass runs two products, its backward pass five: three as wide as
/// queries, two as wide as values. A causal one skips half of the scores.
/// [@dao2023flashattention2]
void add_fused_attention(const Kernels& kernels, HeadSize head, std::int64_t heads,
                         const Scores& scores, Shares shares, PassCost& cost) {
  const auto q = static_cast<double>(padded(head.query));
  const auto v = static_cast<double>(padded(head.value));
  const auto keys = static_cast<double>(scores.keys);
  const double keys_of_query = scores.causal ? 0.5 * keys : keys;
  const double computed = keys_of_query + (scores.causal ? 0.5 * kBlock : 0.0) + kFillKeys;
  const double products =
      2.0 * static_cast<double>(scores.sequences * scores.queries * heads) * computed;
  const auto blocks = static_cast<double>(scores.sequences * heads) *
                      std::ceil(static_cast<double>(scores.queries) / kBlock);
  const double busy = std::min(1.0, blocks / kernels.device.num_multiprocessors.value);
  const core::ComputeRate rate =
      kernels.device.peak_rate(kernels.activation_precision()).value_or(core::ComputeRate{}) *
      (head_share(0.5 * (q + v), shares.widest) * busy);
  cost.forward.attention += Work::from_base(products * (q + v)) / (rate * shares.forward);
  cost.backward.attention +=
      Work::from_base(products * (3.0 * q + 2.0 * v)) / (rate * shares.backward);
}

/// Products of whole score matrices, and between them kernels that read and write every score: a
/// fused softmax (2 accesses forward, 3 backward), and dropout (2 accesses and a mask of 1 byte,
/// each way). [@korthikanti2022reducing] Values are put in order behind the forward pass, and
/// gradients of queries, keys and values behind the backward pass.
void add_unfused_attention(const Kernels& kernels, HeadSize head, std::int64_t heads,
                           const Scores& scores, PassCost& cost) {
  const std::int64_t copies = scores.sequences * heads;
  const double bytes = kernels.element_bytes();
  const auto product = [&](std::int64_t m, std::int64_t k, std::int64_t n, std::int64_t width) {
    return product_time(kernels.device, {.rows = m,
                                         .inner = k,
                                         .columns = n,
                                         .copies = copies,
                                         .strides = width | scores.keys,
                                         .precision = kernels.activation_precision(),
                                         .output_bytes = bytes});
  };
  const std::int64_t s = scores.queries;
  const std::int64_t t = scores.keys;
  const std::int64_t q = head.query;
  const std::int64_t v = head.value;
  const auto elements = [&](std::int64_t of_head) {
    return static_cast<double>(copies) * static_cast<double>(of_head);
  };
  const double dropout_bytes = kernels.software.dropout.value ? 2.0 * bytes + kMaskBytes : 0.0;
  cost.forward.attention += product(s, q, t, q) + product(s, t, v, v) +
                            kernels.stream(elements(s * t) * (2.0 * bytes + dropout_bytes) +
                                           elements(s * v) * 2.0 * bytes);
  cost.backward.attention += product(t, s, v, v) + product(s, v, t, v) + product(s, t, q, q) +
                             product(t, s, q, q) +
                             kernels.stream(elements(s * t) * (3.0 * bytes + dropout_bytes) +
                                            elements(s * v + s * q + t * q + t * v) * 2.0 * bytes);
}

}  // namespace

void add_attention(const Kernels& kernels, HeadSize head, std::int64_t heads, const Scores& scores,
                   PassCost& cost) {
  const core::Accelerator& device = kernels.device;
  const auto fused = [&](double efficiency, Shares of_it) {
    add_fused_attention(kernels, head, heads, scores,
                        {.forward = efficiency * of_it.forward,
                         .backward = efficiency * of_it.backward,
                         .widest = of_it.widest},
                        cost);
  };
  const double portable = device.attention_efficiency.value;
  const auto& native = device.native_attention_efficiency;
  switch (kernels.software.attention.value) {
    case AttentionKernel::kUnfused:
      return add_unfused_attention(kernels, head, heads, scores, cost);
    case AttentionKernel::kFused:
      return fused(portable, kSecondVersion);
    case AttentionKernel::kFusedFirst:
      return fused(portable, kFirstVersion);
    case AttentionKernel::kFusedNative:
      return fused(native ? native->value : portable, kSecondVersion);
  }
}

}  // namespace railwright::models
