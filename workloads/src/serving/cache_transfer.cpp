// SPDX-License-Identifier: Apache-2.0
#include "cache_transfer.hpp"

#include <algorithm>
#include <utility>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/inference/footprint.hpp"

namespace railwright::simulation {

namespace {

/// Returns the first and the last node that the others reach; the same one twice if it is alone.
std::pair<int, int> farthest_nodes(const core::Fabric& fabric) {
  const auto cut_off = fabric.cut_off_nodes();
  const auto is_reached = [&](int node) {
    return std::ranges::find(cut_off, node) == cut_off.end();
  };
  int first = 0;
  int last = fabric.num_nodes() - 1;
  while (first < last && !is_reached(first)) ++first;
  while (last > first && !is_reached(last)) --last;
  return {first, last};
}

}  // namespace

CacheTransfer::CacheTransfer(const CheckedInference& checked, const core::Fabric& fabric,
                             int prefill_tp, int tp, int num_senders)
    : model_(checked.inference.model),
      of_token_(models::kv_cache_per_token(checked.inference.model, 1, checked.inference.kv_cache)),
      num_pairs_(checked.inference.attention_dp ? 1 : std::min(prefill_tp, tp)) {
  const models::Inference& inference = checked.inference;
  rate_ = inference.disaggregated->kv_rate;
  if (rate_) return;
  const auto [from, to] = farthest_nodes(fabric);
  const int in_node = fabric.accelerators_per_node();
  const double bytes = size(inference.prompt_tokens).base() / num_pairs_;
  std::vector<models::CollectiveFlow> flows;
  for (int sender = 0; sender < num_senders; ++sender) {
    for (int pair = 0; pair < num_pairs_; ++pair) {
      const int local = sender * prefill_tp + pair;
      // In one node, the other end is counted from its last accelerator.
      const int peer = from == to ? in_node - 1 - local : local;
      if (local >= in_node || (from == to && peer <= local)) break;
      flows.push_back(models::Communicator(fabric, {from * in_node + local, to * in_node + peer},
                                           inference.library)
                          .flow(models::CollectiveOp::kSendReceive, bytes));
    }
  }
  if (flows.empty()) return;
  flow_ = models::merge(flows);
  for (const core::Link& link : fabric.links()) capacity_.push_back(link.bandwidth.base());
}

core::Duration CacheTransfer::time(double tokens) const {
  if (rate_) return size(tokens) / *rate_;
  return models::isolated_time(flow_, size(tokens).base() / num_pairs_, capacity_);
}

}  // namespace railwright::simulation
