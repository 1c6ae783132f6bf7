// SPDX-License-Identifier: Apache-2.0
#include "binding_links.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <unordered_map>

namespace railwright::simulation {

namespace {

using Flows = std::span<const models::CollectiveFlow* const>;

/// The bytes that a flow puts on a link for each of its own.
struct FlowUse {
  std::int32_t flow = 0;
  double coefficient = 0.0;
  bool operator==(const FlowUse&) const = default;
};

/// The uses of each link, by flow.
class UsesByLink {
 public:
  UsesByLink(Flows flows, std::size_t num_links) : first_(num_links + 1) {
    for (const models::CollectiveFlow* flow : flows) {
      for (const core::LinkUse& use : flow->route) ++first_[static_cast<std::size_t>(use.link) + 1];
    }
    for (std::size_t l = 0; l < num_links; ++l) first_[l + 1] += first_[l];
    uses_.resize(first_.back());
    end_.assign(first_.begin(), first_.end() - 1);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      for (const core::LinkUse& use : flows[f]->route) add(static_cast<std::int32_t>(f), use);
    }
  }

  [[nodiscard]] std::size_t num_links() const { return end_.size(); }
  [[nodiscard]] std::span<const FlowUse> of(std::size_t link) const {
    return std::span(uses_).subspan(first_[link], end_[link] - first_[link]);
  }

 private:
  void add(std::int32_t flow, const core::LinkUse& use) {
    if (use.coefficient == 0.0) return;
    const auto link = static_cast<std::size_t>(use.link);
    std::size_t& end = end_[link];
    if (end > first_[link] && uses_[end - 1].flow == flow) {
      uses_[end - 1].coefficient += use.coefficient;
    } else {
      uses_[end++] = {flow, use.coefficient};
    }
  }

  std::vector<std::size_t> first_;
  std::vector<std::size_t> end_;
  std::vector<FlowUse> uses_;
};

/// Marks the first of the links that have the same capacity and uses.
std::vector<bool> first_of_equal_links(const UsesByLink& uses, std::span<const double> capacity) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15U;
  std::vector<bool> is_first(uses.num_links());
  std::unordered_multimap<std::uint64_t, std::size_t> known;
  for (std::size_t link = 0; link < uses.num_links(); ++link) {
    const std::span<const FlowUse> own = uses.of(link);
    if (own.empty()) continue;
    auto hash = std::bit_cast<std::uint64_t>(capacity[link]);
    for (const FlowUse& use : own) {
      hash = std::rotl((hash ^ static_cast<std::uint64_t>(use.flow)) * kFactor, 29);
      hash = (hash ^ std::bit_cast<std::uint64_t>(use.coefficient)) * kFactor;
    }
    const auto [begin, end] = known.equal_range(hash);
    is_first[link] = std::none_of(begin, end, [&](const auto& one) {
      return capacity[one.second] == capacity[link] && std::ranges::equal(uses.of(one.second), own);
    });
    if (is_first[link]) known.emplace(hash, link);
  }
  return is_first;
}

/// The link that limits a flow alone, and how much of it a byte takes.
struct Narrowest {
  std::int32_t link = -1;
  double coefficient = 0.0;
};

std::vector<Narrowest> narrowest_links(Flows flows, const UsesByLink& uses,
                                       const std::vector<bool>& stays,
                                       std::span<const double> capacity) {
  std::vector<Narrowest> narrowest(flows.size());
  std::vector<double> least(flows.size(), std::numeric_limits<double>::infinity());
  for (std::size_t link = 0; link < uses.num_links(); ++link) {
    if (!stays[link]) continue;
    for (const FlowUse& use : uses.of(link)) {
      const auto flow = static_cast<std::size_t>(use.flow);
      const double rate = capacity[link] / use.coefficient;
      if (!(rate < least[flow])) continue;
      least[flow] = rate;
      narrowest[flow] = {static_cast<std::int32_t>(link), use.coefficient};
    }
  }
  return narrowest;
}

/// Bounds what a link carries a second by what the narrowest links of its flows let through. Flows
/// with the same narrowest link share it: the one counts that puts most on this link for it.
class LoadBound {
 public:
  LoadBound(std::span<const Narrowest> narrowest, std::span<const double> capacity)
      : narrowest_(narrowest), capacity_(capacity), share_(capacity.size(), 0.0) {}

  double of(std::span<const FlowUse> uses) {
    for (const FlowUse& use : uses) {
      const Narrowest& own = narrowest_[static_cast<std::size_t>(use.flow)];
      if (own.link < 0) return std::numeric_limits<double>::infinity();
      double& share = share_[static_cast<std::size_t>(own.link)];
      share = std::max(share, use.coefficient / own.coefficient);
    }
    double sum = 0.0;
    for (const FlowUse& use : uses) {
      const auto link =
          static_cast<std::size_t>(narrowest_[static_cast<std::size_t>(use.flow)].link);
      sum += capacity_[link] * share_[link];
      share_[link] = 0.0;
    }
    return sum;
  }

 private:
  std::span<const Narrowest> narrowest_;
  std::span<const double> capacity_;
  std::vector<double> share_;  ///< by narrowest link; zero between two questions
};

}  // namespace

std::vector<std::vector<core::LinkUse>> binding_routes(Flows flows,
                                                       std::span<const double> capacity) {
  const UsesByLink uses(flows, capacity.size());
  std::vector<bool> binds = first_of_equal_links(uses, capacity);
  const std::vector<Narrowest> narrowest = narrowest_links(flows, uses, binds, capacity);
  std::vector<bool> is_narrowest(capacity.size());
  for (const Narrowest& one : narrowest) {
    if (one.link >= 0) is_narrowest[static_cast<std::size_t>(one.link)] = true;
  }
  LoadBound bound(narrowest, capacity);
  for (std::size_t link = 0; link < capacity.size(); ++link) {
    if (!binds[link] || is_narrowest[link]) continue;
    binds[link] = bound.of(uses.of(link)) > capacity[link];
  }
  std::vector<std::vector<core::LinkUse>> routes(flows.size());
  for (std::size_t flow = 0; flow < flows.size(); ++flow) {
    for (const core::LinkUse& use : flows[flow]->route) {
      if (binds[static_cast<std::size_t>(use.link)]) routes[flow].push_back(use);
    }
  }
  return routes;
}

}  // namespace railwright::simulation
