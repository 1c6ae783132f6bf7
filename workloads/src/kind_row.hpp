// SPDX-License-Identifier: Apache-2.0
// Makes the row of a kind of scenario from a struct that names its functions.
#pragma once

#include <algorithm>
#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/workloads/scenario_kind.hpp"

namespace railwright::simulation {

/// A struct of a kind's own folder. `Scenario` has the fields of its file. `read` makes of a tree
/// what `simulate` takes; `complete` returns the scenario with all keys, `numbers` the records of
/// its numbers. A kind may also have `simulate_point`, where points of sweeps are simulated in
/// another way, and `ranked_by`, where designs are not ranked by its first goal.
template <class Kind>
concept WorkloadKind =
    requires(const core::Node& tree, const core::Catalogue& catalogue, const SimulateOptions& how) {
      typename Kind::Scenario;
      typename Kind::Result;
      { Kind::kFacts } -> std::convertible_to<KindFacts>;
      { Kind::simulate(Kind::read(tree, catalogue), how) } -> std::same_as<typename Kind::Result>;
      { Kind::complete(tree, catalogue) } -> std::same_as<core::Node>;
      { Kind::numbers() } -> std::convertible_to<Numbers<typename Kind::Result>>;
    };

/// Whether the floors above have words of their own for a result.
template <class Result>
inline constexpr bool kHasOwnWords = std::is_constructible_v<AnyResult, Result>;

template <WorkloadKind Kind>
AnyResult any_of(typename Kind::Result result) {
  if constexpr (kHasOwnWords<typename Kind::Result>) {
    return result;
  } else {
    PlainResult plain{.kind = std::string(Kind::kFacts.key),
                      .name = result.name,
                      .infeasible = result.infeasible,
                      .own = {}};
    plain.own = std::move(result);
    return plain;
  }
}

template <WorkloadKind Kind>
const typename Kind::Result* find_result(const ResultView& view) {
  using Result = typename Kind::Result;
  if constexpr (kHasOwnWords<Result>) {
    return view.as<Result>();
  } else {
    const PlainResult* plain = view.as<PlainResult>();
    return plain != nullptr ? std::any_cast<Result>(&plain->own) : nullptr;
  }
}

template <WorkloadKind Kind>
inline constexpr PartOf<ResultView, typename Kind::Result> kResultOf{&find_result<Kind>};

template <WorkloadKind Kind>
ScenarioKind::Simulation read_any(const core::Node& tree, const core::Catalogue& catalogue) {
  auto checked =
      std::make_shared<decltype(Kind::read(tree, catalogue))>(Kind::read(tree, catalogue));
  return [checked = std::move(checked)](const SimulateOptions& how) {
    return any_of<Kind>(Kind::simulate(*checked, how));
  };
}

template <WorkloadKind Kind>
AnyResult any_point(const core::Node& tree, const core::Catalogue& catalogue,
                    const PointOptions& how) {
  auto checked = Kind::read(tree, catalogue);
  if constexpr (requires { Kind::simulate_point(checked, how); }) {
    return any_of<Kind>(Kind::simulate_point(checked, how));
  } else {
    return any_of<Kind>(Kind::simulate(checked, {.method = how.method}));
  }
}

template <WorkloadKind Kind>
std::vector<core::Diagnostic> any_field_problems(const core::Node& tree,
                                                 const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  typename Kind::Scenario scenario;
  reader.read(tree, "", scenario);
  return reader.diagnostics();
}

template <WorkloadKind Kind>
const Numbers<ResultView>& any_numbers() {
  static const Numbers<ResultView> kNumbers =
      lifted(Numbers<typename Kind::Result>(Kind::numbers()), kResultOf<Kind>);
  return kNumbers;
}

template <WorkloadKind Kind>
const Number<ResultView>& any_rank() {
  if constexpr (requires { Kind::ranked_by(); }) {
    static const Number<ResultView> kRank = lifted(Kind::ranked_by(), kResultOf<Kind>);
    return kRank;
  } else {
    const Numbers<ResultView>& all = any_numbers<Kind>();
    return *std::ranges::find(all, Kind::kFacts.goals[0].column, &Number<ResultView>::column);
  }
}

template <WorkloadKind Kind>
constexpr ScenarioKind row_of() {
  return {.facts = Kind::kFacts,
          .describe = &core::describe<typename Kind::Scenario>,
          .read = &read_any<Kind>,
          .simulate_point = &any_point<Kind>,
          .complete = &Kind::complete,
          .field_problems = &any_field_problems<Kind>,
          .numbers = &any_numbers<Kind>,
          .ranked_by = &any_rank<Kind>};
}

}  // namespace railwright::simulation
