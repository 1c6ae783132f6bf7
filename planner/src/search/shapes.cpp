// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

#include <algorithm>
#include <concepts>
#include <ranges>
#include <utility>

#include "divisors.hpp"
#include "railwright/simulation/estimator/knobs.hpp"

namespace railwright::planner {

namespace {

using models::Recompute;

std::vector<int> powers_of_two(std::int64_t most) {
  std::vector<int> powers;
  for (std::int64_t power = 1; power <= most; power *= 2) powers.push_back(static_cast<int>(power));
  return powers;
}

template <class T>
std::vector<T> listed_or(const std::vector<T>& listed, std::vector<T> all) {
  if (!listed.empty()) return listed;
  return all;
}

/// Lists numbers of model chunks that divide the layers of a stage. Stages are interleaved only if
/// the scenario does not size their chunks itself.
std::vector<int> chunks(const simulation::Scenario& scenario, int pp) {
  const models::Parallelism& parallelism = scenario.parallelism;
  const int places = models::num_places(scenario.workload.model, parallelism);
  const bool may_interleave = pp > 1 && parallelism.schedule->interleaves &&
                              parallelism.layers_per_chunk.empty() && places % pp == 0;
  if (!may_interleave) return {pp > 1 ? parallelism.virtual_stages : 1};
  return divisors(places / pp);
}

std::vector<int> micro_batches(const simulation::SearchSpace& space,
                               const std::vector<std::int64_t>& global_batch, int dp) {
  if (!space.micro_batch.empty()) return space.micro_batch;
  if (space.max_global_batch) return powers_of_two(*space.max_global_batch / dp);
  std::vector<int> all;
  for (const std::int64_t batch : global_batch) {
    if (batch % dp == 0) std::ranges::copy(divisors(batch / dp), std::back_inserter(all));
  }
  std::ranges::sort(all);
  const auto [first, last] = std::ranges::unique(all);
  all.erase(first, last);
  return all;
}

std::vector<std::int64_t> global_batches(const simulation::Scenario& scenario,
                                         const simulation::SearchSpace& space) {
  if (space.max_global_batch) return {};
  if (space.global_batch.empty()) return {scenario.workload.global_batch};
  return {space.global_batch.begin(), space.global_batch.end()};
}

std::vector<bool> sequence_parallel(const simulation::SearchSpace& space, int tp) {
  if (tp == 1) return {false};
  if (space.sequence_parallel) return {*space.sequence_parallel};
  return {false, true};
}

Shape shape_of(const simulation::Scenario& scenario, const simulation::SearchSpace& space,
               const simulation::Configuration& ranks) {
  static const std::vector<int> kZeroStages{0, 1, 2, 3};
  Shape shape{.ranks = ranks,
              .dp = scenario.num_accelerators() / simulation::ranks_of_replica(ranks),
              .virtual_stages = listed_or(space.virtual_stages, chunks(scenario, ranks.pp)),
              .micro_batch = {},
              .global_batch = global_batches(scenario, space),
              .max_global_batch = space.max_global_batch.value_or(0),
              .zero_stage = listed_or(space.zero_stage, kZeroStages),
              .recompute = space.recompute,
              .sequence_parallel = sequence_parallel(space, ranks.tp)};
  shape.micro_batch = micro_batches(space, shape.global_batch, shape.dp);
  if (ranks.pp == 1) std::erase_if(shape.virtual_stages, [](int v) { return v != 1; });
  if (space.zero_stage.empty() && shape.dp * ranks.cp == 1) shape.zero_stage = {0};
  if (shape.recompute.empty()) {
    for (const auto& [name, mode] : core::kWordsOf<Recompute>) {
      shape.recompute.push_back(mode);
    }
  }
  return shape;
}

/// Returns the values that the space lists for a knob; none stands for all.
template <class Knob>
std::vector<int> listed(const simulation::SearchSpace& space, const Knob& knob) {
  std::vector<int> values;
  core::for_each_field<simulation::SearchSpace>([&]<class Field>(const Field& field) {
    if constexpr (std::same_as<typename Field::value_type, std::vector<int>>) {
      if (field.name == knob.name()) values = space.*field.member;
    }
  });
  return values;
}

/// Returns the ranks of all dimensions that take accelerators of their own and that divide those
/// of the cluster, in rising order of the first dimension, then of the second and so on.
std::vector<simulation::Configuration> ranks_that_fill(const simulation::Scenario& scenario,
                                                       const simulation::SearchSpace& space,
                                                       const MayDivide& may_divide) {
  const int accelerators = scenario.num_accelerators();
  const bool is_vision = models::vision_of(scenario.workload) != nullptr;
  const std::vector<int> all = is_vision ? std::vector{1} : divisors(accelerators);
  std::vector<simulation::Configuration> found(1);
  found.front().schedule = scenario.parallelism.schedule;
  simulation::for_each_knob([&](const auto& knob) {
    if (knob.kind != simulation::KnobKind::kRanks) return;
    std::vector<int> possible = listed_or(listed(space, knob), all);
    if (may_divide) {
      std::erase_if(possible, [&](int ranks) {
        simulation::Configuration alone;
        knob.set_number(alone, ranks);
        return accelerators % ranks != 0 || !may_divide(alone);
      });
    }
    std::vector<simulation::Configuration> longer;
    for (const simulation::Configuration& before : found) {
      for (const int ranks : possible) {
        const std::int64_t product = std::int64_t{ranks_of_replica(before)} * ranks;
        if (product > accelerators || accelerators % product != 0) continue;
        knob.set_number(longer.emplace_back(before), ranks);
      }
    }
    found = std::move(longer);
  });
  return found;
}

}  // namespace

std::int64_t Shape::num_batches() const {
  return max_global_batch > 0 ? 1 : static_cast<std::int64_t>(global_batch.size());
}

std::int64_t Shape::num_points() const {
  return static_cast<std::int64_t>(virtual_stages.size() * micro_batch.size() * zero_stage.size() *
                                   recompute.size() * sequence_parallel.size()) *
         num_batches();
}

simulation::Configuration Shape::at(std::int64_t point) const {
  auto rest = static_cast<std::size_t>(point);
  const auto choose = [&rest](const auto& list) {
    const std::size_t i = rest % list.size();
    rest /= list.size();
    return list[i];
  };
  simulation::Configuration c = ranks;
  c.zero_stage = choose(zero_stage);
  c.recompute = choose(recompute);
  c.sequence_parallel = choose(sequence_parallel);
  c.virtual_stages = choose(virtual_stages);
  c.micro_batch = choose(micro_batch);
  if (max_global_batch == 0) {
    c.global_batch = choose(global_batch);
    return c;
  }
  const std::int64_t multiple =
      static_cast<std::int64_t>(dp) * c.micro_batch * (c.virtual_stages > 1 ? c.pp : 1);
  c.global_batch = max_global_batch / multiple * multiple;
  return c;
}

std::size_t Shape::num_kinds() const { return num_choices() * micro_batch.size(); }

simulation::Configuration Shape::first_of_kind(std::size_t kind) const {
  const std::size_t of_micro_batch = num_choices() * virtual_stages.size();
  return at(
      static_cast<std::int64_t>(kind % num_choices() + of_micro_batch * (kind / num_choices())));
}

double Shape::most_microbatches(const simulation::Configuration& c) const {
  const std::int64_t most = max_global_batch > 0 ? c.global_batch : std::ranges::max(global_batch);
  return static_cast<double>(most) / (static_cast<double>(dp) * c.micro_batch);
}

bool Shape::is_the_same(std::string_view order, std::string_view other) const {
  const auto dimensions = [&](std::string_view text) {
    const auto divides = [&](std::string_view name) {
      for (const auto& [known, size] : models::kDimensions<simulation::Configuration>) {
        if (known == name) return ranks.*size > 1;
      }
      return dp > 1;
    };
    std::vector<std::string_view> names;
    for (const auto part : std::views::split(text, '-')) {
      const std::string_view name(part.begin(), part.end());
      if (divides(name)) names.push_back(name);
    }
    return names;
  };
  return dimensions(order) == dimensions(other);
}

std::vector<Shape> shapes(const simulation::Scenario& scenario,
                          const simulation::SearchSpace& space, const MayDivide& may_divide) {
  const bool experts = simulation::has_experts(scenario.workload);
  const int num_experts = experts ? models::transformer_of(scenario.workload).experts->count : 1;
  std::vector<Shape> made;
  for (simulation::Configuration ranks : ranks_that_fill(scenario, space, may_divide)) {
    for (const int ep : listed_or(space.ep, divisors(num_experts))) {
      std::vector<int> etps = experts ? listed_or(space.etp, {1, ranks.tp}) : std::vector{1};
      if (etps == std::vector{1, 1}) etps.pop_back();
      for (const int etp : etps) {
        ranks.ep = ep;
        ranks.etp = etp;
        Shape shape = shape_of(scenario, space, ranks);
        if (shape.num_points() > 0) made.push_back(std::move(shape));
      }
    }
  }
  return made;
}

}  // namespace railwright::planner
