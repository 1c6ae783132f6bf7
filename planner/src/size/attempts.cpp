// SPDX-License-Identifier: Apache-2.0
#include "attempts.hpp"

namespace railwright::planner {

/// A checkpoint has a file for each tensor and pipeline rank; the order of ranks and the variant
/// place them on nodes, and the batch sets the time between checkpoints counted in steps.
Attempts::Writers Attempts::writers_of(std::string_view variant, std::string_view rank_order,
                                       const simulation::Configuration& configuration) {
  return {std::string(variant), std::string(rank_order),
          simulation::numbers_of_writers(configuration)};
}

Attempts::Key Attempts::key_of(const Writers& writers, const simulation::Configuration& c) {
  return {writers, simulation::numbers_of(c)};
}

bool Attempts::is_left(std::string_view variant, std::string_view rank_order,
                       const simulation::Configuration& configuration) const {
  const Writers writers = writers_of(variant, rank_order, configuration);
  return !closed_.contains(writers) && !tried_.contains(key_of(writers, configuration));
}

std::optional<double> Attempts::overhead(const SearchEntry& entry) const {
  const auto known = overheads_.find(writers_of(entry));
  if (known == overheads_.end()) return {};
  return known->second;
}

}  // namespace railwright::planner
