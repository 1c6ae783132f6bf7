// SPDX-License-Identifier: Apache-2.0
// Flows under max-min fairness as the textbook says it, simulated from event to event in ticks:
// slow, without any structure that the engine has, and to be equal to it tick for tick.
//
// Progressive filling [@bertsekas1992data]: all levels (rate / weight) rise together until a link
// is full or a flow meets its ceiling; those flows are fixed; the others rise on.
//
// Doubles are not the textbook's numbers, so the last bit needs a rule of its own, or else an end
// close to the edge of a tick would depend on the order in which somebody adds. Rates are a
// function of nothing but the flows under way and the capacities:
//  1. what the fixed flows take of a link is added up without rounding, and so is what the open
//     ones ask per unit of level; here in long double;
//  2. a link's level is (capacity - taken) / asked, in double, and not below the level of a flow
//     already fixed on it: a lower one is rounding;
//  3. links and ceilings whose levels are within 1e-12 of the lowest are reached together with it.
// And from rates to ticks:
//  4. a flow whose rate is the old one, to 1e-14, is not touched; else it ends at the first tick at
//     or after now + left / rate, where 8 units in the last place of its size do not count;
//  5. all that happens at one tick is one batch, flows of size 0 and of unlimited rate included.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic.hpp"

namespace railwright::test {

/// The tick at which each transfer ends.
std::vector<std::int64_t> textbook_ends(const Traffic& traffic, std::int64_t ticks_per_second);

/// Max-min fair rates of those of the transfers that are `under_way`; 0 for the others.
std::vector<double> textbook_rates(const Traffic& traffic, const std::vector<double>& capacities,
                                   const std::vector<std::size_t>& under_way);

}  // namespace railwright::test
