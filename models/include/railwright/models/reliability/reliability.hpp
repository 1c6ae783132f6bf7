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
};

constexpr auto enum_words(Component) {
  using enum Component;
  return core::words<Component>({{"accelerator", kAccelerator},
                                 {"nic", kNic},
                                 {"node", kNode},
                                 {"link", kLink},
                                 {"software", kSoftware},
                                 {"storage_node", kStorageNode},
                                 {"power", kPower}});
}
inline constexpr std::size_t kNumComponents = 7;

/// Failures of all components of one kind. With `shape` 1 they come at a constant rate; otherwise
/// the rate of each is proportional to age^(shape - 1), and a repair leaves its age unchanged
/// [@crow1975].
struct FailureRate {
  Component component = Component::kNode;
  core::Sourced<core::Duration> mtbf;
  core::Sourced<double> shape{1.0, "constant rate", false};
  core::Sourced<core::Duration> age{core::Duration{}, "new", false};

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    using core::positive;
    return core::field_list(
        field("component", &FailureRate::component, "What fails."),
        field("mtbf", &FailureRate::mtbf,
              "Mean time between failures of one of them, such as 3300 days; with a shape other "
              "than 1 the scale of its Weibull distribution.",
              positive),
        field("shape", &FailureRate::shape, "Shape of the Weibull distribution; 1: no ageing.",
              core::between(0.1, 10), optional),
        field("age", &FailureRate::age, "In use before the first job starts.", core::non_negative,
              optional));
  }
};

/// Nodes that turn slow, and slow the job, until they are found and replaced.
struct SlowNodes {
  core::Sourced<core::Duration> mtbf;
  core::Sourced<double> speed;
  core::Sourced<core::Duration> detection;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("mtbf", &SlowNodes::mtbf, "Mean time until one node turns slow.", core::positive),
        field("speed", &SlowNodes::speed, "Share of its full speed.",
              core::Range{.min = 0.0, .max = 1.0, .open_min = true}),
        field("detection", &SlowNodes::detection, "Until it is found.", core::non_negative));
  }
};

/// Links of scale-out NICs that lose part of their rate, by lanes or retransmissions, and slow the
/// job until they are found and their node is replaced.
struct DegradedLinks {
  core::Sourced<core::Duration> mtbf;
  core::Sourced<double> rate;
  core::Sourced<core::Duration> detection;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("mtbf", &DegradedLinks::mtbf, "Mean time until the link of one NIC degrades.",
              core::positive),
        field("rate", &DegradedLinks::rate, "Share of its rate that is left.",
              core::Range{.min = 0.0, .max = 1.0, .open_min = true}),
        field("detection", &DegradedLinks::detection, "Until it is found.", core::non_negative));
  }
};

/// Nodes with most of the failures, which look like all others [@kokolis2024revisiting].
struct LemonNodes {
  core::Sourced<double> share;
  core::Sourced<core::Duration> mtbf;
  core::Sourced<int> removed_after{0, "never removed", false};

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("share", &LemonNodes::share, "Share of all nodes that are lemons.",
              core::between(0, 1)),
        field("mtbf", &LemonNodes::mtbf,
              "Mean time between failures of one of them, beside those of all nodes.",
              core::positive),
        field("removed_after", &LemonNodes::removed_after,
              "Failures of one in a job after which a sound node takes its place for good; 0: a "
              "repaired one comes back.",
              core::between(0, 1e6), core::optional));
  }
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

  static constexpr auto fields() {
    using core::field;
    using core::non_negative;
    return core::field_list(
        field("name", &Reliability::name, "Name in the catalogue."),
        field("description", &Reliability::description, "The fleet in words."),
        field("failures", &Reliability::failures, "How often each component fails.",
              core::optional),
        field("slow_nodes", &Reliability::slow_nodes, "Nodes that turn slow."),
        field("degraded_links", &Reliability::degraded_links,
              "Links that lose part of their rate."),
        field("lemon_nodes", &Reliability::lemon_nodes, "Nodes that fail far more often."),
        field("detection", &Reliability::detection, "From a failure until the job is stopped.",
              non_negative),
        field("replacement", &Reliability::replacement,
              "Until a spare node stands in for a failed one.", non_negative),
        field("restart", &Reliability::restart,
              "From nodes to a job that reads its checkpoint: scheduling, containers, "
              "communicators.",
              non_negative),
        field("repair", &Reliability::repair, "Until a failed node is a spare again.",
              non_negative));
  }
};

}  // namespace railwright::models
