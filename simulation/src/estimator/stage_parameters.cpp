// SPDX-License-Identifier: Apache-2.0
#include "stage_parameters.hpp"

#include <algorithm>

#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::simulation {

namespace {

using core::Duration;

StageSums sum_up(const MemoryEntries& entries, const Holdings& holdings, const StageClass& stage) {
  StageSums sums;
  for (const StageClass::Places& part : stage.places) {
    const PlaceHoldings& place = holdings.values()[part.kind];
    sums.held += place.held * part.count;
    sums.trained += place.trained * part.count;
    sums.largest_held = std::max(sums.largest_held, place.held.total());
    sums.largest_trained = std::max(sums.largest_trained, place.trained.total());
    if (const auto& layer = entries.division.kinds[part.kind].layer) {
      const LayersOfKind& layers = entries.layers.of(*layer);
      sums.in_layers += layers.held * part.count;
      sums.matrices += layers.matrices * part.count;
      sums.orthogonalization += layers.orthogonalization * part.count;
      if (entries.division.kinds[part.kind].has_head && entries.layers.num_behind > 0) {
        const LayersOfKind& behind = entries.layers.of(entries.layers.kind_behind);
        const double count = part.count * entries.layers.num_behind;
        sums.in_layers += entries.layers.behind_layers * part.count;
        sums.matrices += behind.matrices * count;
        sums.orthogonalization += behind.orthogonalization * count;
      }
      sums.recomputed_layer = std::max(sums.recomputed_layer, layers.recomputed_activations);
    }
  }
  return sums;
}

/// Returns the bytes of activations of the micro-batches in flight.
double activations(const LayerEntry& layers, const StageClass& stage,
                   const models::Layout& pipeline) {
  const auto of_chunk = [&](std::size_t chunk) {
    double bytes = 0.0;
    for (std::size_t kind = 0; kind < models::kNumLayerKinds; ++kind) {
      const double count = stage.layers_of_chunk[chunk][kind];
      if (count > 0.0) bytes += count * layers.of(static_cast<models::LayerKind>(kind)).activations;
    }
    return bytes;
  };
  if (stage.layers_of_chunk.size() == 1) {
    const int passes = models::num_warmup_passes(pipeline, stage.first_stage) + 1;
    return of_chunk(0) * std::min(passes, pipeline.num_microbatches * pipeline.virtual_stages);
  }
  double bytes = 0.0;
  for (int chunk = 0; chunk < pipeline.virtual_stages; ++chunk) {
    bytes += of_chunk(static_cast<std::size_t>(chunk)) *
             models::microbatches_in_flight(pipeline, stage.first_stage, chunk);
  }
  return bytes;
}

/// Returns the bytes of activations behind the layers, in the stage with the head.
double activations_behind(const LayerEntry& layers, const StageClass& stage,
                          const models::Layout& pipeline) {
  const int last_chunk = pipeline.virtual_stages - 1;
  return layers.activations_behind *
         models::microbatches_in_flight(pipeline, stage.first_stage, last_chunk);
}

/// Returns the time of the calls that the stack cannot hide.
Duration waits(const MemoryEntries& entries, const TablePass& pass) {
  const auto of = [&](LayerCall call) {
    const auto i = static_cast<std::size_t>(call);
    return entries.calls.fastest[i] * pass.calls[i];
  };
  const Overlaps& overlaps = entries.layers.overlaps;
  Duration time;
  if (overlaps.matrix_share == 0.0) time += of(LayerCall::kTensor);
  if (overlaps.attention_share == 0.0) time += of(LayerCall::kContext);
  return time;
}

/// Returns the work for a micro-batch, with the calls that nothing hides and without the host waits
/// that calls may fill.
Duration work_of(const MemoryEntries& entries, const StageClass& stage) {
  Duration work;
  const auto add = [&](const TablePasses& passes, double count) {
    for (const TablePass* pass : {&passes.forward, &passes.backward}) {
      const Duration computes = pass->compute.total() - pass->compute.host_wait;
      work += (computes + waits(entries, *pass)) * count;
    }
  };
  const LayerEntry& layers = entries.layers;
  for (const StageClass::Places& part : stage.places) {
    const PlaceKind& kind = entries.division.kinds[part.kind];
    if (kind.layer) add(layers.of(*kind.layer).passes, part.count);
    if (kind.has_embedding) add(layers.embedding, part.count);
    if (!kind.has_head) continue;
    add(layers.mtp, part.count);
    add(layers.head, part.count);
  }
  return work;
}

}  // namespace

PlaceHoldings holdings_of(const LayerEntry& layers, const PlaceKind& kind) {
  PlaceHoldings place;
  if (kind.layer) {
    const LayersOfKind& own = layers.of(*kind.layer);
    place = {.held = own.held, .trained = own.trained};
  }
  if (kind.has_embedding) {
    place.held.dense += layers.held_by_embedding;
    place.trained.dense += layers.trained_by_embedding;
  }
  if (kind.has_head) {
    place.held += layers.held_by_head;
    place.trained += layers.trained_by_head;
  }
  return place;
}

void set_holdings(const MemoryEntries& entries, Holdings& holdings) {
  for (const PlaceKind& kind : entries.division.kinds) {
    holdings.add() = holdings_of(entries.layers, kind);
  }
}

void set_sums(const MemoryEntries& entries, const Holdings& holdings, Sums& sums) {
  for (const StageClass& stage : entries.division.classes) {
    sums.add() = sum_up(entries, holdings, stage);
  }
}

Duration optimizer_time(const MemoryEntries& entries, const StageSums& sums, bool divides) {
  const double optimized = models::on_one_rank(sums.trained, entries.layout, divides);
  return entries.layers.optimizer_per_parameter * optimized +
         models::on_fullest_rank(sums.orthogonalization, entries.layout, divides) /
             entries.layers.compute_efficiency +
         entries.layers.cast_per_parameter * sums.in_layers.total();
}

MemoryEstimate memory_of(const models::MemoryRules& rules_of_job, double capacity,
                         const Configuration& c, const MemoryEntries& entries,
                         std::span<const StageSums> sums) {
  const models::Layout pipeline{.pp = c.pp,
                                .virtual_stages = c.virtual_stages,
                                .schedule = c.schedule,
                                .num_microbatches = static_cast<int>(entries.num_microbatches)};
  models::MemoryRules rules = rules_of_job;
  rules.zero_stage = c.zero_stage;
  MemoryEstimate made;
  double max_memory = -1.0;
  for (std::size_t i = 0; i < entries.division.classes.size(); ++i) {
    const StageClass& stage = entries.division.classes[i];
    const StageSums& sum = sums[i];
    const bool has_head = entries.division.class_of_stage.back() == i;
    const models::MemoryBytes bytes = models::memory_bytes(
        rules,
        {.held = sum.held,
         .in_layers = sum.in_layers,
         .trained = sum.trained,
         .matrices = sum.matrices,
         .largest_held = sum.largest_held,
         .largest_trained = sum.largest_trained,
         .activations = activations(entries.layers, stage, pipeline) +
                        (has_head ? activations_behind(entries.layers, stage, pipeline) : 0.0),
         .recomputed_layer = sum.recomputed_layer,
         .logits = has_head ? entries.layers.logits : 0.0},
        entries.layout);
    double total = 0.0;
    for (const double line : bytes) total += line;
    if (total <= max_memory) continue;
    max_memory = total;
    made.lines = bytes;
    made.stage = stage.first_stage;
  }
  made.memory = core::DataSize::from_base(max_memory);
  made.fits = max_memory <= capacity;
  return made;
}

Duration min_step_time(const Configuration& c, const MemoryEntries& entries,
                       std::span<const StageSums> sums) {
  ShortVector<Duration, kMaxClasses> work;
  for (const StageClass& stage : entries.division.classes) work.add() = work_of(entries, stage);
  Duration of_all;
  for (const std::uint32_t i : entries.division.class_of_stage) of_all += work[i];
  Duration longest;
  Duration optimizer;
  for (std::size_t i = 0; i < work.size(); ++i) {
    const Duration own = work[i] * static_cast<double>(entries.num_microbatches);
    longest = std::max(longest, own + (of_all - work[i]) / static_cast<double>(c.virtual_stages));
    optimizer = std::max(optimizer, optimizer_time(entries, sums[i], c.zero_stage >= 1));
  }
  return longest + optimizer;
}

}  // namespace railwright::simulation
