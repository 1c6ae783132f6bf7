// SPDX-License-Identifier: Apache-2.0
// An operation of the simulated step as what a rank calls.
#pragma once

#include <vector>

#include "node.hpp"

namespace railwright::output::chakra {

/// What the costs of a step do not tell.
struct Traits {
  bool is_spread = false;           ///< ZeRO
  bool offloads_optimizer = false;  ///< gradients go to a tier
  bool offloads_parameters = false;
};

/// The calls that an operation of one group stands for, without times and order; none where the
/// rank has nobody to call.
class Calls {
 public:
  Calls(const simulation::StepCosts& costs, const simulation::Program& program,
        const ProcessGroups& groups, const Traits& traits)
      : costs_(costs), program_(program), groups_(groups), traits_(traits) {}

  /// Of every kind but transfers between stages and joins.
  [[nodiscard]] std::vector<Node> of(const simulation::Op& op) const;

  /// Whose parameters a gradient reduction or parameter gather is of, and of which stage.
  struct Sync {
    int stage = 0;
    bool of_experts = false;
  };
  [[nodiscard]] Sync sync_of(const simulation::Op& op) const;

 private:
  [[nodiscard]] std::vector<Node> tensor_calls(const simulation::Op& op) const;
  [[nodiscard]] std::vector<Node> same_calls(const simulation::Op& op, simulation::LayerCall call,
                                             Collective type, Role role) const;
  [[nodiscard]] std::vector<Node> sync_calls(const simulation::Op& op) const;
  /// `bytes` is the buffer as nccl-tests counts it.
  [[nodiscard]] Node collective(const simulation::Op& op, Collective collective, Role role,
                                std::int64_t bytes) const;

  const simulation::StepCosts& costs_;
  const simulation::Program& program_;
  const ProcessGroups& groups_;
  Traits traits_;
};

}  // namespace railwright::output::chakra
