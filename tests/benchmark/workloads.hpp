// SPDX-License-Identifier: Apache-2.0
// Traffic on a two-tier fabric, drawn so that other simulators can run exactly the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/sim/flow_network.hpp"

namespace railwright::workloads {

/// 16 hosts per leaf, 16 spines, every link full duplex at 50 GB/s, no latency. A transfer crosses
/// its host's link up, to another leaf also spine `to % 16` (up and down), and a link down.
class TwoTier {
 public:
  static constexpr int kHostsPerLeaf = 16;
  static constexpr int kSpines = 16;
  static constexpr double kBytesPerSecond = 50e9;

  explicit TwoTier(int num_hosts) : num_hosts_(num_hosts) {}

  [[nodiscard]] int num_links() const {
    return 2 * num_hosts_ + 2 * (num_hosts_ / kHostsPerLeaf) * kSpines;
  }
  /// Fills `uses`; the part of it that is the route comes back.
  std::span<const core::LinkUse> route(int from, int to, std::array<core::LinkUse, 4>& uses) const;

 private:
  int num_hosts_;
};

struct Transfer {
  std::int32_t from = 0;
  std::int32_t to = 0;
  std::int64_t size = 0;  // bytes
  double start_s = 0.0;   // within its step
};

/// All transfers, `num_steps` times over, each time once all of the last have ended.
struct Workload {
  int num_hosts = 0;
  std::vector<Transfer> transfers;
  int num_steps = 1;

  [[nodiscard]] std::int64_t num_flows() const {
    return static_cast<std::int64_t>(transfers.size()) * num_steps;
  }
};

/// Every host to the one half way round, 1 GB.
Workload shift(int num_hosts);
/// Every host to another one at random, 1 GB.
Workload permutation(int num_hosts);
/// Every host to every other, 1 GB / hosts each.
Workload all_to_all(int num_hosts);
/// The same with sizes that differ by up to a factor of 2: nearly every end comes alone.
Workload skewed_all_to_all(int num_hosts);
/// 20,000 transfers of 1, 10 or 100 MB between 256 hosts that arrive at random, so many that they
/// ask for `load` of what the hosts' links can carry.
Workload poisson(double load);
/// Ring all-reduce of 1 GB: in each of 2 (hosts - 1) steps every host sends to its neighbour.
Workload ring(int num_hosts);

struct Named {
  std::string_view name;
  Workload (*make)();
  /// When the last transfer ends, as SimGrid 4.1.1 printed it.
  double simulated_s;
};

/// Those that speed is reported for.
std::span<const Named> named_workloads();

}  // namespace railwright::workloads
