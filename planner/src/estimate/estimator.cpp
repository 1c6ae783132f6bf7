// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/estimate/estimator.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "closed_form.hpp"
#include "estimator_tables.hpp"
#include "meetings.hpp"
#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::planner {

namespace {

using models::LayerKind;
using models::ShardParameters;

constexpr std::size_t kMostKinds = 16;    // of places
constexpr std::size_t kMostClasses = 16;  // of stages

std::size_t index(LayerKind kind) { return static_cast<std::size_t>(kind); }

/// To the nearest; of what is not negative. std::llround would be a call.
double whole(double value) {
  return static_cast<double>(
      static_cast<std::int64_t>(value + 0.5));  // NOLINT(bugprone-incorrect-roundings)
}

/// What one place holds and computes.
struct PlaceCosts {
  LayerPass forward;
  LayerPass backward;
  ShardParameters held;
  ShardParameters trained;
};

/// The entries of a configuration.
struct Entries {
  const LayerEntry& layers;
  const NetworkEntry& network;
  const Division& division;
};

void set_place(const Entries& entries, const PlaceKind& kind, PlaceCosts& place) {
  const LayerEntry& layers = entries.layers;
  if (kind.layer) {
    const std::size_t i = index(*kind.layer);
    place = {.forward = layers.passes.layers[i].forward,
             .backward = layers.passes.layers[i].backward,
             .held = layers.held[i],
             .trained = layers.trained[i]};
    layers.overlaps.apply(entries.network.longest_calls, place.forward);
    layers.overlaps.apply(entries.network.longest_calls, place.backward);
  }
  if (kind.begins_chunk) place.forward += layers.passes.share_gather;
  if (kind.ends_chunk) place.backward += layers.passes.share_gather;
  const auto add = [&](const LayerPasses::PerPass& passes, double held, double trained) {
    place.forward += passes.forward;
    place.backward += passes.backward;
    place.held.dense += held;
    place.trained.dense += trained;
  };
  if (kind.has_embedding) {
    add(layers.passes.embedding, layers.held_by_embedding, layers.trained_by_embedding);
  }
  if (kind.has_head) add(layers.passes.head, layers.held_by_head, layers.trained_by_head);
}

/// The one bucket of a layer.
SyncBytes bucket_of_layer(const BucketRules& rules, double trained, double gathered) {
  if (trained == 0.0 && gathered == 0.0) return {};
  const double gradient = trained * rules.gradient_bytes;
  const double parameter = gathered * rules.parameter_bytes;
  const double most = std::max(gradient, parameter);
  auto calls = static_cast<double>(static_cast<std::int64_t>(most / rules.bucket));
  if (calls * rules.bucket < most || calls == 0.0) ++calls;
  return {.gradient = whole(gradient),
          .parameter = whole(parameter),
          .num_calls = calls,
          .last_gradient = whole(gradient),
          .last_parameter = whole(parameter),
          .last_calls = calls};
}

/// Buckets of one size, and what is left for the last one.
SyncBytes buckets_of_stage(const BucketRules& rules, double trained) {
  const auto full = static_cast<double>(static_cast<std::int64_t>(trained / rules.parameters));
  const double rest = trained - full * rules.parameters;
  const bool has_rest = rest > 0.5;
  const double last = has_rest ? rest : rules.parameters;
  if (full == 0.0 && !has_rest) return {};
  const auto bytes = [&](double each) {
    return full * whole(rules.parameters * each) + (has_rest ? whole(rest * each) : 0.0);
  };
  return {.gradient = bytes(rules.gradient_bytes),
          .parameter = bytes(rules.parameter_bytes),
          .num_calls = full + (has_rest ? 1.0 : 0.0),
          .last_gradient = whole(last * rules.gradient_bytes),
          .last_parameter = whole(last * rules.parameter_bytes),
          .last_calls = 1.0};
}

double of_sync(const ShardParameters& parameters, std::size_t sync) {
  return sync == 0 ? parameters.dense : parameters.expert;
}

void add_layer_bucket(const SyncBytes& bucket, double count, SyncBytes& sum) {
  // Reductions go from the last layer to the first one that has any parameters.
  if (sum.num_calls == 0.0)
    sum = {.last_gradient = bucket.last_gradient,
           .last_parameter = bucket.last_parameter,
           .last_calls = bucket.last_calls};
  sum.gradient += bucket.gradient * count;
  sum.parameter += bucket.parameter * count;
  sum.num_calls += bucket.num_calls * count;
}

/// Sums over the places of a class of stages.
struct StageSums {
  ShardParameters held;
  ShardParameters trained;
  double largest_held = 0.0;
  double largest_trained = 0.0;
  double whole_layer = 0.0;
  double in_layers = 0.0;  ///< held parameters, embedding and head apart
};

using Places = ShortVector<PlaceCosts, kMostKinds>;

StageSums sum_up(const Entries& entries, const StageClass& stage, Places& places) {
  StageSums sums;
  for (const StageClass::Places& part : stage.places) {
    const PlaceCosts& place = places[part.kind];
    const auto& layer = entries.division.kinds[part.kind].layer;
    const auto add = [&](const ShardParameters& parameters, ShardParameters& sum) {
      sum.dense += parameters.dense * part.count;
      sum.expert += parameters.expert * part.count;
    };
    add(place.held, sums.held);
    add(place.trained, sums.trained);
    sums.largest_held = std::max(sums.largest_held, place.held.total());
    sums.largest_trained = std::max(sums.largest_trained, place.trained.total());
    if (layer) {
      sums.in_layers += entries.layers.held[index(*layer)].total() * part.count;
      sums.whole_layer =
          std::max(sums.whole_layer, entries.layers.whole_activations[index(*layer)]);
    }
  }
  return sums;
}

/// Bytes of the micro-batches in flight.
double activations(const Entries& entries, const StageClass& stage,
                   const models::Layout& pipeline) {
  const auto of_chunk = [&](std::size_t chunk) {
    double bytes = 0.0;
    for (std::size_t kind = 0; kind < models::kNumLayerKinds; ++kind) {
      bytes += stage.layers_of_chunk[chunk][kind] * entries.layers.activations[kind];
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

void set_stage(const Configuration& c, const Entries& entries, const BucketRules& buckets,
               std::size_t network_class, const StageSums& sums, Places& places,
               StageTerms& terms) {
  const StageNetwork& network = entries.network.terms.classes[network_class];
  const StageClass& stage = entries.division.classes[entries.network.stage_class[network_class]];
  const PassTimes times(network.slowness, network.one_call);
  for (const StageClass::Places& part : stage.places) {
    const PlaceCosts& place = places[part.kind];
    add_passes(times, place.forward, place.backward, part.count, terms.work);
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
      terms.num_calls[call] +=
          (place.forward.calls[call] + place.backward.calls[call]) * part.count;
    }
  }
  for (std::size_t sync = 0; sync < kNumSyncs; ++sync) {
    if (!entries.network.has_sync[sync]) continue;
    if (!buckets.by_layer) {
      terms.syncs[sync] = buckets_of_stage(buckets, of_sync(sums.trained, sync));
      continue;
    }
    for (const StageClass::Places& part : stage.places) {
      const PlaceCosts& place = places[part.kind];
      const auto& gathered = buckets.gathers_held ? place.held : place.trained;
      add_layer_bucket(
          bucket_of_layer(buckets, of_sync(place.trained, sync), of_sync(gathered, sync)),
          part.count, terms.syncs[sync]);
    }
  }
  const double optimized =
      models::on_one_rank(sums.trained, entries.network.layout, c.zero_stage >= 1);
  terms.optimizer = entries.layers.optimizer_per_parameter * (optimized * network.slowness) +
                    entries.layers.cast_per_parameter * (sums.in_layers * network.slowness);
}

/// Of the one stage without a pipeline.
void set_layer_places(const Entries& entries, const BucketRules& buckets, Places& places,
                      ShortVector<PlaceTerms, kMostKinds>& terms) {
  const StageNetwork& network = entries.network.terms.classes.front();
  const PassTimes times(network.slowness, network.one_call);
  for (const StageClass::Places& part : entries.division.classes.front().places) {
    const PlaceCosts& place = places[part.kind];
    const auto& gathered = buckets.gathers_held ? place.held : place.trained;
    PlaceTerms& made = terms.add();
    made.count = part.count;
    made.forward = times.total(place.forward);
    made.backward = times.total(place.backward);
    for (std::size_t sync = 0; sync < kNumSyncs; ++sync) {
      if (!entries.network.has_sync[sync]) continue;
      made.syncs[sync] =
          bucket_of_layer(buckets, of_sync(place.trained, sync), of_sync(gathered, sync));
    }
  }
}

Approximation approximation_of(const Configuration& c, const StepRules& rules,
                               const Meetings& meetings, int accelerators_of_node) {
  const bool has_gathers = rules.gathers_parameters && rules.overlap_parameter_gather;
  const bool has_reduces = rules.overlap_gradient_reduce;
  if (rules.goes_by_layer() && (has_gathers || has_reduces)) {
    return Approximation::kLayerCollectives;
  }
  if (c.pp > 1 && rules.overlap_pipeline && meetings.of_stages) {
    return Approximation::kCrowdedSends;
  }
  if (has_gathers || has_reduces || (c.pp > 1 && rules.overlap_pipeline)) {
    const bool leaves_node = c.tp * std::max(c.cp, c.ep) > accelerators_of_node;
    return leaves_node ? Approximation::kCrowdedCalls : Approximation::kOverlaps;
  }
  if (c.pp > 1 && (meetings.of_stages || c.virtual_stages > 1)) return Approximation::kPipeline;
  return Approximation::kNone;
}

}  // namespace

Estimator::Estimator(CheckedScenario base) : tables_(std::make_unique<Tables>(std::move(base))) {}
Estimator::Estimator(Estimator&&) noexcept = default;
Estimator& Estimator::operator=(Estimator&&) noexcept = default;
Estimator::~Estimator() = default;

EstimateStatus Estimator::prepare(const Configuration& configuration) {
  const EstimateStatus status = tables_->status(configuration);
  if (status != EstimateStatus::kOk) return status;
  tables_->prepare(configuration);
  return estimate(configuration).status;
}

std::size_t Estimator::num_entries() const {
  return tables_->layers.size() + tables_->networks.size() + tables_->divisions.size();
}

Estimate Estimator::estimate(const Configuration& c) const noexcept {
  const Tables& tables = *tables_;
  Estimate made;
  const auto refused = [&](EstimateStatus status) {
    made.status = status;
    return made;
  };
  if (const EstimateStatus status = tables.status(c); status != EstimateStatus::kOk) {
    return refused(status);
  }
  const DivisionEntry* division = tables.divisions.find(Tables::division_key(c));
  const NetworkEntry* network = tables.networks.find(tables.network_key(c));
  if ((division != nullptr && !division->is_valid) || (network != nullptr && !network->is_valid)) {
    return refused(EstimateStatus::kDoesNotDivide);
  }
  if (division == nullptr || network == nullptr) return refused(EstimateStatus::kNotPrepared);
  const std::int64_t samples = static_cast<std::int64_t>(network->layout.dp) * c.micro_batch;
  const std::int64_t num_microbatches = c.global_batch / samples;
  if (num_microbatches * samples != c.global_batch ||
      num_microbatches * c.pp * c.virtual_stages > models::kMostPasses ||
      (c.virtual_stages > 1 &&
       (c.schedule == models::Schedule::kGpipe || num_microbatches % c.pp != 0))) {
    return refused(EstimateStatus::kDoesNotDivide);
  }
  const LayerEntry* layers = tables.layers.find(tables.layer_key(c));
  if (layers == nullptr) return refused(EstimateStatus::kNotPrepared);
  const Entries entries{*layers, *network, division->division};
  if (entries.division.kinds.size() > kMostKinds || network->terms.classes.size() > kMostClasses) {
    return refused(EstimateStatus::kNotInTables);
  }

  BucketRules buckets = tables.buckets;
  buckets.by_layer = buckets.by_layer || c.zero_stage == 3;
  buckets.gathers_held = c.zero_stage == 3;

  Places places;
  for (const PlaceKind& kind : entries.division.kinds) set_place(entries, kind, places.add());

  const models::Layout pipeline{.pp = c.pp,
                                .virtual_stages = c.virtual_stages,
                                .schedule = c.schedule,
                                .num_microbatches = static_cast<int>(num_microbatches)};
  models::MemoryRules memory_rules = tables.memory_rules;
  memory_rules.zero_stage = c.zero_stage;
  ShortVector<StageSums, kMostClasses> sums;
  double most_memory = -1.0;
  for (std::size_t i = 0; i < entries.division.classes.size(); ++i) {
    const StageClass& stage = entries.division.classes[i];
    StageSums& sum = sums.add();
    sum = sum_up(entries, stage, places);
    const bool recomputes = models::runs_again(c.recompute);
    const bool has_head = entries.division.class_of_stage.back() == i;
    const models::MemoryBytes bytes =
        models::memory_bytes(memory_rules,
                             {.held = sum.held,
                              .trained = sum.trained,
                              .largest_held = sum.largest_held,
                              .largest_trained = sum.largest_trained,
                              .activations = activations(entries, stage, pipeline),
                              .recomputed_layer = recomputes ? sum.whole_layer : 0.0,
                              .logits = has_head ? layers->logits : 0.0},
                             network->layout);
    double total = 0.0;
    for (const double line : bytes) total += line;
    if (total <= most_memory) continue;
    most_memory = total;
    made.memory_lines = bytes;
    made.memory_stage = stage.first_stage;
  }
  made.memory = core::DataSize::from_base(most_memory);
  made.fits = most_memory <= tables.memory_capacity;

  ShortVector<StageTerms, kMostClasses> stages;
  for (std::size_t i = 0; i < network->terms.classes.size(); ++i) {
    set_stage(c, entries, buckets, i, sums[network->stage_class[i]], places, stages.add());
  }
  ShortVector<PlaceTerms, kMostKinds> layer_places;
  StepRules rules = network->rules;
  rules.schedule = c.schedule;
  if (rules.goes_by_layer()) set_layer_places(entries, buckets, places, layer_places);
  std::array<double, kMostClasses * kNumTraffic> scratch;  // NOLINT: set before it is read
  const StepTerms terms{.network = network->terms,
                        .classes = stages.values(),
                        .places = layer_places.values(),
                        .rules = rules,
                        .num_microbatches = static_cast<double>(num_microbatches),
                        .virtual_stages = static_cast<double>(c.virtual_stages),
                        .call_bytes = network->call_bytes,
                        .send_bytes = network->send_bytes,
                        .scratch = std::span(scratch).first(stages.size() * kNumTraffic)};
  made.breakdown = closed_form(terms);
  made.step_time = made.breakdown.total();
  made.approximation = approximation_of(c, rules, network->meetings, tables.accelerators_of_node);
  made.error_bound = kErrorBounds[static_cast<std::size_t>(made.approximation)];
  return made;
}

}  // namespace railwright::planner
