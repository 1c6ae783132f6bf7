// SPDX-License-Identifier: Apache-2.0
// Members of a checked sweep.
#pragma once

#include "group_cache.hpp"
#include "question.hpp"

namespace railwright::planner {

struct Sweep::Parts {
  Parts(SweepInput read, const core::Catalogue& files, SweepOptions how);

  SweepInput input;
  core::Catalogue catalogue;  ///< keeps each entry as it was first read
  SweepOptions options;
  Grid grid;
  SweepBase base;
  SweepQuestion question;
  GroupCache groups;

  [[nodiscard]] int num_threads() const;
};

}  // namespace railwright::planner
