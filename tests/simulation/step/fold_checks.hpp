// SPDX-License-Identifier: Apache-2.0
// The step of one replica and link of each class beside the step of all of them.
#pragma once

#include <string>
#include <vector>

#include "../../support/scenario.hpp"
#include "railwright/simulation/step/fold.hpp"

namespace railwright::simulation::test_fold {

struct Cluster {
  const char* name;
  test::Settings settings;
  int num_replicas;
  int max_classes;  ///< of replicas, by the symmetry that the cluster plainly has
};

/// Settings of a cluster of Llama 2 7B.
test::Settings cluster(int nodes, int tp, int pp, int batch, const test::Settings& more = {});
test::Settings nics(int count);
test::Settings slow(int node, double speed);

/// Same time to 1e-9 or two ticks, same bytes on every link.
void expect_same_step(const test::BuiltScenario& built, const std::string& name);

/// What makes rates of a class equal, checked one link and one replica at a time.
void expect_equitable(const StepCosts& costs, const FoldedCosts& folded, const std::string& name);

/// Both, and the number of classes, with and without overlaps.
void expect_folds(const Cluster& cluster);

}  // namespace railwright::simulation::test_fold
