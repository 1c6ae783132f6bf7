// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/chakra/chakra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "messages.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/fold.hpp"
#include "railwright/simulation/step/step_trace.hpp"
#include "railwright/topologies/topology.hpp"
#include "rank_nodes.hpp"

namespace railwright::output {

namespace {

using chakra::Attribute;
using chakra::Node;
using chakra::NodeType;

constexpr std::int64_t kTicksPerMicro = core::StepTime::kPerSecond / 1'000'000;

std::uint64_t micros(std::int64_t ticks) {
  return static_cast<std::uint64_t>((ticks + kTicksPerMicro / 2) / kTicksPerMicro);
}

/// Chakra's tools recognize a node's kind by the start of its name.
std::string_view type_name(NodeType type) {
  switch (type) {
    case NodeType::kMemoryLoad:
      return "MEM_LOAD_NODE";
    case NodeType::kMemoryStore:
      return "MEM_STORE_NODE";
    case NodeType::kSend:
      return "COMM_SEND_NODE";
    case NodeType::kReceive:
      return "COMM_RECV_NODE";
    case NodeType::kCollective:
      return "COMM_COLL_NODE";
    case NodeType::kCompute:
      break;
  }
  return "COMP_NODE";
}

std::string name_of(const Node& node) {
  const bool is_overhead = node.kind == simulation::OpKind::kJoin;
  std::string what(is_overhead ? "step overhead"
                               : simulation::kOpNames[static_cast<std::size_t>(node.kind)]);
  std::ranges::replace(what, ' ', '_');
  return fmt::format("{}_{}", type_name(node.type), what);
}

struct Rank {
  int tensor = 0;
  int replica = 0;
  int stage = 0;
};

bool is_spread(const simulation::Scenario& scenario) {
  return scenario.software.zero_stage.value > 0;
}

bool has_experts(const simulation::StepCosts& costs) {
  return std::ranges::any_of(costs.stages, [](const simulation::StageCosts& stage) {
    return std::ranges::any_of(stage.syncs, &simulation::ParameterSync::of_experts);
  });
}

}  // namespace

struct ChakraStep::Parts {
  explicit Parts(const simulation::CheckedScenario& checked)
      : name(checked.scenario.name), layout(checked.layout) {
    const core::Fabric fabric = checked.topology->build(checked.scenario.cluster).fabric;
    const simulation::FoldedCosts folded = fold(step_costs(checked, fabric));
    groups.emplace(layout, is_spread(checked.scenario), has_experts(folded.costs));
    num_classes = folded.costs.num_replicas;
    replica_class = folded.replica_class;
    const simulation::Program program = make_program(folded.costs);
    const models::Offload& offload = checked.scenario.software.offload;
    const chakra::Calls calls(folded.costs, program, *groups,
                              {.is_spread = is_spread(checked.scenario),
                               .offloads_optimizer = offload.optimizer.has_value(),
                               .offloads_parameters = offload.parameters.has_value()});
    nodes =
        chakra::rank_nodes(folded.costs, program, execute(program, folded.costs.capacity), calls);
    number_ranks();
  }

  void number_ranks() {
    ranks.resize(static_cast<std::size_t>(layout.stage_size()) *
                 static_cast<std::size_t>(layout.pp));
    for (int stage = 0; stage < layout.pp; ++stage) {
      for (int replica = 0; replica < layout.num_replicas(); ++replica) {
        for (int tensor = 0; tensor < layout.tp; ++tensor) {
          ranks[static_cast<std::size_t>(layout.accelerator(tensor, replica, stage))] = {
              tensor, replica, stage};
        }
      }
    }
  }

  [[nodiscard]] const std::vector<Node>& nodes_of(const Rank& rank) const {
    const std::int32_t c = replica_class[static_cast<std::size_t>(rank.replica)];
    return nodes[static_cast<std::size_t>(rank.stage) * static_cast<std::size_t>(num_classes) +
                 static_cast<std::size_t>(c)];
  }

  [[nodiscard]] std::vector<Attribute> attributes(const Node& node, int number) const {
    using Type = Attribute::Type;
    const Rank& rank = ranks[static_cast<std::size_t>(number)];
    std::vector<Attribute> all{{"is_cpu_op", Type::kBool, 0}};
    if (node.type == NodeType::kMemoryLoad || node.type == NodeType::kMemoryStore) {
      all.push_back({"tensor_size", Type::kUint64, node.bytes});
    }
    if (node.type == NodeType::kCollective) {
      all.push_back({"comm_type", Type::kInt64, static_cast<std::int64_t>(node.collective)});
      all.push_back({"comm_size", Type::kInt64, node.bytes});
      all.push_back({"pg_name", Type::kString, 0, groups->name(node.role, number)});
    }
    if (node.type == NodeType::kSend || node.type == NodeType::kReceive) {
      const int peer = layout.accelerator(rank.tensor, rank.replica, node.peer_stage);
      const bool sends = node.type == NodeType::kSend;
      all.push_back({"comm_size", Type::kInt64, node.bytes});
      all.push_back({"comm_src", Type::kInt32, sends ? number : peer});
      all.push_back({"comm_dst", Type::kInt32, sends ? peer : number});
      all.push_back({"comm_tag", Type::kInt32, node.tag});
    }
    return all;
  }

  std::string name;
  models::Layout layout;
  int num_classes = 1;
  std::vector<std::int32_t> replica_class;
  std::optional<chakra::ProcessGroups> groups;
  std::vector<std::vector<Node>> nodes;  ///< indexed by stage, then class of replicas
  std::vector<Rank> ranks;
};

ChakraStep::ChakraStep(const simulation::CheckedScenario& checked, std::int64_t max_nodes)
    : parts_(std::make_unique<Parts>(checked)) {
  if (num_nodes() <= max_nodes) return;
  throw core::ConfigError(
      {{{},
        "",
        fmt::format("the step is {} nodes on {} ranks, more than the {} that are written",
                    num_nodes(), num_ranks(), max_nodes),
        "fewer nodes (cluster.nodes) or micro-batches (workload.global_batch) show the same"}});
}
ChakraStep::ChakraStep(ChakraStep&&) noexcept = default;
ChakraStep& ChakraStep::operator=(ChakraStep&&) noexcept = default;
ChakraStep::~ChakraStep() = default;

int ChakraStep::num_ranks() const { return static_cast<int>(parts_->ranks.size()); }

std::int64_t ChakraStep::num_nodes() const {
  std::int64_t all = 0;
  for (const Rank& rank : parts_->ranks) {
    all += static_cast<std::int64_t>(parts_->nodes_of(rank).size());
  }
  return all;
}

std::string ChakraStep::file(int rank) const {
  using Type = Attribute::Type;
  const Rank& place = parts_->ranks[static_cast<std::size_t>(rank)];
  std::string text;
  chakra::append_metadata(text, {{"writer", Type::kString, 0, "railwright"},
                                 {"scenario", Type::kString, 0, parts_->name},
                                 {"rank", Type::kInt64, rank},
                                 {"tensor_rank", Type::kInt64, place.tensor},
                                 {"replica", Type::kInt64, place.replica},
                                 {"stage", Type::kInt64, place.stage}});
  std::uint64_t id = 0;
  std::int64_t computed = 0;
  for (const Node& node : parts_->nodes_of(place)) {
    std::uint64_t duration = micros((node.start + node.duration).count) - micros(node.start.count);
    if (node.type == NodeType::kCompute) {
      duration = micros(computed + node.duration.count) - micros(computed);
      computed += node.duration.count;
    }
    chakra::append_node(text, {.id = id++,
                               .name = name_of(node),
                               .type = static_cast<int>(node.type),
                               .data_deps = &node.waits_for,
                               .start_micros = micros(node.start.count),
                               .duration_micros = duration,
                               .attributes = parts_->attributes(node, rank)});
  }
  return text;
}

std::string ChakraStep::groups() const { return parts_->groups->json(); }

}  // namespace railwright::output
