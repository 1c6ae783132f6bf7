// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/side_by_side_any.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "railwright/core/error.hpp"

namespace railwright::planner {

namespace {

using simulation::ScenarioKind;

AnySideBySide trained(const std::vector<Design>& designs, const core::Catalogue& catalogue,
                      simulation::Method method, const ProgressFunction& progress) {
  return side_by_side(designs, catalogue, method, progress);
}
AnySideBySide served(const std::vector<Design>& designs, const core::Catalogue& catalogue,
                     simulation::Method, const ProgressFunction& progress) {
  return services_side_by_side(designs, catalogue, progress);
}

/// A kind whose designs stand side by side in a way of their own; others do as mixes do.
struct OwnComparison {
  std::string_view key;
  AnySideBySide (*compare)(const std::vector<Design>&, const core::Catalogue&, simulation::Method,
                           const ProgressFunction&);
};
constexpr OwnComparison kOwnComparisons[] = {{"workload", trained}, {"inference", served}};

/// Throws ConfigError for a design of another kind than that of the first that does not train.
void check_one_kind(const std::vector<Design>& designs) {
  const auto kind = [](const Design& one) { return &simulation::kind_of(one.tree); };
  const auto first = std::ranges::find_if_not(
      designs, [&](const Design& one) { return simulation::is_training(*kind(one)); });
  if (first == designs.end()) return;
  const ScenarioKind* wanted = kind(*first);
  const auto other =
      std::ranges::find_if(designs, [&](const Design& one) { return kind(one) != wanted; });
  if (other == designs.end()) return;
  throw core::ConfigError({{other->tree.where, "",
                            fmt::format("describes {}, which cannot be compared with {}",
                                        kind(*other)->facts.says, wanted->facts.says),
                            "compare scenarios of one kind"}});
}

}  // namespace

AnySideBySide side_by_side_any(const std::vector<Design>& designs, const core::Catalogue& catalogue,
                               simulation::Method method, const ProgressFunction& progress) {
  check_one_kind(designs);
  const std::string_view key = simulation::kind_of(designs.front().tree).facts.key;
  const auto* const own = std::ranges::find(kOwnComparisons, key, &OwnComparison::key);
  if (own != std::end(kOwnComparisons)) return own->compare(designs, catalogue, method, progress);
  return mixes_side_by_side(designs, catalogue, progress);
}

}  // namespace railwright::planner
