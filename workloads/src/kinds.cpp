// SPDX-License-Identifier: Apache-2.0
// The table of kinds of scenario.
#include "railwright/workloads/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "collective_benchmark/benchmark_kind.hpp"
#include "jobs/jobs_kind.hpp"
#include "kind_row.hpp"
#include "post_training/post_training_kind.hpp"
#include "queue/queue_kind.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"
#include "serving/serving_kind.hpp"
#include "training/training_kind.hpp"

namespace railwright::simulation {

namespace {

/// Training first, which is the kind where no key tells another. Then the first whose key is there:
/// post-training has the keys of inference, too.
constexpr ScenarioKind kKinds[] = {
    row_of<TrainingKind>(), row_of<BenchmarkKind>(), row_of<PostTrainingKind>(),
    row_of<ServingKind>(),  row_of<JobsKind>(),      row_of<QueueKind>(),
};
static_assert(std::size(kKinds) + 1 >= std::variant_size_v<AnyResult>,
              "a result of AnyResult is of no kind");

}  // namespace

std::span<const ScenarioKind> scenario_kinds() { return kKinds; }

const ScenarioKind& kind_of(const core::Node& tree) {
  const auto* const found =
      std::find_if(std::begin(kKinds) + 1, std::end(kKinds),
                   [&](const ScenarioKind& kind) { return tree.find(kind.facts.key) != nullptr; });
  return found != std::end(kKinds) ? *found : kKinds[0];
}

const ScenarioKind& kind_named(std::string_view key) {
  return *std::ranges::find(kKinds, key, [](const ScenarioKind& kind) { return kind.facts.key; });
}

bool is_training(const ScenarioKind& kind) { return &kind == &kKinds[0]; }

bool describes(const core::Node& tree, std::string_view key) {
  return kind_of(tree).facts.key == key;
}

std::string_view other_kind(const core::Node& tree) {
  const ScenarioKind& kind = kind_of(tree);
  return is_training(kind) ? std::string_view{} : kind.facts.says;
}

namespace {

void throw_unless_training(const core::Node& tree) {
  const bool is_one_job = tree.find("workload") != nullptr && tree.find("post_training") == nullptr;
  const std::string_view kind = other_kind(tree);
  if (kind.empty() || is_one_job) return;
  throw core::ConfigError({{tree.where, "", fmt::format("describes {}, not one training job", kind),
                            "`railwright simulate` answers it"}});
}

}  // namespace

CheckedScenario read_training(const core::Node& tree, const core::Catalogue& catalogue) {
  throw_unless_training(tree);
  return read_scenario(tree, catalogue);
}

ScenarioSource training_source(const core::Node& tree, const core::Catalogue& catalogue) {
  throw_unless_training(tree);
  return {tree, catalogue};
}

}  // namespace railwright::simulation
