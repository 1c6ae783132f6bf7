// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/memory/memory.hpp"

#include <algorithm>

#include "activations.hpp"
#include "railwright/models/parallelism/shards.hpp"

namespace railwright::models {

namespace {

/// Returns the bytes of moments, and of an fp32 master copy of narrower weights.
double optimizer_state_bytes(const SoftwareProfile& software) {
  const bool has_masters = software.master_weights.value && element_bytes(software) < kFp32Bytes;
  return num_moments(software.optimizer.value) * static_cast<double>(software.moment_bytes.value) +
         (has_masters ? kFp32Bytes : 0.0);
}

/// Bytes of a weight of a layer that is multiplied in `software.precision`: the part always kept,
/// and narrow copies, which exist while the layer is whole.
struct WeightBytes {
  double kept = 0.0;
  double copies = 0.0;
};

/// Returns these bytes. Transformer Engine keeps an fp8 weight and, if products read only one
/// layout, its transpose; fp4 weights have scales along a block and are stored twice on every
/// device. [@transformer_engine]
WeightBytes layer_weight_bytes(const SoftwareProfile& software) {
  const core::Precision precision = software.precision.value;
  const double narrow = core::bytes_of(precision);
  const double wide = element_bytes(software);
  if (narrow >= wide) return {.kept = wide};
  const bool is_fp8 = precision == core::Precision::kFp8;
  const bool is_one =
      is_fp8 && (software.has_one_fp8_copy() || !software.fp8_weight_transposes.value);
  const double copies = narrow * (is_one ? 1.0 : 2.0);
  if (!is_fp8 || !software.fp8_primary_weights.value) return {.kept = wide, .copies = copies};
  return {.kept = narrow, .copies = copies - narrow};
}

/// Returns the share of a layer's parameters that is gathered at a time: its largest matrix, or
/// all.
double gathered_share(const Training& training, const SoftwareProfile& software) {
  const auto* model = std::get_if<Transformer>(&training.model);
  if (software.gather_unit.value == GatherUnit::kLayer || model == nullptr) return 1.0;
  const LayerKind kind = last_kind(*model);
  std::int64_t largest = 0;
  for (const Matrix& matrix : layer_matrices(*model, kind)) {
    largest = std::max(largest, matrix.parameters());
  }
  return static_cast<double>(largest) / static_cast<double>(layer_parameters(*model, kind));
}

/// Returns the parameters of the largest place, which is whole on each rank while it computes.
double largest_place(const std::vector<ShardParameters>& places) {
  double largest = 0.0;
  for (const ShardParameters& place : places) largest = std::max(largest, place.total());
  return largest;
}

/// Returns the bytes of activations on an accelerator: what is not offloaded, and two layers of
/// what is, one in use and one on its way. The first layers of a micro-batch are offloaded
/// [@transformer_engine]: theirs have gone before its last layers keep all, and come back when
/// those have ended their backward passes. They meet only what other micro-batches in flight keep.
double activations_held(const Training& training, const Layout& layout,
                        const SoftwareProfile& software, int stage) {
  const double all = activations_of_stage(training, layout, software, stage);
  if (!software.offload.activations) return all;
  const double away = software.offload.activation_share * all;
  const double moving = std::min(away, 2.0 * largest_layer(training, layout, software, stage));
  return layout.pp == 1 ? std::max(all - away, moving) : all - away + moving;
}

/// Returns the parameters of the matrices of layers that a rank trains.
ShardParameters trained_matrices(const Training& training, const Layout& layout, int stage) {
  const auto counts = trained_layers(training, layout, stage);
  ShardParameters parameters;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    parameters +=
        matrices_of_layer(transformer_of(training), static_cast<LayerKind>(kind), layout.slices()) *
        counts[kind];
  }
  return parameters;
}

}  // namespace

core::DataSize MemoryUse::total() const {
  core::DataSize sum;
  for (const MemoryLine& line : lines) sum += line.size;
  return sum;
}

core::DataSize MemoryUse::of(MemoryItem item) const {
  const auto found = std::ranges::find(lines, name_of(item), &MemoryLine::name);
  return found == lines.end() ? core::DataSize{} : found->size;
}

core::DataSize reserved_memory(const MemoryUse& use, const SoftwareProfile& software,
                               core::DataSize capacity) {
  core::DataSize beside = use.of(MemoryItem::kActivations) * software.reserved_share.value;
  const core::DataSize optimizer_state = use.of(MemoryItem::kOptimizerState);
  if (optimizer_state > core::DataSize{}) {
    beside +=
        optimizer_state * (software.step_copies_bytes.value / optimizer_state_bytes(software));
  }
  return std::max(use.total(), std::min(use.total() + beside, capacity));
}

StateBytes state_bytes(const SoftwareProfile& software) {
  return {.weight = element_bytes(software),
          .gradient = static_cast<double>(software.gradient_reduce_bytes.value),
          .optimizer = optimizer_state_bytes(software)};
}

MemoryRules memory_rules(const Training& training, const SoftwareProfile& software) {
  const bool is_nf4 = training.lora && training.lora->base == LoraBase::kNf4;
  const WeightBytes of_layer =
      is_nf4 ? WeightBytes{.kept = kNf4Bytes} : layer_weight_bytes(software);
  const StateBytes bytes = state_bytes(software);
  const bool keeps_both = software.model_gradients.value && bytes.gradient > bytes.weight;
  return {.bytes = bytes,
          .layer_weight = of_layer.kept,
          .layer_copies = of_layer.copies,
          .model_gradient = keeps_both ? bytes.weight : 0.0,
          .framework = software.framework_memory.value.base(),
          .zero_stage = software.zero_stage.value,
          .reshards = software.reshard_after_forward.value,
          .gathered_share = gathered_share(training, software),
          .has_fp32_shards = software.fp32_shards.value && !is_frozen(training),
          .has_adapters = is_frozen(training),
          .offloads_optimizer = software.offload.optimizer.has_value(),
          .offloads_parameters = software.offload.parameters.has_value(),
          .bucket = software.bucket.value.base(),
          .bucket_replica = software.bucket_replica_parameters.value * bytes.gradient,
          .matrix_saving = software.optimizer.value == Optimizer::kMuon
                               ? static_cast<double>(software.moment_bytes.value)
                               : 0.0};
}

MemoryBytes memory_bytes(const MemoryRules& rules, const Holdings& holdings, const Layout& layout) {
  const ShardParameters& held = holdings.held;
  const ShardParameters& trained = holdings.trained;
  /// Returns a rank's trained parameters, divided over the replicas from this stage of ZeRO on.
  const auto shard = [&](int from_stage) {
    return on_one_rank(trained, layout, rules.zero_stage >= from_stage);
  };
  // Without resharding the parameters stay whole from their gather to the end of the step.
  const bool whole = rules.zero_stage < 3 || !rules.reshards;
  // The optimizer's master weights are the shards.
  const bool has_masters_alone = rules.has_fp32_shards && !whole;
  MemoryBytes bytes{};
  const auto line = [&](MemoryItem item) -> double& {
    return bytes[static_cast<std::size_t>(item)];
  };
  const double of_layers = on_one_rank(holdings.in_layers, layout, !whole);
  const double others = on_one_rank(held, layout, !whole) - of_layers;
  const double of_layer = rules.layer_weight + (whole ? rules.layer_copies : 0.0);
  const double kept = of_layer * of_layers + rules.bytes.weight * others;
  line(MemoryItem::kParameters) = (rules.offloads_parameters || has_masters_alone ? 0.0 : kept) +
                                  (rules.has_adapters ? rules.bytes.weight * trained.total() : 0.0);
  if (has_masters_alone) {
    // Frozen layers have fp32 shards too, which no optimizer keeps.
    line(MemoryItem::kParameters) += kFp32Bytes * (on_one_shard(held, layout) - shard(1));
  }
  const double gradient = has_masters_alone ? kFp32Bytes : rules.bytes.gradient;
  line(MemoryItem::kGradients) = (gradient + rules.model_gradient) * shard(2);
  line(MemoryItem::kOptimizerState) =
      rules.bytes.optimizer * shard(1) -
      rules.matrix_saving * on_one_rank(holdings.matrices, layout, rules.zero_stage >= 1);
  if (rules.offloads_optimizer) {
    const double bucket =
        std::max(rules.bucket, rules.bucket_replica * layout.num_parameter_replicas());
    line(MemoryItem::kOptimizerState) = 0.0;
    line(MemoryItem::kGradients) = std::min(line(MemoryItem::kGradients), 2.0 * bucket);
  }
  if (rules.zero_stage >= 2) {
    line(MemoryItem::kGatheredLayers) =
        rules.gathered_share * (holdings.largest_trained * rules.bytes.gradient +
                                holdings.largest_held * (whole ? 0.0 : 2 * rules.bytes.weight));
  }
  line(MemoryItem::kActivations) = holdings.activations;
  line(MemoryItem::kRecomputedLayer) = holdings.recomputed_layer;
  line(MemoryItem::kLogits) = holdings.logits;
  line(MemoryItem::kFramework) = rules.framework;
  return bytes;
}

MemoryUse memory_of_stage(const Training& training, const Layout& layout,
                          const SoftwareProfile& software, int stage) {
  const auto held = parameters_by_layer(training.model, layout, stage);
  const auto trained = trained_by_layer(training, layout, stage);
  const bool recomputes = software.recomputed().any();
  const bool holds_logits = has_last_chunk(layout, stage) && vision_of(training) == nullptr;
  const Holdings holdings{
      .held = sum(held),
      .in_layers = parameters_in_layers(training.model, layout, stage),
      .trained = sum(trained),
      .matrices = trained_matrices(training, layout, stage),
      .largest_held = largest_place(held),
      .largest_trained = largest_place(trained),
      .activations = activations_held(training, layout, software, stage),
      .recomputed_layer = recomputes ? recomputed_layer(training, layout, software, stage) : 0.0,
      .logits = holds_logits ? logits_memory(training, layout, software).base() : 0.0};
  const MemoryBytes bytes = memory_bytes(memory_rules(training, software), holdings, layout);
  const std::array<bool, kMemoryItemNames.size()> has{
      true, true, true, software.zero_stage.value >= 2, true, recomputes, holds_logits, true};
  MemoryUse use{.stage = stage, .lines = {}};
  for (std::size_t item = 0; item < bytes.size(); ++item) {
    if (!has[item]) continue;
    use.lines.push_back({kMemoryItemNames[item], core::DataSize::from_base(bytes[item])});
  }
  return use;
}

std::vector<TierUse> node_tier_uses(const Training& training, const Layout& layout,
                                    const SoftwareProfile& software, int num_accelerators) {
  if (!software.offload.any()) return {};
  NodeState state;
  for (int stage = 0; stage < layout.pp; ++stage) {
    const auto of_stage = sum(parameters_by_layer(training.model, layout, stage));
    const auto trained = sum(trained_by_layer(training, layout, stage));
    const auto raise = [&](double& most, double one) {
      most = std::max(most, one * num_accelerators);
    };
    raise(state.held, on_one_shard(of_stage, layout));
    raise(state.optimized, on_one_rank(trained, layout, software.zero_stage.value >= 1));
    raise(state.activations, activations_of_stage(training, layout, software, stage));
  }
  return tier_uses(software.offload, state_bytes(software), state);
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
