// SPDX-License-Identifier: Apache-2.0
// Links between switches that several jobs send over.
#pragma once

#include <span>
#include <vector>

#include "step_bytes.hpp"

namespace railwright::simulation {

/// Traffic of all jobs on links between switches, by their index.
class SwitchTraffic {
 public:
  /// Adds a job that runs all the time, a step every `step_time`.
  void add(const StepBytes& bytes, core::Duration step_time);

  /// Whether a job sends over a link that another sends over too.
  [[nodiscard]] bool is_shared_by(const StepBytes& bytes) const;

  /// Computes what is left to a job of the capacities of its fabric's links, of which `links` are
  /// those between switches: all but the others' mean rate, and never less than an equal share of
  /// each job that sends over the link. Bursts that meet cost more than that, bursts that miss one
  /// another less.
  [[nodiscard]] std::vector<double> left_to(const StepBytes& bytes, core::Duration step_time,
                                            std::span<const core::LinkId> links,
                                            std::vector<double> capacity) const;

 private:
  struct Link {
    double rate = 0.0;  ///< bytes/s of all jobs
    int num_jobs = 0;
  };
  std::vector<Link> links_;
};

}  // namespace railwright::simulation
