// SPDX-License-Identifier: Apache-2.0
// The parts to buy for a fabric.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

/// One kind of part. Height and power are totals. They are 0 for switches and cables, which the
/// fabric's bill includes, and for NICs, which their nodes include; a topology leaves the power of
/// nodes to a model.
struct Part {
  std::string kind;  ///< "node", "switch", "nic", "cable", "storage_node", "cpu_node"
  std::string name;  ///< catalogue name
  int count = 0;
  int rack_units = 0;
  Power power;
};

/// The reason a design does not fit, e.g. "24 nodes x 8 NICs need 192 host ports; 2 x 64 ports
/// leave 64".
struct Shortfall {
  std::string what;
  double needed = 0.0;
  double available = 0.0;
  std::string tier{};  ///< place: a SwitchTier's name, "storage node" or "node"
};

/// The name of the tier whose switches join nodes and storage.
inline constexpr std::string_view kFrontEndTier = "front end";

/// The switches of one model on one tier. Ports, height and power are totals.
struct SwitchTier {
  std::string name;   ///< "leaf", "spine", "core", "front end"
  std::string model;  ///< catalogue name
  int count = 0;
  int ports_down = 0;  ///< used towards hosts
  int ports_up = 0;    ///< used towards other switches of the tier or above
  int ports_free = 0;
  int ports_slow = 0;   ///< used towards devices of at most a split port's rate
  std::string split{};  ///< catalogue entry of the model with its ports split; "" if there is none
  /// Ratio of downward to upward bandwidth, of the switch where it is largest; 0 without uplinks.
  double oversubscription = 0.0;
  int rack_units = 0;
  Power power;

  [[nodiscard]] int ports_used() const { return ports_down + ports_up; }
};

/// Cables of one product between two tiers.
struct CableRun {
  std::string from;   ///< "node", "storage node" or the name of a switch tier
  std::string to;     ///< name of a switch tier
  std::string cable;  ///< catalogue name; "" if the switch lists none of that rate and length
  int count = 0;      ///< cables; a breakout counts as one
  int far_ends = 0;   ///< links that they make
  Bandwidth rate;     ///< of a link: that of the slower end
  double longest_m = 0.0;
  int transceivers = 0;  ///< at both ends together
  Power power;
};

/// The bill of the fabric. Power is of switches and transceivers, without nodes.
struct FabricBill {
  std::vector<SwitchTier> switches;
  std::vector<CableRun> cables;
  int rack_units = 0;
  Power power;

  [[nodiscard]] int num_switches() const;  ///< switches of the scale-out fabric
  /// Largest oversubscription of the scale-out tiers; 0 if no switch has uplinks.
  [[nodiscard]] double oversubscription() const;
};

struct PartsList {
  std::vector<Part> parts;
  int ports_used = 0;  ///< ports of the scale-out switches, as is ports_free
  int ports_free = 0;
  FabricBill fabric;
  std::vector<Shortfall> shortfalls;  ///< empty when the design can be built

  /// Height of nodes, storage and network together.
  [[nodiscard]] int rack_units() const;
  [[nodiscard]] Power power() const;
};

}  // namespace railwright::core
