// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/kernel/attention.hpp"

#include <algorithm>

#include "kernels.hpp"
#include "shared_attention.hpp"

namespace railwright::models {

namespace {

/// Step of head widths that have kernels; narrower heads are padded.
constexpr std::int64_t kHeadStep = 32;

/// Time of a version relative to FlashAttention-2, forward and backward: the first version reaches
/// 0.5 and 0.35 on an A100 where FlashAttention-2 reaches 0.73 and 0.63. [@dao2023flashattention2]
struct VersionTimes {
  double forward = 1.0;
  double backward = 1.0;
};
constexpr VersionTimes kFirstVersion{.forward = 0.73 / 0.50, .backward = 0.63 / 0.35};

std::int64_t padded(std::int64_t width) { return ceil_div(width, kHeadStep) * kHeadStep; }

/// Returns the kernels of a rank. Of ranks that share a sequence, a query meets half of the keys in
/// the mean; with a window or a chunk, one kernel meets what these leave of them.
std::vector<AttentionPiece> pieces_of(const Scores& scores) {
  const bool is_shared = scores.causal && scores.queries < scores.keys;
  if (!is_shared) {
    return {{.queries = scores.queries, .keys = scores.keys, .causal = scores.causal}};
  }
  if (scores.local.window == 0 && scores.local.chunk == 0) return shared_attention(scores);
  const std::int64_t keys = scores.local.reached(ceil_div(scores.keys, 2));
  return {{.queries = scores.queries, .keys = keys, .causal = false}};
}

/// Adds the kernels.
void add_fused_attention(const Kernels& kernels, HeadSize head, const Scores& scores,
                         const TrainingAttention& kernel, VersionTimes version, PassCost& cost) {
  const bool is_whole = scores.queries == scores.keys || !scores.causal;
  AttentionShape shape{.sequences = scores.sequences,
                       .heads = scores.heads,
                       .kv_heads = scores.kv_heads,
                       .query_width = padded(head.query),
                       .value_width = padded(head.value),
                       .window = is_whole ? scores.local.window : 0,
                       .chunk = is_whole ? scores.local.chunk : 0,
                       .precision = kernels.activation_precision()};
  for (const AttentionPiece& piece : pieces_of(scores)) {
    shape.queries = piece.queries;
    shape.keys = piece.keys;
    shape.causal = piece.causal;
    const auto time_by = [&](auto kernel_time) {
      const auto of = [&](std::int64_t sequences) {
        shape.sequences = sequences;
        return kernel_time(kernels.device, kernel.constants, shape);
      };
      const core::Duration alone = of(scores.sequences);
      return (piece.beside ? of(2 * scores.sequences) - alone : alone) * piece.count;
    };
    cost.forward.attention += time_by(attention_prefill_time) * (kernel.slowdown * version.forward);
    cost.backward.attention +=
        time_by(attention_backward_time) * (kernel.slowdown * version.backward);
  }
}

/// Adds products of whole score matrices, and between them kernels that read and write every score:
/// a fused softmax (2 accesses forward, 3 backward), and dropout (2 accesses and a mask of 1 byte,
/// each way). [@korthikanti2022reducing] Values are reordered after the forward pass, and gradients
/// of queries, keys and values after the backward pass.
void add_unfused_attention(const Kernels& kernels, HeadSize head, const Scores& scores,
                           PassCost& cost) {
  const std::int64_t copies = scores.sequences * scores.heads;
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

/// Shares of the rate of 16-bit products, where a device's own kernels were not measured.
/// Estimates: gathered keys reach about half of what dense ones do, and narrow scores with a choice
/// behind them less. [@deepseek_v32]
constexpr double kSparseRate = 0.35;
constexpr double kIndexRate = 0.25;
/// Work of a backward pass over the forward pass's: five products where that has two; a state is
/// made again, and then has two gradients for each product.
constexpr double kAttentionBackward = 2.5;
constexpr double kStateBackward = 3.0;
/// Share of that rate of the products of a chunk's tokens. An estimate.
constexpr double kStateRate = 0.25;

}  // namespace

void add_sparse_attention(const Kernels& kernels, const MixerKernel& kernel, std::int64_t sequences,
                          std::int64_t queries, PassCost& cost) {
  const bool is_index = kernel.work == MixerKernel::Work::kIndex;
  const auto rows = static_cast<double>(sequences * queries);
  const double attended = mean_attended(kernel, 0.0, static_cast<double>(queries));
  const auto widths = static_cast<double>(kernel.query_width + kernel.value_width);
  const double work = 2.0 * rows * attended * static_cast<double>(kernel.heads) * widths;
  const core::Duration products =
      core::Work::from_base(work) /
      (kernels.device.wide_rate() * (is_index ? kIndexRate : kSparseRate));
  cost.forward.attention += products;
  cost.backward.attention += products * kAttentionBackward;
  if (!is_index) return;
  const core::Duration choice = kernels.stream(rows * attended * kFp32Bytes * kScoreAccesses);
  cost.forward.attention += choice;
  cost.backward.attention += choice;
}

void add_state_work(const Kernels& kernels, const MixerKernel& kernel, std::int64_t tokens,
                    PassCost& cost) {
  const StreamedBytes bytes = state_bytes(kernels, kernel, tokens);
  const core::Work work =
      core::Work::from_base(kernel.bound_of_token * static_cast<double>(tokens));
  const core::Duration products = work / (kernels.device.wide_rate() * kStateRate);
  const auto beyond = [&](core::Duration time, double moved) {
    return std::max(core::Duration{}, time - kernels.stream(moved));
  };
  cost.forward.elementwise += beyond(products, bytes.forward);
  cost.backward.elementwise += beyond(products * kStateBackward, bytes.backward);
}

void add_attention(const Kernels& kernels, HeadSize head, const Scores& scores, PassCost& cost) {
  const auto fused = [&](bool native, VersionTimes version) {
    add_fused_attention(kernels, head, scores, training_attention(kernels.device, native), version,
                        cost);
  };
  switch (kernels.software.attention.value) {
    case AttentionKernel::kUnfused:
      return add_unfused_attention(kernels, head, scores, cost);
    case AttentionKernel::kFused:
      return fused(false, {});
    case AttentionKernel::kFusedFirst:
      return fused(false, kFirstVersion);
    case AttentionKernel::kFusedNative:
      return fused(true, {});
  }
}

}  // namespace railwright::models
