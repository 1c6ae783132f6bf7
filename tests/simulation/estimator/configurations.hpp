// SPDX-License-Identifier: Apache-2.0
// Jobs on small clusters, and random configurations of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../support/scenario.hpp"
#include "railwright/core/sim/random.hpp"
#include "railwright/simulation/estimator/estimator.hpp"

namespace railwright::test {

struct Job {
  std::string name;
  simulation::CheckedScenario base;
};

/// Dense models, mixtures of experts and an encoder-decoder, on one switch, on rails and on a
/// fabric of leaves and spines, with and without overlaps.
std::vector<Job> jobs();

/// Any numbers, most of which divide.
simulation::Configuration draw_configuration(const simulation::CheckedScenario& base,
                                             core::RandomStream& random);

std::string to_text(const simulation::Configuration& configuration);

}  // namespace railwright::test
