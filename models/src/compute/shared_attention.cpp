// SPDX-License-Identifier: Apache-2.0
#include "shared_attention.hpp"

#include "railwright/models/compute/context_elements.hpp"

namespace railwright::models {

namespace {

/// Share of a rank's tokens that a piece is of, in the mean: all, or the second half.
constexpr double kMeanPiece = 0.75;

/// Bytes for an element of a piece, to join it to the others.
struct JoinBytes {
  double output = 0.0;     ///< of an output, forward
  double query = 0.0;      ///< of a query's gradient
  double key_value = 0.0;  ///< of a gradient of keys or values
};

/// Transformer Engine's kernels scale a piece and add it in the format of the outputs.
/// [@transformer_engine]
JoinBytes ring_joins(const Kernels& kernels) {
  const double sum = 3.0 * kernels.element_bytes();
  return {.output = sum, .query = sum, .key_value = sum};
}

/// PyTorch's sums are fp32: a piece is read, a sum read and written; operation by operation a cast,
/// a difference, its product with a share, and another difference. Where a piece is half a sum,
/// which every second is, the halves are copied into a new whole; gradients of keys and values are
/// laid out once more to be sent. [@pytorch_context_parallel]
JoinBytes gathered_ring_joins(const Kernels& kernels) {
  const double element = kernels.element_bytes();
  const double sum = element + 2.0 * kFp32Bytes;
  const double eager_output = element + kFp32Bytes + 8.0 * kFp32Bytes;
  const double whole = 0.5 * 2.0 * kFp32Bytes / kMeanPiece;
  return {.output = (kernels.is_eager() ? eager_output : sum) + whole,
          .query = sum + whole,
          .key_value = sum + whole + 2.0 * kFp32Bytes / kMeanPiece};
}

}  // namespace

/// Transformer Engine runs the kernels of a rank in two streams in turn, PyTorch in one.
/// [@transformer_engine; @pytorch_context_parallel]
std::vector<AttentionPiece> shared_attention(const Scores& scores) {
  const bool beside = scores.exchange != ContextExchange::kGatheredRing;
  const std::int64_t half = ceil_div(scores.queries, 2);
  const std::int64_t ranks = scores.keys / scores.queries;
  if (scores.exchange == ContextExchange::kAllGather) {
    // Blocks i and 2n - 1 - i meet as many keys together on every rank.
    const std::int64_t keys = ceil_div(half * (2 * ranks + 1), 2);
    return {{.queries = half, .keys = keys}, {.queries = half, .keys = keys, .beside = true}};
  }
  const double of_kind = static_cast<double>(ranks - 1) / 2.0;
  return {{.queries = scores.queries, .keys = scores.queries},
          {.queries = scores.queries,
           .keys = half,
           .causal = false,
           .count = of_kind,
           .beside = beside},
          {.queries = half,
           .keys = scores.queries,
           .causal = false,
           .count = of_kind,
           .beside = beside}};
}

StreamedBytes exchange_bytes(const Kernels& kernels, const Mixer& mixer, const Training& training,
                             const Layout& layout) {
  const SoftwareProfile& software = kernels.software;
  const ContextElements of_token = context_elements(mixer, layout, software);
  const double tokens = static_cast<double>(training.micro_batch) * num_positions(training);
  const double own = tokens / layout.cp;
  const double element = kernels.element_bytes();
  const ContextRanks ranks = software.context_ranks(layout.cp);
  StreamedBytes bytes;
  if (ranks.heads > 1) {
    // Laid out by destination, and behind the exchange by position: read and written twice.
    const double swapped = 4.0 * element * own * of_token.swapped();
    bytes += {.forward = swapped, .backward = swapped};
  }
  if (ranks.tokens == 1) return bytes;
  if (software.context_exchange.value == ContextExchange::kAllGather) {
    // Gathered keys are put in the order of positions, and gradients in that of ranks.
    const double ordered = 2.0 * element * tokens * of_token.keys_and_values;
    bytes += {.forward = ordered, .backward = 2.0 * ordered};
    return bytes;
  }
  const bool gathers = software.context_exchange.value == ContextExchange::kGatheredRing;
  const JoinBytes join = gathers ? gathered_ring_joins(kernels) : ring_joins(kernels);
  const double joins = kMeanPiece * (ranks.tokens - 1) * own;
  bytes += {.forward = joins * join.output * of_token.outputs,
            .backward = joins * (join.query * of_token.queries +
                                 join.key_value * of_token.keys_and_values)};
  return bytes;
}

}  // namespace railwright::models
