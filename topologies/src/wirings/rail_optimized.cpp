// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/rail_optimized.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "clos.hpp"

namespace railwright::topologies {

namespace {

/// The NICs of a tray as a rail-optimized fabric sees them.
struct Board {
  int num_nics = 1;
  int rails = 1;
  int ports_on_rail = 1;  ///< most ports that it takes on one leaf
};

Board fullest_board(const ScaleOutBuilder& builder, std::optional<int> max_rails) {
  Board board;
  for (int nic = 0; nic < builder.nics_per_node(); ++nic) {
    board.num_nics = std::max(board.num_nics, builder.index_on_tray(nic) + 1);
  }
  board.rails = std::min(max_rails.value_or(board.num_nics), board.num_nics);
  std::map<std::pair<int, int>, int> ports;  // by tray and rail
  for (int nic = 0; nic < builder.nics_per_node(); ++nic) {
    int& sum = ports[{builder.tray_of_nic(nic), builder.index_on_tray(nic) % board.rails}];
    sum += builder.ports_of_nic(nic);
    board.ports_on_rail = std::max(board.ports_on_rail, sum);
  }
  return board;
}

}  // namespace

void RailOptimized::wire(ScaleOutBuilder& builder) const {
  const int num_nodes = builder.num_places();
  const int num_nics = builder.nics_per_node();
  const int boards_of_node = builder.cluster().node.num_trays;
  const int num_boards = num_nodes * boards_of_node;
  const Board board = fullest_board(builder, config_.rails);
  const int rails = board.rails;
  const int most = max_ports_down(config_.switch_model.num_ports.value, config_.oversubscription) /
                   board.ports_on_rail;
  const int wanted = config_.nodes_per_group ? *config_.nodes_per_group * boards_of_node : most;
  const int group = std::clamp(wanted, 1, num_boards);

  ClosDemand demand;
  demand.leaf = &config_.switch_model;
  demand.spine = config_.spine_switch ? &*config_.spine_switch : demand.leaf;
  demand.core = config_.core_switch ? &*config_.core_switch : demand.spine;
  demand.num_leaves = ceil_div(num_boards, group) * rails;
  demand.leaves_per_block = rails;
  demand.down_per_leaf = group * board.ports_on_rail;
  demand.oversubscription = config_.oversubscription;
  demand.spine_oversubscription = config_.spine_oversubscription;
  demand.tiers = config_.tiers;
  demand.num_spines = config_.num_spines;

  const ClosPlan plan = plan_clos(demand, builder.parts());
  const std::vector<int> leaves = add_clos(builder, demand, plan);
  for (int node = 0; node < num_nodes; ++node) {
    for (int nic = 0; nic < num_nics; ++nic) {
      const int unit = node * boards_of_node + builder.tray_of_nic(nic);
      const int leaf = unit / group * rails + builder.index_on_tray(nic) % rails;
      builder.connect_nic(node, nic, leaves[static_cast<std::size_t>(leaf)]);
    }
  }
}

}  // namespace railwright::topologies
