// SPDX-License-Identifier: Apache-2.0
// Changes of a service of one key, and which of them act together.
#pragma once

#include <string>
#include <vector>

#include "railwright/workloads/serving/serving.hpp"

namespace railwright::planner {

struct ServiceMove {
  std::string key;
  std::string value;
  bool acts_with_others = true;  ///< worth a pair with any other move

  [[nodiscard]] std::string setting() const { return key + "=" + value; }
};

/// Lists changes to try; some may be illegal. `result`: that of the scenario.
std::vector<ServiceMove> service_moves(const simulation::CheckedInference& checked,
                                       const simulation::InferenceResult& result);

/// Whether two moves can be made together: they change different keys.
bool can_be_paired(const ServiceMove& a, const ServiceMove& b);

}  // namespace railwright::planner
