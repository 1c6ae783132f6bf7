// SPDX-License-Identifier: Apache-2.0
// A small service with prompts and answers on replicas of their own.
#pragma once

#include <string>
#include <vector>

#include "../../../workloads/src/serving/cache_transfer.hpp"
#include "../../../workloads/src/serving/replica.hpp"
#include "../../support/inference.hpp"

namespace railwright::test {

using Settings = std::vector<std::string>;

inline const Settings kApart{"inference.tp=1", "inference.disaggregated.prefill_tp=1",
                             "inference.engine.request_overhead=0 s",
                             "inference.engine.token_overhead=0 s"};

inline Settings joined(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

inline simulation::InferenceResult apart(const Settings& more = {}) {
  return simulation::simulate(inference(joined(kApart, more)));
}

/// A scenario with its fabric.
struct SplitService {
  simulation::CheckedInference checked;
  topologies::BuiltCluster cluster;

  explicit SplitService(const Settings& settings)
      : checked(inference(settings)),
        cluster(checked.cluster.topology->build(checked.cluster.cluster)) {}
  [[nodiscard]] simulation::Replica replica(int tp, simulation::ReplicaRole role) const {
    return {checked, cluster.fabric, {.tp = tp}, std::nullopt, role};
  }
  [[nodiscard]] simulation::CacheTransfer transfer(int prefill_tp, int tp, int senders = 1) const {
    return {checked, cluster.fabric, prefill_tp, tp, senders};
  }
};

}  // namespace railwright::test
