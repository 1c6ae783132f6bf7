// SPDX-License-Identifier: Apache-2.0
// A folded Clos: leaves under spines, and spines of several pods under core switches.
#pragma once

#include <optional>
#include <vector>

#include "../assembly/scale_out.hpp"
#include "../bill/parts.hpp"

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

/// How many switches and links serve it. The uplinks of a leaf are dealt over the spines of its
/// pod, those of spine s of every pod over the core switches of group s: evenly, unless the demand
/// fixes a number of spines that does not divide them.
struct ClosPlan {
  int tiers = 1;
  int num_pods = 1;
  int leaves_per_pod = 1;
  int spines_per_pod = 0;
  int uplinks = 0;  ///< of a leaf
  int cores_per_group = 0;
  int spine_uplinks = 0;
};

/// The fewest leaves that hold `num_units` nodes or NICs whole: one where its ports are enough
/// without any uplink.
int min_leaves(const core::Switch& model, double oversubscription, int num_units,
               int ports_of_unit);

/// Most ports downwards so that a switch still has as many upwards as the ratio asks for.
int max_ports_down(int num_ports, double oversubscription);

/// The fewest tiers, then the fewest spines that uplinks can be dealt over evenly, then the fewest
/// such core switches. What does not fit is planned all the same, with a shortfall in `parts`.
ClosPlan plan_clos(const ClosDemand& demand, core::PartsList& parts);

/// Adds the switches and the links between them; returns the leaves.
std::vector<int> add_clos(ScaleOutBuilder& builder, const ClosDemand& demand, const ClosPlan& plan);

}  // namespace railwright::topologies
