// SPDX-License-Identifier: Apache-2.0
// Numbered groups of ranks that call collectives together.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "railwright/core/arithmetic.hpp"
#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::output::chakra {

/// The purpose of a group: a group has calls of one role only, one after another. Gradients that
/// are sharded over some of their replicas are reduced within these and then across them;
/// parameters are gathered within them.
enum class Role : std::uint8_t {
  kAll,
  kTensor,
  kContext,
  kExpert,
  kDenseWithin,
  kDenseAcross,
  kDenseGather,
  kExpertsWithin,
  kExpertsAcross,
  kExpertsGather,
};
inline constexpr std::size_t kNumRoles = 10;

class ProcessGroups {
 public:
  /// `is_spread`: whether the optimizer's state is sharded, as with ZeRO.
  ProcessGroups(const models::Layout& layout, bool is_spread, bool has_experts);

  /// Returns the ranks in each group of a role; 1 if the role has no groups.
  [[nodiscard]] std::int64_t size(Role role) const { return sizes_[core::index(role)]; }
  /// Returns the group's number as text, counted from 1.
  [[nodiscard]] std::string name(Role role, int rank) const {
    return std::to_string(ids_[core::index(role)][static_cast<std::size_t>(rank)]);
  }
  /// Returns `{"1": [0, 1], ...}`, the communicator groups that ASTRA-sim reads. [@won2023astrasim]
  [[nodiscard]] std::string json() const;

 private:
  void add(Role role, const std::vector<int>& members);
  void add_layer_groups(const models::Layout& layout, int stage);
  void add_parameter_groups(const models::Layout& layout, bool of_experts, bool is_spread);

  std::array<std::int64_t, kNumRoles> sizes_{};
  std::array<std::vector<int>, kNumRoles> ids_;  ///< indexed by role and rank
  std::vector<std::vector<int>> members_;        ///< ranks of group number i + 1
};

}  // namespace railwright::output::chakra
