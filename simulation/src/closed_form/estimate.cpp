// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/closed_form/estimate.hpp"

#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include "closed_form.hpp"

namespace railwright::simulation {

namespace {

void add_bucket(const Bucket& bucket, SyncBytes& bytes) {
  bytes.last_gradient = static_cast<double>(bucket.gradient_bytes);
  bytes.last_parameter = static_cast<double>(bucket.parameter_bytes);
  bytes.last_calls = bucket.num_calls;
  bytes.gradient += bytes.last_gradient;
  bytes.parameter += bytes.last_parameter;
  bytes.num_calls += bytes.last_calls;
}

StageTerms stage_terms(const StepCosts& costs, int stage) {
  const StageCosts& places = costs.stages[static_cast<std::size_t>(stage)];
  StageTerms terms{.work = stage_work(costs, stage),
                   .places = static_cast<double>(places.forward.size()),
                   .num_calls = {},
                   .syncs = {},
                   .optimizer = places.optimizer / slowest_speed(costs, stage)};
  for (const auto* passes : {&places.forward, &places.backward}) {
    for (const LayerPass& pass : *passes) {
      for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
        terms.num_calls[call] += pass.calls[call];
      }
    }
  }
  for (const ParameterSync& sync : places.syncs) {
    for (const Bucket& bucket : sync.buckets) {
      add_bucket(bucket, terms.syncs[sync.of_experts ? 1 : 0]);
    }
  }
  return terms;
}

/// Returns the terms of each place in the only stage, without a pipeline.
std::vector<PlaceTerms> place_terms(const StepCosts& costs) {
  const StageCosts& stage = costs.stages.front();
  const PassTimes times(costs, 0);
  std::vector<PlaceTerms> places;
  for (std::size_t place = 0; place < stage.forward.size(); ++place) {
    places.push_back({.count = 1.0,
                      .forward = times.shape(stage.forward[place]),
                      .backward = times.shape(stage.backward[place]),
                      .syncs = {}});
  }
  for (const ParameterSync& sync : stage.syncs) {
    for (const Bucket& bucket : sync.buckets) {
      add_bucket(
          bucket,
          places[static_cast<std::size_t>(bucket.first_layer)].syncs[sync.of_experts ? 1 : 0]);
    }
  }
  return places;
}

}  // namespace

Breakdown estimate_step(const StepCosts& costs) {
  std::vector<std::uint32_t> class_of_stage(costs.stages.size());
  std::iota(class_of_stage.begin(), class_of_stage.end(), 0U);
  std::vector<StageNetwork> networks;
  for (int stage = 0; stage < costs.layout.pp; ++stage) {
    networks.push_back(stage_network(costs, stage));
  }
  const NetworkTerms network = network_terms(costs, std::move(networks), std::move(class_of_stage));
  std::vector<StageTerms> stages;
  for (int stage = 0; stage < costs.layout.pp; ++stage) stages.push_back(stage_terms(costs, stage));
  const StepRules rules = step_rules(costs);
  const auto places = rules.goes_by_layer() ? place_terms(costs) : std::vector<PlaceTerms>{};
  std::vector<double> scratch(stages.size() * kNumTraffic);
  StepTerms terms{.network = network,
                  .classes = stages,
                  .places = places,
                  .rules = rules,
                  .num_microbatches = static_cast<double>(costs.layout.microbatches_per_chunk()),
                  .virtual_stages = static_cast<double>(costs.layout.virtual_stages),
                  .call_bytes = {},
                  .send_bytes = static_cast<double>(costs.send_bytes),
                  .scratch = scratch};
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    terms.call_bytes[call] = static_cast<double>(costs.calls[call].bytes);
  }
  return closed_form(terms);
}

}  // namespace railwright::simulation
