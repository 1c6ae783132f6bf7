// SPDX-License-Identifier: Apache-2.0
#include "kernels.hpp"

namespace railwright::models {

namespace {

/// Flash attention's forward pass runs two products, its backward pass five: three as wide as
/// queries, two as wide as values. A causal one skips half of the scores. [@dao2023flashattention2]
void add_fused_attention(const Kernels& kernels, HeadSize head, std::int64_t heads,
                         const Scores& scores, PassCost& cost) {
  const auto q = static_cast<double>(head.query);
  const auto v = static_cast<double>(head.value);
  const double num_scores = static_cast<double>(scores.sequences * scores.queries) *
                            static_cast<double>(scores.keys) * (scores.causal ? 0.5 : 1.0);
  const double products = 2.0 * num_scores * static_cast<double>(heads);
  cost.forward.attention += kernels.attention(products * (q + v));
  cost.backward.attention += kernels.attention(products * (3.0 * q + 2.0 * v));
}

/// Products of whole score matrices, and between them kernels that read and write every score: a
/// fused softmax (2 accesses of 2 bytes forward, 3 backward), and dropout (2 accesses and a mask of
/// 1 byte, each way). [@korthikanti2022reducing]
void add_unfused_attention(const Kernels& kernels, HeadSize head, std::int64_t heads,
                           const Scores& scores, bool dropout, PassCost& cost) {
  const std::int64_t copies = scores.sequences * heads;
  const auto product = [&](std::int64_t m, std::int64_t k, std::int64_t n) {
    return matrix_product_time(kernels.device, m, k, n, copies);
  };
  const std::int64_t s = scores.queries;
  const std::int64_t t = scores.keys;
  const double num_scores = static_cast<double>(copies) * static_cast<double>(s * t);
  const double dropout_bytes = dropout ? 2 * kBf16Bytes + kMaskBytes : 0.0;
  cost.forward.attention += product(s, head.query, t) + product(s, t, head.value) +
                            kernels.stream(num_scores * (2 * kBf16Bytes + dropout_bytes));
  cost.backward.attention += product(t, s, head.value) + product(s, head.value, t) +
                             product(s, t, head.query) + product(t, s, head.query) +
                             kernels.stream(num_scores * (3 * kBf16Bytes + dropout_bytes));
}

}  // namespace

void add_attention(const Kernels& kernels, HeadSize head, std::int64_t heads, const Scores& scores,
                   const SoftwareProfile& software, PassCost& cost) {
  if (software.attention.value == AttentionKernel::kFused) {
    add_fused_attention(kernels, head, heads, scores, cost);
  } else {
    add_unfused_attention(kernels, head, heads, scores, software.dropout.value, cost);
  }
}

}  // namespace railwright::models
