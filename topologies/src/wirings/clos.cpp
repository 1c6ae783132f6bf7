// SPDX-License-Identifier: Apache-2.0
#include "clos.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "../bill/parts.hpp"

namespace railwright::topologies {

namespace {

/// Computes the uplinks for `down` ports; the small tolerance makes 3 x 1/3 equal 1.
int links_up(int down, double oversubscription) {
  return std::max(1, static_cast<int>(std::ceil(down / oversubscription - 1e-9)));
}

/// Switches above a row of switches, and the total uplinks of each switch of the row.
struct Above {
  int count = 0;
  int uplinks = 0;
};

/// Finds the smallest number of switches above `num_below` switches that need `need` uplinks each.
/// Each upper switch has `ports_above` ports for them, each lower one `ports_up`.
Above min_above(int num_below, int need, int ports_above, int ports_up) {
  for (int count = 1; count < need; ++count) {
    const int links = ceil_div(need, count);
    if (links <= ports_above / num_below && links * count <= ports_up) {
      return {count, links * count};
    }
  }
  return {need, need};
}

Above spines_above(const ClosDemand& demand, int leaves, int spine_ports_down) {
  const int need = links_up(demand.down_per_leaf, demand.oversubscription);
  if (demand.num_spines) {
    const int count = *demand.num_spines;
    return {count, demand.links_to_spine ? count * *demand.links_to_spine : std::max(need, count)};
  }
  if (demand.links_to_spine) {
    const int count = ceil_div(need, *demand.links_to_spine);
    return {count, count * *demand.links_to_spine};
  }
  return min_above(leaves, need, spine_ports_down,
                   demand.leaf->num_ports.value - demand.down_per_leaf);
}

/// Deals the uplinks of switch `below` of a row. If they do not divide evenly, the extra links
/// rotate from switch to switch, so that the upper switches fill evenly.
void connect_upwards(ScaleOutBuilder& builder, int lower, int below, std::span<const int> above,
                     int uplinks) {
  const int count = static_cast<int>(above.size());
  const int rest = uplinks % count;
  const int turn = static_cast<int>(static_cast<std::int64_t>(below) * rest % count);
  for (int i = 0; i < count; ++i) {
    const bool one_more = (i - turn + count) % count < rest;
    const int links = uplinks / count + (one_more ? 1 : 0);
    if (links > 0) builder.connect_switches(lower, above[static_cast<std::size_t>(i)], links);
  }
}

int choose_tiers(const ClosDemand& demand) {
  if (demand.tiers) return *demand.tiers;
  if (demand.num_leaves == 1) return 1;
  const int links = demand.links_to_spine.value_or(1);
  return demand.num_leaves * links <= demand.spine->num_ports.value ? 2 : 3;
}

void check_leaf(const ClosDemand& demand, const ClosPlan& plan, core::PartsList& parts) {
  const int ports = demand.leaf->num_ports.value;
  require(parts,
          fmt::format("a leaf needs {} ports for hosts and {} to {} spines; {} has {}",
                      demand.down_per_leaf, plan.uplinks, plan.spines_per_pod, demand.leaf->name,
                      ports),
          demand.down_per_leaf + plan.uplinks, ports);
}

void plan_two_tiers(const ClosDemand& demand, ClosPlan& plan, core::PartsList& parts) {
  const int ports = demand.spine->num_ports.value;
  plan.leaves_per_pod = demand.num_leaves;
  const Above up = spines_above(demand, demand.num_leaves, ports);
  plan.spines_per_pod = up.count;
  plan.uplinks = up.uplinks;
  check_leaf(demand, plan, parts);
  const int needed = ceil_div(demand.num_leaves * up.uplinks, up.count);
  require(parts,
          fmt::format("{} leaves x {} uplinks over {} spines = {} ports on each; {} has {}, and a "
                      "third tier is ruled out",
                      demand.num_leaves, up.uplinks, up.count, needed, demand.spine->name, ports),
          needed, ports, "spine");
}

void plan_three_tiers(const ClosDemand& demand, ClosPlan& plan, core::PartsList& parts) {
  const int ports = demand.spine->num_ports.value;
  const int max_down = max_ports_down(ports, demand.spine_oversubscription);
  const int links = demand.links_to_spine.value_or(1);
  const int block = demand.leaves_per_block;
  const int num_blocks = ceil_div(demand.num_leaves, block);
  require(parts,
          fmt::format("{} leaves that belong together x {} links = {} ports on each spine; {} has "
                      "{} for them",
                      block, links, block * links, demand.spine->name, max_down),
          block * links, max_down, "spine");
  const int blocks_in_pod = std::max(1, max_down / (block * links));
  plan.num_pods = ceil_div(num_blocks, blocks_in_pod);
  plan.leaves_per_pod = ceil_div(num_blocks, plan.num_pods) * block;
  const Above up = spines_above(demand, plan.leaves_per_pod, max_down);
  plan.spines_per_pod = up.count;
  plan.uplinks = up.uplinks;
  check_leaf(demand, plan, parts);

  const int down = ceil_div(plan.leaves_per_pod * up.uplinks, up.count);
  const int core_ports = demand.core->num_ports.value;
  const Above core = min_above(plan.num_pods, links_up(down, demand.spine_oversubscription),
                               core_ports, ports - down);
  plan.cores_per_group = core.count;
  plan.spine_uplinks = core.uplinks;
  const int needed = plan.num_pods * ceil_div(core.uplinks, core.count);
  require(parts,
          fmt::format("{} pods need {} ports on each core switch; {} has {}", plan.num_pods, needed,
                      demand.core->name, core_ports),
          needed, core_ports, "core");
}

}  // namespace

int max_ports_down(int num_ports, double oversubscription) {
  int down = static_cast<int>(num_ports * oversubscription / (1.0 + oversubscription) + 1e-9);
  while (down > 0 && down + links_up(down, oversubscription) > num_ports) --down;
  return down;
}

int min_leaves(const core::Switch& model, double oversubscription, int num_units,
               int ports_of_unit) {
  const int num_ports = model.num_ports.value;
  if (num_units <= num_ports / ports_of_unit) return 1;
  const int of_leaf = max_ports_down(num_ports, oversubscription) / ports_of_unit;
  return ceil_div(num_units, std::max(1, of_leaf));
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
  for (int l = 0; l < demand.num_leaves && !spines.empty(); ++l) {
    const auto pod = static_cast<std::size_t>(l / plan.leaves_per_pod);
    const auto width = static_cast<std::size_t>(plan.spines_per_pod);
    connect_upwards(builder, leaves[static_cast<std::size_t>(l)], l % plan.leaves_per_pod,
                    std::span(spines).subspan(pod * width, width), plan.uplinks);
  }
  std::vector<int> cores;  // group by group
  for (int c = 0; c < plan.spines_per_pod * plan.cores_per_group; ++c) {
    cores.push_back(builder.add_switch(*demand.core, Level::kCore));
  }
  for (int s = 0; s < static_cast<int>(spines.size()) && !cores.empty(); ++s) {
    const auto group = static_cast<std::size_t>(s % plan.spines_per_pod);
    const auto width = static_cast<std::size_t>(plan.cores_per_group);
    connect_upwards(builder, spines[static_cast<std::size_t>(s)], s / plan.spines_per_pod,
                    std::span(cores).subspan(group * width, width), plan.spine_uplinks);
  }
  return leaves;
}

}  // namespace railwright::topologies
