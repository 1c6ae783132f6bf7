// SPDX-License-Identifier: Apache-2.0
// Random scenarios, and ways to make a system worse.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "railwright/core/sim/random.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::test {

/// A scenario on one or two switches whose bundle can be thinned.
struct RandomSystem {
  simulation::CheckedScenario checked;
  core::Switch switch_model;
  int inter_switch_links = 0;  ///< 0: one switch

  [[nodiscard]] std::string describe() const;
  /// Makes the topology anew from the switch and the bundle.
  void rebuild_topology();
};

/// Draws model, parallelism, overlaps, algorithms, buckets, nodes, 1 to 16 NICs, wiring, fabric and
/// efficiencies until they fit one another.
class RandomScenarios {
 public:
  explicit RandomScenarios(std::uint64_t seed);
  RandomSystem next();

 private:
  template <class T>
  T one_of(std::initializer_list<T> choices);
  bool chance(double probability) { return random_.uniform() < probability; }
  void draw_workload(models::Training& workload);
  void draw_software(models::SoftwareProfile& software);
  void draw_cluster(RandomSystem& system);

  core::RandomStream random_;
  std::vector<simulation::CheckedScenario> bases_;
  core::Switch switch_model_;
};

/// Takes something away, by a random amount.
struct Worsening {
  std::string name;
  std::function<void(RandomSystem&, core::RandomStream&)> apply;
};
const std::vector<Worsening>& worsenings();

}  // namespace railwright::test
