// SPDX-License-Identifier: Apache-2.0
// The part of a scenario file that `size` reads: the goals of a cluster and its allowed parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"
#include "railwright/simulation/scenario/variant.hpp"

namespace railwright::simulation {

/// Parts that a cluster may consist of; an empty list stands for those of the scenario.
struct AllowedParts {
  std::vector<std::string> nodes;
  std::vector<int> nics;
  std::vector<std::string> storage_nodes;
  std::vector<Variant> variants;
  int max_nodes = 1024;

  static constexpr auto fields();
};

/// Capacity of a rack.
struct Rack {
  int units = 42;
  core::Power power = core::Power::from_base(40e3);

  static constexpr auto fields();
};

/// Aims of `size`.
enum class Sought : std::uint8_t {
  kSmallest,    ///< the smallest cluster that keeps the deadline
  kSoonest,     ///< the cluster within the limits that trains in the shortest time
  kMostTokens,  ///< the cluster within the limits that trains on the most tokens in time
};

constexpr auto enum_words(Sought) {
  using enum Sought;
  return core::words<Sought>(
      {{"smallest", kSmallest}, {"soonest", kSoonest}, {"most_tokens", kMostTokens}});
}

/// Goals of a cluster. Checkpoint and restore targets are those of `run.targets`.
struct Goals {
  std::optional<Sought> find;  ///< where absent, by whether there is a deadline
  core::Duration deadline;     ///< 0 where there is none
  std::string start;           ///< a day, "2027-01-01"
  std::string by;
  double confidence = 0.5;
  std::optional<double> tokens;
  std::optional<double> tokens_per_parameter;
  std::optional<int> max_global_batch;
  std::optional<core::Power> power;
  std::optional<int> racks;
  std::optional<core::Money> budget;
  Rack rack;
  AllowedParts parts;

  static constexpr auto fields();
};

}  // namespace railwright::simulation
