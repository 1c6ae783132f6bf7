// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/nic_plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace railwright::topologies {

namespace {

/// The local index of the NIC with the least cost(nic); the first of equals.
template <class Cost>
int nearest_nic(const NicPlan& plan, Cost cost) {
  int best = 0;
  for (int n = 1; n < static_cast<int>(plan.nics.size()); ++n) {
    if (cost(n) < cost(best)) best = n;
  }
  return best;
}

int switch_of_nic(const NicPlan& plan, int nic) {
  return plan.nics[static_cast<std::size_t>(nic)].pcie_switch;
}

int host(const NicPlan& plan, int pcie_switch) {
  return plan.host_of[static_cast<std::size_t>(pcie_switch)];
}

void share(NicPlan& plan, int num_switches) {
  std::vector<std::vector<int>> nics_on(static_cast<std::size_t>(num_switches));
  const int num_vertices = static_cast<int>(plan.nics.size());
  for (int n = 0; n < num_vertices; ++n) {
    const int s = n * num_switches / num_vertices;
    plan.nics[static_cast<std::size_t>(n)].pcie_switch = s;
    nics_on[static_cast<std::size_t>(s)].push_back(n);
  }
  const int num_accelerators = static_cast<int>(plan.accelerators.size());
  for (int s = 0; s < num_switches; ++s) {
    const int first = s * num_accelerators / num_switches;
    const int end = (s + 1) * num_accelerators / num_switches;
    int nics_of = s;
    if (nics_on[static_cast<std::size_t>(s)].empty()) {
      nics_of = switch_of_nic(plan, nearest_nic(plan, [&](int n) {
                                const int other = switch_of_nic(plan, n);
                                return std::tuple(host(plan, other) != host(plan, s),
                                                  std::abs(other - s));
                              }));
    }
    const auto& nics = nics_on[static_cast<std::size_t>(nics_of)];
    const int num_nics = static_cast<int>(nics.size());
    for (int a = first; a < end; ++a) {
      auto& accelerator = plan.accelerators[static_cast<std::size_t>(a)];
      accelerator.nic = nics[static_cast<std::size_t>((a - first) * num_nics / (end - first))];
      accelerator.crosses_host = nics_of != s;
    }
  }
}

void alternate(NicPlan& plan) {
  const int num_vertices = static_cast<int>(plan.nics.size());
  const int num_accelerators = static_cast<int>(plan.accelerators.size());
  const auto owner = [&](int nic) { return nic * num_accelerators / num_vertices; };
  for (int n = 0; n < num_vertices; ++n) {
    plan.nics[static_cast<std::size_t>(n)].pcie_switch =
        plan.accelerators[static_cast<std::size_t>(owner(n))].pcie_switch;
  }
  for (int a = 0; a < num_accelerators; ++a) {
    auto& accelerator = plan.accelerators[static_cast<std::size_t>(a)];
    accelerator.nic = nearest_nic(plan, [&](int n) {
      const bool other_host =
          host(plan, switch_of_nic(plan, n)) != host(plan, accelerator.pcie_switch);
      return std::tuple(other_host, std::abs(owner(n) - a));
    });
    accelerator.crosses_host = owner(accelerator.nic) != a;
  }
}

}  // namespace

NicPlan plan_nics(const core::Server& server) {
  const int num_accelerators = server.num_accelerators.value;
  const int num_switches = server.num_pcie_switches.value;
  NicPlan plan;
  for (int s = 0; s < num_switches; ++s) {
    plan.host_of.push_back(s * server.num_hosts.value / num_switches);
    const int first = s * num_accelerators / num_switches;
    const int end = (s + 1) * num_accelerators / num_switches;
    for (int a = first; a < end; ++a) plan.accelerators.push_back({.pcie_switch = s});
  }
  const int count = server.nics.count;
  if (count == 0) return plan;
  plan.nics.resize(static_cast<std::size_t>(std::min(count, num_accelerators)));
  plan.nics_per_vertex = std::max(1, count / num_accelerators);
  if (server.nics.wiring == core::NicWiring::kAlternate) {
    alternate(plan);
  } else {
    share(plan, num_switches);
  }
  return plan;
}

}  // namespace railwright::topologies
