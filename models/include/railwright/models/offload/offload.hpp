// SPDX-License-Identifier: Apache-2.0
// Training with state outside the accelerators: ZeRO-Offload in host memory [@ren2021offload],
// ZeRO-Infinity also on drives or a file system [@rajbhandari2021infinity].
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

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("optimizer", &Offload::optimizer,
              "Tier of optimizer state and gradients, by catalogue name; the processors of a node "
              "then step its optimizer."),
        field(
            "parameters", &Offload::parameters,
            "Tier of the 16-bit parameters, by catalogue name; each layer comes from there before "
            "each pass."));
  }
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

/// Returns the rate at which all accelerators of a node send gradients to the tier, during the
/// backward pass.
core::Bandwidth gradient_rate(const OffloadTier& tier, const core::ComputeNode& node);

/// The state of a node in one tier.
struct TierUse {
  std::string tier;
  core::DataSize capacity;
  core::DataSize parameters;
  core::DataSize gradients;
  core::DataSize optimizer_state;

  [[nodiscard]] core::DataSize total() const { return parameters + gradients + optimizer_state; }
};

/// Returns each tier in use once; `held` and `optimized` are parameters of all accelerators of a
/// node.
std::vector<TierUse> tier_uses(const Offload& offload, const StateBytes& bytes, double held,
                               double optimized);

}  // namespace railwright::models
