// SPDX-License-Identifier: Apache-2.0
// Chooses how a model is divided over the accelerators of a cluster.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::planner {

/// A division of the model, with micro-batch and recompute.
struct Division {
  /// Changes to a scenario without a division of its own, as for `--set`.
  std::vector<std::string> settings;
  std::int64_t wanted_batch = 0;  ///< the workload's
  std::int64_t global_batch = 0;  ///< the batch that the division takes
};

/// Returns the scenario divided so; its own division goes.
core::Node with_division(core::Node tree, const Division& division);

/// Returns the division with most samples per second in closed form, among those of published
/// recipes; the one that needs the least memory if none fits; nothing if none divides layers, heads
/// and batch. The global batch is rounded if no division takes the workload's: to the nearest
/// multiple of the replicas, at most a tenth away. `kept` are keys whose values stay: those of
/// `parallelism` that `search` has, and workload.micro_batch; others are ignored. Throws
/// ConfigError with every problem.
std::optional<Division> automatic_division(const core::Node& tree, const core::Catalogue& catalogue,
                                           const std::vector<std::string>& kept = {});

/// Remembers divisions, for any number of threads.
class Divisions {
 public:
  /// Returns automatic_division(), from memory where only the run, the storage or the prices of a
  /// scenario differ.
  std::optional<Division> find(const core::Node& tree, const core::Catalogue& catalogue,
                               const std::vector<std::string>& kept = {});

 private:
  std::mutex mutex_;
  std::map<std::string, std::optional<Division>> found_;  ///< by the scenario's text
};

}  // namespace railwright::planner
