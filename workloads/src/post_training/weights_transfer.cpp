// SPDX-License-Identifier: Apache-2.0
#include "weights_transfer.hpp"

#include <algorithm>
#include <vector>

#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/costs.hpp"
#include "railwright/workloads/post_training/post_training_scenario.hpp"

namespace railwright::simulation {

namespace {

/// Returns the replicas that hold one copy together: several where ZeRO divides parameters, all
/// where experts are spread over them.
int replicas_of_copy(const CheckedScenario& trainer) {
  const models::Layout& layout = trainer.layout;
  if (layout.ep > 1) return layout.num_replicas();
  return trainer.scenario.software.zero_stage.value == 3 ? layout.zero_group : 1;
}

/// Returns the accelerators of each copy.
std::vector<std::vector<int>> copies(const CheckedScenario& trainer) {
  const models::Layout& layout = trainer.layout;
  const int num_replicas = replicas_of_copy(trainer);
  std::vector<std::vector<int>> all;
  for (int first = 0; first < layout.num_replicas(); first += num_replicas) {
    std::vector<int>& members = all.emplace_back();
    for (int replica = first; replica < first + num_replicas; ++replica) {
      for (int stage = 0; stage < layout.pp; ++stage) {
        for (int tensor = 0; tensor < layout.tp; ++tensor) {
          members.push_back(layout.accelerator(tensor, replica, stage));
        }
      }
    }
    std::ranges::sort(members);
  }
  return all;
}

/// Counts the tensors that stacks exchange, as a Hugging Face checkpoint names them: four of
/// attention, two norms, and each expert's products one by one.
double num_tensors(const models::Transformer& model) {
  constexpr double kOfMixer = 6.0;
  constexpr double kEnds = 3.0;  // embedding, last norm, head
  const double of_block = model.gated_ffn ? 3.0 : 2.0;
  const auto counts = models::layers_by_kind(model);
  double tensors = kEnds;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;  // a model without experts has no shape of them
    const auto kind = static_cast<models::LayerKind>(i);
    double of_layer = kOfMixer;
    if (models::has_experts(kind)) {
      const models::Experts& experts = *model.experts;
      of_layer += 1.0 + of_block * (experts.count + (experts.shared_ffn_size > 0 ? 1 : 0));
    } else {
      of_layer += of_block;
    }
    tensors += counts[i] * of_layer;
  }
  return tensors;
}

/// Returns the time in which the bytes move.
core::Duration moving_time(const CheckedPostTraining& checked, const core::Fabric& fabric) {
  const CheckedScenario& trainer = checked.trainer;
  const models::Inference& inference = checked.rollout.inference;
  const std::vector<double> capacity = link_capacities(trainer.scenario, fabric);
  const double trained = models::weights_size(inference.model, core::Precision::kBf16).base();
  std::vector<models::CollectiveFlow> gathers;
  for (const std::vector<int>& copy : copies(trainer)) {
    if (copy.size() == 1) continue;
    gathers.push_back(models::Communicator(fabric, copy, trainer.scenario.software.collectives)
                          .flow(models::CollectiveOp::kAllGather, trained));
  }
  core::Duration time;
  if (!gathers.empty()) time = models::isolated_time(models::merge(gathers), trained, capacity);
  if (!checked.post_training.is_split()) return time;
  const double sent = models::weights_size(inference.model, inference.weights).base();
  std::vector<int> members{0};
  const int first = checked.post_training.whole_trainer_sends
                        ? 1
                        : static_cast<int>(trainer.scenario.num_accelerators());
  for (int rank = first; rank < fabric.num_accelerators(); ++rank) members.push_back(rank);
  const models::Communicator to_rollout(fabric, members, inference.library);
  return time + models::isolated_time(to_rollout.flow(models::CollectiveOp::kBroadcast, sent), sent,
                                      capacity);
}

}  // namespace

core::Duration weights_time(const CheckedPostTraining& checked, const core::Fabric& fabric) {
  const PostTraining& asked = checked.post_training;
  return moving_time(checked, fabric) + asked.sync_overhead +
         asked.tensor_overhead * num_tensors(checked.rollout.inference.model);
}

}  // namespace railwright::simulation
