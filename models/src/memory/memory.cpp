// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/memory/memory.hpp"

#include <algorithm>

#include "railwright/models/parallelism/shards.hpp"

namespace railwright::models {

namespace {

constexpr double kBf16Bytes = 2.0;
constexpr double kFp32Bytes = 4.0;
constexpr double kOptimizerBytes = 3 * kFp32Bytes;  // master weight and two moments

double tokens_of_microbatch(const Training& training) {
  return static_cast<double>(training.micro_batch) * training.sequence_length;
}

}  // namespace

core::DataSize MemoryUse::total() const {
  core::DataSize sum;
  for (const MemoryLine& line : lines) sum += line.size;
  return sum;
}

core::DataSize activations_per_layer(const Training& training, const Layout& layout,
                                     Recompute recompute) {
  const Transformer& model = training.model;
  const double tp = layout.tp;
  const double hidden = model.hidden_size;
  const double head_size = hidden / model.num_heads;
  const double kv = head_size * std::max(model.num_kv_heads / tp, 1.0);
  const double replicated = layout.sequence_parallel ? 1.0 / tp : 1.0;
  if (recompute == Recompute::kFull) {
    return core::DataSize::from_base(static_cast<double>(residual_bytes(training)) * replicated);
  }
  // Inputs and outputs of the two norms; Q, K, V and the attention output; the feed-forward block.
  const double norms = 4.0 * hidden * replicated;
  const double attention = 2.0 * hidden / tp + 2.0 * kv;
  const double ffn_kept = recompute == Recompute::kActivationFunction ? 1.0 : 2.0;
  const double ffn = (model.gated_ffn ? ffn_kept + 1.0 : ffn_kept) * model.ffn_size / tp;
  return core::DataSize::from_base(tokens_of_microbatch(training) * kBf16Bytes *
                                   (norms + attention + ffn));
}

MemoryUse memory_of_stage(const Training& training, const Layout& layout,
                          const SoftwareProfile& software, int stage) {
  const double parameters = parameters_on_rank(training.model, layout, stage);
  const bool sharded = software.gradient_sync.value == GradientSync::kReduceScatter;
  const double optimizer_shards = sharded ? layout.dp : 1.0;
  const auto bytes = [](double b) { return core::DataSize::from_base(b); };

  MemoryUse use{.stage = stage, .lines = {}};
  use.lines.push_back({"parameters", bytes(kBf16Bytes * parameters)});
  use.lines.push_back({"gradients", bytes(software.gradient_reduce_bytes.value * parameters)});
  use.lines.push_back({"optimizer_state", bytes(kOptimizerBytes * parameters / optimizer_shards)});
  use.lines.push_back(
      {"activations", activations_per_layer(training, layout, software.recompute.value) *
                          layers_in_flight(layout, stage)});
  if (stage == layout.pp - 1) {
    const double logits =
        tokens_of_microbatch(training) * training.model.vocabulary_size / layout.tp;
    use.lines.push_back({"logits", bytes((kBf16Bytes + kFp32Bytes) * logits)});
  }
  use.lines.push_back({"framework", software.framework_memory.value});
  return use;
}

MemoryUse largest_memory_use(const Training& training, const Layout& layout,
                             const SoftwareProfile& software) {
  MemoryUse largest = memory_of_stage(training, layout, software, 0);
  for (int stage = 1; stage < layout.pp; ++stage) {
    MemoryUse use = memory_of_stage(training, layout, software, stage);
    if (use.total() > largest.total()) largest = std::move(use);
  }
  return largest;
}

}  // namespace railwright::models
