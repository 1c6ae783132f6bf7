// SPDX-License-Identifier: Apache-2.0
// The algorithm of a collective, chosen by name from a table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
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

constexpr auto enum_words(CollectiveProtocol) {
  using enum CollectiveProtocol;
  return core::words<CollectiveProtocol>({{"ll", kLL}, {"ll128", kLL128}, {"simple", kSimple}});
}
struct CollectiveFlow;
struct CollectiveTuning;
struct CommunicatorShape;
struct Groups;

/// A call, as the library's own model sees it.
struct CollectiveCall {
  const CollectiveTuning& tuning;
  const CommunicatorShape& shape;
  CollectiveOp op;
  CollectiveProtocol protocol;
  double bytes;  ///< bytes of the buffer
};

/// A row of the table of algorithms: when it can run, the library's model of it, and its load on
/// the links.
struct CollectiveAlgorithmKind {
  /// All algorithms. The first is `auto`, the library's choice, which has no functions.
  static std::span<const CollectiveAlgorithmKind> table();

  std::string_view name;
  /// Whether it can run an operation on such members.
  bool (*can_run)(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                  CollectiveOp op) = nullptr;
  /// Returns the number of consecutive steps inside a node.
  double (*steps_inside)(const CommunicatorShape& shape, CollectiveOp op) = nullptr;
  /// Returns the latency in the library's model, without the launch.
  core::Duration (*latency)(const CollectiveCall& call) = nullptr;
  /// Returns a measured call's time beyond that latency; null: the generation's launch and steps.
  core::Duration (*overhead)(const CollectiveCall& call) = nullptr;
  /// Returns the bandwidth in the library's model, in bytes of the buffer per second.
  double (*bandwidth)(const CollectiveCall& call) = nullptr;
  /// Returns the bytes on each link for each byte of the buffer.
  std::vector<core::LinkUse> (*loads)(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> members, CollectiveOp op) = nullptr;
  /// Lowers the ceiling of a flow, or raises its latency, for limits other than the links.
  void (*limit)(const CollectiveCall& call, const core::Fabric& fabric, const Groups& groups,
                CollectiveFlow& flow) = nullptr;
  int (*num_channels)(const CollectiveTuning& tuning, const CommunicatorShape& shape) = nullptr;
  /// Returns the size of one message between two NICs.
  double (*message_size)(const CollectiveCall& call) = nullptr;

  bool is_chosen = false;         ///< the library itself may choose it
  bool is_of_all_reduce = true;   ///< settings may name it for all-reduces
  bool has_low_latency = false;   ///< supports LL and LL128 besides Simple
  bool needs_nodes = false;       ///< if named, used only between nodes
  bool adds_in_scale_up = false;  ///< switches of the scale-up domain reduce
  bool adds_in_network = false;   ///< switches between the nodes reduce
  /// Factor in the library's model on the latency of all-reduces with Simple between nodes.
  double simple_penalty = 1.0;
};

using CollectiveAlgorithm = core::Row<CollectiveAlgorithmKind>;

}  // namespace railwright::models
