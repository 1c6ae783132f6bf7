// SPDX-License-Identifier: Apache-2.0
#include "suspects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "railwright/core/units/text.hpp"

namespace railwright::planner {

namespace {

using simulation::Scenario;

// Priors are estimates: no public record counts the causes of slow runs.
constexpr double kMaxUnstatedPrior = 0.3;  ///< of a value that all other stacks have
constexpr double kNotInForcePrior = 0.05;
constexpr double kSlowHostPrior = 0.05;
constexpr double kPowerCapPrior = 0.03;
constexpr double kSlowNodePrior = 0.02;
constexpr double kNicDownPrior = 0.01;
/// Speeds of a slow node and shares of a card's power that are tried: estimates.
constexpr std::array kSlowSpeeds{0.9, 0.8, 0.65};
constexpr std::array kPowerShares{0.85, 0.7, 0.5};
/// Launches of a host whose processors are busy or clocked down, against its stack's: an estimate.
constexpr double kSlowLaunch = 3.0;

/// A setting and the place where it shows.
struct Check {
  std::string_view key;
  std::string_view text;
};

constexpr auto kChecks = std::to_array<Check>({
    {"attention", "name of the attention kernels in a profile of one step (flash, cudnn, softmax)"},
    {"elementwise", "number of kernels of a layer in a profile of one step"},
    {"fused_loss", "kernels between the last layer and the backward pass in a profile of one step"},
    {"recompute", "peak memory of an accelerator, and forward kernels in the backward pass"},
    {"cuda_graphs", "gaps between kernels in a profile of one step"},
    {"dropout", "dropout rates in the arguments that the log prints"},
    {"bucket", "number and size of the reduce-scatters of a step in a profile"},
    {"zero_stage", "peak memory of an accelerator, and all-gathers in a profile of one step"},
    {"precision", "name of the matrix kernels in a profile of one step (fp8, bf16)"},
});

std::string check_of(std::string_view key) {
  const auto found = std::ranges::find(kChecks, key, &Check::key);
  if (found != kChecks.end()) return std::string(found->text);
  if (key.starts_with("overlap_")) {
    return "whether collectives run beside computation in a profile of one step";
  }
  return fmt::format("{} in the arguments that the log prints", key);
}

SuspectedCause not_in_force(std::string what, std::string settings, std::string_view key) {
  return {.kind = CauseKind::kNotInForce,
          .what = std::move(what),
          .settings = std::move(settings),
          .prior = kNotInForcePrior,
          .check = check_of(key)};
}

void add_software(const Scenario& scenario, std::vector<SuspectedCause>& causes) {
  const models::SoftwareProfile& software = scenario.software;
  if (software.recompute.value != models::Recompute::kFull && software.recompute_modules.empty()) {
    causes.push_back(not_in_force("full recompute", "software.recompute=full", "recompute"));
  }
  if (software.elementwise.value == models::Elementwise::kFused) {
    causes.push_back(
        not_in_force("eager elementwise kernels", "software.elementwise=eager", "elementwise"));
  }
  const auto add_overlap = [&](const core::Sourced<bool>& is_on, const char* what,
                               const std::string& key) {
    if (!is_on.value) return;
    causes.push_back(not_in_force(fmt::format("no overlap of {}", what),
                                  fmt::format("software.{}=false", key), key));
  };
  add_overlap(software.overlap_gradient_reduce, "gradient reduction", "overlap_gradient_reduce");
  add_overlap(software.overlap_parameter_gather, "parameter gathers", "overlap_parameter_gather");
  add_overlap(software.overlap_tensor_parallel, "tensor parallelism", "overlap_tensor_parallel");
  add_overlap(software.overlap_expert_parallel, "expert parallelism", "overlap_expert_parallel");
  causes.push_back({.kind = CauseKind::kFault,
                    .what = "hosts that launch kernels three times as slowly",
                    .settings = fmt::format("software.host_launch={:.4g} us",
                                            kSlowLaunch * software.host_launch.value.base() * 1e6),
                    .prior = kSlowHostPrior,
                    .check = "gaps between kernels in a profile, and clocks and load of the "
                             "processors"});
}

void add_faults(const Scenario& scenario, std::vector<SuspectedCause>& causes) {
  const topologies::Cluster& cluster = scenario.cluster;
  if (!cluster.faults.empty()) return;  // the scenario says what is broken
  for (const double speed : kSlowSpeeds) {
    if (cluster.num_nodes == 1) break;
    causes.push_back(
        {.kind = CauseKind::kFault,
         .what = fmt::format("one node at {:.0f} % of its speed", 100.0 * speed),
         .settings = fmt::format("cluster.faults={{nodes_slow: [{{node: 0, speed: {}}}]}}", speed),
         .prior = kSlowNodePrior,
         .check = "the same matrix product on every node, alone: one is slower"});
  }
  if (cluster.num_nodes > 1) {
    causes.push_back({.kind = CauseKind::kFault,
                      .what = "one NIC down",
                      .settings = "cluster.faults={nics: [{node: 0, nic: 0}]}",
                      .prior = kNicDownPrior,
                      .check = "state and rate of every NIC (ibstat, ethtool), and an all-reduce "
                               "between pairs of nodes"});
  }
}

void add_power(const Scenario& scenario, std::vector<SuspectedCause>& causes) {
  if (scenario.power.accelerator_cap || scenario.power.node_cap) return;
  const core::Power power = scenario.cluster.node.accelerator.power.value;
  for (const double share : kPowerShares) {
    const std::string watts = fmt::format("{:.0f} W", share * power.base());
    causes.push_back({.kind = CauseKind::kFault,
                      .what = "accelerators capped at " + watts,
                      .settings = "power.accelerator_cap=" + watts,
                      .prior = kPowerCapPrior,
                      .check = "power limit and clocks of the accelerators under load "
                               "(nvidia-smi -q -d POWER,CLOCK)"});
  }
}

}  // namespace

std::vector<SuspectedCause> unstated_suspects(
    const std::vector<simulation::UnstatedSetting>& settings) {
  std::vector<SuspectedCause> causes;
  for (const simulation::UnstatedSetting& one : settings) {
    const std::string key = one.key.substr(one.key.rfind('.') + 1);
    for (const simulation::OtherValue& other : one.others) {
      causes.push_back({.kind = CauseKind::kUnstated,
                        .what = fmt::format("{} {}, not {}", key, other.value, one.value),
                        .settings = one.setting(other),
                        .prior = kMaxUnstatedPrior * other.share,
                        .factor = other.factor,
                        .check = check_of(key)});
    }
  }
  return causes;
}

std::vector<SuspectedCause> other_suspects(const Scenario& scenario) {
  std::vector<SuspectedCause> causes;
  add_software(scenario, causes);
  add_faults(scenario, causes);
  add_power(scenario, causes);
  return causes;
}

}  // namespace railwright::planner
