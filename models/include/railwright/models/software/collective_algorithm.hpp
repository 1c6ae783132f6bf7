// SPDX-License-Identifier: Apache-2.0
// The algorithm of a collective, chosen by name from a table.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/row.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {
class Fabric;
struct LinkUse;
}  // namespace railwright::core

namespace railwright::models {

enum class CollectiveOp : std::uint8_t;
enum class CollectiveProtocol : std::uint8_t { kLL, kLL128, kSimple };
struct CollectiveFlow;
struct CollectiveTuning;
struct CommunicatorShape;
struct Groups;

/// A call as the library's own model sees it.
struct CollectiveCall {
  const CollectiveTuning& tuning;
  const CommunicatorShape& shape;
  CollectiveOp op;
  CollectiveProtocol protocol;
  double bytes;  ///< of the buffer
};

/// A row of the table of algorithms: when one can run, the library's model of it, and what it puts
/// on the links.
struct CollectiveAlgorithmKind {
  /// `auto` first, what the library chooses: without functions.
  static std::span<const CollectiveAlgorithmKind> table();

  std::string_view name;
  /// Whether it runs an operation on such members at all.
  bool (*can_run)(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                  CollectiveOp op) = nullptr;
  /// Steps one after the other that stay inside a node.
  double (*steps_inside)(const CommunicatorShape& shape, CollectiveOp op) = nullptr;
  /// In the library's model, without what its launch adds.
  core::Duration (*latency)(const CollectiveCall& call) = nullptr;
  /// What a measured call takes beyond that latency; null: the generation's launch and steps.
  core::Duration (*overhead)(const CollectiveCall& call) = nullptr;
  /// In the library's model, bytes of the buffer a second.
  double (*bandwidth)(const CollectiveCall& call) = nullptr;
  /// Bytes on each link for each byte of the buffer.
  std::vector<core::LinkUse> (*loads)(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> members, CollectiveOp op) = nullptr;
  /// Lowers the ceiling of a flow, or raises its latency, by what is not the links'.
  void (*limit)(const CollectiveCall& call, const core::Fabric& fabric, const Groups& groups,
                CollectiveFlow& flow) = nullptr;
  int (*num_channels)(const CollectiveTuning& tuning, const CommunicatorShape& shape) = nullptr;
  double (*message_size)(const CollectiveCall& call) = nullptr;  ///< of one between two NICs

  bool is_chosen = false;         ///< also by the library itself
  bool is_of_all_reduce = true;   ///< may be named for all-reduces
  bool has_low_latency = false;   ///< LL and LL128 beside Simple
  bool needs_nodes = false;       ///< one that is named is taken between nodes alone
  bool adds_in_scale_up = false;  ///< the switches of the scale-up domain add
  bool adds_in_network = false;   ///< those between the nodes
  /// What the library takes it for with Simple between nodes, beyond its steps.
  double simple_penalty = 1.0;
};

using CollectiveAlgorithm = core::Row<CollectiveAlgorithmKind>;

}  // namespace railwright::models

namespace railwright::core {
template <>
struct EnumNames<models::CollectiveProtocol> {
  static constexpr std::array<std::pair<std::string_view, models::CollectiveProtocol>, 3> kNames{
      {{"ll", models::CollectiveProtocol::kLL},
       {"ll128", models::CollectiveProtocol::kLL128},
       {"simple", models::CollectiveProtocol::kSimple}}};
};
}  // namespace railwright::core
