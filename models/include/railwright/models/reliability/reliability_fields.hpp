// SPDX-License-Identifier: Apache-2.0
// The keys of reliability.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/reliability/reliability.hpp"

namespace railwright::models {

constexpr auto FailureRate::fields() {
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
            optional),
      field("nodes", &FailureRate::num_nodes,
            "Nodes that one failure takes down together, such as those of a rack; a switch, PDU, "
            "rack or coolant loop is one for so many.",
            core::between(1, 65536), optional),
      field("repair", &FailureRate::repair,
            "Until the nodes that it took are spares again; that of the fleet where absent.",
            core::non_negative));
}

constexpr auto SlowNodes::fields() {
  using core::field;
  return core::field_list(
      field("mtbf", &SlowNodes::mtbf, "Mean time until one node turns slow.", core::positive),
      field("speed", &SlowNodes::speed, "Share of its full speed.",
            core::Range{.min = 0.0, .max = 1.0, .open_min = true}),
      field("detection", &SlowNodes::detection, "Until it is found.", core::non_negative));
}

constexpr auto DegradedLinks::fields() {
  using core::field;
  return core::field_list(
      field("mtbf", &DegradedLinks::mtbf, "Mean time until the link of one NIC degrades.",
            core::positive),
      field("rate", &DegradedLinks::rate, "Share of its rate that is left.",
            core::Range{.min = 0.0, .max = 1.0, .open_min = true}),
      field("detection", &DegradedLinks::detection, "Until it is found.", core::non_negative));
}

constexpr auto LemonNodes::fields() {
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

constexpr auto Reliability::fields() {
  using core::field;
  using core::non_negative;
  return core::field_list(
      field("name", &Reliability::name, "Name in the catalogue."),
      field("description", &Reliability::description, "The fleet in words."),
      field("failures", &Reliability::failures, "How often each component fails.", core::optional),
      field("slow_nodes", &Reliability::slow_nodes, "Nodes that turn slow."),
      field("degraded_links", &Reliability::degraded_links, "Links that lose part of their rate."),
      field("lemon_nodes", &Reliability::lemon_nodes, "Nodes that fail far more often."),
      field("detection", &Reliability::detection, "From a failure until the job is stopped.",
            non_negative),
      field("replacement", &Reliability::replacement,
            "Until a spare node stands in for a failed one.", non_negative),
      field("restart", &Reliability::restart,
            "From nodes to a job that reads its checkpoint: scheduling, containers, "
            "communicators.",
            non_negative),
      field("repair", &Reliability::repair, "Until a failed node is a spare again.", non_negative));
}

}  // namespace railwright::models
