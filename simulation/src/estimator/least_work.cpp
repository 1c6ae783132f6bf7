// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/estimator/least_work.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <mutex>
#include <utility>

#include "../step/layer_passes.hpp"
#include "estimator_tables.hpp"
#include "key.hpp"
#include "railwright/simulation/estimator/knobs.hpp"

namespace railwright::simulation {

namespace {

core::Duration of_layers(const Scenario& scenario, const models::Layout& layout) {
  const models::ComputeModel compute(scenario.running_accelerator(), scenario.workload, layout,
                                     scenario.software, compute_efficiency(scenario));
  const LayerPasses passes = layer_passes(scenario, layout, compute);
  core::Duration work;
  const auto add = [&](const LayerPasses::PerPass& both, double count) {
    for (const LayerPass* pass : {&both.forward, &both.backward}) {
      work += (pass->compute.total() - pass->compute.host_wait) * count;
    }
  };
  const auto counts = models::layers_by_kind(models::transformer_of(scenario.workload));
  for (std::size_t kind = 0; kind < models::kNumLayerKinds; ++kind) {
    if (counts[kind] > 0) add(passes.layers[kind], counts[kind]);
  }
  add(passes.embedding, 1.0);
  add(passes.mtp, 1.0);
  add(passes.head, 1.0);
  return work;
}

/// Returns the configuration with a batch that every layout divides.
Configuration with_any_batch(Configuration c, int num_accelerators) {
  const std::int64_t dp = std::max(1, num_accelerators / ranks_of_replica(c));
  c.global_batch = dp * c.micro_batch * c.pp;
  c.schedule = {};
  return c;
}

/// Returns the number of the table for so many nodes.
std::size_t table_of(int num_nodes) {
  return static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(num_nodes)) - 1);
}

}  // namespace

LeastWork::LeastWork(CheckedScenario base)
    : base_(std::move(base)), is_covered_(is_in_tables(base_.scenario)) {}

/// Takes one of the copies, or makes one, and gives it back.
class LeastWork::Scratch {
 public:
  explicit Scratch(const LeastWork& of) : of_(of) {
    {
      const std::scoped_lock lock(of.mutex_);
      if (!of.copies_.empty()) {
        copy_ = std::move(of.copies_.back());
        of.copies_.pop_back();
      }
    }
    if (!copy_) copy_ = std::make_unique<CheckedScenario>(of.base_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    const std::scoped_lock lock(of_.mutex_);
    of_.copies_.push_back(std::move(copy_));
  }

  /// Returns the copy with this configuration on so many nodes; the layout is left as it is.
  CheckedScenario& with(const Configuration& c, int num_nodes) {
    Scenario& scenario = copy_->scenario;
    for_each_knob([&](const auto& knob) { knob.copy(c, scenario); });
    scenario.cluster.num_nodes = num_nodes;
    return *copy_;
  }

 private:
  const LeastWork& of_;
  std::unique_ptr<CheckedScenario> copy_;
};

bool LeastWork::divides(const Configuration& c, int num_nodes) const {
  if (!is_covered_) return true;
  const int accelerators = num_nodes * base_.scenario.cluster.node.num_accelerators.value;
  Configuration plain = with_any_batch(c, accelerators);
  plain.virtual_stages = 1;
  Scratch scratch(*this);
  const Scenario& scenario = scratch.with(plain, num_nodes).scenario;
  models::Layout layout;
  return models::make_layout(scenario.workload, scenario.parallelism, accelerators, layout).empty();
}

bool LeastWork::may_divide(const Configuration& alone, int num_nodes) const {
  Configuration c = alone;
  for (const bool sequence_parallel : {false, true}) {
    c.sequence_parallel = sequence_parallel;
    for (const int etp : {1, alone.tp}) {
      c.etp = etp;
      if (divides(c, num_nodes)) return true;
    }
  }
  return false;
}

core::Duration LeastWork::time_per_sample(const Configuration& c, int num_nodes) {
  return is_bounded(c) ? per_sample(of_microbatch(c, num_nodes), c, num_nodes) : core::Duration();
}

core::Duration LeastWork::known_time_per_sample(const Configuration& c, int num_nodes) const {
  if (!is_bounded(c)) return {};
  const core::Duration* known =
      of_microbatch_[table_of(num_nodes)].find(key_of<&InKeys::layers>(c, false));
  return known == nullptr ? core::Duration() : per_sample(*known, c, num_nodes);
}

bool LeastWork::is_bounded(const Configuration& c) const {
  return is_covered_ && c.schedule->num_warmup_passes != nullptr && c.schedule->num_directions == 1;
}

core::Duration LeastWork::per_sample(core::Duration of_microbatch, const Configuration& c,
                                     int num_nodes) const {
  // Sums in another order than the estimator's may differ by their rounding.
  constexpr double kRounding = 1e-9;
  const int accelerators = num_nodes * base_.scenario.cluster.node.num_accelerators.value;
  const double at_once = static_cast<double>(accelerators / ranks_of_replica(c)) * c.micro_batch;
  return of_microbatch * ((1.0 - kRounding) / (at_once * c.pp));
}

const core::Duration& LeastWork::of_microbatch(const Configuration& c, int num_nodes) {
  const std::uint64_t key = key_of<&InKeys::layers>(c, false);
  core::SharedTable<core::Duration>& table = of_microbatch_[table_of(num_nodes)];
  if (const core::Duration* known = table.find(key)) return *known;
  table.put(key, [&] {
    const int accelerators = num_nodes * base_.scenario.cluster.node.num_accelerators.value;
    Scratch scratch(*this);
    CheckedScenario& checked = scratch.with(with_any_batch(c, accelerators), num_nodes);
    checked.layout = base_.layout;  // where the numbers do not divide
    models::make_layout(checked.scenario.workload, checked.scenario.parallelism, accelerators,
                        checked.layout);
    checked.scenario.cluster.num_nodes =
        static_cast<int>(std::bit_floor(static_cast<unsigned>(num_nodes)));
    return std::make_unique<core::Duration>(of_layers(checked.scenario, checked.layout));
  });
  return *table.find(key);
}

}  // namespace railwright::simulation
