// SPDX-License-Identifier: Apache-2.0
// Bytes that memory-bound kernels read and write, counted from the operations of the public stacks.
#include "kernels.hpp"

namespace railwright::models {

namespace {

/// Reads and writes per element, in both passes.
struct Accesses {
  double forward = 0.0;
  double backward = 0.0;
};

StreamedBytes bytes_of(const Kernels& kernels, double elements, Accesses accesses) {
  const double bytes = elements * kernels.element_bytes();
  return {bytes * accesses.forward, bytes * accesses.backward};
}

/// Accesses of a norm. Fused: x and y; backward x, dy and dx, the gradient of its weight from the
/// same pass: kernels keep a row in registers and add up columns in partial sums.
/// [@transformer_engine] Eager kernels convert to fp32 and back, one operation at a time.
Accesses norm_accesses(bool eager) { return eager ? Accesses{18, 36} : Accesses{2, 3}; }

/// Accesses of an activation function. A gated one has two inputs; eager stacks run the activation
/// and the product with the gate separately.
Accesses activation_accesses(bool gated, bool eager) {
  if (!gated) return {2, 3};
  return eager ? Accesses{5, 9} : Accesses{3, 5};
}

/// Accesses of the sum of a block's input and output; backward the sum of the gradients of both.
constexpr Accesses kResidual{3, 3};
/// Accesses of dropout in a separate kernel; fused, it is part of the residual's forward pass.
constexpr Accesses kDropout{2, 2};
/// Accesses of rotary positions. Eager: two products, half of it negated and joined, and a sum.
Accesses rotary_accesses(bool eager) { return eager ? Accesses{10, 10} : Accesses{2, 2}; }
/// Accesses of the tensors that a block gathers and scatters, read and written once more each: its
/// input and its output; backward their gradients, and its input again if a part is recomputed.
/// [@pytorch_functional_collectives]
Accesses sequence_copy_accesses(const SoftwareProfile& software) {
  return {4, software.recomputed().any() ? 6.0 : 4.0};
}
/// Accesses of a bias: it joins its product forward; its gradient reads that of the output.
constexpr Accesses kBias{0, 1};
/// Accesses of the permutation. Fused: tokens laid out by expert and brought back, weighted; the
/// weights' gradient reads once more. Else, in operations of PyTorch, counted from Megatron-Core
/// 0.9: rows picked, sorted by expert and back, and weighted and added up in fp32.
/// [@megatron_core_moe]
Accesses permutation_accesses(bool fused) { return fused ? Accesses{4, 5} : Accesses{15, 20}; }
/// Accesses of the chunks that an all-to-all brings, one of each rank, where a rank has several
/// experts: put in the order of experts, and back before the way home. Dispatchers of their own lay
/// tokens out once, behind the exchange. [@megatron_core_moe]
constexpr Accesses kChunks{4, 4};
/// Accesses of the bias behind an expert's last product, which its kernel leaves to operations of
/// PyTorch, counted from Megatron-Core 0.15: its product with the tokens' weights in fp32, the sum,
/// the experts' sums joined, and cast; backward the casts, and the gradients of both factors, each
/// multiplied and added up. [@megatron_core_moe]
constexpr Accesses kExpertBias{14, 20};

}  // namespace

double stream_elements(const Transformer& model, LayerKind kind, const Layout& layout,
                       std::int64_t tokens) {
  return static_cast<double>(tokens) * model.hidden_size * num_blocks(kind) /
         (layout.sequence_parallel ? layout.tp : 1.0);
}

StreamedBytes norm_bytes(const Kernels& kernels, double elements) {
  return bytes_of(kernels, elements, norm_accesses(kernels.is_eager()));
}

StreamedBytes activation_bytes(const Kernels& kernels, const Transformer& model,
                               const FeedForward& block, std::int64_t tokens) {
  const std::int64_t elements = tokens / block.token_shards * block.passes * block.ffn_size;
  StreamedBytes bytes = bytes_of(kernels, static_cast<double>(elements),
                                 activation_accesses(model.gated_ffn, kernels.is_eager()));
  if (kernels.software.fp8_activation_input.value) {
    // A separate kernel makes both inputs narrow, and wide again.
    const double cast = 2.0 * static_cast<double>(elements) *
                        (kernels.element_bytes() + bytes_of(core::Precision::kFp8));
    bytes += {cast, cast};
  }
  return bytes;
}

StreamedBytes block_bytes(const Kernels& kernels, const Transformer& model, LayerKind kind,
                          const Layout& layout, std::int64_t tokens) {
  const bool eager = kernels.is_eager();
  const auto t = static_cast<double>(tokens);
  const double stream = stream_elements(model, kind, layout, tokens);

  StreamedBytes sum = norm_bytes(kernels, stream);
  sum += bytes_of(kernels, stream, kResidual);
  if (kernels.software.dropout.value) {
    sum += bytes_of(kernels, stream, eager ? kDropout : Accesses{0, kDropout.backward});
    sum += {stream * kMaskBytes, stream * kMaskBytes};
  }
  if (model.biases) {
    double columns = 0.0;
    for (const Matrix& matrix : layer_matrices(model, kind, layout.slices())) {
      columns += static_cast<double>(matrix.columns * matrix.passes) /
                 static_cast<double>(matrix.token_shards);
    }
    sum += bytes_of(kernels, t * columns, kBias);
  }
  if (kernels.software.sequence_copies.value && layout.sequence_parallel && layout.tp > 1) {
    sum += bytes_of(kernels, stream * layout.tp, sequence_copy_accesses(kernels.software));
  }
  for (const MixerKernel& kernel : mixer_kernels(model, kind, layout.tp)) {
    if (kernel.work == MixerKernel::Work::kState) {
      sum += state_bytes(kernels, kernel, tokens);
    } else if (model.positions == 0) {
      const std::int64_t heads = kernel.heads + kernel.kv_heads;
      sum += bytes_of(kernels, t * static_cast<double>(heads * kernel.query_width),
                      rotary_accesses(eager));
    }
  }
  return sum;
}

StreamedBytes state_bytes(const Kernels& kernels, const MixerKernel& kernel, std::int64_t tokens) {
  const double wide = kernels.element_bytes();
  const double forward = kernel.wide_forward * wide + kernel.fp32_forward * kFp32Bytes;
  const double backward = kernel.wide_backward * wide + kernel.fp32_backward * kFp32Bytes;
  const double slowed = static_cast<double>(tokens) / kernels.software.mamba_share.value;
  return {slowed * forward, slowed * backward};
}

StreamedBytes permutation_bytes(const Kernels& kernels, const Transformer& model, LayerKind kind,
                                const Layout& layout, std::int64_t tokens) {
  if (!has_experts(kind)) return {};
  const double copies = static_cast<double>(tokens) * layout.etp / layout.tp * model.experts->top_k;
  const SoftwareProfile& software = kernels.software;
  Accesses accesses = permutation_accesses(software.fused_permutation.value);
  if (software.fused_permutation.value && layout.ep > 1 && layout.ep < model.experts->count &&
      software.expert_dispatcher.value == ExpertDispatcher::kAllToAll) {
    accesses.forward += kChunks.forward;
    accesses.backward += kChunks.backward;
  }
  if (model.biases) {
    accesses.forward += kExpertBias.forward;
    accesses.backward += kExpertBias.backward;
  }
  return bytes_of(kernels, copies * static_cast<double>(expert_width(model)), accesses);
}

StreamedBytes loss_bytes(const Kernels& kernels, double logits) {
  const double bytes = kernels.element_bytes();
  // The maximum and the sum in two passes; backward in place.
  if (kernels.software.fused_loss.value) return {logits * 2.0 * bytes, logits * 2.0 * bytes};
  // Megatron's vocabulary-parallel cross-entropy: an fp32 copy, its maximum, the difference from
  // it, its exponential, their sum, the quotient; backward scaled and converted back.
  const double forward = (bytes + kFp32Bytes) + 8.0 * kFp32Bytes;
  const double backward = 2.0 * kFp32Bytes + (kFp32Bytes + bytes);
  return {logits * forward, logits * backward};
}

double optimizer_bytes(const SoftwareProfile& software) {
  const double gradient = software.gradient_reduce_bytes.value;
  const core::Precision precision = software.precision.value;
  const bool is_fp32 = precision == core::Precision::kFp32 || precision == core::Precision::kTf32;
  const Optimizer optimizer = software.optimizer.value;
  const bool is_adam = optimizer == Optimizer::kAdam || optimizer == Optimizer::kMuon;
  double bytes = gradient;                                               // set to zero
  if (is_adam && gradient < kFp32Bytes) bytes += gradient + kFp32Bytes;  // copied to fp32
  if (precision == core::Precision::kFp16 && optimizer != Optimizer::kLars) {
    bytes += 2 * kFp32Bytes;  // unscaled, looked through
  }
  if (is_adam) bytes += 3 * kFp32Bytes;                               // its norm; clipping
  if (optimizer == Optimizer::kLars) bytes += gradient + kFp32Bytes;  // norms of it and the weight
  bytes += is_adam ? kFp32Bytes : gradient;
  bytes += num_moments(optimizer) * 2 * static_cast<double>(software.moment_bytes.value);
  // The weight both ways, and a 16-bit one made of an fp32 one.
  const bool has_masters = !is_fp32 && software.master_weights.value;
  bytes += 2 * (is_fp32 || has_masters ? kFp32Bytes : 2.0);
  if (has_masters) bytes += kFp32Bytes + 2.0;
  return bytes;
}

}  // namespace railwright::models
