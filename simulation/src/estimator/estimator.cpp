// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/estimator/estimator.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <variant>

#include "../closed_form/closed_form.hpp"
#include "estimator_tables.hpp"
#include "link_sharing.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "stage_parameters.hpp"

namespace railwright::simulation {

namespace {

using models::ShardParameters;

/// Forward and backward pass through one place.
struct PlacePasses {
  LayerPass forward;
  LayerPass backward;
};
using Passes = ShortVector<PlacePasses, kMaxKinds>;

/// Table entries of a configuration, with its holdings and passes by kind of place.
struct Entries {
  const MemoryEntries& memory;
  const NetworkEntry& network;
  const Holdings& holdings;
  const Passes& passes;
};

/// Lays calls beside computation, or leaves out what depends on how long they take.
void overlap(const LayerEntry& layers, const NetworkEntry& network, LayerPass& pass) {
  if (network.calls_are_free) {
    pass.compute.gaps -= pass.compute.host_wait;
    pass.compute.host_wait = {};
  } else {
    layers.overlaps.apply(network.longest_calls, pass);
  }
}

void set_place(const LayerEntry& layers, const NetworkEntry& network, const PlaceKind& kind,
               PlacePasses& place) {
  if (kind.layer) {
    const TablePasses& passes = layers.of(*kind.layer).passes;
    place = {.forward = passes.forward.whole(), .backward = passes.backward.whole()};
    overlap(layers, network, place.forward);
    overlap(layers, network, place.backward);
  }
  if (kind.begins_chunk) place.forward += layers.share_gather.whole();
  if (kind.ends_chunk) place.backward += layers.share_gather.whole();
  const auto add = [&](const TablePasses& passes) {
    place.forward += passes.forward.whole();
    place.backward += passes.backward.whole();
  };
  if (kind.has_embedding) add(layers.embedding);
  if (!kind.has_head) return;
  LayerPass mtp = layers.mtp.forward.whole();
  overlap(layers, network, mtp);
  place.forward += mtp;
  mtp = layers.mtp.backward.whole();
  overlap(layers, network, mtp);
  place.backward += mtp;
  add(layers.head);
}

double of_sync(const ShardParameters& parameters, std::size_t sync) {
  return sync == 0 ? parameters.dense : parameters.expert;
}

void set_stage(const Configuration& c, const Entries& entries, const BucketRules& buckets,
               std::size_t network_class, const StageSums& sums, StageTerms& terms) {
  const StageNetwork& network = entries.network.terms.classes[network_class];
  const StageClass& stage =
      entries.memory.division.classes[entries.network.stage_class[network_class]];
  const PassTimes times(network.slowness, network.one_call);
  terms.places = 0.0;
  for (const StageClass::Places& part : stage.places) {
    terms.places += part.count;
    const PlacePasses& place = entries.passes.values()[part.kind];
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
      const PlaceHoldings& place = entries.holdings.values()[part.kind];
      const auto& gathered = buckets.gathers_held ? place.held : place.trained;
      add_layer_bucket(
          bucket_of_layer(buckets, of_sync(place.trained, sync), of_sync(gathered, sync)),
          part.count, terms.syncs[sync]);
    }
  }
  terms.optimizer = optimizer_time(entries.memory, sums, c.zero_stage >= 1) * network.slowness;
}

/// Sets the terms of each kind of place in the only stage, without a pipeline.
void set_layer_places(const Entries& entries, const BucketRules& buckets,
                      ShortVector<PlaceTerms, kMaxKinds>& terms) {
  const StageNetwork& network = entries.network.terms.classes.front();
  const PassTimes times(network.slowness, network.one_call);
  for (const StageClass::Places& part : entries.memory.division.classes.front().places) {
    const PlaceHoldings& place = entries.holdings.values()[part.kind];
    const PlacePasses& passes = entries.passes.values()[part.kind];
    const auto& gathered = buckets.gathers_held ? place.held : place.trained;
    PlaceTerms& made = terms.add();
    made.count = part.count;
    made.forward = times.shape(passes.forward);
    made.backward = times.shape(passes.backward);
    for (std::size_t sync = 0; sync < kNumSyncs; ++sync) {
      if (!entries.network.has_sync[sync]) continue;
      made.syncs[sync] =
          bucket_of_layer(buckets, of_sync(place.trained, sync), of_sync(gathered, sync));
    }
  }
}

Approximation approximation_of(const Configuration& c, const StepRules& rules,
                               const LinkSharing& sharing, int accelerators_of_node) {
  const bool has_gathers = rules.gathers_parameters && rules.overlap_parameter_gather;
  const bool has_reduces = rules.overlap_gradient_reduce;
  if (rules.goes_by_layer() && (has_gathers || has_reduces || rules.reduces_every_microbatch)) {
    return Approximation::kLayerCollectives;
  }
  if (c.pp > 1 && rules.overlap_pipeline && sharing.of_stages) {
    return Approximation::kCrowdedSends;
  }
  if (has_gathers || has_reduces || (c.pp > 1 && rules.overlap_pipeline)) {
    const bool leaves_node = c.tp * std::max(c.cp, c.ep) > accelerators_of_node;
    return leaves_node ? Approximation::kCrowdedCalls : Approximation::kOverlaps;
  }
  if (c.pp > 1 && (sharing.of_stages || c.virtual_stages > 1)) return Approximation::kPipeline;
  return Approximation::kNone;
}

}  // namespace

Estimator::Estimator(CheckedScenario base) : tables_(std::make_unique<Tables>(std::move(base))) {}
Estimator::Estimator(Estimator&&) noexcept = default;
Estimator& Estimator::operator=(Estimator&&) noexcept = default;
Estimator::~Estimator() = default;

void Estimator::prepare(std::span<const Configuration> configurations, int num_threads) {
  tables_->prepare_memory(configurations, num_threads);
  tables_->prepare_networks(configurations, num_threads, Others::kAwaited);
}

void Estimator::prepare_unclaimed(std::span<const Configuration> configurations) {
  tables_->prepare_memory(configurations, 1);
  tables_->prepare_networks(configurations, 1, Others::kLeft);
}

EstimateStatus Estimator::prepare(const Configuration& configuration) {
  prepare(std::span(&configuration, 1), 1);
  return estimate(configuration).status;
}

void Estimator::prepare_memory(std::span<const Configuration> configurations, int num_threads) {
  tables_->prepare_memory(configurations, num_threads);
}

void Estimator::prepare_calls(std::span<const Configuration> configurations, int num_threads) {
  tables_->prepare_calls(configurations, num_threads);
}

void Estimator::prepare_least(Transfers transfers, std::span<const Configuration> configurations,
                              int num_threads) {
  tables_->prepare_memory(configurations, num_threads);
  tables_->prepare_least_networks(transfers, configurations, num_threads);
}

std::size_t Estimator::num_entries() const {
  return tables_->layers.size() + tables_->networks.size() + tables_->few_replicas.size() +
         tables_->syncs.size() + tables_->layouts.size() + tables_->divisions.size() +
         tables_->calls.size();
}

std::size_t Estimator::num_transfer_entries() const { return tables_->networks.size(); }

bool Estimator::needs_least(Transfers transfers, const Configuration& configuration) const {
  return tables_->find_least(transfers, configuration) == nullptr;
}

bool Estimator::needs_transfers(const Configuration& configuration) const {
  return tables_->networks.find(tables_->network_key(configuration)) == nullptr;
}

MemoryEstimate Estimator::memory(const Configuration& c) const noexcept {
  const auto found = tables_->find(c);
  if (const auto* refused = std::get_if<EstimateStatus>(&found)) {
    return {.status = *refused, .lines = {}, .min_step_time = {}};
  }
  const MemoryEntries& entries = *std::get_if<MemoryEntries>(&found);
  Holdings holdings;
  Sums sums;
  set_holdings(entries, holdings);
  set_sums(entries, holdings, sums);
  MemoryEstimate made =
      memory_of(tables_->memory_rules, tables_->memory_capacity, c, entries, sums.values());
  made.min_step_time = min_step_time(c, entries, sums.values());
  return made;
}

Estimate Estimator::estimate(const Configuration& c) const noexcept {
  return estimate_with(tables_->networks.find(tables_->network_key(c)), c);
}

core::Duration Estimator::least_step_time(Transfers transfers,
                                          const Configuration& c) const noexcept {
  return estimate_with(tables_->find_least(transfers, c), c).step_time;
}

Estimate Estimator::estimate_with(const NetworkEntry* network,
                                  const Configuration& c) const noexcept {
  const Tables& tables = *tables_;
  Estimate made;
  const auto refused = [&](EstimateStatus status) {
    made.status = status;
    return made;
  };
  const auto found = tables.find(c);
  if (const auto* status = std::get_if<EstimateStatus>(&found)) return refused(*status);
  const MemoryEntries& memory_entries = *std::get_if<MemoryEntries>(&found);
  if (network == nullptr) return refused(EstimateStatus::kNotPrepared);
  if (network->terms.classes.size() > kMaxClasses) return refused(EstimateStatus::kNotInTables);

  Holdings holdings;
  Sums sums;
  set_holdings(memory_entries, holdings);
  set_sums(memory_entries, holdings, sums);
  const MemoryEstimate memory =
      memory_of(tables.memory_rules, tables.memory_capacity, c, memory_entries, sums.values());
  made.memory_lines = memory.lines;
  made.memory_stage = memory.stage;
  made.memory = memory.memory;
  made.fits = memory.fits;

  Passes passes;
  for (const PlaceKind& kind : memory_entries.division.kinds) {
    set_place(memory_entries.layers, *network, kind, passes.add());
  }
  const Entries entries{memory_entries, *network, holdings, passes};
  BucketRules buckets = tables.buckets;
  buckets.by_layer = c.zero_stage == 3 ||
                     tables.base.scenario.software.reduces_every_microbatch(c.zero_stage, c.pp);
  buckets.gathers_held = c.zero_stage == 3;
  const int num_replicas =
      tables.base.scenario.num_accelerators() / (c.tp * c.pp) * c.schedule->num_directions;
  buckets.bucket = tables.base.scenario.software.bucket_among(num_replicas).base();
  buckets.parameters = buckets.bucket / buckets.gradient_bytes;
  ShortVector<StageTerms, kMaxClasses> stages;
  for (std::size_t i = 0; i < network->terms.classes.size(); ++i) {
    set_stage(c, entries, buckets, i, sums[network->stage_class[i]], stages.add());
  }
  ShortVector<PlaceTerms, kMaxKinds> layer_places;
  StepRules rules = network->rules;
  rules.schedule = c.schedule;
  if (rules.goes_by_layer()) set_layer_places(entries, buckets, layer_places);
  std::array<double, kMaxClasses * kNumTraffic> scratch;  // NOLINT: set before it is read
  const StepTerms terms{.network = network->terms,
                        .classes = stages.values(),
                        .places = layer_places.values(),
                        .rules = rules,
                        .num_microbatches = static_cast<double>(memory_entries.num_microbatches),
                        .virtual_stages = static_cast<double>(c.virtual_stages),
                        .call_bytes = network->call_bytes,
                        .send_bytes = network->send_bytes,
                        .scratch = std::span(scratch).first(stages.size() * kNumTraffic)};
  made.breakdown = closed_form(terms);
  made.step_time = made.breakdown.total();
  made.approximation = approximation_of(c, rules, network->sharing, tables.accelerators_of_node);
  made.error_bound = closed_form_error(made.approximation, made.breakdown).largest;
  return made;
}

}  // namespace railwright::simulation
