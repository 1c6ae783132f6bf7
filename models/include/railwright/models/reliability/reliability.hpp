// SPDX-License-Identifier: Apache-2.0
// Failure rates of the parts of a fleet, and the time until a job runs again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

enum class Component : std::uint8_t {
  kAccelerator,  ///< including its memory
  kNic,          ///< a NIC of the scale-out fabric
  kNode,         ///< anything else in a node
  kLink,         ///< the cable of a scale-out NIC, with its optics and its share of the switches
  kSoftware,     ///< the job's software, counted by node
  kStorageNode,  ///< training continues with the remaining storage
  kPower,        ///< of the whole cluster: every job stops, and its nodes come back
  kSwitch,       ///< with the nodes that hang on it alone
  kPdu,          ///< a power feed, with the nodes behind it
  kRack,         ///< with all of its nodes
  kCoolantLoop,  ///< with the nodes that it cools
};

constexpr auto enum_words(Component) {
  using enum Component;
  return core::words<Component>({{"accelerator", kAccelerator},
                                 {"nic", kNic},
                                 {"node", kNode},
                                 {"link", kLink},
                                 {"software", kSoftware},
                                 {"storage_node", kStorageNode},
                                 {"power", kPower},
                                 {"switch", kSwitch},
                                 {"pdu", kPdu},
                                 {"rack", kRack},
                                 {"coolant_loop", kCoolantLoop}});
}
inline constexpr std::size_t kNumComponents = 11;

/// Whether a component is one for several nodes, which it takes down together.
constexpr bool is_group(Component component) { return component >= Component::kSwitch; }

/// Failures of all components of one kind. With `shape` 1 they come at a constant rate; otherwise
/// the rate of each is proportional to age^(shape - 1), and a repair leaves its age unchanged
/// [@crow1975].
struct FailureRate {
  Component component = Component::kNode;
  core::Sourced<core::Duration> mtbf;
  core::Sourced<double> shape{1.0, "constant rate", false};
  core::Sourced<core::Duration> age{core::Duration{}, "new", false};
  int num_nodes = 1;  ///< that one failure takes down together
  std::optional<core::Sourced<core::Duration>> repair;

  static constexpr auto fields();
};

/// Nodes that turn slow, and slow the job, until they are found and replaced.
struct SlowNodes {
  core::Sourced<core::Duration> mtbf;
  core::Sourced<double> speed;
  core::Sourced<core::Duration> detection;

  static constexpr auto fields();
};

/// Links of scale-out NICs that lose part of their rate, by lanes or retransmissions, and slow the
/// job until they are found and their node is replaced.
struct DegradedLinks {
  core::Sourced<core::Duration> mtbf;
  core::Sourced<double> rate;
  core::Sourced<core::Duration> detection;

  static constexpr auto fields();
};

/// Nodes with most of the failures, which look like all others [@kokolis2024revisiting].
struct LemonNodes {
  core::Sourced<double> share;
  core::Sourced<core::Duration> mtbf;
  core::Sourced<int> removed_after{0, "never removed", false};

  static constexpr auto fields();
};

/// The failures of a fleet, and the times to recover from them.
struct Reliability {
  static constexpr std::string_view kKind = "reliability";

  std::string name;
  std::string description;
  std::vector<FailureRate> failures;
  std::optional<SlowNodes> slow_nodes;
  std::optional<DegradedLinks> degraded_links;
  std::optional<LemonNodes> lemon_nodes;
  core::Sourced<core::Duration> detection;
  core::Sourced<core::Duration> replacement;
  core::Sourced<core::Duration> restart;
  core::Sourced<core::Duration> repair;

  static constexpr auto fields();
};

}  // namespace railwright::models
