// SPDX-License-Identifier: Apache-2.0
#include "switch_routes.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "choosers.hpp"

namespace railwright::core {

namespace {

constexpr std::int32_t kNoWay = std::numeric_limits<std::int32_t>::max();

/// Numbers the devices of each leaf in the order of their links. Places of devices of others count,
/// as they have addresses too; failed links count, so that another failure moves no routes.
std::vector<Place> number_places(const LiveGraph& live, const SwitchGraph& switches,
                                 std::span<const SkippedPlace> skipped) {
  std::vector<Place> places(live.vertices.size());
  std::vector<std::int32_t> num_devices(live.vertices.size());
  const auto is_last_hop = [&](const Link& l) {
    return switches.index_of(l.from) >= 0 && switches.index_of(l.to) < 0;
  };
  std::vector<VertexId> leaf_of(live.vertices.size(), -1);
  auto next_skipped = skipped.begin();
  const auto skip_before = [&](std::size_t num_links) {
    for (; next_skipped != skipped.end() && next_skipped->num_links <= num_links; ++next_skipped) {
      ++num_devices[at(next_skipped->on)];
    }
  };
  for (std::size_t i = 0; i < live.links.size(); ++i) {
    skip_before(i);
    const Link& l = live.links[i];
    if (!is_last_hop(l) || leaf_of[at(l.to)] == l.from) continue;
    const std::int32_t rank = num_devices[at(l.from)]++;
    if (leaf_of[at(l.to)] >= 0) continue;
    leaf_of[at(l.to)] = l.from;
    places[at(l.to)].rank = rank;
  }
  skip_before(live.links.size());
  std::vector<std::int32_t> number(live.vertices.size());
  std::int32_t num_leaves = 0;
  std::int32_t per_leaf = 1;
  for (std::size_t v = 0; v < live.vertices.size(); ++v) {
    if (live.vertices[v].role != Role::kSwitch || num_devices[v] == 0) continue;
    number[v] = num_leaves++;
    per_leaf = std::max(per_leaf, num_devices[v]);
  }
  for (std::size_t v = 0; v < live.vertices.size(); ++v) {
    if (leaf_of[v] < 0) continue;
    places[v].leaf = number[at(leaf_of[v])];
    places[v].per_leaf = per_leaf;
  }
  return places;
}

}  // namespace

SwitchRoutes::SwitchRoutes(const LiveGraph& live, std::span<const SkippedPlace> skipped)
    : live_(live), tables_(live), places_(number_places(live, tables_.switches(), skipped)) {}

std::int32_t SwitchRoutes::distance(std::span<const SwitchIndex> exits, SwitchIndex s) const {
  std::int32_t least = kNoWay;
  for (const SwitchIndex exit : exits) {
    const std::int32_t d = tables_.distance(s, exit);
    if (d >= 0) least = std::min(least, d);
  }
  return least;
}

bool SwitchRoutes::is_attached(VertexId vertex) const {
  const SwitchGraph& switches = tables_.switches();
  return switches.index_of(vertex) >= 0 ||
         std::ranges::any_of(live_.leaving(vertex), [&](LinkId link) {
           return switches.index_of(live_.link(link).to) >= 0;
         });
}

std::optional<NextHop> SwitchRoutes::only_port(VertexId device) const {
  const SwitchGraph& switches = tables_.switches();
  if (switches.index_of(device) >= 0) return {};
  std::optional<NextHop> port;
  for (const LinkId link : live_.leaving(device)) {
    const SwitchIndex head = switches.index_of(live_.link(link).to);
    if (head < 0) continue;
    if (port) return {};
    port = NextHop{
        .link = link, .head = head, .share = 1.0, .end_cable = live_.link(link).num_parallel};
  }
  return port;
}

std::vector<SwitchIndex> SwitchRoutes::exits_to(VertexId to) const {
  std::vector<SwitchIndex> exits;
  const auto add = [&](SwitchIndex s) {
    if (s >= 0 && std::ranges::find(exits, s) == exits.end()) exits.push_back(s);
  };
  const SwitchIndex own = tables_.switches().index_of(to);
  if (own >= 0) {
    add(own);
  } else {
    for (const LinkId link : live_.leaving(to)) {
      add(tables_.switches().index_of(live_.link(link).to));
    }
  }
  return exits;
}

std::vector<NextHop> SwitchRoutes::entries(VertexId from,
                                           std::span<const SwitchIndex> exits) const {
  std::vector<NextHop> hops;
  std::int32_t least = kNoWay;
  for (const LinkId link : live_.leaving(from)) {
    const SwitchIndex head = tables_.switches().index_of(live_.link(link).to);
    const std::int32_t d = head < 0 ? kNoWay : distance(exits, head);
    if (d == kNoWay || d > least) continue;
    if (d < least) hops.clear();
    least = d;
    hops.push_back({.link = link, .head = head});
  }
  return hops;
}

std::vector<NextHop> SwitchRoutes::last_hops(SwitchIndex exit, VertexId to) const {
  std::vector<NextHop> hops;
  for (const LinkId link : live_.leaving(to)) {
    if (tables_.switches().index_of(live_.link(link).to) == exit) {
      hops.push_back({.link = Fabric::reverse(link)});
    }
  }
  return hops;
}

const HopGroup& SwitchRoutes::next(SwitchIndex s, std::span<const SwitchIndex> exits,
                                   HopGroup& scratch) const {
  if (exits.size() == 1) return *tables_.next(s, exits.front());
  const std::int32_t least = distance(exits, s);
  std::vector<NextHop> hops;
  for (const SwitchIndex exit : exits) {
    if (tables_.distance(s, exit) != least) continue;
    for (const NextHop& hop : tables_.next(s, exit)->hops) {
      if (std::ranges::find(hops, hop.link, &NextHop::link) == hops.end()) hops.push_back(hop);
    }
  }
  std::ranges::sort(hops, {}, &NextHop::link);
  scratch = make_group(live_, std::move(hops));
  return scratch;
}

template <class Choose>
void SwitchRoutes::walk(SwitchIndex start, VertexId from, VertexId to,
                        std::span<const SwitchIndex> exits, Choose choose,
                        std::vector<LinkUse>& uses) const {
  const auto take_port = [&](std::vector<NextHop> ports) {
    const HopGroup group = make_group(live_, std::move(ports));
    const NextHop& port = group.by_cable(choose.port(group.num_cables()));
    uses.push_back({port.link, 1.0});
    return port.head;
  };
  SwitchIndex s = start >= 0 ? start : take_port(entries(from, exits));
  HopGroup scratch;
  const std::int32_t num_hops = distance(exits, s);
  for (std::int32_t i = 0; i < num_hops; ++i) {
    const HopGroup& group = next(s, exits, scratch);
    const std::int32_t height = std::min(i, num_hops - 1 - i);
    const NextHop& hop = group.by_cable(choose.hop(height, group.num_cables()));
    uses.push_back({hop.link, 1.0});
    s = hop.head;
  }
  if (tables_.switches().index_of(to) < 0) take_port(last_hops(s, to));
}

template <class Choose>
void SwitchRoutes::walk_between(const NextHop& out, const NextHop& in, Choose choose,
                                std::vector<LinkUse>& uses) const {
  // There is nothing to choose at the ends, but a hash draws there too.
  static_cast<void>(choose.port(out.end_cable));
  uses.push_back({out.link, 1.0});
  SwitchIndex s = out.head;
  const std::int32_t num_hops = tables_.distance(s, in.head);
  for (std::int32_t i = 0; i < num_hops; ++i) {
    const HopGroup& group = *tables_.next(s, in.head);
    const std::int32_t height = std::min(i, num_hops - 1 - i);
    const NextHop& hop = group.by_cable(choose.hop(height, group.num_cables()));
    uses.push_back({hop.link, 1.0});
    s = hop.head;
  }
  uses.push_back({Fabric::reverse(in.link), 1.0});
}

bool SwitchRoutes::append_between(const RoutingPolicy& policy, const NextHop& out,
                                  const NextHop& in, const Place& to, const FlowKey& flow,
                                  std::vector<LinkUse>& uses) const {
  if (tables_.distance(out.head, in.head) < 0) return false;
  if (policy.routing == Routing::kEcmp) {
    walk_between(out, in, ByHash(policy.seed, flow), uses);
  } else {
    walk_between(out, in, ByDestination(to, flow.channel), uses);
  }
  return true;
}

void SwitchRoutes::spread(VertexId from, VertexId to, std::span<const SwitchIndex> exits,
                          std::vector<LinkUse>& uses) const {
  std::vector<double> arriving(tables_.switches().num_switches());
  std::vector<SwitchIndex> level;
  std::vector<SwitchIndex> next_level;
  const auto send = [&](const HopGroup& group, double amount) {
    for (const NextHop& hop : group.hops) {
      const double part = amount * hop.share;
      uses.push_back({hop.link, part});
      if (arriving[at(hop.head)] == 0.0) next_level.push_back(hop.head);
      arriving[at(hop.head)] += part;
    }
  };
  const SwitchIndex own = tables_.switches().index_of(from);
  if (own >= 0) {
    arriving[at(own)] = 1.0;
    next_level.push_back(own);
  } else {
    send(make_group(live_, entries(from, exits)), 1.0);
  }
  HopGroup scratch;
  std::swap(level, next_level);
  for (std::int32_t left = distance(exits, level.front()); left > 0; --left) {
    next_level.clear();
    for (const SwitchIndex s : level) send(next(s, exits, scratch), arriving[at(s)]);
    std::swap(level, next_level);
  }
  if (tables_.switches().index_of(to) >= 0) return;
  for (const SwitchIndex s : level) {
    for (const NextHop& hop : make_group(live_, last_hops(s, to)).hops) {
      uses.push_back({hop.link, arriving[at(s)] * hop.share});
    }
  }
}

bool SwitchRoutes::append(const RoutingPolicy& policy, VertexId from, VertexId to,
                          const FlowKey& flow, std::vector<LinkUse>& uses) const {
  if (policy.routing != Routing::kAdaptive) {
    const std::optional<NextHop> out = only_port(from);
    const std::optional<NextHop> in = only_port(to);
    if (out && in) return append_between(policy, *out, *in, places_[at(to)], flow, uses);
  }
  const std::vector<SwitchIndex> exits = exits_to(to);
  const SwitchIndex own = tables_.switches().index_of(from);
  if (own >= 0 ? distance(exits, own) == kNoWay : entries(from, exits).empty()) return false;
  switch (policy.routing.value_or(Routing::kStatic)) {
    case Routing::kStatic:
      walk(own, from, to, exits, ByDestination(places_[at(to)], flow.channel), uses);
      break;
    case Routing::kEcmp:
      walk(own, from, to, exits, ByHash(policy.seed, flow), uses);
      break;
    case Routing::kAdaptive:
      spread(from, to, exits, uses);
      break;
  }
  return true;
}

}  // namespace railwright::core
