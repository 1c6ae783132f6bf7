// SPDX-License-Identifier: Apache-2.0
#include "random_traffic.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "railwright/core/sim/random.hpp"

namespace railwright::test {

using core::LinkId;
using core::LinkUse;
using core::RandomStream;

namespace {

constexpr std::array kTens{1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11};

/// What one case is like: how fast its links, how large its flows, how odd its details.
class Draw {
 public:
  Draw(std::uint64_t seed, double ticks_per_second)
      : random_(seed, 3), ticks_per_second_(ticks_per_second) {
    constexpr std::array kBandwidths{1e3, 1e9, 50e9, 50e9, 1e12, 1e15, 1e18};
    bandwidth_ = kBandwidths[below(kBandwidths.size())];
    // A typical flow alone takes 10^3 to 10^11 ticks.
    const double ticks = kTens[3 + below(9)];
    typical_size_ = std::min(1e18, std::max(1.0, bandwidth_ * ticks / ticks_per_second_));
    odd_ = one_in(2);
    sizes_ = below(3);
  }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  [[nodiscard]] double bandwidth() const { return bandwidth_; }

  double capacity() {
    if (!odd_ || one_in(2)) return bandwidth_;
    if (one_in(8)) return std::numeric_limits<double>::infinity();
    return bandwidth_ * (one_in(2) ? static_cast<double>(1 + below(4)) : 0.01 + uniform());
  }

  std::int64_t size() {
    if (odd_ && one_in(12)) return 0;
    double size = typical_size_;
    if (sizes_ == 1) size = std::max(1.0, size * (1.0 + static_cast<double>(below(5))) / 5.0);
    if (sizes_ == 2) size = std::max(1.0, size / kTens[below(12)] * (0.1 + uniform()));
    return static_cast<std::int64_t>(size);
  }

  /// A tick while a typical flow is under way.
  std::int64_t moment() {
    return static_cast<std::int64_t>(typical_size_ / bandwidth_ * ticks_per_second_ * 4.0 *
                                     uniform());
  }

  void details(Transfer& transfer) {
    if (!odd_) return;
    constexpr std::array kCoefficients{2.0, 0.5, 0.125, 0.3, 1e-3, 0.0};
    for (LinkUse& use : transfer.route) {
      if (one_in(6)) use.coefficient = kCoefficients[below(kCoefficients.size())];
    }
    if (one_in(4)) transfer.ceiling = bandwidth_ * (one_in(2) ? 0.25 : 0.01 + uniform());
    if (one_in(5)) transfer.multiplicity = 1 + static_cast<int>(below(64));
    if (one_in(5)) transfer.weight = one_in(2) ? 0.5 : kTens[below(5)] * (0.01 + 0.01 * uniform());
  }

  void changes(Traffic& traffic) {
    if (!odd_) return;
    for (std::size_t c = below(5); c > 0; --c) {
      const auto link = static_cast<LinkId>(below(traffic.capacities.size()));
      // Whatever happens last leaves the link usable.
      if (std::ranges::count(traffic.changes, link, &CapacityChange::link) > 0) continue;
      const bool is_failure = one_in(2);
      const std::int64_t when = moment();
      const double before = traffic.capacities[static_cast<std::size_t>(link)];
      traffic.changes.push_back({when, link, is_failure ? 0.0 : bandwidth_ * (0.1 + uniform())});
      if (is_failure) traffic.changes.push_back({when + 1 + moment(), link, before});
    }
  }

 private:
  double uniform() { return random_.uniform(); }

  RandomStream random_;
  double ticks_per_second_;
  double bandwidth_ = 0.0;
  double typical_size_ = 0.0;
  bool odd_ = false;
  std::size_t sizes_ = 0;
};

void add_links(Draw& draw, Traffic& traffic, std::size_t num) {
  for (std::size_t l = 0; l < num; ++l) traffic.capacities.push_back(draw.capacity());
}

LinkUse over(std::size_t link) { return {static_cast<LinkId>(link), 1.0}; }

/// Two tiers: each host has a link up and one down, each leaf one to and from each spine.
struct LeafSpine {
  std::size_t hosts_per_leaf = 2;
  std::size_t num_leaves = 2;
  std::size_t num_spines = 2;

  [[nodiscard]] std::size_t num_hosts() const { return hosts_per_leaf * num_leaves; }
  [[nodiscard]] std::size_t num_links() const {
    return 2 * num_hosts() + 2 * num_leaves * num_spines;
  }
  [[nodiscard]] std::vector<LinkUse> route(std::size_t from, std::size_t to) const {
    std::vector<LinkUse> route{over(from)};
    const std::size_t leaf_from = from / hosts_per_leaf;
    const std::size_t leaf_to = to / hosts_per_leaf;
    if (leaf_from != leaf_to) {
      const std::size_t spine = to % num_spines;
      route.push_back(over(2 * num_hosts() + leaf_from * num_spines + spine));
      route.push_back(over(2 * num_hosts() + (num_leaves + leaf_to) * num_spines + spine));
    }
    route.push_back(over(num_hosts() + to));
    return route;
  }
};

LeafSpine leaf_spine(Draw& draw, std::size_t max_per_leaf) {
  return {1 + draw.below(max_per_leaf), 2 + draw.below(3), 1 + draw.below(4)};
}

void add(Draw& draw, Traffic& traffic, Transfer transfer) {
  draw.details(transfer);
  traffic.transfers.push_back(std::move(transfer));
}

Traffic uniform(Draw& draw) {
  Traffic traffic;
  const std::size_t num_links = 1 + draw.below(12);
  add_links(draw, traffic, num_links);
  const std::size_t num = 1 + draw.below(60);
  const bool all_at_once = draw.one_in(4);
  for (std::size_t t = 0; t < num; ++t) {
    Transfer transfer;
    for (std::size_t l = 0; l < num_links; ++l) {
      if (draw.below(num_links) < 2) transfer.route.push_back(over(l));
    }
    if (transfer.route.empty()) transfer.ceiling = draw.bandwidth();
    transfer.size = draw.size();
    if (t > 0 && draw.one_in(5)) {
      transfer.after = {draw.below(t)};
      if (draw.one_in(2)) transfer.start = draw.moment();
    } else if (!all_at_once) {
      transfer.start = draw.moment();
    }
    add(draw, traffic, transfer);
  }
  return traffic;
}

Traffic permutation(Draw& draw) {
  Traffic traffic;
  const LeafSpine fabric = leaf_spine(draw, 8);
  add_links(draw, traffic, fabric.num_links());
  std::vector<std::size_t> to(fabric.num_hosts());
  std::iota(to.begin(), to.end(), 0U);
  for (std::size_t i = to.size() - 1; i > 0; --i) std::swap(to[i], to[draw.below(i + 1)]);
  for (std::size_t from = 0; from < to.size(); ++from) {
    add(draw, traffic, {.route = fabric.route(from, to[from]), .size = draw.size()});
  }
  return traffic;
}

Traffic all_to_all(Draw& draw) {
  Traffic traffic;
  const LeafSpine fabric = leaf_spine(draw, 3);
  add_links(draw, traffic, fabric.num_links());
  const std::size_t num_hosts = fabric.num_hosts();
  for (std::size_t from = 0; from < num_hosts; ++from) {
    for (std::size_t k = 1; k < num_hosts; ++k) {
      const std::size_t to = (from + k) % num_hosts;
      add(draw, traffic, {.route = fabric.route(from, to), .size = draw.size()});
    }
  }
  return traffic;
}

Traffic ring(Draw& draw) {
  Traffic traffic;
  const LeafSpine fabric = leaf_spine(draw, 4);
  add_links(draw, traffic, fabric.num_links());
  const std::size_t num_hosts = fabric.num_hosts();
  const std::size_t num_steps = 1 + draw.below(2 * num_hosts);
  const bool has_barrier = draw.one_in(2);
  const std::int64_t size = draw.size();
  const std::int64_t pause = draw.one_in(2) ? 0 : draw.moment() / 10;
  for (std::size_t step = 0; step < num_steps; ++step) {
    for (std::size_t from = 0; from < num_hosts; ++from) {
      Transfer transfer{.route = fabric.route(from, (from + 1) % num_hosts), .size = size};
      const std::size_t last = (step - 1) * num_hosts;
      for (std::size_t host = 0; step > 0 && host < num_hosts; ++host) {
        // What it passes on it has to have first.
        const bool is_before = host == from || (host + 1) % num_hosts == from;
        if (has_barrier || is_before) transfer.after.push_back(last + host);
      }
      if (step > 0) transfer.start = pause;
      traffic.transfers.push_back(transfer);
    }
  }
  for (std::size_t stranger = draw.below(4); stranger > 0; --stranger) {
    const std::size_t from = draw.below(num_hosts);
    const std::size_t to = (from + 1 + draw.below(num_hosts - 1)) % num_hosts;
    add(draw, traffic,
        {.route = fabric.route(from, to), .size = draw.size(), .start = draw.moment()});
  }
  return traffic;
}

Traffic components(Draw& draw) {
  Traffic traffic;
  const std::size_t num_islands = 2 + draw.below(6);
  const bool are_equal = draw.one_in(2);
  for (std::size_t island = 0; island < num_islands; ++island) {
    const std::size_t first = traffic.capacities.size();
    add_links(draw, traffic, 3);
    for (std::size_t t = 0; t < 6; ++t) {
      const std::size_t from = are_equal ? t % 3 : draw.below(3);
      Transfer transfer{.route = {over(first + from)}, .size = draw.size()};
      if (t % 2 == 0) transfer.route.push_back(over(first + (from + 1) % 3));
      if (!are_equal) transfer.start = draw.moment();
      add(draw, traffic, transfer);
    }
  }
  return traffic;
}

Traffic chain(Draw& draw) {
  Traffic traffic;
  const std::size_t num = 2 + draw.below(40);
  add_links(draw, traffic, num + 1);
  const bool one_after_another = draw.one_in(3);
  for (std::size_t t = 0; t < num; ++t) {
    Transfer transfer{.route = {over(t), over(t + 1)}, .size = draw.size()};
    if (one_after_another && t > 0) transfer.after = {t - 1};
    add(draw, traffic, transfer);
  }
  return traffic;
}

}  // namespace

Traffic random_traffic(Shape shape, std::uint64_t seed, std::int64_t ticks_per_second) {
  Draw draw(seed * kNumShapes + static_cast<std::uint64_t>(shape),
            static_cast<double>(ticks_per_second));
  Traffic traffic;
  switch (shape) {
    case Shape::kUniform:
      traffic = uniform(draw);
      break;
    case Shape::kPermutation:
      traffic = permutation(draw);
      break;
    case Shape::kAllToAll:
      traffic = all_to_all(draw);
      break;
    case Shape::kRing:
      traffic = ring(draw);
      break;
    case Shape::kComponents:
      traffic = components(draw);
      break;
    case Shape::kChain:
      traffic = chain(draw);
      break;
  }
  draw.changes(traffic);
  return traffic;
}

}  // namespace railwright::test
