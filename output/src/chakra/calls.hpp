// SPDX-License-Identifier: Apache-2.0
// An operation of the simulated step as the calls of a rank.
#pragma once

#include <vector>

#include "chakra_node.hpp"

namespace railwright::output::chakra {

/// Properties that the costs of a step do not contain.
struct Traits {
  bool is_spread = false;           ///< ZeRO
  bool offloads_optimizer = false;  ///< gradients go to a tier
  bool offloads_parameters = false;
};

/// Translates an operation of one group into calls, without times and order; into none if the rank
/// has no peer.
class Calls {
 public:
  Calls(const simulation::StepCosts& costs, const simulation::Program& program,
        const ProcessGroups& groups, const Traits& traits)
      : costs_(costs), program_(program), groups_(groups), traits_(traits) {}

  /// Returns the calls of any operation except transfers between stages and joins.
  [[nodiscard]] std::vector<Node> of(const simulation::Op& op) const;

  /// The parameters of a gradient reduction or parameter gather: their stage, and dense or experts.
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
  /// `bytes` is the buffer size as nccl-tests defines it.
  [[nodiscard]] Node collective(const simulation::Op& op, Collective collective, Role role,
                                std::int64_t bytes) const;

  const simulation::StepCosts& costs_;
  const simulation::Program& program_;
  const ProcessGroups& groups_;
  Traits traits_;
};

}  // namespace railwright::output::chakra
