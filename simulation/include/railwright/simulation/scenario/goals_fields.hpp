// SPDX-License-Identifier: Apache-2.0
// The keys of goals.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/simulation/scenario/goals.hpp"
#include "railwright/simulation/scenario/variant_fields.hpp"

namespace railwright::simulation {

constexpr auto AllowedParts::fields() {
  using core::between;
  using core::field;
  using core::optional;
  return core::field_list(
      field("nodes", &AllowedParts::nodes,
            "Nodes by catalogue name; `all`: each that the catalogue has.", optional,
            core::formerly("servers")),
      field("nics", &AllowedParts::nics, "Scale-out NICs of a node.", between(1, 1024), optional),
      field("storage_nodes", &AllowedParts::storage_nodes,
            "Storage nodes by catalogue name; `all`: each that the catalogue has.", optional),
      field("variants", &AllowedParts::variants,
            "Settings laid over the scenario, one at a time: fabrics, software, power caps.",
            optional),
      field("max_nodes", &AllowedParts::max_nodes, "Nodes of a cluster at most.", between(1, 65536),
            optional, core::formerly("most_nodes")));
}

constexpr auto Rack::fields() {
  using core::field;
  using core::optional;
  return core::field_list(
      field("units", &Rack::units, "Rack units.", core::between(1, 1000), optional),
      field("power", &Rack::power, "Power it can be fed with.", core::positive, optional));
}

constexpr auto Goals::fields() {
  using core::between;
  using core::field;
  using core::optional;
  using core::positive;
  return core::field_list(
      field("find", &Goals::find,
            "The smallest cluster that keeps the deadline, or within `power`, `racks` and `budget` "
            "the one that trains soonest or on the most_tokens; smallest with a deadline, else "
            "soonest."),
      field("deadline", &Goals::deadline,
            "Longest training time, with checkpoints, failures and restarts; of most_tokens the "
            "time there is, the years of `prices` where absent.",
            positive, optional),
      field("start", &Goals::start, "The day on which training starts, as 2027-01-15.", optional),
      field("by", &Goals::by, "In place of a deadline: the day by which it ends; needs `start`.",
            optional),
      field("confidence", &Goals::confidence, "Probability of keeping the deadline, at least.",
            between(0.01, 0.99), optional, core::formerly("chance")),
      field("tokens", &Goals::tokens, "To train on; in place of workload.steps.", between(1, 1e18)),
      field("tokens_per_parameter", &Goals::tokens_per_parameter,
            "In place of tokens: so many times the parameters; 20 is compute-optimal "
            "[@hoffmann2022].",
            between(1e-3, 1e6)),
      field("max_global_batch", &Goals::max_global_batch,
            "Largest useful global batch; the workload's where absent.", between(1, 1e9),
            core::formerly("most_global_batch")),
      field("power", &Goals::power, "Of the building, at most.", positive),
      field("racks", &Goals::racks, "At most.", between(1, 65536)),
      field("budget", &Goals::budget,
            "Cost of ownership at most, over the years of `prices`; needs them.", positive),
      field("rack", &Goals::rack, "What a rack holds.", optional),
      field("parts", &Goals::parts, "What the cluster may consist of.", optional));
}

}  // namespace railwright::simulation
