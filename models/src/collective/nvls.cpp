// SPDX-License-Identifier: Apache-2.0
#include "nvls.hpp"

#include <algorithm>
#include <limits>

#include "link_loads.hpp"
#include "loads.hpp"

namespace railwright::models {

using core::Duration;

namespace {

constexpr std::size_t kLargestNode = 8;
/// Extra time of a round of chunks of NVLSTree over one of NVLS: 32 MiB to 16 GiB on 2 nodes of 8
/// H100 take 20 to 6 % longer than rounds of one node (github awslabs/awsome-distributed-training,
/// NVIDIA/nccl-tests issue 309).
constexpr Duration kTreeRound = Duration::from_base(4e-6);

/// Most racks over which NVLSTree was seen. Over two, GB200 reach 810 GB/s, over 20 they take 4.8
/// ms and 1 s for each 215 GB, a line as only rings of 1,440 members have it (coreweave/nccl-tests,
/// NCCL 2.26.2).
constexpr int kMostRacks = 2;

bool has_nvls(const CollectiveTuning& tuning, const CommunicatorShape& shape, CollectiveOp op) {
  const AcceleratorGeneration& generation = generation_of(tuning);
  return op == CollectiveOp::kAllReduce && shape.has_scale_up_switch &&
         generation.nvls_efficiency.value > 0.0 &&
         shape.min_in_node >= generation.nvls_members.value;
}

/// Returns the bandwidth of the bus in bytes/s.
double bus_of_nvls(const CollectiveCall& call) {
  const CollectiveTuning& tuning = call.tuning;
  const CommunicatorShape& shape = call.shape;
  const AcceleratorGeneration& generation = generation_of(tuning);
  const double channels = generation.nvls_channels.value;
  const double local = 2.0 * local_bandwidth(generation, shape) * generation.nvls_efficiency.value *
                       (channels - 1.0) / channels;
  if (shape.nodes == 1) return local;
  const double limit = at(generation.nvls_tree.value, scale(shape)).base();
  return std::min({local, shape.network * (shape.nodes == 2 ? 2.0 : 1.0),
                   limit > 0.0 ? limit * channels_of_model(generation, shape)
                               : std::numeric_limits<double>::infinity()});
}

}  // namespace

bool nvls_can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape, CollectiveOp op) {
  return has_nvls(tuning, shape, op) && shape.nodes == 1;
}

bool nvls_tree_can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                       CollectiveOp op) {
  const bool has_racks = static_cast<std::size_t>(shape.max_in_node) > kLargestNode;
  return has_nvls(tuning, shape, op) && shape.nodes > 1 &&
         (!has_racks || shape.nodes <= kMostRacks);
}

double nvls_steps_inside(const CommunicatorShape& /*shape*/, CollectiveOp /*op*/) { return 0.0; }

Duration nvls_latency(const CollectiveCall& call) {
  return call.tuning.nvls_latency.value +
         (call.tuning.nvls_tree_hop_latency.value + call.shape.network_latency * 2.0) *
             (2.0 * call.shape.tree_depth());
}

Duration nvls_overhead(const CollectiveCall& call) {
  return call.shape.nodes == 1 ? generation_of(call.tuning).nvls_launch.value : Duration{};
}

double nvls_bandwidth(const CollectiveCall& call) {
  return from_bus(call.shape, call.op) * bus_of_nvls(call);
}

int nvls_num_channels(const CollectiveTuning& tuning, const CommunicatorShape& /*shape*/) {
  return generation_of(tuning).nvls_channels.value;
}

double nvls_chunk(const CollectiveCall& call) {
  const CollectiveTuning& tuning = call.tuning;
  const CommunicatorShape& shape = call.shape;
  struct Step {
    double rounds;
    double chunk;
  };
  constexpr Step kInNode[] = {{64.0, 65536.0}, {8.0, 32768.0}, {2.0, 16384.0}};
  constexpr Step kBetweenNodes[] = {{4.0, 65536.0}, {1.0, 32768.0}};
  constexpr int kManyNodes = 4;
  const double parts = static_cast<double>(nvls_num_channels(tuning, shape)) *
                       static_cast<double>(shape.max_in_node);
  const bool is_tree = shape.nodes > 1;
  double chunk = tuning.nvls_chunk.value.base();
  if (shape.nodes >= kManyNodes) chunk = std::min(chunk, kBetweenNodes[0].chunk);
  for (const Step& step :
       is_tree ? std::span<const Step>(kBetweenNodes) : std::span<const Step>(kInNode)) {
    if (call.bytes < step.rounds * parts * chunk && chunk > step.chunk) chunk = step.chunk;
  }
  return chunk;
}

std::vector<core::LinkUse> nvls_loads(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> /*members*/, CollectiveOp /*op*/) {
  LinkLoads loads(fabric, groups.num_connections);
  for (const auto& node : groups.nodes) {
    const auto size = static_cast<double>(node.size());
    for (std::size_t i = 0; i < node.size(); ++i) {
      loads.add(node[i], node[(i + 1) % node.size()], 0, (size + 1.0) / size);
    }
  }
  add_trees_between_nodes(loads, groups);
  return loads.route();
}

void nvls_limit(const CollectiveCall& call, const core::Fabric& /*fabric*/, const Groups& groups,
                CollectiveFlow& flow) {
  const CollectiveTuning& tuning = call.tuning;
  const CommunicatorShape& shape = call.shape;
  const AcceleratorGeneration& generation = generation_of(tuning);
  const bool is_rack = groups.num_channels > kLargestNode;
  const double share =
      is_rack ? generation.nvls_rack_wire_share.value : generation.nvls_wire_share.value;
  const double in_node = shape.max_in_node;
  const double rate = share * shape.scale_up * in_node / (in_node + 1.0);
  const double round = nvls_num_channels(tuning, shape) * in_node * nvls_chunk(call);
  const Duration between = shape.nodes > 1 ? kTreeRound : Duration{};
  const Duration time =
      generation.nvls_chunk_overhead.value + between + Duration::from_base(round / rate);
  flow.ceiling = round / time.base();
  flow.latency += time * (tuning.nvls_fill.value + shape.tree_depth());
}

}  // namespace railwright::models
