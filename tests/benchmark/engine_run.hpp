// SPDX-License-Identifier: Apache-2.0
// A workload through the public Engine, as any user of it would run one.
#pragma once

#include <cstdint>

#include "workloads.hpp"

namespace railwright::workloads {

struct EngineRun {
  double simulated_s = 0.0;
  double seconds =
      0.0;  ///< of processor time, from the first start to the last end, routes included, links not
  std::int64_t num_touches = 0;  ///< how often a flow was visited to solve rates
};

EngineRun run_engine(const Workload& workload);

}  // namespace railwright::workloads
