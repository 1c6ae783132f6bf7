// SPDX-License-Identifier: Apache-2.0
// Groups of accelerators that call a collective together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::simulation {

/// Accelerators that a replica's layers are cut over.
std::vector<int> tensor_group(const models::Layout& layout, int replica, int stage);

/// Ranks that share the sequences of `replica`.
std::vector<int> context_group(const models::Layout& layout, int tensor, int replica, int stage);

/// Numbers at [stage * replicas + replica], equal for replicas some of whose ranks call each other:
/// to exchange tokens with experts, or to pass keys and values on.
std::vector<std::int32_t> expert_circles(const models::Layout& layout);
std::vector<std::int32_t> context_circles(const models::Layout& layout);

/// All groups, where a number of them is asked for.
inline constexpr std::size_t kAllGroups = std::numeric_limits<std::size_t>::max();

/// The first `most` groups with the same parameters, of experts or dense ones, in the order of the
/// replicas. If mirrored stages hold the same layers, a group spans both.
std::vector<std::vector<int>> parameter_groups(const models::Layout& layout, int stage,
                                               bool of_experts, std::size_t most = kAllGroups);

/// Splits members into groups of `size` neighbours; with `across`, into groups of the members at
/// the same place in each.
std::vector<std::vector<int>> split(const std::vector<int>& members, std::size_t size, bool across);

}  // namespace railwright::simulation
