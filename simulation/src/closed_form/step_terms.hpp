// SPDX-License-Identifier: Apache-2.0
// Inputs of the closed form of a step, and nothing else. They are made from the costs of a step, or
// from tables that many configurations share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bottleneck_table.hpp"
#include "contention.hpp"
#include "railwright/simulation/step/costs.hpp"
#include "send_times.hpp"
#include "stage_work.hpp"
#include "traffic.hpp"

namespace railwright::simulation {

/// Time of a collective in isolation.
struct SyncTime {
  core::Duration latency;
  core::Duration per_byte;
  bool operator==(const SyncTime&) const = default;
};

/// Times that links, libraries and slow nodes give the stages of a class.
struct StageNetwork {
  std::array<core::Duration, kNumLayerCalls> one_call{};
  std::array<double, kNumLayerCalls> latency_of_calls{};  ///< share of one_call
  double slowness = 1.0;
  std::array<SyncTime, kNumSyncs> reduce;
  std::array<SyncTime, kNumSyncs> gather;
  Contention contention;
  bool operator==(const StageNetwork&) const = default;
};

/// Times that do not depend on the number of passes, calls and sends.
struct NetworkTerms {
  std::vector<StageNetwork> classes;
  std::vector<std::uint32_t> class_of_stage;
  std::vector<SendTimes> sends;  ///< indexed by stage
  SlowestWay slowest_way;
  core::Duration shared_reduce;  ///< per byte, with the collectives of all stages at once
  core::Duration shared_gather;
  LinkRows links;

  [[nodiscard]] std::size_t num_stages() const { return class_of_stage.size(); }
};

/// Sums over the buckets of one collective, and its last bucket.
struct SyncBytes {
  double gradient = 0.0;
  double parameter = 0.0;
  double num_calls = 0.0;
  double last_gradient = 0.0;
  double last_parameter = 0.0;
  double last_calls = 0.0;
};

/// Work of a stage of a class.
struct StageTerms {
  StageWork work;
  double places = 1.0;                             ///< layer places of all chunks
  std::array<double, kNumLayerCalls> num_calls{};  ///< per micro-batch, including hidden calls
  std::array<SyncBytes, kNumSyncs> syncs;
  core::Duration optimizer;
};

/// Identical places of a stage whose collectives go layer by layer.
struct PlaceTerms {
  double count = 1.0;
  PassShape forward;
  PassShape backward;
  std::array<SyncBytes, kNumSyncs> syncs;
};

/// Rules by which a software stack runs a step.
struct StepRules {
  models::Schedule schedule;
  double num_directions = 1.0;  ///< directions in which micro-batches pass the stages
  bool gathers_parameters = false;
  bool gathers_every_pass = false;
  bool reduces_every_microbatch = false;
  bool overlap_gradient_reduce = false;
  bool overlap_parameter_gather = false;
  bool overlap_pipeline = false;
  double overlap_slowdown = 1.0;
  core::Duration overhead;

  /// Whether gradients are reduced layer by layer: during the gathers of layers, or in every
  /// micro-batch.
  [[nodiscard]] bool reduces_by_layer() const {
    return reduces_every_microbatch || (gathers_every_pass && overlap_gradient_reduce);
  }
  [[nodiscard]] bool goes_by_layer() const {
    return gathers_every_pass || reduces_every_microbatch;
  }
};

struct StepTerms {
  const NetworkTerms& network;
  std::span<const StageTerms> classes;
  std::span<const PlaceTerms> places;  ///< if rules.goes_by_layer(); the first place first
  StepRules rules;
  double num_microbatches = 1.0;  ///< per direction
  double virtual_stages = 1.0;
  std::array<double, kNumLayerCalls> call_bytes{};
  double send_bytes = 0.0;
  std::span<double> scratch;  ///< kNumTraffic doubles for each class
};

/// Computes the terms from `costs`, whose stages have the networks of these classes.
NetworkTerms network_terms(const StepCosts& costs, std::vector<StageNetwork> classes,
                           std::vector<std::uint32_t> class_of_stage);
StageNetwork stage_network(const StepCosts& costs, int stage);
StepRules step_rules(const StepCosts& costs);

}  // namespace railwright::simulation
