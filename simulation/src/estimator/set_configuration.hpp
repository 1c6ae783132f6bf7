// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "railwright/simulation/estimator/configuration.hpp"

namespace railwright::simulation {

/// Changes the scenario to this configuration; its layout is unchanged if the numbers do not
/// divide.
void set_configuration(const Configuration& configuration, CheckedScenario& checked);

}  // namespace railwright::simulation
