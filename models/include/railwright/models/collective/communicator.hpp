// SPDX-License-Identifier: Apache-2.0
// The members of a collective on a fabric, and the cost of their collectives.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "railwright/models/collective/collective.hpp"
#include "railwright/models/software/collectives.hpp"

namespace railwright::core {
class Fabric;
}  // namespace railwright::core

namespace railwright::models {

struct CollectiveChoice {
  CollectiveAlgorithm algorithm{"ring"};
  CollectiveProtocol protocol = CollectiveProtocol::kSimple;
};

/// Says why the network cannot reduce: a named algorithm needs in_network_reduction, or that is set
/// and a switch cannot (the first is named). Returns "" otherwise.
std::string missing_reduction(const core::Fabric& fabric, const CollectiveTuning& tuning);

/// Members are in rank order; those of one node are one scale-up domain. The fabric and the tuning
/// must outlive the communicator.
///
/// The library's own model chooses algorithm and protocol [@nccl]. The time is then that of the
/// payload on the real links, below the ceiling of the protocol, after a latency:
///   launch + base + steps * (step latency + latency of the links) + filling of the pipeline.
class Communicator {
 public:
  Communicator(const core::Fabric& fabric, std::vector<int> members,
               const CollectiveTuning& tuning);
  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;
  ~Communicator();

  /// Returns these members under another tuning, which must outlive it. What both depend on alike,
  /// as routes, is worked out once.
  [[nodiscard]] Communicator with(const CollectiveTuning& tuning) const;
  /// Returns these members on another fabric, which differs from this one in rates and latencies
  /// alone and has its routes. Loads of links, which follow from routes, are worked out once.
  [[nodiscard]] Communicator on(const core::Fabric& fabric, const CollectiveTuning& tuning) const;

  /// Returns the library's choice for a buffer of `bytes`.
  [[nodiscard]] CollectiveChoice choice(CollectiveOp op, double bytes) const;

  /// Returns one call of `op` on a buffer of `bytes`. Route, latency and ceiling all depend on the
  /// size.
  [[nodiscard]] CollectiveFlow flow(CollectiveOp op, double bytes) const;
  /// Returns one call by a given algorithm and protocol.
  [[nodiscard]] CollectiveFlow flow(CollectiveOp op, double bytes,
                                    const CollectiveChoice& choice) const;

  /// Returns the route of a buffer of which a member sends `network_share` to its counterparts in
  /// the other nodes and `scale_up_share` to the others of its own node, as the kernels of expert
  /// exchanges do.
  [[nodiscard]] std::vector<core::LinkUse> counterpart_route(double network_share,
                                                             double scale_up_share) const;

  [[nodiscard]] int size() const;
  [[nodiscard]] int num_nodes() const;
  /// Members in the node with most of them.
  [[nodiscard]] int most_in_node() const;
  /// Parallel channels of a call.
  [[nodiscard]] int num_channels(const CollectiveChoice& choice) const;

 private:
  struct Members;
  struct State;
  [[nodiscard]] bool are_alike(const CollectiveTuning& tuning) const;
  Communicator(std::shared_ptr<State> state, const CollectiveTuning& tuning);

  std::shared_ptr<State> state_;
  const CollectiveTuning* tuning_;
};

}  // namespace railwright::models
