// SPDX-License-Identifier: Apache-2.0
#include "clos.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "parts.hpp"

namespace railwright::topologies {

namespace {

int ceil_div(int a, int b) { return (a + b - 1) / b; }

/// Links upwards that `down` ports ask for; a hair of tolerance so that 3 x 1/3 is 1.
int links_up(int down, double oversubscription) {
  return std::max(1, static_cast<int>(std::ceil(down / oversubscription - 1e-9)));
}

struct Bundles {
  int count = 0;  ///< switches above
  int links = 0;  ///< to each of them
};

/// The fewest switches above `num_below` ones that need `need` links each, where a switch above has
/// `ports_above` for them and one below `ports_up` for its links upwards.
Bundles fewest_above(int num_below, int need, int ports_above, int ports_up) {
  for (int count = 1; count < need; ++count) {
    const int links = ceil_div(need, count);
    if (links <= ports_above / num_below && links * count <= ports_up) return {count, links};
  }
  return {need, 1};
}

Bundles bundles_to_spines(const ClosDemand& demand, int leaves, int spine_ports_down) {
  const int need = links_up(demand.down_per_leaf, demand.oversubscription);
  if (demand.num_spines) {
    return {*demand.num_spines, demand.links_to_spine.value_or(ceil_div(need, *demand.num_spines))};
  }
  if (demand.links_to_spine)
    return {ceil_div(need, *demand.links_to_spine), *demand.links_to_spine};
  return fewest_above(leaves, need, spine_ports_down,
                      demand.leaf->num_ports.value - demand.down_per_leaf);
}

int choose_tiers(const ClosDemand& demand) {
  if (demand.tiers) return *demand.tiers;
  if (demand.num_leaves == 1) return 1;
  const int links = demand.links_to_spine.value_or(1);
  return demand.num_leaves * links <= demand.spine->num_ports.value ? 2 : 3;
}

void check_leaf(const ClosDemand& demand, const ClosPlan& plan, core::PartsList& parts) {
  const int up = plan.spines_per_pod * plan.links_to_spine;
  const int ports = demand.leaf->num_ports.value;
  require(parts,
          fmt::format("a leaf needs {} ports for hosts and {} x {} to its spines; {} has {}",
                      demand.down_per_leaf, plan.spines_per_pod, plan.links_to_spine,
                      demand.leaf->name, ports),
          demand.down_per_leaf + up, ports);
}

void plan_two_tiers(const ClosDemand& demand, ClosPlan& plan, core::PartsList& parts) {
  const int ports = demand.spine->num_ports.value;
  plan.leaves_per_pod = demand.num_leaves;
  const Bundles up = bundles_to_spines(demand, demand.num_leaves, ports);
  plan.spines_per_pod = up.count;
  plan.links_to_spine = up.links;
  check_leaf(demand, plan, parts);
  require(parts,
          fmt::format("{} leaves x {} links = {} ports on each spine; {} has {}, and a third tier "
                      "is ruled out",
                      demand.num_leaves, up.links, demand.num_leaves * up.links, demand.spine->name,
                      ports),
          demand.num_leaves * up.links, ports);
}

void plan_three_tiers(const ClosDemand& demand, ClosPlan& plan, core::PartsList& parts) {
  const int ports = demand.spine->num_ports.value;
  const int most_down = most_ports_down(ports, demand.spine_oversubscription);
  const int links = demand.links_to_spine.value_or(1);
  const int block = demand.leaves_per_block;
  const int num_blocks = ceil_div(demand.num_leaves, block);
  require(parts,
          fmt::format("{} leaves that belong together x {} links = {} ports on each spine; {} has "
                      "{} for them",
                      block, links, block * links, demand.spine->name, most_down),
          block * links, most_down);
  const int blocks_in_pod = std::max(1, most_down / (block * links));
  plan.num_pods = ceil_div(num_blocks, blocks_in_pod);
  plan.leaves_per_pod = ceil_div(num_blocks, plan.num_pods) * block;
  const Bundles up = bundles_to_spines(demand, plan.leaves_per_pod, most_down);
  plan.spines_per_pod = up.count;
  plan.links_to_spine = up.links;
  check_leaf(demand, plan, parts);

  const int down = plan.leaves_per_pod * plan.links_to_spine;
  const int core_ports = demand.core->num_ports.value;
  const Bundles core = fewest_above(plan.num_pods, links_up(down, demand.spine_oversubscription),
                                    core_ports, ports - down);
  plan.cores_per_group = core.count;
  plan.links_to_core = core.links;
  require(parts,
          fmt::format("{} pods need {} ports on each core switch; {} has {}", plan.num_pods,
                      plan.num_pods * core.links, demand.core->name, core_ports),
          plan.num_pods * core.links, core_ports);
}

}  // namespace

int most_ports_down(int num_ports, double oversubscription) {
  int down = static_cast<int>(num_ports * oversubscription / (1.0 + oversubscription) + 1e-9);
  while (down > 0 && down + links_up(down, oversubscription) > num_ports) --down;
  return down;
}

ClosPlan plan_clos(const ClosDemand& demand, core::PartsList& parts) {
  ClosPlan plan;
  plan.tiers = choose_tiers(demand);
  if (plan.tiers == 1) {
    plan.leaves_per_pod = demand.num_leaves;
    require(parts,
            fmt::format("{} leaves have nothing to join them in one tier", demand.num_leaves),
            demand.num_leaves, 1);
  } else if (plan.tiers == 2) {
    plan_two_tiers(demand, plan, parts);
  } else {
    plan_three_tiers(demand, plan, parts);
  }
  return plan;
}

std::vector<int> add_clos(ScaleOutBuilder& builder, const ClosDemand& demand,
                          const ClosPlan& plan) {
  std::vector<int> leaves;
  for (int l = 0; l < demand.num_leaves; ++l) {
    leaves.push_back(builder.add_switch(*demand.leaf, Level::kLeaf));
  }
  std::vector<int> spines;  // pod by pod
  for (int s = 0; s < plan.num_pods * plan.spines_per_pod; ++s) {
    spines.push_back(builder.add_switch(*demand.spine, Level::kSpine));
  }
  for (int l = 0; l < demand.num_leaves; ++l) {
    const int first = l / plan.leaves_per_pod * plan.spines_per_pod;
    for (int s = first; s < first + plan.spines_per_pod; ++s) {
      builder.connect_switches(leaves[static_cast<std::size_t>(l)],
                               spines[static_cast<std::size_t>(s)], plan.links_to_spine);
    }
  }
  std::vector<int> cores;  // group by group
  for (int c = 0; c < plan.spines_per_pod * plan.cores_per_group; ++c) {
    cores.push_back(builder.add_switch(*demand.core, Level::kCore));
  }
  for (std::size_t s = 0; s < spines.size() && !cores.empty(); ++s) {
    const int first = static_cast<int>(s) % plan.spines_per_pod * plan.cores_per_group;
    for (int c = first; c < first + plan.cores_per_group; ++c) {
      builder.connect_switches(spines[s], cores[static_cast<std::size_t>(c)], plan.links_to_core);
    }
  }
  return leaves;
}

}  // namespace railwright::topologies
