// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::simulation {

core::Description describe_any(const core::Node& tree) { return kind_of(tree).describe(); }

AnyResult simulate(const core::Node& tree, const core::Catalogue& catalogue,
                   const SimulateOptions& options) {
  return kind_of(tree).read(tree, catalogue)(options);
}

}  // namespace railwright::simulation
