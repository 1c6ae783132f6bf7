// SPDX-License-Identifier: Apache-2.0
#include "random_scenario.hpp"

#include <algorithm>
#include <memory>

#include "../../support/scenario.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/topologies/wirings/dual_switch.hpp"
#include "railwright/topologies/wirings/single_switch.hpp"

namespace railwright::test {

namespace {

core::Switch read_switch() {
  const core::Catalogue catalogue(simulation::catalogue_roots());
  core::Reader reader(&catalogue);
  core::Switch model;
  reader.read(catalogue.load("switches", "qm9790"), "", model);
  reader.throw_if_any();
  return model;
}

}  // namespace

std::string RandomSystem::describe() const {
  const models::Layout& layout = checked.layout;
  const simulation::Scenario& s = checked.scenario;
  const auto flag = [](const char* word, bool on) { return std::string(on ? " " : " no-") + word; };
  return models::name_of(s.workload.model) + " tp " + std::to_string(layout.tp) + " pp " +
         std::to_string(layout.pp) + " dp " + std::to_string(layout.dp) + " v " +
         std::to_string(layout.virtual_stages) + " m " + std::to_string(layout.num_microbatches) +
         " nodes " + std::to_string(s.cluster.num_nodes) + " nics " +
         std::to_string(s.cluster.node.nics.count) + " " +
         std::string(core::to_string(s.cluster.node.nics.wiring)) + " isl " +
         std::to_string(inter_switch_links) + " " + "zero " +
         std::to_string(s.software.zero_stage.value) + " " +
         std::string(core::to_string(s.software.collectives.all_reduce_algorithm.value)) +
         flag("sp", layout.sequence_parallel) +
         flag("reduce-overlap", s.software.overlap_gradient_reduce.value) +
         flag("gather-overlap", s.software.overlap_parameter_gather.value) +
         flag("pipeline-overlap", s.software.overlap_pipeline.value);
}

void RandomSystem::rebuild_topology() {
  if (inter_switch_links > 0) {
    checked.topology = std::make_shared<topologies::DualSwitch>(
        topologies::DualSwitch::Config{switch_model, inter_switch_links});
  } else {
    checked.topology =
        std::make_shared<topologies::SingleSwitch>(topologies::SingleSwitch::Config{switch_model});
  }
}

RandomScenarios::RandomScenarios(std::uint64_t seed) : random_(seed), switch_model_(read_switch()) {
  for (const char* model : {"llama-2-7b", "llama-2-70b", "gpt-3-175b"}) {
    bases_.push_back(scenario({std::string("workload.model=") + model}));
    bases_.back().scenario.cluster.storage.reset();
  }
}

template <class T>
T RandomScenarios::one_of(std::initializer_list<T> choices) {
  return choices.begin()[random_.below(choices.size())];
}

void RandomScenarios::draw_workload(models::Training& workload) {
  if (chance(0.4)) {  // a small model of any proportions
    auto& model = std::get<models::Transformer>(workload.model);
    model.num_layers = one_of({4, 8, 16, 24});
    model.hidden_size = one_of({256, 1024, 2048});
    model.num_heads = 16;
    model.num_kv_heads = one_of({2, 4, 16});
    model.ffn_size = model.hidden_size * one_of({2, 4});
    model.gated_ffn = chance(0.5);
    model.vocabulary_size = one_of({256, 32000, 256000});
    model.tied_embeddings = chance(0.5);
  }
  workload.sequence_length = one_of({512, 2048, 4096});
  workload.micro_batch = one_of({1, 1, 2, 4});
}

void RandomScenarios::draw_software(models::SoftwareProfile& software) {
  software.zero_stage.value = one_of({0, 1});
  software.collectives.all_reduce_algorithm.value =
      one_of({models::CollectiveAlgorithm("ring"), models::CollectiveAlgorithm("tree")});
  software.bucket.value = core::DataSize::from_base(one_of({25e6, 125e6, 1e9}));
  software.overlap_gradient_reduce.value = chance(0.5);
  software.overlap_parameter_gather.value = chance(0.5);
  software.overlap_pipeline.value = chance(0.5);
  software.recompute.value =
      one_of({models::Recompute::kNone, models::Recompute::kSelective, models::Recompute::kFull});
}

void RandomScenarios::draw_cluster(RandomSystem& system) {
  simulation::Scenario& scenario = system.checked.scenario;
  scenario.cluster.num_nodes = one_of({1, 2, 2, 3, 4, 6});
  scenario.cluster.node.nics.count = 1 + static_cast<int>(random_.below(16));
  scenario.cluster.node.nics.wiring =
      one_of({core::NicWiring::kShared, core::NicWiring::kAlternate});
  core::Accelerator& device = scenario.cluster.node.accelerator;
  device.bf16_rate.value *= one_of({0.01, 0.3, 1.0, 3.0});
  device.memory_bandwidth.value *= one_of({0.01, 0.3, 1.0});
  device.scale_up_bandwidth.value *= one_of({0.1, 1.0});
  scenario.installation.compute_efficiency.value = one_of({0.5, 1.0});
  scenario.installation.nic_efficiency.value = one_of({0.1, 0.4, 1.0});
  system.switch_model = switch_model_;
  system.inter_switch_links = chance(0.5) ? 1 + static_cast<int>(random_.below(16)) : 0;
  system.rebuild_topology();
}

RandomSystem RandomScenarios::next() {
  for (;;) {
    RandomSystem system{bases_[random_.below(bases_.size())], {}, 0};
    simulation::Scenario& scenario = system.checked.scenario;
    draw_workload(scenario.workload);
    draw_software(scenario.software);
    draw_cluster(system);
    models::Parallelism& parallelism = scenario.parallelism;
    parallelism.tp = one_of({1, 2, 4, 8, 16});
    parallelism.pp = one_of({1, 1, 2, 4, 8});
    parallelism.virtual_stages = parallelism.pp > 1 ? one_of({1, 1, 2, 4}) : 1;
    parallelism.sequence_parallel = chance(0.5);
    const int accelerators = scenario.num_accelerators();
    const int model_parallel = parallelism.tp * parallelism.pp;
    if (accelerators % model_parallel != 0) continue;
    scenario.workload.global_batch = accelerators / model_parallel * scenario.workload.micro_batch *
                                     parallelism.pp * one_of({1, 2, 4});
    if (models::make_layout(scenario.workload, parallelism, accelerators, system.checked.layout)
            .empty()) {
      return system;
    }
  }
}

namespace {

/// Draws a factor that takes something away.
double less(core::RandomStream& random) { return 0.05 + 0.94 * random.uniform(); }

}  // namespace

const std::vector<Worsening>& worsenings() {
  using System = RandomSystem;
  using Random = core::RandomStream;
  static const std::vector<Worsening> kAll{
      {"NICs",
       [](System& s, Random& random) {
         int& count = s.checked.scenario.cluster.node.nics.count;
         count = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(count)));
       }},
      {"NIC line rate",
       [](System& s, Random& r) {
         s.checked.scenario.cluster.node.nics.nic.line_rate.value *= less(r);
       }},
      {"NIC efficiency",
       [](System& s, Random& r) {
         s.checked.scenario.installation.nic_efficiency.value *= less(r);
       }},
      {"NVLink bandwidth",
       [](System& s, Random& r) {
         s.checked.scenario.cluster.node.accelerator.scale_up_bandwidth.value *= less(r);
       }},
      {"memory bandwidth",
       [](System& s, Random& r) {
         s.checked.scenario.cluster.node.accelerator.memory_bandwidth.value *= less(r);
       }},
      {"GPU speed",
       [](System& s, Random& r) {
         s.checked.scenario.cluster.node.accelerator.bf16_rate.value *= less(r);
       }},
      {"attention efficiency",
       [](System& s, Random& r) {
         s.checked.scenario.cluster.node.accelerator.attention_efficiency.value *= less(r);
       }},
      {"compute efficiency",
       [](System& s, Random& r) {
         s.checked.scenario.installation.compute_efficiency.value *= less(r);
       }},
      {"PCIe bandwidth",
       [](System& s, Random& r) {
         s.checked.scenario.cluster.node.accelerator.pcie_bandwidth.value *= less(r);
       }},
      {"host bandwidth",
       [](System& s, Random& r) {
         s.checked.scenario.cluster.node.host_bandwidth.value *= less(r);
       }},
      {"inter-switch links",
       [](System& s, Random& r) {
         if (s.inter_switch_links == 0) return;
         s.inter_switch_links =
             1 + static_cast<int>(r.below(static_cast<std::uint64_t>(s.inter_switch_links)));
         s.rebuild_topology();
       }},
      {"switch ports",
       [](System& s, Random& r) {
         s.switch_model.port_rate.value *= less(r);
         s.rebuild_topology();
       }},
  };
  return kAll;
}

}  // namespace railwright::test
