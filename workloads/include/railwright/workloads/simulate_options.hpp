// SPDX-License-Identifier: Apache-2.0
// Options of the simulation of any kind of scenario.
#pragma once

#include <cstdint>

#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation {

enum class Method : std::uint8_t {
  kSimulate,  ///< events and flows
  kEstimate,  ///< closed form
};

constexpr auto enum_words(Method) {
  using enum Method;
  return core::words<Method>({{"simulate", kSimulate}, {"estimate", kEstimate}});
}

struct SimulateOptions {
  Method method = Method::kSimulate;
  Symmetry symmetry = Symmetry::kFolded;
  bool trace = false;  ///< with kSimulate: a trace of the step, and spans of the run
  RunsDone tell{};     ///< receives the number of simulated runs; may be empty
};

/// Options of a point of a sweep.
struct PointOptions {
  Method method = Method::kSimulate;
  bool with_run = true;  ///< also what goes on over time, of kinds that have more than a step
};

}  // namespace railwright::simulation
