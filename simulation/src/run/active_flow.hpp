// SPDX-License-Identifier: Apache-2.0
// Flows under way, with what restarts them over other links.
#pragma once

#include <cstdint>
#include <span>

#include "railwright/core/sim/engine.hpp"
#include "railwright/models/workload/layers.hpp"
#include "run_model.hpp"
#include "step_ticks.hpp"

namespace railwright::simulation::replication {

/// A flow of a job, of the rebuild or of others.
struct ActiveFlow {
  core::FlowId id = -1;
  core::EventId event = 0;  ///< delivered at its end
  std::int64_t size = 0;
  double sampled = 0.0;  ///< units that the load series has counted
  double bytes_per_unit = 1.0;
  double weight = 1.0;                        ///< share of links relative to other flows
  double request = kTransferSize;             ///< bytes
  std::span<const core::LinkUse> burst_uses;  ///< of the model's transfer or reads
  std::span<const core::LinkUse> node_shares;
  Transfer JobTransfers::* transfer = nullptr;  ///< set if it is a transfer of a job
  bool is_write = false;
  bool is_local = false;  ///< stays within the nodes

  [[nodiscard]] bool is_under_way() const { return id >= 0; }
  /// Notes that the engine has delivered its end.
  void end() { id = -1; }
};

/// A checkpoint that is written while training continues.
struct AsyncWrite {
  ActiveFlow flow;
  std::int64_t step = -1;
  core::RunTime start;
  StepTicks ticks{};  ///< ticks since the previous checkpoint
};

}  // namespace railwright::simulation::replication
