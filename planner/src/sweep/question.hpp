// SPDX-License-Identifier: Apache-2.0
// Reads and checks the question of a sweep, and computes its fingerprint.
#pragma once

#include "sweep_base.hpp"

namespace railwright::planner {

/// The scenario without the sections of verbs, and its `sweep` with `vary` merged over it.
struct SweepInput {
  const simulation::ScenarioKind* kind = nullptr;
  core::Node tree;
  std::string name;
  simulation::SweepSpace space;
};
SweepInput read_input(const core::Node& tree, const std::vector<simulation::Variation>& vary);

/// Throws ConfigError for keys that no scenario has, and for problems of the file itself. The
/// fingerprint covers every device that a point may name.
SweepQuestion make_question(const SweepBase& base);

}  // namespace railwright::planner
