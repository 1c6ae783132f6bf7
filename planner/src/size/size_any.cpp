// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/size_any.hpp"

#include <algorithm>
#include <string_view>

#include "railwright/planner/size/jobs_size.hpp"
#include "railwright/planner/size/queue_size.hpp"
#include "railwright/planner/size/service_size.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::planner {

namespace {

/// A kind that is sized in nodes or storage nodes alone.
struct SizedKind {
  std::string_view key;
  SizedScenario (*size)(const core::Node&, const core::Catalogue&, const SizeOptions&);
};
constexpr SizedKind kSizedKinds[] = {
    {"inference", size_service}, {"queue", size_queue}, {"jobs", size_jobs}};

}  // namespace

std::optional<SizedScenario> size_any(const core::Node& tree, const core::Catalogue& catalogue,
                                      const SizeOptions& options) {
  const std::string_view key = simulation::kind_of(tree).facts.key;
  const auto* const kind = std::ranges::find(kSizedKinds, key, &SizedKind::key);
  if (kind == std::end(kSizedKinds)) return std::nullopt;
  SizedScenario sized = kind->size(tree, catalogue, options);
  sized.hangs_on = hangs_on(sized.scenario, catalogue, sized.result);
  return sized;
}

}  // namespace railwright::planner
