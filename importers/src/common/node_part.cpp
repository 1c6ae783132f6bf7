// SPDX-License-Identifier: Apache-2.0
#include "node_part.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "railwright/topologies/assembly/nic_plan.hpp"

namespace railwright::importers {

namespace {

constexpr double kSameRate = 0.01;

std::vector<FoundNic> scale_out_of(const FoundNode& node) {
  std::vector<FoundNic> near;
  std::ranges::copy_if(node.nics, std::back_inserter(near),
                       [](const FoundNic& nic) { return nic.pcie_switch >= 0; });
  if (near.empty()) near = node.nics;
  double fastest = 0.0;
  for (const FoundNic& nic : near) fastest = std::max(fastest, nic.port_rate);
  std::erase_if(near,
                [&](const FoundNic& nic) { return nic.port_rate < fastest * (1.0 - kSameRate); });
  std::ranges::stable_sort(near, {}, &FoundNic::pcie_switch);
  return near;
}

/// "400 Gb/s".
std::string in_bits(double bytes_per_s) { return fmt::format("{:g} Gb/s", bytes_per_s * 8e-9); }

/// Returns the value of the first NIC, and notes where others differ.
template <class Of>
auto common(const std::vector<FoundNic>& nics, const char* what, Findings& findings, Of of) {
  auto first = of(nics.front());
  for (const FoundNic& nic : nics) {
    if (of(nic) == first) continue;
    findings.not_expressed(fmt::format("NICs differ in {}; that of the first is taken", what));
    break;
  }
  return first;
}

void add_nics(const std::vector<FoundNic>& nics, Findings& findings) {
  findings.know("cluster.node.nics.count", static_cast<int>(nics.size()),
                nics.front().pcie_switch < 0
                    ? "the fastest NICs"
                    : "the fastest NICs that share a PCIe switch with accelerators");
  const auto device = common(nics, "device", findings, [](const auto& n) { return n.device; });
  const auto rate = common(nics, "rate", findings, [](const auto& n) { return n.port_rate; });
  const auto ports = common(nics, "ports", findings, [](const auto& n) { return n.num_ports; });
  const auto transport =
      common(nics, "transport", findings, [](const auto& n) { return n.transport; });
  const auto direct =
      common(nics, "gpudirect", findings, [](const auto& n) { return n.gpudirect; });
  if (!device.empty()) {
    findings.know("cluster.node.nics.nic", device, "vendor and device of the PCI function");
  } else {
    findings.unknown("cluster.node.nics.nic", "which adapter it is");
  }
  if (rate > 0.0) {
    findings.know("cluster.node.nics.nic.line_rate", core::scalar_node(in_bits(rate)),
                  "speed of a port");
    findings.know("cluster.node.nics.nic.num_ports", ports, "ports of an adapter in use");
  } else {
    findings.unknown("cluster.node.nics.nic.line_rate", "not told");
  }
  if (!transport.empty()) {
    findings.assume("cluster.node.nics.transport", transport,
                    "by the class of the PCI function and the name of the port");
  } else {
    findings.unknown("cluster.node.nics.transport", "InfiniBand, RoCE or TCP is not told");
  }
  if (direct) {
    findings.know("cluster.node.nics.gpudirect", *direct, "gdr of the ports");
  } else {
    findings.unknown("cluster.node.nics.gpudirect", "not told");
  }
}

/// Notes where the node's parts are placed differently from railwright's regular node.
void check_regular(const FoundNode& node, const std::vector<FoundNic>& nics, Findings& findings) {
  core::ComputeNode compute_node;
  compute_node.num_accelerators.value = static_cast<int>(node.switch_of.size());
  compute_node.num_pcie_switches.value = static_cast<int>(node.host_of.size());
  compute_node.num_hosts.value = node.num_hosts;
  compute_node.nics.count = std::max<int>(1, static_cast<int>(nics.size()));
  if (compute_node.num_hosts.value > compute_node.num_pcie_switches.value) return;
  const topologies::NicPlan plan = topologies::plan_nics(compute_node);
  std::vector<int> planned;
  for (const auto& accelerator : plan.accelerators) planned.push_back(accelerator.pcie_switch);
  if (planned != node.switch_of) {
    findings.not_expressed(fmt::format("accelerators on PCIe switches {}: taken as {}",
                                       fmt::join(node.switch_of, ","), fmt::join(planned, ",")));
  }
  if (plan.host_of != node.host_of) {
    findings.not_expressed(fmt::format("PCIe switches on sockets {}: taken as {}",
                                       fmt::join(node.host_of, ","), fmt::join(plan.host_of, ",")));
  }
  if (nics.empty()) return;
  std::vector<int> found;
  for (const FoundNic& nic : nics) found.push_back(nic.pcie_switch);
  planned.clear();
  for (const auto& nic : plan.nics)
    planned.insert(planned.end(), static_cast<std::size_t>(nic.num_adapters), nic.pcie_switch);
  if (found == planned) return;
  if (found.front() < 0) {
    findings.not_expressed("NICs share no PCIe switch with accelerators: taken as if they did");
  } else {
    findings.not_expressed(fmt::format("NICs on PCIe switches {}: taken as {}",
                                       fmt::join(found, ","), fmt::join(planned, ",")));
  }
}

/// Drops sockets without accelerators, such as that of a NIC on no socket.
void keep_hosts_with_accelerators(FoundNode& node, Findings& findings) {
  const std::set<int> used(node.host_of.begin(), node.host_of.end());
  if (node.num_hosts <= static_cast<int>(used.size())) return;
  findings.not_expressed(fmt::format("{} NUMA nodes without accelerators: left out",
                                     node.num_hosts - static_cast<int>(used.size())));
  for (int& host : node.host_of) {
    host = static_cast<int>(std::distance(used.begin(), used.find(host)));
  }
  node.num_hosts = static_cast<int>(used.size());
}

}  // namespace

std::optional<core::ScaleUp> scale_up_of(const std::vector<std::vector<int>>& links) {
  std::set<int> counts;
  bool in_pairs = links.size() > 1 && links.size() % 2 == 0;
  for (std::size_t a = 0; a < links.size(); ++a) {
    for (std::size_t b = 0; b < links.size(); ++b) {
      if (a == b) continue;
      counts.insert(links[a][b]);
      in_pairs = in_pairs && (links[a][b] > 0) == (a / 2 == b / 2);
    }
  }
  if (counts.empty() || (counts.size() == 1 && *counts.begin() == 0)) return core::ScaleUp::kNone;
  if (in_pairs) return core::ScaleUp::kPairs;
  if (counts.size() == 1) return core::ScaleUp::kMesh;
  return {};
}

void add_node_part(FoundNode node, const std::string& what, Findings& findings) {
  keep_hosts_with_accelerators(node, findings);
  const std::string key = "cluster.node.";
  findings.know(key + "num_accelerators", static_cast<int>(node.switch_of.size()), what);
  findings.know(key + "num_pcie_switches", static_cast<int>(node.host_of.size()),
                "PCIe switches or root ports with accelerators");
  findings.know(key + "num_hosts", node.num_hosts, "NUMA nodes with accelerators");
  if (node.scale_up) {
    findings.know(key + "scale_up", *node.scale_up, node.scale_up_origin);
  } else {
    findings.unknown(key + "scale_up", node.scale_up_origin);
  }
  const std::vector<FoundNic> nics = scale_out_of(node);
  if (nics.empty()) {
    findings.unknown(key + "nics", "no NIC in the file");
  } else {
    add_nics(nics, findings);
  }
  if (nics.size() < node.nics.size()) {
    findings.not_expressed(fmt::format("{} more NICs, taken for others than the scale-out fabric's",
                                       node.nics.size() - nics.size()));
  }
  check_regular(node, nics, findings);
  for (const char* rest : {"front_end", "nic_slots", "rack_units", "power"}) {
    findings.unknown(key + rest, "no tool tells it");
  }
}

}  // namespace railwright::importers
