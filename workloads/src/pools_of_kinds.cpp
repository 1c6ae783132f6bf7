// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/pools_of_kinds.hpp"

#include <fmt/format.h>

#include <utility>

#include "railwright/core/config/writer.hpp"
#include "railwright/core/error.hpp"
#include "railwright/simulation/scenario/pools.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::simulation {

namespace {

/// Returns how a training job on the first of the pools is written.
std::string as_one_of_jobs(const core::Node& pools) {
  const bool has_first = pools.kind == core::Node::Kind::kSequence && !pools.items.empty();
  const core::Node* name = has_first ? pools.items.front().find("name") : nullptr;
  return fmt::format(
      "write the job as one of a list: jobs: [{{name: a, pool: {}, nodes: 4, workload: ...}}], as "
      "examples/two-generations.yaml does; a job on both has `pools`, as in "
      "examples/one-job-two-generations.yaml",
      name != nullptr && name->is_scalar() ? name->text : "old");
}

}  // namespace

void check_kind_has_pools(const core::Node& tree, std::string instead_of_training) {
  if (!has_pools(tree)) return;
  const core::Node& pools = *core::find_path(tree, "cluster.pools");
  const ScenarioKind& kind = kind_of(tree);
  if (kind.facts.key == "jobs") return;
  if (is_training(kind)) {
    if (instead_of_training.empty()) instead_of_training = as_one_of_jobs(pools);
    throw core::ConfigError({{pools.where, "cluster.pools",
                              "a training job that is not one of `jobs` has nodes of one kind",
                              std::move(instead_of_training)}});
  }
  throw core::ConfigError(
      {{pools.where, "cluster.pools",
        fmt::format("only several jobs have nodes of several kinds; this describes {}",
                    kind.facts.says),
        "ask about one pool at a time: its nodes, node and fabric in cluster"}});
}

}  // namespace railwright::simulation
