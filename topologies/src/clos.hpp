// SPDX-License-Identifier: Apache-2.0
// A folded Clos: leaves under spines, and spines of several pods under core switches.
#pragma once

#include <optional>
#include <vector>

#include "scale_out.hpp"

namespace railwright::topologies {

/// What the leaves ask for. Switches must outlive the fabric's builder.
struct ClosDemand {
  const core::Switch* leaf = nullptr;
  const core::Switch* spine = nullptr;
  const core::Switch* core = nullptr;
  int num_leaves = 1;
  int leaves_per_block = 1;             ///< whole blocks stay in one pod
  int down_per_leaf = 0;                ///< host ports of the fullest leaf
  double oversubscription = 1.0;        ///< host ports to uplinks of a leaf
  double spine_oversubscription = 1.0;  ///< the same of a spine, under core switches
  std::optional<int> tiers;
  std::optional<int> num_spines;      ///< in a pod
  std::optional<int> links_to_spine;  ///< from each leaf to each spine of its pod
};

/// How many switches and links serve it: each leaf has equally many links to each spine of its pod,
/// and spine s of every pod equally many to each core switch of group s.
struct ClosPlan {
  int tiers = 1;
  int num_pods = 1;
  int leaves_per_pod = 1;
  int spines_per_pod = 0;
  int links_to_spine = 0;
  int cores_per_group = 0;
  int links_to_core = 0;
};

/// Most ports downwards so that a switch still has as many upwards as the ratio asks for.
int most_ports_down(int num_ports, double oversubscription);

/// The fewest tiers, then the fewest spines, then the fewest core switches. What does not fit is
/// planned all the same, with a shortfall in `parts`.
ClosPlan plan_clos(const ClosDemand& demand, core::PartsList& parts);

/// Adds the switches and the links between them; returns the leaves.
std::vector<int> add_clos(ScaleOutBuilder& builder, const ClosDemand& demand, const ClosPlan& plan);

}  // namespace railwright::topologies
