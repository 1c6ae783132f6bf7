// SPDX-License-Identifier: Apache-2.0
#include "service_moves.hpp"

#include <fmt/format.h>

namespace railwright::planner {

namespace {

using simulation::CheckedInference;
using simulation::InferenceResult;

class Moves {
 public:
  void add(const char* key, std::string value, bool acts_with_others = true) {
    all_.push_back({key, std::move(value), acts_with_others});
  }
  /// Adds twice and half of a number, and four times and a quarter of it.
  void add_factors(const char* key, std::int64_t value) {
    for (const std::int64_t factor : {2, 4}) {
      add(key, std::to_string(factor * value));
      if (value % factor == 0) add(key, std::to_string(value / factor));
    }
  }
  [[nodiscard]] std::vector<ServiceMove> all() && { return std::move(all_); }

 private:
  std::vector<ServiceMove> all_;
};

void add_pools(const CheckedInference& checked, Moves& moves) {
  const models::Inference& inference = checked.inference;
  if (!inference.disaggregated) {
    moves.add("inference.disaggregated", "{}");
  } else if (inference.disaggregated->prefill_tp) {
    moves.add_factors("inference.disaggregated.prefill_tp", *inference.disaggregated->prefill_tp);
  }
}

}  // namespace

std::vector<ServiceMove> service_moves(const CheckedInference& checked,
                                       const InferenceResult& result) {
  const models::Inference& inference = checked.inference;
  const core::ComputeNode& node = checked.cluster.cluster.node;
  Moves moves;
  if (inference.tp) moves.add_factors("inference.tp", *inference.tp);
  if (inference.pp > 1) moves.add_factors("inference.pp", inference.pp);
  if (inference.model.experts) {
    moves.add("inference.attention_dp", inference.attention_dp ? "false" : "true");
    moves.add_factors("inference.ep",
                      inference.ep.value_or(inference.attention_dp ? result.tp : 1));
  }
  add_pools(checked, moves);
  moves.add_factors("inference.engine.max_tokens", inference.engine.max_tokens.value);
  if (inference.max_batch) moves.add_factors("inference.max_batch", *inference.max_batch);
  if (2 * node.nics.count <= node.num_accelerators.value) {
    moves.add("cluster.node.nics.count", std::to_string(2 * node.nics.count), false);
  }
  return std::move(moves).all();
}

bool can_be_paired(const ServiceMove& a, const ServiceMove& b) {
  return !a.key.starts_with(b.key) && !b.key.starts_with(a.key);
}

}  // namespace railwright::planner
