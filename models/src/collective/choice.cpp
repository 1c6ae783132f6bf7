// SPDX-License-Identifier: Apache-2.0
#include "choice.hpp"

#include <limits>

#include "library.hpp"

namespace railwright::models {

namespace {

using core::Duration;

constexpr CollectiveProtocol kProtocols[] = {CollectiveProtocol::kLL, CollectiveProtocol::kLL128,
                                             CollectiveProtocol::kSimple};

CollectiveChoice choose_pairwise(CollectiveAlgorithm algorithm, const CollectiveTuning& tuning,
                                 const CommunicatorShape& shape, CollectiveOp op, double bytes) {
  const double part = op == CollectiveOp::kAllToAll ? bytes / shape.members : bytes;
  const bool is_small = part <= tuning.pairwise_ll.value.base();
  return {algorithm, is_small ? CollectiveProtocol::kLL : CollectiveProtocol::kSimple};
}

Duration library_time(CollectiveAlgorithm algorithm, const CollectiveCall& call) {
  Duration latency = algorithm->latency(call);
  const bool is_penalized = call.protocol == CollectiveProtocol::kSimple && call.shape.nodes > 1 &&
                            call.op == CollectiveOp::kAllReduce;
  if (is_penalized) latency = latency * algorithm->simple_penalty;
  return latency + Duration::from_base(call.bytes / algorithm->bandwidth(call));
}

}  // namespace

CollectiveChoice choose(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                        CollectiveOp op, double bytes) {
  if (is_pairwise(op)) {
    static const CollectiveAlgorithm kOfPairs("pairwise");
    return choose_pairwise(kOfPairs, tuning, shape, op, bytes);
  }
  const CollectiveAlgorithm named = tuning.all_reduce_algorithm.value;
  // A tree needs several nodes; inside one it would be a chain.
  const bool is_named = named->can_run != nullptr && (shape.nodes > 1 || !named->needs_nodes) &&
                        op == CollectiveOp::kAllReduce && named->can_run(tuning, shape, op);
  CollectiveChoice best;
  auto least = Duration::from_base(std::numeric_limits<double>::infinity());
  for (std::size_t row = 0; row < CollectiveAlgorithmKind::table().size(); ++row) {
    const CollectiveAlgorithm algorithm = CollectiveAlgorithm::at(row);
    const bool is_tried = is_named ? algorithm == named : algorithm->is_chosen;
    if (!is_tried || !algorithm->can_run(tuning, shape, op)) continue;
    for (const CollectiveProtocol protocol : kProtocols) {
      if (protocol != CollectiveProtocol::kSimple && !algorithm->has_low_latency) continue;
      if (protocol == CollectiveProtocol::kLL128 && !generation_of(tuning).has_ll128.value)
        continue;
      const Duration time = library_time(algorithm, {tuning, shape, op, protocol, bytes});
      if (time < least) {
        least = time;
        best = {algorithm, protocol};
      }
    }
  }
  return best;
}

}  // namespace railwright::models
