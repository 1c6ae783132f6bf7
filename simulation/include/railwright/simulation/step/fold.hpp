// SPDX-License-Identifier: Apache-2.0
// Symmetry: replicas that do the same thing on equivalent links are one class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// The costs of one replica of each class on one link of each class, and the class of each replica
/// and link.
///
/// Replicas and links are coloured until the colours are stable: links of a colour have the same
/// capacity and, for each kind of transfer, stage and colour of replicas, the same sum of
/// coefficients; replicas of a colour have the same latencies, ceilings and speeds and use links of
/// the same colours. Equal rates within a colour then satisfy the condition that characterizes
/// max-min fairness, so all transfers and operations of a class begin and end together.
/// [@grohe2014dimension]
struct FoldedCosts {
  StepCosts costs;  ///< num_replicas is the number of replica classes, links are link classes
  std::vector<std::int32_t> replica_class;  ///< indexed by data rank
  std::vector<std::int32_t> link_class;  ///< indexed by link of the fabric; kUnused if it is idle

  static constexpr std::int32_t kUnused = -1;
};

/// `link_kinds`, if there are any, are a number for each link: links of different kinds are then in
/// different classes even where they have the same capacity.
FoldedCosts fold(const StepCosts& costs, std::span<const std::uint64_t> link_kinds = {});

/// Returns the first link of each class.
std::vector<core::LinkId> first_links(std::span<const std::int32_t> link_class,
                                      std::size_t num_classes);

}  // namespace railwright::simulation
