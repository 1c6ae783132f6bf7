// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/assembly/nic_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "railwright/core/arithmetic.hpp"

namespace railwright::topologies {

namespace {

using core::index;

/// Distance of two PCIe switches: other tray, other socket, distance in order.
std::tuple<bool, bool, int> distance(const NicPlan& plan, int a, int b) {
  const int host_a = plan.host_of[index(a)];
  const int host_b = plan.host_of[index(b)];
  return {plan.tray_of[index(host_a)] != plan.tray_of[index(host_b)], host_a != host_b,
          std::abs(a - b)};
}

/// Returns the local index of the NIC with the lowest cost(nic), the first of equals; -1 if that
/// NIC is on another tray than `pcie_switch`.
template <class Cost>
int nearest_nic(const NicPlan& plan, int pcie_switch, Cost cost) {
  int best = 0;
  for (int n = 1; n < static_cast<int>(plan.nics.size()); ++n) {
    if (cost(n) < cost(best)) best = n;
  }
  const bool out_of_reach =
      std::get<0>(distance(plan, pcie_switch, plan.nics[index(best)].pcie_switch));
  return out_of_reach ? -1 : best;
}

std::vector<int> accelerators_on(const NicPlan& plan, int pcie_switch) {
  std::vector<int> who;
  for (int a = 0; a < static_cast<int>(plan.accelerators.size()); ++a) {
    if (plan.accelerators[index(a)].pcie_switch == pcie_switch) who.push_back(a);
  }
  return who;
}

std::vector<int> nics_on(const NicPlan& plan, int pcie_switch) {
  std::vector<int> which;
  for (int n = 0; n < static_cast<int>(plan.nics.size()); ++n) {
    if (plan.nics[index(n)].pcie_switch == pcie_switch) which.push_back(n);
  }
  return which;
}

void one_or_more_each(NicPlan& plan, int count) {
  const int num_accelerators = static_cast<int>(plan.accelerators.size());
  for (int a = 0; a < num_accelerators; ++a) {
    NicPlan::Accelerator& accelerator = plan.accelerators[index(a)];
    accelerator.nic = a;
    const int adapters = (a + 1) * count / num_accelerators - a * count / num_accelerators;
    plan.nics.push_back({.pcie_switch = accelerator.pcie_switch, .num_adapters = adapters});
  }
}

void share(NicPlan& plan, int count) {
  std::vector<int> populated;
  for (const NicPlan::Accelerator& accelerator : plan.accelerators) {
    if (populated.empty() || populated.back() != accelerator.pcie_switch) {
      populated.push_back(accelerator.pcie_switch);
    }
  }
  const int num_switches = static_cast<int>(populated.size());
  for (int n = 0; n < count; ++n) {
    plan.nics.push_back({.pcie_switch = populated[index(n * num_switches / count)]});
  }
  for (const int s : populated) {
    std::vector<int> nics = nics_on(plan, s);
    const bool crosses_host = nics.empty();
    if (crosses_host) {
      const int nearest = nearest_nic(
          plan, s, [&](int n) { return distance(plan, plan.nics[index(n)].pcie_switch, s); });
      if (nearest < 0) continue;
      nics = nics_on(plan, plan.nics[index(nearest)].pcie_switch);
    }
    const std::vector<int> sharing = accelerators_on(plan, s);
    for (std::size_t i = 0; i < sharing.size(); ++i) {
      NicPlan::Accelerator& accelerator = plan.accelerators[index(sharing[i])];
      accelerator.nic = nics[i * nics.size() / sharing.size()];
      accelerator.crosses_host = crosses_host;
    }
  }
}

void alternate(NicPlan& plan, int count) {
  const int num_accelerators = static_cast<int>(plan.accelerators.size());
  const auto owner = [&](int nic) { return nic * num_accelerators / count; };
  for (int n = 0; n < count; ++n) {
    plan.nics.push_back({.pcie_switch = plan.accelerators[index(owner(n))].pcie_switch});
  }
  for (int a = 0; a < num_accelerators; ++a) {
    NicPlan::Accelerator& accelerator = plan.accelerators[index(a)];
    const int s = accelerator.pcie_switch;
    accelerator.nic = nearest_nic(plan, s, [&](int n) {
      const auto [tray, host, unused] = distance(plan, plan.nics[index(n)].pcie_switch, s);
      return std::tuple(tray, host, std::abs(owner(n) - a));
    });
    accelerator.crosses_host = accelerator.nic >= 0 && owner(accelerator.nic) != a;
  }
}

}  // namespace

int NicPlan::num_nics() const {
  int count = 0;
  for (const Nic& nic : nics) count += nic.num_adapters;
  return count;
}

NicPlan plan_nics(const core::ComputeNode& node) {
  const int num_accelerators = node.num_accelerators.value;
  const int num_switches = node.num_pcie_switches.value;
  const int num_hosts = node.num_hosts.value;
  NicPlan plan;
  for (int h = 0; h < num_hosts; ++h) plan.tray_of.push_back(h * node.num_trays / num_hosts);
  for (int s = 0; s < num_switches; ++s) {
    plan.host_of.push_back(s * num_hosts / num_switches);
    const int first = s * num_accelerators / num_switches;
    const int end = (s + 1) * num_accelerators / num_switches;
    for (int a = first; a < end; ++a) plan.accelerators.push_back({.pcie_switch = s});
  }
  const int count = node.nics.count;
  if (count == 0) return plan;
  if (count >= num_accelerators) {
    one_or_more_each(plan, count);
  } else if (node.nics.wiring == core::NicWiring::kAlternate) {
    alternate(plan, count);
  } else {
    share(plan, count);
  }
  return plan;
}

std::vector<core::Problem> find_problems(const core::ComputeNode& node) {
  std::vector<core::Problem> problems;
  const int num_hosts = node.num_hosts.value;
  const int num_switches = node.num_pcie_switches.value;
  if (num_hosts > num_switches) {
    problems.push_back({"num_hosts", fmt::format("{} sockets need at least as many PCIe switches "
                                                 "(or root ports), got num_pcie_switches {}",
                                                 num_hosts, num_switches)});
  }
  if (num_hosts % node.num_trays != 0) {
    problems.push_back({"num_trays", fmt::format("{} trays do not divide the {} sockets",
                                                 node.num_trays, num_hosts)});
  }
  if (node.scale_up == core::ScaleUp::kPairs && node.num_accelerators.value % 2 != 0) {
    problems.push_back({"num_accelerators", fmt::format("{} accelerators cannot be joined in pairs",
                                                        node.num_accelerators.value)});
  }
  if (!problems.empty()) return problems;
  const NicPlan plan = plan_nics(node);
  const auto cut_off = std::ranges::count(plan.accelerators, -1, &NicPlan::Accelerator::nic);
  if (cut_off > 0) {
    problems.push_back(
        {"nics.count", fmt::format("{} NICs on {} trays leave {} accelerators without one on "
                                   "their tray",
                                   node.nics.count, node.num_trays, cut_off)});
  }
  return problems;
}

}  // namespace railwright::topologies
