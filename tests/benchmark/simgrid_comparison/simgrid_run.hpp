// SPDX-License-Identifier: Apache-2.0
// The same workload through SimGrid's S4U [@casanova2014simgrid] as pure max-min sharing.
#pragma once

#include "../workloads.hpp"

namespace railwright::workloads {

enum class SimGridMode : std::uint8_t { kLazy, kFull };

struct SimGridRun {
  double simulated_s = 0.0;
  double seconds = 0.0;  ///< of processor time, in Engine::run: routes included, the platform not
};

/// Once in a process: SimGrid's engine cannot be made twice.
SimGridRun run_simgrid(const Workload& workload, SimGridMode mode);

}  // namespace railwright::workloads
