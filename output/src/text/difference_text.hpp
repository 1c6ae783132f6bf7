// SPDX-License-Identifier: Apache-2.0
// By how much one design is faster than another, and what it takes more.
#pragma once

#include <string>

#include "railwright/core/parts_list.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::output {

/// "8 connectx-7, 8 host link more"; the first few of many.
std::string parts_difference(const core::PartsList& of, const core::PartsList& than);
/// The same in money, where both are priced, else in parts.
std::string price_difference(const simulation::SimulationResult& of,
                             const simulation::SimulationResult& than);
/// 80 % interval of a time saved, as a share of what `slower` takes: "0.4 % to 0.6 %". The seconds
/// between the two stay, and the rest takes its spread between sites, as CurveLine::worth_band has
/// it. Empty where that spread is not known or not the same for both.
std::string saving_interval(double saving, const simulation::SimulationResult& faster,
                            const simulation::SimulationResult& slower);

}  // namespace railwright::output
