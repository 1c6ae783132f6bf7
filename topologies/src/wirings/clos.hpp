// SPDX-License-Identifier: Apache-2.0
// A folded Clos: leaves under spines, and spines of several pods under core switches.
#pragma once

#include <optional>
#include <vector>

#include "../assembly/scale_out.hpp"
#include "../bill/parts.hpp"

namespace railwright::topologies {

/// The requirements of the leaves. Switches must outlive the fabric's builder.
struct ClosDemand {
  const core::Switch* leaf = nullptr;
  const core::Switch* spine = nullptr;
  const core::Switch* core = nullptr;
  int num_leaves = 1;
  int leaves_per_block = 1;             ///< whole blocks stay in one pod
  int down_per_leaf = 0;                ///< host ports of the fullest leaf
  double oversubscription = 1.0;        ///< host ports to uplinks of a leaf
  double spine_oversubscription = 1.0;  ///< the ratio of a spine, under core switches
  std::optional<int> tiers;
  std::optional<int> num_spines;      ///< spines in a pod
  std::optional<int> links_to_spine;  ///< from each leaf to each spine of its pod
};

/// The numbers of switches and links that serve a demand. The uplinks of a leaf are dealt over the
/// spines of its pod, those of spine s of every pod over the core switches of group s. They divide
/// evenly unless the demand fixes a number of spines that does not divide them.
struct ClosPlan {
  int tiers = 1;
  int num_pods = 1;
  int leaves_per_pod = 1;
  int spines_per_pod = 0;
  int uplinks = 0;  ///< uplinks of a leaf
  int cores_per_group = 0;
  int spine_uplinks = 0;
};

/// Computes the smallest number of leaves that hold `num_units` whole nodes or NICs; one if its
/// ports suffice without any uplink.
int min_leaves(const core::Switch& model, double oversubscription, int num_units,
               int ports_of_unit);

/// Computes the largest number of ports downwards that leaves a switch enough ports upwards for the
/// ratio.
int max_ports_down(int num_ports, double oversubscription);

/// Plans the smallest number of tiers, then of spines that uplinks can be dealt over evenly, then
/// of such core switches. A demand that does not fit is planned too, with a shortfall in `parts`.
ClosPlan plan_clos(const ClosDemand& demand, core::PartsList& parts);

/// Adds the switches and the links between them; returns the leaves.
std::vector<int> add_clos(ScaleOutBuilder& builder, const ClosDemand& demand, const ClosPlan& plan);

}  // namespace railwright::topologies
