// SPDX-License-Identifier: Apache-2.0
#include "bottleneck_time.hpp"

#include <algorithm>

#include "railwright/core/sim/flow_network.hpp"

namespace railwright::simulation {

namespace {

void set_syncs(const std::array<SyncBytes, kNumSyncs>& syncs, const Times& times,
               std::span<double> bytes) {
  const auto set = [&](Traffic traffic, double amount) {
    bytes[static_cast<std::size_t>(traffic)] = amount;
  };
  set(Traffic::kDenseReduce, syncs[0].gradient * times.gradients);
  set(Traffic::kDenseGather, syncs[0].parameter * times.parameters);
  set(Traffic::kExpertReduce, syncs[1].gradient * times.gradients);
  set(Traffic::kExpertGather, syncs[1].parameter * times.parameters);
}

}  // namespace

void set_traffic(const StepTerms& terms, const Times& times) {
  const auto& class_of_stage = terms.network.class_of_stage;
  const double v = terms.virtual_stages;
  for (std::size_t i = 0; i < terms.classes.size(); ++i) {
    const StageTerms& stage = terms.classes[i];
    const std::span<double> bytes = terms.scratch.subspan(i * kNumTraffic, kNumTraffic);
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
      bytes[call] = times.layers * stage.num_calls[call] * terms.call_bytes[call];
    }
    const double sends = times.layers * terms.rules.num_directions * terms.send_bytes;
    bytes[static_cast<std::size_t>(Traffic::kSendForward)] =
        sends * (i == class_of_stage.back() ? v - 1.0 : v);
    bytes[static_cast<std::size_t>(Traffic::kSendBackward)] =
        sends * (i == class_of_stage.front() ? v - 1.0 : v);
    set_syncs(stage.syncs, times, bytes);
  }
}

core::Duration longest_link(const StepTerms& terms, const Times& times) {
  set_traffic(terms, times);
  return terms.network.links.longest(terms.scratch);
}

core::Duration longest_link(const StepTerms& terms, const std::array<SyncBytes, kNumSyncs>& syncs,
                            const Times& times) {
  std::ranges::fill(terms.scratch, 0.0);
  set_syncs(syncs, times, terms.scratch);
  return terms.network.links.longest(terms.scratch);
}

}  // namespace railwright::simulation
