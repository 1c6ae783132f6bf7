// SPDX-License-Identifier: Apache-2.0
// A node of an execution trace, before it is written as a message of one rank.
#pragma once

#include <cstdint>
#include <vector>

#include "process_groups.hpp"
#include "railwright/core/fabric/fabric.hpp"
#include "railwright/simulation/step/program.hpp"

namespace railwright::output::chakra {

/// NodeType of Chakra's schema. [@chakra_schema]
enum class NodeType : std::uint8_t {
  kMemoryLoad = 2,
  kMemoryStore = 3,
  kCompute = 4,
  kSend = 5,
  kReceive = 6,
  kCollective = 7,
};

/// CollectiveCommType of Chakra's schema.
enum class Collective : std::uint8_t {
  kAllReduce = 0,
  kAllGather = 2,
  kAllToAll = 6,
  kReduceScatter = 7,
};

/// A node as all ranks of one class have it; their peers depend on the rank.
struct Node {
  NodeType type = NodeType::kCompute;
  simulation::OpKind kind = simulation::OpKind::kCompute;  ///< kind of the operation it belongs to
  Collective collective = Collective::kAllReduce;
  Role role = Role::kAll;
  std::int64_t bytes = 0;  ///< bytes that a rank contributes; for a load or store, bytes moved
  int peer_stage = 0;
  int tag = 0;  ///< unique number of a transfer between two stages of a replica
  core::StepTime start = {};
  core::StepTime duration = {};
  std::vector<std::uint32_t> waits_for = {};  ///< earlier nodes of the rank, by index
};

}  // namespace railwright::output::chakra
