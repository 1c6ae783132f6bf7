// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/scenario_keys.hpp"

#include "railwright/simulation/scenario/scenario_fields.hpp"
#include "railwright/topologies/cluster/cluster_fields.hpp"

namespace railwright::core {

template void Reader::read(const Node&, const std::string&, simulation::Scenario&, const Range&);
template void Reader::read(const Node&, const std::string&, topologies::Cluster&, const Range&);
template Node to_node(const simulation::Scenario&);
template Node to_node(const topologies::Cluster&);
template Description describe<simulation::Scenario>();
template void detail::describe_type<topologies::Cluster>(Description&);

}  // namespace railwright::core
