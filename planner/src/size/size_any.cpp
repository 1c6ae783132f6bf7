// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/size_any.hpp"

#include "railwright/planner/size/jobs_size.hpp"
#include "railwright/planner/size/queue_size.hpp"
#include "railwright/planner/size/service_size.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::planner {

std::optional<SizedScenario> size_any(const core::Node& tree, const core::Catalogue& catalogue,
                                      const SizeOptions& options) {
  std::optional<SizedScenario> sized;
  if (simulation::is_inference(tree)) sized = size_service(tree, catalogue, options);
  if (simulation::is_queue(tree)) sized = size_queue(tree, catalogue, options);
  if (simulation::is_jobs(tree)) sized = size_jobs(tree, catalogue, options);
  if (sized) sized->hangs_on = hangs_on(sized->scenario, catalogue, sized->result);
  return sized;
}

}  // namespace railwright::planner
