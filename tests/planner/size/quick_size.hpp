// SPDX-License-Identifier: Apache-2.0
// Settings that make an example quick to size.
#pragma once

#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::test {

/// Returns Llama 2 7B with such goals, on nodes that never fail and without storage, under `more`.
inline core::Node quick_to_size(const std::string& goals, const std::vector<std::string>& more) {
  std::vector<std::string> settings = {
      "workload={model: llama-2-7b, sequence_length: 4096, global_batch: 512, steps: 1}",
      "cluster.storage=null",
      "cluster.control_plane=null",
      "reliability=null",
      "run={}",
      "data={}",
      "checkpoint={}",
      "prices=null",
      "goals=" + goals,
      "search.tp=[1, 2]",
      "search.pp=[1]",
      "search.micro_batch=[1]",
      "search.recompute=[none]"};
  settings.insert(settings.end(), more.begin(), more.end());
  return simulation::load_scenario_tree(kSource + "/examples/size-llama2-70b-30-days.yaml",
                                        settings);
}

}  // namespace railwright::test
