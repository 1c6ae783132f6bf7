// SPDX-License-Identifier: Apache-2.0
// Training with state outside the accelerators: ZeRO-Offload in host memory [@ren2021offload],
// ZeRO-Infinity also on drives or a file system [@rajbhandari2021infinity]; activations between
// their two passes [@transformer_engine].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/models/offload/tier.hpp"

namespace railwright::models {

/// The tier of each kind of state; nullopt keeps it on the accelerators.
struct Offload {
  std::optional<OffloadTier> optimizer;
  std::optional<OffloadTier> parameters;
  std::optional<OffloadTier> activations;
  double activation_share = 1.0;

  [[nodiscard]] bool any() const { return optimizer || parameters || activations; }

  static constexpr auto fields();
};

/// Bytes of a parameter.
struct StateBytes {
  double weight = 0.0;
  double gradient = 0.0;
  double optimizer = 0.0;  ///< moments, and a master weight
};

/// Computes the time from the last gradient to new weights, for `num_parameters` that all
/// accelerators of a node optimize. It is the longest of three concurrent transfers:
///   processors, which read and write state, read gradients and write weights in memory:
///     (2 optimizer + gradient + weight) bytes / update_rate
///   the tier, where it is no memory: (optimizer + gradient) / read_rate + optimizer / write_rate
///   weights back to where the parameters lie: weight / host_link_rate, or / its write_rate
core::Duration offloaded_step_time(const Offload& offload, const StateBytes& bytes,
                                   double num_parameters, const core::ComputeNode& node);

/// The state of a node in one tier.
struct TierUse {
  std::string tier;
  core::DataSize capacity;
  core::DataSize parameters;
  core::DataSize gradients;
  core::DataSize optimizer_state;
  core::DataSize activations;

  [[nodiscard]] core::DataSize total() const {
    return parameters + gradients + optimizer_state + activations;
  }
};

/// The state of all accelerators of a node.
struct NodeState {
  double held = 0.0;  ///< parameters
  double optimized = 0.0;
  double activations = 0.0;  ///< bytes
};
/// Returns each tier in use once.
std::vector<TierUse> tier_uses(const Offload& offload, const StateBytes& bytes,
                               const NodeState& state);

}  // namespace railwright::models
