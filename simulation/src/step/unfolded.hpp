// SPDX-License-Identifier: Apache-2.0
// Bytes of links from those of their classes.
#pragma once

#include <cstdint>
#include <vector>

namespace railwright::simulation {

/// Returns the bytes that each link of the fabric carried, from those of its class.
std::vector<double> unfolded(const std::vector<double>& by_class,
                             const std::vector<std::int32_t>& link_class);

}  // namespace railwright::simulation
