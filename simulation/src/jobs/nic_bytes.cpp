// SPDX-License-Identifier: Apache-2.0
#include "nic_bytes.hpp"

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

NicBytes nic_bytes(const core::Fabric& part, std::span<const double> link_bytes) {
  NicBytes bytes;
  if (link_bytes.empty()) return bytes;
  for (const core::LinkId link : links_from_nics(part, 0)) {
    bytes.push_back({link_bytes[static_cast<std::size_t>(link)],
                     link_bytes[static_cast<std::size_t>(core::Fabric::reverse(link))]});
  }
  return bytes;
}

std::vector<double> link_bytes(const core::Fabric& whole, int first_node, const NicBytes& bytes) {
  if (bytes.empty()) return {};
  std::vector<double> by_link(whole.links().size());
  const std::vector<core::LinkId> links = links_from_nics(whole, first_node);
  for (std::size_t i = 0; i < std::min(links.size(), bytes.size()); ++i) {
    by_link[static_cast<std::size_t>(links[i])] = bytes[i][0];
    by_link[static_cast<std::size_t>(core::Fabric::reverse(links[i]))] = bytes[i][1];
  }
  return by_link;
}

}  // namespace railwright::simulation
