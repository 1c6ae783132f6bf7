// SPDX-License-Identifier: Apache-2.0
#include "configurations.hpp"

#include <initializer_list>

namespace railwright::test {

namespace {

template <class T>
T one_of(core::RandomStream& random, std::initializer_list<T> choices) {
  return choices.begin()[random.below(choices.size())];
}

}  // namespace

std::vector<Job> jobs() {
  const Settings rails{"cluster.fabric={topology: rail_optimized, switch: qm9790}"};
  const Settings tree{"cluster.fabric={topology: leaf_spine, switch: qm9790}"};
  const Settings small{"workload.sequence_length=2048"};
  const auto nodes = [](int n) { return Settings{"cluster.nodes=" + std::to_string(n)}; };
  const auto model = [](const std::string& name) { return Settings{"workload.model=" + name}; };
  std::vector<Job> jobs;
  const auto add = [&](const std::string& name, const Settings& settings) {
    jobs.push_back({name, scenario(join({"workload.global_batch=768"}, settings))});
  };
  add("7B on 2 nodes", overlaps(false));
  add("7B on 4 nodes, overlaps", join(nodes(4), overlaps(true)));
  add("8B on 2 nodes of 4 NICs",
      join({"workload.model=llama-3.1-8b", "cluster.node.nics.count=4"}, overlaps(false)));
  add("70B on 8 nodes", join(model("llama-3.1-70b"), join(nodes(8), overlaps(false))));
  add("70B on 4 nodes, overlaps", join(model("llama-2-70b"), join(nodes(4), overlaps(true))));
  add("70B on rails", join(model("llama-3.1-70b"), join(nodes(4), join(rails, overlaps(false)))));
  add("13B on leaves", join(model("llama-2-13b"), join(nodes(4), join(tree, overlaps(false)))));
  add("13B, tensor-parallel calls along with products",
      join(model("llama-2-13b"),
           join({"software.overlap_tensor_parallel=true", "software.overlap_slowdown=1.2"},
                overlaps(false))));
  add("8x7B", join(model("mixtral-8x7b"), join(nodes(4), join(small, overlaps(false)))));
  add("8x7B, overlaps", join(model("mixtral-8x7b"), join(nodes(2), join(small, overlaps(true)))));
  add("embedding and loss as layers",
      join({"parallelism.embedding_as_layer=true", "parallelism.loss_as_layer=true",
            "workload.model={name: test, description: d, source: s, num_layers: 30, hidden_size: "
            "4096, num_heads: 32, num_kv_heads: 8, ffn_size: 14336, vocabulary_size: 128256}"},
           overlaps(false)));
  add("8x7B with multi-token prediction and DeepEP",
      join({"workload.model={model: mixtral-8x7b, mtp_layers: 1}",
            "software.expert_dispatcher=deepep", "software.fp8_scaling=block",
            "software.precision=fp8", "software.fused_permutation=false"},
           join(nodes(4), join(small, overlaps(false)))));
  add("8x7B with multi-token prediction under Muon",
      join({"workload.model={model: mixtral-8x7b, mtp_layers: 1}", "software.optimizer=muon"},
           join(nodes(4), join(small, overlaps(false)))));
  add("8x7B whose exchanges are hidden, experts one by one",
      join({"workload.model=mixtral-8x7b", "software.overlap_expert_parallel=true",
            "software.expert_kernels=separate", "software.host_launch=20 us"},
           join(nodes(4), join(small, overlaps(false)))));
  add("7B with fp32 shards and a part of tensor-parallel calls along with products",
      join({"software.fp32_shards=true", "software.fused_loss=true",
            "software.gradient_accumulation_fusion=false", "software.overlap_tensor_parallel=true",
            "software.tensor_parallel_overlap_share=0.6"},
           overlaps(false)));
  add("LoRA", join({"workload.lora={rank: 16, targets: all}"}, overlaps(false)));
  add("shares gathered on arrival", join({"software.scatter_pipeline=true"}, overlaps(false)));
  add("a slow node",
      join({"cluster.faults={nodes_slow: [{node: 1, speed: 0.8}]}"}, overlaps(false)));
  add("70B in fp8 whose buckets grow with replicas",
      join(model("llama-3.1-70b"),
           join(join(nodes(8), {"software.precision=fp8", "software.model_gradients=true",
                                "software.bucket_replica_parameters=20000000"}),
                overlaps(true))));
  return jobs;
}

simulation::Configuration draw_configuration(const simulation::CheckedScenario& base,
                                             core::RandomStream& random) {
  simulation::Configuration c;
  const auto& model = models::transformer_of(base.scenario.workload);
  c.tp = one_of(random, {1, 2, 4, 8, 16});
  c.cp = one_of(random, {1, 1, 1, 2, 4});
  c.pp = one_of(random, {1, 1, 2, 4, 8, 3});
  c.virtual_stages = c.pp == 1 ? 1 : one_of(random, {1, 1, 2, 4, 5});
  c.micro_batch = one_of(random, {1, 1, 2, 4});
  c.sequence_parallel = random.uniform() < 0.5;
  if (model.experts) {
    c.ep = one_of(random, {1, 2, 4, 8});
    c.etp = random.uniform() < 0.5 ? 1 : c.tp;
  }
  c.zero_stage = one_of(random, {0, 1, 1, 2, 3});
  c.recompute =
      one_of(random, {models::Recompute::kNone, models::Recompute::kSelective,
                      models::Recompute::kFull, models::Recompute::kActivationFunction,
                      models::Recompute::kElementwise, models::Recompute::kFeedForward,
                      models::Recompute::kAllButQkv, models::Recompute::kAlternateProducts});
  c.schedule = one_of(
      random, {models::Schedule("1f1b"), models::Schedule("1f1b"), models::Schedule("gpipe")});
  c.global_batch = one_of(random, {32, 64, 96, 128, 256});
  return c;
}

std::string to_text(const simulation::Configuration& c) {
  const auto part = [](const char* word, std::int64_t n) {
    return " " + std::string(word) + " " + std::to_string(n);
  };
  return part("tp", c.tp) + part("cp", c.cp) + part("ep", c.ep) + part("etp", c.etp) +
         part("pp", c.pp) + part("v", c.virtual_stages) + part("micro-batch", c.micro_batch) +
         part("batch", c.global_batch) + part("zero", c.zero_stage) +
         part("recompute", static_cast<int>(c.recompute)) +
         part("schedule", static_cast<int>(c.schedule.row())) +
         part("sp", c.sequence_parallel ? 1 : 0);
}

}  // namespace railwright::test
