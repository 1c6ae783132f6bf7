// SPDX-License-Identifier: Apache-2.0
#include "serving_instance.hpp"

#include <algorithm>
#include <numeric>

#include "railwright/models/inference/footprint.hpp"

namespace railwright::simulation {

namespace {

using core::DataSize;
using core::Duration;

/// While one piece is computed with, the next is read.
constexpr double kPiecesInFlight = 2.0;

}  // namespace

Replica::Replica(const CheckedInference& checked, const core::Fabric& fabric, int tp,
                 std::optional<Offloaded> offload)
    : inference_(checked.inference),
      device_(checked.cluster.cluster.node.accelerator),
      tp_(tp),
      offload_(std::move(offload)) {
  if (tp == 1) return;
  std::vector<int> members(static_cast<std::size_t>(tp));
  std::iota(members.begin(), members.end(), 0);
  communicator_.emplace(fabric, std::move(members), inference_.library);
  for (const core::Link& link : fabric.links()) capacity_.push_back(link.bandwidth.base());
}

models::MemoryUse Replica::memory(std::int64_t batch) const {
  const models::Transformer& model = inference_.model;
  const auto sequences = static_cast<double>(batch);
  const double resident = offload_ ? kPiecesInFlight * models::largest_streamed_piece(model, tp_)
                                   : models::parameters_for_inference(model, tp_);
  const double tokens = inference_.prompt_tokens + static_cast<double>(inference_.output_tokens);
  return {.stage = 0,
          .lines = {{"weights", DataSize::from_base(resident * core::bytes_of(inference_.weights))},
                    {"kv_cache", models::kv_cache_per_token(model, tp_, inference_.kv_cache) *
                                     (sequences * tokens)},
                    {"activations",
                     std::max(models::activations(model, tp_, inference_.prompt_tokens, 1.0),
                              models::activations(model, tp_, sequences, sequences))},
                    {"reserved", device_.memory.value * (1.0 - inference_.memory_share.value)}}};
}

core::DataSize Replica::excess(std::int64_t batch) const {
  return memory(batch).total() - device_.memory.value;
}

models::PassTime Replica::time_of(const models::TokenPass& pass) const {
  models::PassTime time = models::pass_time(device_, inference_, tp_, pass);
  if (communicator_) {
    const double bytes = models::all_reduce_size(inference_.model, pass.tokens()).base();
    const auto flow = communicator_->flow(models::CollectiveOp::kAllReduce, bytes);
    time.communication = models::isolated_time(flow, bytes, capacity_) *
                         static_cast<double>(models::num_all_reduces(inference_.model));
  }
  if (offload_) time.stall = std::max(offload_->time - time.total(), Duration{});
  return time;
}

models::PassTime Replica::prefill() const {
  return time_of(models::prefill_pass(inference_.prompt_tokens));
}

models::PassTime Replica::decode(std::int64_t batch) const {
  const double context = inference_.prompt_tokens + inference_.output_tokens / 2.0;
  return time_of(models::decode_pass(static_cast<double>(batch), context));
}

models::BatchCycle Replica::cycle(std::int64_t batch) const {
  return {.batch = static_cast<double>(batch),
          .output_tokens = static_cast<double>(inference_.output_tokens),
          .prefill = prefill().total(),
          .decode = decode(batch).total()};
}

}  // namespace railwright::simulation
