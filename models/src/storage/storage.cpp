// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/storage/storage.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "railwright/core/error.hpp"
#include "railwright/models/storage/protection.hpp"

namespace railwright::models {

using core::Bandwidth;
using core::LinkId;
using core::LinkUse;
using core::VertexId;

/// The bytes that the streams of a client move through one of its NICs to or from one storage node.
struct StorageNetwork::Share {
  std::size_t client = 0;
  std::size_t nic = 0;
  std::size_t storage = 0;
  double bytes = 0.0;
};

namespace {

bool is_on_scale_out(const core::Fabric& fabric) {
  return fabric.vertices_with(core::Role::kFrontEndSwitch).empty();
}

/// Returns the NICs that accelerators send through: they reach as far as any of their node.
std::vector<std::vector<VertexId>> scale_out_nics(const core::Fabric& fabric) {
  std::vector<std::vector<VertexId>> nics(static_cast<std::size_t>(fabric.num_nodes()));
  for (int a = 0; a < fabric.num_accelerators(); ++a) {
    std::vector<VertexId>& of_client = nics[static_cast<std::size_t>(fabric.endpoint(a).node)];
    const VertexId nic = fabric.nic_of(a);
    if (std::ranges::find(of_client, nic) == of_client.end()) of_client.push_back(nic);
  }
  for (auto& of_client : nics) std::ranges::sort(of_client);
  return nics;
}

/// Returns the NICs of each client, in order.
std::vector<std::vector<VertexId>> nics_by_client(const core::Fabric& fabric) {
  if (is_on_scale_out(fabric)) return scale_out_nics(fabric);
  std::vector<std::vector<VertexId>> nics;
  for (const VertexId vertex : fabric.vertices_with(core::Role::kFrontEndNic)) {
    const auto client =
        static_cast<std::size_t>(fabric.vertices()[static_cast<std::size_t>(vertex)].node);
    if (client >= nics.size()) nics.resize(client + 1);
    nics[client].push_back(vertex);
  }
  return nics;
}

/// Returns the links of each vertex as (other end, bandwidth).
std::vector<std::vector<std::pair<VertexId, double>>> ends_by_vertex(const core::Fabric& fabric) {
  std::vector<std::vector<std::pair<VertexId, double>>> ends(fabric.vertices().size());
  for (std::size_t i = 0; i < fabric.links().size(); ++i) {
    if (fabric.is_failed(static_cast<LinkId>(i))) continue;
    const core::Link& link = fabric.links()[i];
    ends[static_cast<std::size_t>(link.from)].emplace_back(link.to, link.bandwidth.base());
  }
  return ends;
}

/// Groups clients whose NICs connect to the same switches at the same rates into classes. Scale-out
/// NICs also carry the steps of their own node, so each of their clients is a class of its own.
std::vector<int> classes_of(const core::Fabric& fabric,
                            const std::vector<std::vector<VertexId>>& nics) {
  std::map<std::vector<std::vector<std::pair<VertexId, double>>>, int> known;
  std::vector<int> classes;
  classes.reserve(nics.size());
  if (is_on_scale_out(fabric)) {
    for (std::size_t client = 0; client < nics.size(); ++client) {
      classes.push_back(static_cast<int>(client));
    }
    return classes;
  }
  const auto ends = ends_by_vertex(fabric);
  for (const auto& of_client : nics) {
    std::vector<std::vector<std::pair<VertexId, double>>> key;
    for (const VertexId nic : of_client) key.push_back(ends[static_cast<std::size_t>(nic)]);
    classes.push_back(
        known.try_emplace(std::move(key), static_cast<int>(known.size())).first->second);
  }
  return classes;
}

std::vector<LinkUse> uses_of(const std::vector<double>& load) {
  std::vector<LinkUse> uses;
  for (std::size_t i = 0; i < load.size(); ++i) {
    if (load[i] > 0.0) uses.push_back({static_cast<LinkId>(i), load[i]});
  }
  return uses;
}

StorageLinkKind kind_of(const core::Link& link) {
  if (link.tier == core::Tier::kStorage) return StorageLinkKind::kStoragePort;
  const bool is_scale_out = link.tier == core::Tier::kInjection || link.tier == core::Tier::kFabric;
  return is_scale_out ? StorageLinkKind::kScaleOut : StorageLinkKind::kFrontEnd;
}

}  // namespace

StorageNetwork::StorageNetwork(const core::Fabric& fabric, const core::StorageNode& node,
                               const core::Mount& mount, int num_down)
    : fabric_(fabric),
      all_nodes_(mount.all_nodes.value),
      vertices_(fabric.vertices_with(core::Role::kStorageNode)),
      nics_(nics_by_client(fabric)),
      classes_(classes_of(fabric, nics_)) {
  const auto num_storage_nodes = static_cast<int>(vertices_.size());
  if (num_down >= num_storage_nodes) throw core::SimulationError("no storage node is up");
  vertices_.resize(vertices_.size() - static_cast<std::size_t>(num_down));
  const int num_up = num_nodes();
  // Stripes are as wide as the cluster, whatever is down: lost parts are rebuilt later.
  const Bandwidth burst_rate = client_burst_write_rate(node, num_storage_nodes);
  const Bandwidth write_rate = client_write_rate(node, num_storage_nodes);
  byte_cost_ = {1.0 / node.read_rate.value.base(), 1.0 / burst_rate.base()};
  drives_cost_ = {1.0 / node.read_rate.value.base(), 1.0 / write_rate.base()};
  operation_cost_ = {1.0 / node.read_operations_per_s.value,
                     1.0 / node.write_operations_per_s.value};
  written_per_byte_ = write_amplification(node.protection.value, num_storage_nodes);

  for (std::size_t i = 0; i < fabric.links().size(); ++i) {
    const core::Link& link = fabric.links()[i];
    const bool is_up = !fabric.is_failed(static_cast<LinkId>(i));
    links_.push_back({kind_of(link), is_up ? link.bandwidth.base() : 0.0});
  }
  drives_ = links_.size();
  links_.push_back({StorageLinkKind::kDrives, static_cast<double>(num_up)});
  first_node_ = links_.size();
  links_.insert(links_.end(), vertices_.size(), {StorageLinkKind::kStorageNode, 1.0});
  first_back_end_ = links_.size();
  if (node.num_back_end_ports.value > 0 && num_up > 1) {
    const double rate = node.num_back_end_ports.value * node.back_end_port_rate.value.base() *
                        node.front_end_efficiency.value;
    links_.insert(links_.end(), vertices_.size(), {StorageLinkKind::kBackEnd, rate});
  }
}

std::vector<StorageNetwork::Share> StorageNetwork::shares(std::span<const StorageStream> streams,
                                                          TransferLoads& loads) const {
  std::vector<Share> shares;
  std::map<int, double> of_client;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const auto client = static_cast<std::size_t>(streams[i].client);
    const std::size_t num_nics = nics_.at(client).size();
    shares.push_back({.client = client,
                      .nic = i % num_nics,
                      .storage = (all_nodes_ ? i : client) % vertices_.size(),
                      .bytes = streams[i].bytes});
    loads.bytes += streams[i].bytes;
    loads.largest_stream = std::max(loads.largest_stream, streams[i].bytes);
    double& sum = of_client[streams[i].client];
    sum += streams[i].bytes;
    loads.largest_client = std::max(loads.largest_client, sum);
  }
  std::ranges::sort(shares, {}, [](const Share& share) {
    return std::tuple(share.client, share.nic, share.storage);
  });
  return shares;
}

std::vector<LinkUse> StorageNetwork::route(VertexId nic, std::size_t storage,
                                           Direction direction) const {
  const VertexId node = vertices_[storage];
  return direction == Direction::kRead ? fabric_.spread_route(node, nic)
                                       : fabric_.spread_route(nic, node);
}

double StorageNetwork::node_cost(Direction direction, core::DataSize request) const {
  const auto i = static_cast<std::size_t>(direction);
  return std::max(byte_cost_[i], operation_cost_[i] / request.base());
}

void StorageNetwork::add_at_nodes(std::size_t storage, double share, Direction direction,
                                  const Access& access, std::vector<double>& load) const {
  const bool is_read = direction == Direction::kRead;
  load[first_node_ + storage] += share * node_cost(direction, access.request);
  load[drives_] += share * access.on_drives * drives_cost_[static_cast<std::size_t>(direction)];
  if (first_back_end_ == links_.size()) return;
  // Each byte leaves one node and enters another, so both ports carry the same bytes on average.
  const double elsewhere = 1.0 - 1.0 / static_cast<double>(vertices_.size());
  load[first_back_end_ + storage] +=
      share * elsewhere * (is_read ? 1.0 : written_per_byte_ * access.on_drives);
}

TransferLoads StorageNetwork::loads(std::span<const StorageStream> streams, Direction direction,
                                    const Access& access) const {
  TransferLoads loads;
  const std::vector<Share> all = shares(streams, loads);
  std::vector<double> load(links_.size(), 0.0);
  std::vector<double> at_node(vertices_.size(), 0.0);  // share of the bytes
  /// The route of a class of clients over one of their NICs.
  struct ClassRoute {
    std::vector<LinkUse> uses;
    VertexId nic = 0;
  };
  std::map<std::tuple<int, std::size_t, std::size_t>, ClassRoute> routes;
  std::map<std::pair<LinkId, std::size_t>, double> at_client;  // by link and client
  std::map<LinkId, double> largest_at_client;
  for (const Share& share : all) {
    if (share.bytes == 0.0) continue;
    const double part = share.bytes / loads.bytes;
    at_node[share.storage] += part;
    const int of_class = classes_[share.client];
    auto [entry, is_new] = routes.try_emplace({of_class, share.nic, share.storage});
    if (is_new) {
      entry->second.nic = nics_[share.client][share.nic];
      entry->second.uses = route(entry->second.nic, share.storage, direction);
    }
    for (const LinkUse& use : entry->second.uses) {
      const core::Link& link = fabric_.links()[static_cast<std::size_t>(use.link)];
      if (link.from != entry->second.nic && link.to != entry->second.nic) {
        load[static_cast<std::size_t>(use.link)] += part * use.coefficient;
        continue;
      }
      double& sum = at_client[{use.link, share.client}];
      sum += part * use.coefficient;
      double& largest = largest_at_client[use.link];
      largest = std::max(largest, sum);
    }
    add_at_nodes(share.storage, part, direction, access, load);
  }
  for (const auto& [link, largest] : largest_at_client) {
    load[static_cast<std::size_t>(link)] = largest;
  }
  loads.uses = uses_of(load);
  loads.node_shares = uses_of(at_node);
  return loads;
}

TransferLoads StorageNetwork::loads_from_outside(Direction direction) const {
  std::vector<double> load(links_.size(), 0.0);
  const double share = 1.0 / static_cast<double>(vertices_.size());
  for (std::size_t i = 0; i < vertices_.size(); ++i) {
    add_at_nodes(i, share, direction, {}, load);
  }
  return {.uses = uses_of(load),
          .bytes = 1.0,
          .largest_stream = 1.0,
          .largest_client = 1.0,
          .node_shares = uses_of(std::vector<double>(vertices_.size(), share))};
}

core::Duration access_latency(const core::StorageNode& node, const core::Mount& mount) {
  return node.latency.value + mount.latency.value;
}

double rate_of_requests(const core::StorageNode& node, const core::Mount& mount) {
  if (!mount.requests_in_flight) return std::numeric_limits<double>::infinity();
  return mount.requests_in_flight->value * mount.request.value.base() /
         access_latency(node, mount).base();
}

namespace {

FreeRate free_rate(const TransferLoads& loads, std::span<const StorageLink> links, bool of_drives) {
  FreeRate free{.rate = std::numeric_limits<double>::infinity()};
  for (const LinkUse& use : loads.uses) {
    const StorageLink& link = links[static_cast<std::size_t>(use.link)];
    if ((link.kind == StorageLinkKind::kDrives) != of_drives) continue;
    const double rate = link.capacity / use.coefficient;
    if (rate < free.rate) free = {.rate = rate, .kind = link.kind};
  }
  return free;
}

}  // namespace

FreeRate free_rate_to_nodes(const TransferLoads& loads, std::span<const StorageLink> links) {
  return free_rate(loads, links, false);
}

FreeRate free_rate_of_drives(const TransferLoads& loads, std::span<const StorageLink> links) {
  return free_rate(loads, links, true);
}

ReadTime read_time(const TransferLoads& loads, std::span<const StorageLink> links,
                   double by_readers, double by_mounts) {
  const FreeRate to_nodes = free_rate_to_nodes(loads, links);
  const FreeRate of_drives = free_rate_of_drives(loads, links);
  const FreeRate& free = of_drives.rate < to_nodes.rate ? of_drives : to_nodes;
  const double by_links = loads.bytes / free.rate;
  ReadTime time{.seconds = std::max({by_readers, by_mounts, by_links}), .limit = "readers"};
  if (by_readers < std::max(by_mounts, by_links)) {
    time.limit = by_mounts > by_links ? "mounts of the clients"
                                      : kStorageLinkNames[static_cast<std::size_t>(free.kind)];
  }
  return time;
}

double share_from_drives(const core::StorageNode& node, int num_nodes, double once, double asked) {
  return once > node.cache.value.base() * num_nodes ? 1.0 : std::min(1.0, once / asked);
}

}  // namespace railwright::models
