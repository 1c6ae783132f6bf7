// SPDX-License-Identifier: Apache-2.0
// Differences of two designs in time, parts and price.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/parts_list.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::output {

/// Returns "8 connectx-7, 8 host link more", shortened to the first few parts.
std::string parts_difference(const core::PartsList& of, const core::PartsList& than);
/// Says which switches have ports that their slow devices do not fill, and the catalogue entry that
/// has them split; "" if none has.
std::string split_text(const core::FabricBill& bill);
/// Says why costs are not compared: "not comparable: no price of xe9680-b200".
std::string not_comparable(const std::vector<std::string>& unpriced);
/// Returns "at least " before an amount of money that leaves parts without a price out.
std::string at_least(simulation::NumberFormat format, bool is_partial);
/// Returns the difference in money if both are priced and comparable, else in parts.
std::string price_difference(const simulation::SimulationResult& of,
                             const simulation::SimulationResult& than);
/// Returns the 80 % interval of a saving, as a share of the time of `slower`: "0.4 % to 0.6 %". The
/// seconds saved stay fixed and the rest varies with the spread between sites, as in
/// CurveLine::worth_band. Empty if that spread is unknown or differs between the two.
std::string saving_interval(double saving, const simulation::SimulationResult& faster,
                            const simulation::SimulationResult& slower);

}  // namespace railwright::output
