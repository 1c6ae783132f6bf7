// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/step/link_loads.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>

#include "railwright/core/fabric/fabric.hpp"

namespace railwright::simulation {

namespace {

/// Returns nine decimals as an integer: sums taken in another order differ in the later ones.
std::int64_t nine_digits(double utilization) { return std::llround(utilization * 1e9); }

}  // namespace

std::string link_name(const core::Fabric& fabric, core::LinkId id) {
  const core::Link& link = fabric.links()[static_cast<std::size_t>(id)];
  const auto label = [&](core::VertexId v) {
    return fabric.vertices()[static_cast<std::size_t>(v)].label;
  };
  return label(link.from) + " -> " + label(link.to);
}

std::vector<TierLoad> tier_loads(const core::Fabric& fabric, const std::vector<double>& capacity,
                                 const std::vector<double>& link_bytes, core::Duration step_time) {
  std::array<TierLoad, core::kNumTiers> loads{};
  for (std::size_t link = 0; link < link_bytes.size(); ++link) {
    const core::Tier tier = fabric.links()[link].tier;
    TierLoad& load = loads[static_cast<std::size_t>(tier)];
    load.tier = tier;
    const double utilization = link_bytes[link] / (capacity[link] * step_time.base());
    if (utilization > load.utilization) {
      load.utilization = utilization;
      load.busiest_bytes = core::DataSize::from_base(link_bytes[link]);
    }
  }
  std::vector<TierLoad> used;
  std::ranges::copy_if(loads, std::back_inserter(used),
                       [](const TierLoad& load) { return load.utilization > 0.0; });
  return used;
}

std::vector<LinkLoad> busiest_links(const core::Fabric& fabric, const std::vector<double>& capacity,
                                    const std::vector<double>& link_bytes, core::Duration step_time,
                                    std::size_t most) {
  using Kind = std::tuple<std::int64_t, core::Tier, core::Role, core::Role>;
  struct Alike {
    std::size_t first = 0;
    int count = 0;
  };
  const auto role = [&](core::VertexId v) {
    return fabric.vertices()[static_cast<std::size_t>(v)].role;
  };
  const auto utilization = [&](std::size_t link) {
    return link_bytes[link] / (capacity[link] * step_time.base());
  };
  std::map<Kind, Alike> alike;
  for (std::size_t link = 0; link < link_bytes.size(); ++link) {
    if (link_bytes[link] <= 0.0) continue;
    const core::Link& ends = fabric.links()[link];
    Alike& found =
        alike[{nine_digits(utilization(link)), ends.tier, role(ends.from), role(ends.to)}];
    if (found.count++ == 0) found.first = link;
  }
  std::vector<Alike> sorted;
  for (const auto& [kind, found] : alike) sorted.push_back(found);
  std::ranges::sort(sorted, {}, [&](const Alike& a) {
    return std::pair(-nine_digits(utilization(a.first)), a.first);
  });
  sorted.resize(std::min(sorted.size(), most));
  std::vector<LinkLoad> loads;
  for (const Alike& a : sorted) {
    loads.push_back({.name = link_name(fabric, static_cast<core::LinkId>(a.first)),
                     .tier = fabric.links()[a.first].tier,
                     .utilization = utilization(a.first),
                     .bytes = core::DataSize::from_base(link_bytes[a.first]),
                     .multiplicity = a.count});
  }
  return loads;
}

}  // namespace railwright::simulation
