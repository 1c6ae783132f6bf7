// SPDX-License-Identifier: Apache-2.0
// Reading, writing and describing a scenario and its cluster: include this beside reader.hpp,
// writer.hpp or describe.hpp, and what they generate for hundreds of keys is compiled once, in
// scenario_keys.cpp, and not again in each file.
#pragma once

#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::core {

extern template void Reader::read(const Node&, const std::string&, simulation::Scenario&,
                                  const Range&);
extern template void Reader::read(const Node&, const std::string&, topologies::Cluster&,
                                  const Range&);
extern template Node to_node(const simulation::Scenario&);
extern template Node to_node(const topologies::Cluster&);
extern template Description describe<simulation::Scenario>();
extern template void detail::describe_type<topologies::Cluster>(Description&);

}  // namespace railwright::core
