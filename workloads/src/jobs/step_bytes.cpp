// SPDX-License-Identifier: Apache-2.0
#include "step_bytes.hpp"

#include <algorithm>
#include <tuple>

namespace railwright::simulation {

namespace {

/// Returns the links from the NICs of nodes from `first_node` on, node by node and NIC by NIC.
std::vector<core::LinkId> links_from_nics(const core::Fabric& fabric, int first_node) {
  std::vector<core::LinkId> links;
  const auto nic_of = [&](core::LinkId link) -> const core::Vertex& {
    const core::VertexId from = fabric.links()[static_cast<std::size_t>(link)].from;
    return fabric.vertices()[static_cast<std::size_t>(from)];
  };
  for (std::size_t l = 0; l < fabric.links().size(); ++l) {
    const auto link = static_cast<core::LinkId>(l);
    if (fabric.links()[l].tier != core::Tier::kInjection) continue;
    if (nic_of(link).role == core::Role::kNic && nic_of(link).node >= first_node) {
      links.push_back(link);
    }
  }
  std::ranges::sort(links, {}, [&](core::LinkId link) {
    return std::tuple(nic_of(link).node, nic_of(link).local_index, link);
  });
  return links;
}

}  // namespace

std::vector<core::LinkId> links_between_switches(const core::Fabric& fabric) {
  std::vector<core::LinkId> links;
  for (std::size_t l = 0; l < fabric.links().size(); ++l) {
    if (fabric.links()[l].tier == core::Tier::kFabric)
      links.push_back(static_cast<core::LinkId>(l));
  }
  return links;
}

StepBytes step_bytes(const core::Fabric& part, std::span<const double> link_bytes) {
  StepBytes bytes;
  if (link_bytes.empty()) return bytes;
  const auto of = [&](core::LinkId link) { return link_bytes[static_cast<std::size_t>(link)]; };
  for (const core::LinkId link : links_from_nics(part, 0)) {
    bytes.nics.push_back({of(link), of(core::Fabric::reverse(link))});
  }
  const std::vector<core::LinkId> links = links_between_switches(part);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (of(links[i]) > 0.0) bytes.between_switches.push_back({i, of(links[i])});
  }
  return bytes;
}

std::vector<double> link_bytes(const core::Fabric& whole, int first_node, const StepBytes& bytes) {
  if (bytes.nics.empty()) return {};
  std::vector<double> by_link(whole.links().size());
  const std::vector<core::LinkId> nics = links_from_nics(whole, first_node);
  for (std::size_t i = 0; i < std::min(nics.size(), bytes.nics.size()); ++i) {
    by_link[static_cast<std::size_t>(nics[i])] = bytes.nics[i][0];
    by_link[static_cast<std::size_t>(core::Fabric::reverse(nics[i]))] = bytes.nics[i][1];
  }
  const std::vector<core::LinkId> links = links_between_switches(whole);
  for (const SwitchLinkBytes& one : bytes.between_switches) {
    by_link[static_cast<std::size_t>(links[one.index])] = one.bytes;
  }
  return by_link;
}

}  // namespace railwright::simulation
