// SPDX-License-Identifier: Apache-2.0
#include "changes.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/software/profile.hpp"

namespace railwright::planner {

namespace {

using models::Recompute;
using simulation::Scenario;

class Changes {
 public:
  explicit Changes(const Scenario& scenario) : scenario_(scenario) {
    add_factors("workload.micro_batch", scenario.workload.micro_batch,
                [](Scenario& s, int value) { s.workload.micro_batch = value; });
    for (const auto& [name, size] : models::kDimensions<models::Parallelism>) {
      add_dimension(name, size);
    }
    add_dimension("virtual_stages", &models::Parallelism::virtual_stages);
    add_zero_stages();
    add_recompute();
    add_switches();
  }
  [[nodiscard]] std::vector<Change> take() { return std::move(all_); }

 private:
  template <class Apply>
  void add_factors(const std::string& key, int value, const Apply& apply) {
    std::vector<int> values{2 * value};
    if (value % 2 == 0) values.push_back(value / 2);
    for (const int other : values) {
      all_.push_back({fmt::format("{}={}", key, other),
                      [apply, other](Scenario& scenario) { apply(scenario, other); }});
    }
  }
  void add_dimension(std::string_view name, int models::Parallelism::* dimension) {
    add_factors(
        fmt::format("parallelism.{}", name), scenario_.parallelism.*dimension,
        [dimension](Scenario& scenario, int value) { scenario.parallelism.*dimension = value; });
  }
  void add_zero_stages() {
    for (int stage = 0; stage <= 3; ++stage) {
      if (stage == scenario_.software.zero_stage.value) continue;
      all_.push_back({fmt::format("software.zero_stage={}", stage),
                      [stage](Scenario& scenario) { scenario.software.zero_stage.value = stage; }});
    }
  }
  void add_recompute() {
    for (const Recompute recompute : {Recompute::kNone, Recompute::kSelective}) {
      if (recompute >= scenario_.software.recompute.value) continue;
      all_.push_back(
          {fmt::format("software.recompute={}", core::to_string(recompute)),
           [recompute](Scenario& scenario) { scenario.software.recompute.value = recompute; }});
    }
  }
  void add_switch(const char* name, core::Sourced<bool> models::SoftwareProfile::* is_on) {
    if ((scenario_.software.*is_on).value) return;
    all_.push_back({fmt::format("software.{}=true", name),
                    [is_on](Scenario& scenario) { (scenario.software.*is_on).value = true; }});
  }
  void add_switches() {
    using Software = models::SoftwareProfile;
    add_switch("overlap_gradient_reduce", &Software::overlap_gradient_reduce);
    add_switch("overlap_parameter_gather", &Software::overlap_parameter_gather);
    add_switch("overlap_pipeline", &Software::overlap_pipeline);
    add_switch("overlap_tensor_parallel", &Software::overlap_tensor_parallel);
    if (scenario_.parallelism.sequence_parallel) return;
    all_.push_back({"parallelism.sequence_parallel=true",
                    [](Scenario& scenario) { scenario.parallelism.sequence_parallel = true; }});
  }

  const Scenario& scenario_;
  std::vector<Change> all_;
};

}  // namespace

std::vector<Change> changes_of_job(const Scenario& scenario) { return Changes(scenario).take(); }

std::vector<Change> changes_of_nics(const Scenario& scenario) {
  const topologies::Cluster& cluster = scenario.cluster;
  const int num_nics = 2 * cluster.node.nics.count;
  if (cluster.num_nodes == 1 || num_nics > cluster.node.num_accelerators.value) return {};
  return {{fmt::format("cluster.node.nics.count={}", num_nics),
           [num_nics](Scenario& s) { s.cluster.node.nics.count = num_nics; }}};
}

}  // namespace railwright::planner
