// SPDX-License-Identifier: Apache-2.0
// A scenario of post-training: what is written, and what becomes of it when it is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/models/inference/request_load.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::simulation {

/// Samples of a step of post-training, and the order of rollout and trainer.
struct PostTraining {
  int prompts = 0;
  int samples_per_prompt = 1;
  double prompt_spread = 0.0;
  double output_spread = 0.0;
  std::optional<int> max_output_tokens;
  int seed = 1;
  std::optional<int> rollout_nodes;
  int max_staleness = 0;
  int epochs = 1;
  bool recompute_log_probs = true;
  bool reference_model = false;
  core::Duration reward;
  core::Duration sync_overhead;
  /// An estimate: calls of Python and launches to gather, name, send and place one tensor.
  core::Duration tensor_overhead = core::Duration::from_base(0.25e-3);
  bool whole_trainer_sends = false;
  bool offload_trainer = false;
  /// An estimate: copies to and from memory that is not pinned.
  core::Bandwidth offload_rate = core::Bandwidth::from_base(6e9);

  /// Whether rollout and trainer have nodes of their own.
  [[nodiscard]] bool is_split() const { return rollout_nodes.has_value(); }
  /// Whether the trainer learns while the next samples are generated.
  [[nodiscard]] bool is_asynchronous() const { return is_split() && max_staleness > 0; }
  /// Batches of samples that are under way in the rollout.
  [[nodiscard]] int batches_under_way() const { return max_staleness > 1 ? max_staleness : 1; }
  [[nodiscard]] std::int64_t samples() const { return std::int64_t{prompts} * samples_per_prompt; }

  static constexpr auto fields();
};

/// A scenario with `post_training`, the trainer in `workload` and the rollout in `inference`.
struct PostTrainingScenario {
  std::string name;
  PostTraining post_training;
  models::Training workload;
  models::Parallelism parallelism;
  models::SoftwareProfile software;
  models::Installation installation;
  models::Inference inference;
  topologies::Cluster cluster;
  models::PowerPlan power;
  std::optional<SweepSpace> sweep;

  static constexpr auto fields();
};

struct CheckedPostTraining {
  PostTraining post_training;
  CheckedCluster cluster;
  CheckedScenario trainer;               ///< on the first nodes
  CheckedInference rollout;              ///< on a cluster of its nodes alone
  std::vector<models::Request> samples;  ///< of all batches that are under way together
};

/// Draws the samples of all batches that are under way together; those of a group have one prompt.
std::vector<models::Request> draw_samples(const PostTraining& post_training,
                                          const models::Inference& inference);

/// Reads a scenario of post-training. Throws ConfigError with every problem.
CheckedPostTraining read_post_training(const core::Node& tree, const core::Catalogue& catalogue);

/// Returns the scenario with every key that read_post_training() finds for it. Throws ConfigError
/// with every problem.
core::Node complete_post_training(const core::Node& tree, const core::Catalogue& catalogue);

}  // namespace railwright::simulation
