// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/software/recompute.hpp"

namespace railwright::models {

namespace {

void add(RecomputeModule module, Recomputed& again) {
  switch (module) {
    case RecomputeModule::kAttention:
      again.attention = true;
      return;
    case RecomputeModule::kNorms:
      again.norms = true;
      return;
    case RecomputeModule::kLatentProjections:
      again.latent_projections = true;
      return;
    case RecomputeModule::kFeedForward:
      again.feed_forward = true;
      return;
    case RecomputeModule::kExpertActivation:
      again.expert_activation = true;
      return;
    case RecomputeModule::kExperts:
      again.experts = again.shared_experts = true;
      return;
    case RecomputeModule::kSharedExperts:
      again.shared_experts = true;
      return;
  }
}

Recomputed listed(std::span<const RecomputeModule> modules) {
  if (modules.empty()) return {.attention = true};
  Recomputed again;
  // Megatron's checkpoint runs its whole function again.
  again.last_product = true;
  for (const RecomputeModule module : modules) add(module, again);
  return again;
}

Recomputed all_elementwise() {
  return {.attention = true,
          .norms = true,
          .activation = true,
          .expert_activation = true,
          .other_elementwise = true};
}

Recomputed all_feed_forward() {
  Recomputed again = all_elementwise();
  again.feed_forward = again.experts = again.shared_experts = true;
  return again;
}

}  // namespace

Recomputed recomputed(Recompute recompute, std::span<const RecomputeModule> modules) {
  switch (recompute) {
    case Recompute::kNone:
      return {};
    case Recompute::kActivationFunction:
      return {.activation = true, .expert_activation = true};
    case Recompute::kSelective:
      return listed(modules);
    case Recompute::kElementwise:
      return all_elementwise();
    case Recompute::kAlternateProducts: {
      Recomputed again = all_elementwise();
      again.attention = false;
      again.alternate_products = again.residual = true;
      return again;
    }
    case Recompute::kFeedForward:
      return all_feed_forward();
    case Recompute::kAllButQkv: {
      Recomputed again = all_feed_forward();
      again.attention_projection = again.residual = true;
      return again;
    }
    case Recompute::kFull:
      return {.layer = true};
  }
  return {};
}

bool runs_feed_forward_again(const Recomputed& again, LayerKind kind, bool of_expert) {
  if (again.layer) return true;
  if (!has_experts(kind)) return again.feed_forward;
  return of_expert ? again.experts : again.shared_experts;
}

namespace {

/// Returns the share of a product that runs again: the first product of a layer is kept, the second
/// runs again, and so on. Again run the keys, the projection after attention, and the second half
/// of a gated block.
double alternate_share(const Matrix& matrix, const Transformer& model) {
  switch (matrix.block) {
    case MatrixBlock::kAttention:
      if (matrix.ends_block) return 1.0;
      return static_cast<double>(model.num_kv_heads) /
             static_cast<double>(model.num_heads + 2 * model.num_kv_heads);
    case MatrixBlock::kMamba:
    case MatrixBlock::kRouter:
      return 0.0;
    case MatrixBlock::kFeedForward:
      return model.gated_ffn && !matrix.ends_block ? 0.5 : 0.0;
  }
  return 0.0;
}

bool runs_whole(const Recomputed& again, LayerKind kind, const Matrix& matrix) {
  switch (matrix.block) {
    case MatrixBlock::kAttention:
      return (matrix.from_latent && again.latent_projections) ||
             (matrix.ends_block && again.attention_projection);
    case MatrixBlock::kMamba:
      return false;
    case MatrixBlock::kRouter:
      return again.experts;
    case MatrixBlock::kFeedForward:
      return runs_feed_forward_again(again, kind, matrix.of_expert) &&
             (again.last_product || !matrix.ends_block);
  }
  return false;
}

}  // namespace

double share_again(const Recomputed& again, LayerKind kind, const Matrix& matrix,
                   const Transformer& model) {
  if (again.layer || runs_whole(again, kind, matrix)) return 1.0;
  return again.alternate_products ? alternate_share(matrix, model) : 0.0;
}

core::Work recomputed_work_per_token(const Transformer& model, int sequence_length,
                                     const Recomputed& again) {
  const double active = sum_over_layers(model, [&](LayerKind kind) {
    double parameters = 0.0;
    for (const Matrix& matrix : layer_matrices(model, kind)) {
      parameters +=
          share_again(again, kind, matrix, model) * static_cast<double>(matrix.active_parameters());
    }
    return parameters;
  });
  const bool attends = again.attention || again.layer;
  return core::Work::from_base(2.0 * active) +
         forward_work_per_token(model, sequence_length).attention * (attends ? 1.0 : 0.0);
}

}  // namespace railwright::models
