// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/prices/missing_prices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "railwright/planner/size/size_any.hpp"
#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::planner {

namespace {

/// Stands for the prices of a scenario without any: every piece is then one without a price.
constexpr const char* kNoPrices = "prices={electricity: 0 USD/kWh, ownership: 1 y}";

/// Bounds a cluster that only a budget would, which says nothing without prices: an estimate, of
/// two tiers of switches.
constexpr const char* kAnyNumber = "goals.parts.max_nodes=64";

void add(std::vector<models::Purchase>& all, const models::Ownership& ownership) {
  for (const models::Purchase& one : ownership.unpriced) {
    if (one.kind == "electricity") continue;
    const auto same = std::ranges::find_if(all, [&](const models::Purchase& other) {
      return other.kind == one.kind && other.name == one.name;
    });
    if (same == all.end()) {
      all.push_back(one);
    } else {
      same->count = std::max(same->count, one.count);
    }
  }
}

[[noreturn]] void refuse_scenario(const core::Node& tree, std::string message, std::string hint) {
  throw core::ConfigError({{tree.where, "", std::move(message), std::move(hint)}});
}

/// Returns the costs of a result; none if its kind has none, or it does not fit.
std::vector<const models::Ownership*> ownerships_in(const simulation::AnyResult& result) {
  std::vector<const models::Ownership*> all;
  if (const auto* training = std::get_if<simulation::SimulationResult>(&result)) {
    if (training->cost) all.push_back(&training->cost->ownership);
  } else if (const auto* service = std::get_if<simulation::InferenceResult>(&result)) {
    if (service->cost) all.push_back(&service->cost->ownership);
  } else if (const auto* jobs = std::get_if<simulation::JobsResult>(&result)) {
    for (const simulation::PoolRun& pool : jobs->pools) {
      if (pool.ownership) all.push_back(&*pool.ownership);
    }
    if (jobs->shared_ownership) all.push_back(&*jobs->shared_ownership);
  }
  return all;
}

std::vector<models::Purchase> of_goals(const core::Node& tree, const core::Catalogue& catalogue,
                                       const SizeOptions& options) {
  const SizingResult sized = size(tree, catalogue, options);
  std::vector<models::Purchase> pieces;
  for (const Sized& one : sized.sized) {
    if (one.cluster.result.cost) add(pieces, one.cluster.result.cost->ownership);
  }
  if (sized.sized.empty()) {
    refuse_scenario(tree, "no cluster meets the goals, so that nothing is bought",
                    "`railwright size` says what is missed");
  }
  return pieces;
}

/// Returns what has no price in any part of one cluster.
std::vector<models::Purchase> all_of(std::span<const models::Ownership* const> parts) {
  std::vector<models::Purchase> all;
  for (const models::Ownership* part : parts) {
    std::vector<models::Purchase> own;
    add(own, *part);
    for (models::Purchase& one : own) {
      const auto same = std::ranges::find_if(all, [&](const models::Purchase& other) {
        return other.kind == one.kind && other.name == one.name;
      });
      if (same == all.end()) {
        all.push_back(std::move(one));
      } else {
        same->count += one.count;
      }
    }
  }
  return all;
}

/// Answers what is no training job with goals: a service by the nodes that carry its load.
simulation::AnyResult answer(const core::Node& tree, const core::Catalogue& catalogue,
                             const SizeOptions& options) {
  const bool is_service = simulation::describes(tree, "inference");
  const bool has_cost =
      simulation::other_kind(tree).empty() || is_service || simulation::describes(tree, "jobs");
  if (!has_cost) {
    refuse_scenario(tree, "a scenario of this kind has no cost",
                    "training jobs, several jobs and services have one");
  }
  if (is_service && core::find_path(tree, "inference.requests_per_s") != nullptr) {
    if (auto sized = size_any(tree, catalogue, options)) return std::move(sized->result);
  }
  return simulation::simulate(tree, catalogue, {.method = simulation::Method::kEstimate});
}

/// Puts kinds together, in the order of the first of each.
void group(std::vector<models::Purchase>& pieces) {
  std::vector<models::Purchase> grouped;
  for (const models::Purchase& first : pieces) {
    const auto is_there = [&](const models::Purchase& one) { return one.kind == first.kind; };
    if (std::ranges::any_of(grouped, is_there)) continue;
    std::ranges::copy_if(pieces, std::back_inserter(grouped), is_there);
  }
  pieces = std::move(grouped);
}

}  // namespace

bool is_sized(const core::Node& tree) {
  return simulation::other_kind(tree).empty() && tree.find("goals") != nullptr;
}

MissingPrices missing_prices(core::Node tree, const core::Catalogue& catalogue,
                             const SizeOptions& options) {
  MissingPrices missing;
  const core::Node* name = tree.find("name");
  if (name != nullptr && name->is_scalar()) missing.name = name->text;
  missing.has_prices = tree.find("prices") != nullptr;
  if (!missing.has_prices) core::set_path(tree, kNoPrices);
  if (!missing.has_prices && core::find_path(tree, "goals.budget") != nullptr) {
    core::set_path(tree, kAnyNumber);
  }
  if (is_sized(tree)) {
    missing.pieces = of_goals(tree, catalogue, options);
    group(missing.pieces);
    return missing;
  }
  const simulation::AnyResult result = answer(tree, catalogue, options);
  const std::vector<const models::Ownership*> ownerships = ownerships_in(result);
  if (!simulation::is_feasible(result)) {
    refuse_scenario(tree, fmt::format("does not fit: {}", simulation::reasons_of(result).front()),
                    "");
  }
  if (ownerships.empty()) {
    refuse_scenario(tree, "has no cost", "training jobs, several jobs and services have one");
  }
  missing.pieces = all_of(ownerships);
  group(missing.pieces);
  return missing;
}

}  // namespace railwright::planner
