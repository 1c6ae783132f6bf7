// SPDX-License-Identifier: Apache-2.0
// A collective library: the constants of its choices, and the time of its calls.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/generation.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/software/collective_algorithm.hpp"

namespace railwright::models {

/// Latencies of an algorithm in the library's model, each for LL, LL128 and Simple.
struct AlgorithmLatency {
  core::Sourced<std::vector<core::Duration>> base;
  core::Sourced<std::vector<core::Duration>> scale_up;
  core::Sourced<std::vector<core::Duration>> pcie;
  core::Sourced<std::vector<core::Duration>> network;

  static constexpr auto fields();
};

/// The library's constants for a generation of accelerators. Lists of three are for one node, two
/// nodes and more.
struct AcceleratorGeneration {
  std::string name;
  std::vector<core::Generation> of;
  core::Sourced<std::vector<core::Duration>> launch;
  core::Sourced<std::vector<core::Duration>> step_overhead;
  core::Sourced<core::Duration> spread;
  core::Sourced<core::Duration> slice_latency;
  core::Sourced<int> num_channels;
  core::Sourced<core::Bandwidth> scale_up;
  core::Sourced<core::Bandwidth> ll;
  core::Sourced<std::vector<core::Bandwidth>> ring_ll128;
  core::Sourced<std::vector<core::Bandwidth>> tree_ll128;
  core::Sourced<std::vector<core::Bandwidth>> tree_simple;
  core::Sourced<std::vector<core::Bandwidth>> nvls_tree;
  core::Sourced<double> ll_reach;
  core::Sourced<bool> has_ll128;
  core::Sourced<double> ll128_reach;
  core::Sourced<std::vector<core::Duration>> pairwise_launch;
  core::Sourced<double> pairwise_ll_reach;
  core::Sourced<double> pairwise_share;
  core::Sourced<double> pairwise_self_share;
  core::Sourced<core::Duration> nvls_launch;
  core::Sourced<double> nvls_efficiency;
  core::Sourced<int> nvls_members;
  core::Sourced<int> nvls_channels;
  core::Sourced<core::Duration> nvls_chunk_overhead;
  core::Sourced<double> nvls_wire_share;
  core::Sourced<double> nvls_rack_wire_share;

  static constexpr auto fields();
};

/// Numbers of one release that differ from those of its generation's row.
struct ReleaseLimits {
  std::vector<core::Generation> of;
  core::Sourced<std::vector<core::Bandwidth>> ring_ll128;

  static constexpr auto fields();
};

/// Settings of collectives: a library by its catalogue name, with settings that override it.
struct CollectiveTuning {
  static constexpr std::string_view kKind = "collective_libraries";

  std::string name;
  std::string description;
  core::Sourced<CollectiveAlgorithm> all_reduce_algorithm;
  core::Sourced<bool> in_network_reduction{.value = false, .source = {}};
  AlgorithmLatency ring;
  AlgorithmLatency tree;
  core::Sourced<core::Duration> nvls_latency;
  core::Sourced<core::Duration> nvls_tree_hop_latency;
  core::Sourced<core::Duration> collnet_hop_latency;
  core::Sourced<core::Duration> network_overhead;
  core::Sourced<double> ring_ll_share;
  core::Sourced<double> tree_ll_share;
  core::Sourced<double> ll128_share;
  core::Sourced<std::vector<core::Bandwidth>> ll_between_nodes;
  core::Sourced<std::vector<double>> tree_ll_correction;
  core::Sourced<std::vector<double>> tree_ll128_correction;
  core::Sourced<std::vector<double>> tree_simple_correction;
  core::Sourced<core::Duration> network_launch;
  core::Sourced<core::DataSize> ring_chunk;
  core::Sourced<core::DataSize> pairwise_ll;
  core::Sourced<core::Duration> pairwise_peer;
  core::Sourced<core::DataSize> pairwise_chunk;
  core::Sourced<double> pairwise_fill;
  core::Sourced<core::DataSize> spread_size;
  core::Sourced<int> connections_per_nic;
  core::Sourced<core::DataSize> nvls_chunk;
  core::Sourced<double> nvls_fill;
  std::vector<AcceleratorGeneration> generations;
  std::vector<ReleaseLimits> release_limits;
  core::Generation runs_on = core::Generation::kHopper;  ///< the accelerators of the cluster

  /// Returns the constants of the accelerators that it runs on; null if it has none.
  [[nodiscard]] const AcceleratorGeneration* generation() const {
    for (const AcceleratorGeneration& one : generations) {
      if (std::find(one.of.begin(), one.of.end(), runs_on) != one.of.end()) return &one;
    }
    return nullptr;
  }

  /// Returns what a channel of a ring carries with LL128 at most, by the accelerators' `row`.
  [[nodiscard]] const std::vector<core::Bandwidth>& ring_ll128(
      const AcceleratorGeneration& row) const {
    for (const ReleaseLimits& one : release_limits) {
      if (std::find(one.of.begin(), one.of.end(), runs_on) != one.of.end()) {
        return one.ring_ll128.value;
      }
    }
    return row.ring_ll128.value;
  }

  static constexpr auto fields();
};

}  // namespace railwright::models
