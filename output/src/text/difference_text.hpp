// SPDX-License-Identifier: Apache-2.0
// Differences of two designs in time, parts and price.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/parts_list.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::output {

/// Says which switches have ports that their slow devices do not fill, and the catalogue entry that
/// has them split; "" if none has.
std::string split_text(const core::FabricBill& bill);
/// Says why costs are not compared: "not comparable: no price of xe9680-b200".
std::string not_comparable(const std::vector<std::string>& unpriced);
/// Returns what to buy to make the first cluster the other, and what is left over of it; empty
/// unless both are priced and differ.
std::string exchange_text(const simulation::SimulationResult& from,
                          const simulation::SimulationResult& to);

/// Returns "at least " before an amount of money that leaves parts without a price out.
std::string at_least(simulation::NumberFormat format, bool is_partial);
/// Returns the line "price" with the difference in money if both are priced and comparable, else
/// the line "parts": "8 more connectx-7, 8 more ndr-dac"; `beside` follows.
std::string difference_fact(const simulation::SimulationResult& of,
                            const simulation::SimulationResult& than, std::string_view beside = {});
/// Returns saving_range() as "0.4 % to 0.6 %", empty for nothing.
std::string saving_interval(double saving, const simulation::SimulationResult& faster,
                            const simulation::SimulationResult& slower);

}  // namespace railwright::output
