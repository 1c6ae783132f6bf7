// SPDX-License-Identifier: Apache-2.0
// The keys of a scenario whose values a what-if page knows: those with controls, and
// prices.ownership.
#pragma once

#include <array>
#include <string_view>

namespace railwright::web {

inline constexpr auto kWhatIfPaths = std::to_array<std::string_view>({
    "workload.model",
    "workload.sequence_length",
    "workload.global_batch",
    "workload.micro_batch",
    "workload.steps",
    "cluster.nodes",
    "cluster.node",
    "cluster.node.nics.nic",
    "cluster.node.nics.count",
    "cluster.node.nics.wiring",
    "cluster.node.nics.transport",
    "parallelism.tp",
    "parallelism.pp",
    "parallelism.virtual_stages",
    "parallelism.cp",
    "parallelism.ep",
    "parallelism.sequence_parallel",
    "software",
    "software.precision",
    "software.recompute",
    "software.zero_stage",
    "installation",
    "cluster.storage.node",
    "cluster.storage.count",
    "cluster.storage.switch",
    "cluster.storage.mount",
    "checkpoint.interval",
    "checkpoint.interval_steps",
    "checkpoint.mode",
    "reliability",
    "prices.ownership",
});

/// Keys of a topology; for a fabric of several planes, keys of each plane.
inline constexpr auto kWhatIfFabricKeys = std::to_array<std::string_view>(
    {"switch", "oversubscription", "inter_switch_links", "nodes_per_pod"});

}  // namespace railwright::web
