// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/cluster/cluster.hpp"

namespace railwright::topologies {

Cluster::Cluster() = default;
Cluster::Cluster(const Cluster&) = default;
Cluster::Cluster(Cluster&&) noexcept = default;
Cluster& Cluster::operator=(const Cluster&) = default;
Cluster& Cluster::operator=(Cluster&&) noexcept = default;
Cluster::~Cluster() = default;

}  // namespace railwright::topologies
