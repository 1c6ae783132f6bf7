// SPDX-License-Identifier: Apache-2.0
#include "workloads.hpp"

#include <cmath>
#include <numeric>
#include <utility>

namespace railwright::workloads {

using core::LinkId;
using core::LinkUse;

namespace {

constexpr std::int64_t kGigabyte = 1'000'000'000;

/// A linear congruential generator small enough to be written in any language.
class Draws {
 public:
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(state_ >> 33U);
  }
  std::int32_t below(std::int32_t n) {
    return static_cast<std::int32_t>(next() % static_cast<std::uint32_t>(n));
  }
  double uniform() { return (next() + 0.5) / 2147483648.0; }

 private:
  std::uint64_t state_ = 42;
};

}  // namespace

std::span<const LinkUse> TwoTier::route(int from, int to, std::array<LinkUse, 4>& uses) const {
  const int leaf_from = from / kHostsPerLeaf;
  const int leaf_to = to / kHostsPerLeaf;
  uses[0] = {from, 1.0};
  if (leaf_from == leaf_to) {
    uses[1] = {num_hosts_ + to, 1.0};
    return std::span(uses).first(2);
  }
  const int spine = to % kSpines;
  const int up = 2 * num_hosts_;
  const int down = up + num_hosts_ / kHostsPerLeaf * kSpines;
  uses[1] = {up + leaf_from * kSpines + spine, 1.0};
  uses[2] = {down + leaf_to * kSpines + spine, 1.0};
  uses[3] = {num_hosts_ + to, 1.0};
  return uses;
}

Workload shift(int num_hosts) {
  Workload workload{.num_hosts = num_hosts};
  for (int i = 0; i < num_hosts; ++i) {
    workload.transfers.push_back({i, (i + num_hosts / 2) % num_hosts, kGigabyte});
  }
  return workload;
}

Workload permutation(int num_hosts) {
  Workload workload{.num_hosts = num_hosts};
  const auto n = static_cast<std::size_t>(num_hosts);
  std::vector<std::int32_t> to(n);
  std::iota(to.begin(), to.end(), 0);
  Draws draws;
  for (std::size_t i = n - 1; i > 0; --i) {
    std::swap(to[i], to[static_cast<std::size_t>(draws.below(static_cast<std::int32_t>(i) + 1))]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (to[i] == static_cast<std::int32_t>(i)) std::swap(to[i], to[(i + 1) % n]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    workload.transfers.push_back({static_cast<std::int32_t>(i), to[i], kGigabyte});
  }
  return workload;
}

Workload all_to_all(int num_hosts) {
  Workload workload{.num_hosts = num_hosts};
  for (int i = 0; i < num_hosts; ++i) {
    for (int k = 1; k < num_hosts; ++k) {
      workload.transfers.push_back({i, (i + k) % num_hosts, kGigabyte / num_hosts});
    }
  }
  return workload;
}

Workload skewed_all_to_all(int num_hosts) {
  Workload workload = all_to_all(num_hosts);
  for (Transfer& transfer : workload.transfers) {
    transfer.size += transfer.size * ((transfer.from * 31 + transfer.to * 17) % 97) / 97;
  }
  return workload;
}

Workload poisson(double load) {
  constexpr int kHosts = 256;
  constexpr int kTransfers = 20'000;
  constexpr double kMeanSize = (0.6 * 1 + 0.3 * 10 + 0.1 * 100) * 1e6;
  const double per_second = load * TwoTier::kBytesPerSecond * kHosts / kMeanSize;
  Workload workload{.num_hosts = kHosts};
  Draws draws;
  double now = 0.0;
  for (int t = 0; t < kTransfers; ++t) {
    now += -std::log(draws.uniform()) / per_second;
    const std::int32_t from = draws.below(kHosts);
    std::int32_t to = draws.below(kHosts - 1);
    if (to >= from) ++to;
    const double kind = draws.uniform();
    const std::int64_t megabytes = kind < 0.6 ? 1 : (kind < 0.9 ? 10 : 100);
    workload.transfers.push_back({from, to, megabytes * 1'000'000, now});
  }
  return workload;
}

Workload ring(int num_hosts) {
  Workload workload{.num_hosts = num_hosts, .num_steps = 2 * (num_hosts - 1)};
  for (int i = 0; i < num_hosts; ++i) {
    workload.transfers.push_back({i, (i + 1) % num_hosts, kGigabyte / num_hosts});
  }
  return workload;
}

std::span<const Named> named_workloads() {
  static constexpr std::array kWorkloads{
      Named{"shift 1024", [] { return shift(1024); }, 0.020000000},
      Named{"shift 4096", [] { return shift(4096); }, 0.020000000},
      Named{"perm 1024", [] { return permutation(1024); }, 0.100000000},
      Named{"perm 4096", [] { return permutation(4096); }, 0.100000000},
      Named{"a2a 64", [] { return all_to_all(64); }, 0.019687500},
      Named{"a2a 128", [] { return all_to_all(128); }, 0.019843750},
      Named{"a2a 256", [] { return all_to_all(256); }, 0.019921875},
      Named{"a2askew 64", [] { return skewed_all_to_all(64); }, 0.029993556},
      Named{"a2askew 128", [] { return skewed_all_to_all(128); }, 0.029882409},
      Named{"poisson 0.7", [] { return poisson(0.7); }, 0.044995114},
      Named{"poisson 0.9", [] { return poisson(0.9); }, 0.042298740},
      Named{"ring 256", [] { return ring(256); }, 0.039843750},
      Named{"ring 1024", [] { return ring(1024); }, 0.039960917},
  };
  return kWorkloads;
}

}  // namespace railwright::workloads
