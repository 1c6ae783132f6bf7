// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/size_any.hpp"

#include "railwright/planner/size/jobs_size.hpp"
#include "railwright/planner/size/queue_size.hpp"
#include "railwright/planner/size/service_size.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::planner {

std::optional<SizedScenario> size_any(const core::Node& tree, const core::Catalogue& catalogue,
                                      const SizeOptions& options) {
  if (simulation::is_inference(tree)) return size_service(tree, catalogue, options);
  if (simulation::is_queue(tree)) return size_queue(tree, catalogue, options);
  if (simulation::is_jobs(tree)) return size_jobs(tree, catalogue, options);
  return {};
}

}  // namespace railwright::planner
