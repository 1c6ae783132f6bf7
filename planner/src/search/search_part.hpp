// SPDX-License-Identifier: Apache-2.0
// `search` over part of its space.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "configuration_evaluator.hpp"
#include "railwright/planner/search/search.hpp"
#include "railwright/simulation/estimator/least_work.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"

namespace railwright::planner {

/// Whether a configuration may be among the best, by its variant and rank order. Called by several
/// threads at once.
using SearchFilter = std::function<bool(std::string_view variant, std::string_view rank_order,
                                        const simulation::Configuration& configuration)>;

/// Lower bounds by variant and rank order, for searches that differ in the number of nodes and the
/// batch alone.
using LeastWorks = std::vector<std::unique_ptr<simulation::LeastWork>>;

/// The part of its space that a search tries.
struct SearchPart {
  SearchFilter may_be_best = {};  ///< may be empty: all
  /// Leaves out points that are slower than the options allow by computation and bubble alone,
  /// before their memory is known: counts do not have these, and there is no
  /// SearchResult::min_memory.
  LeastWorks* least_works = nullptr;
  /// Leaves out points that are slower than the options allow by the transfers of few replicas,
  /// too: enough to know whether any point may be fast enough, not why none is.
  bool drops_by_transfers = false;
  /// Asked where points are left, before any transfer: false ends the search with none of them. May
  /// be empty.
  std::function<bool()> may_use_fabric = {};
  /// Evaluators by variant and rank order, made by the first of several searches that differ in
  /// their objective and limits alone; null: own ones.
  std::vector<ConfigurationEvaluator>* evaluators = nullptr;
};

/// Searches as search() does, but for configurations that `part` leaves out, and without
/// SearchResult::own.
SearchResult search_part(const simulation::ScenarioSource& source, const SearchOptions& options,
                         const SearchPart& part);

/// Returns the source with the variant, the rank order and the configuration of an entry.
simulation::ScenarioSource source_of(const simulation::ScenarioSource& source,
                                     const SearchEntry& entry);

}  // namespace railwright::planner
