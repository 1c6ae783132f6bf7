// SPDX-License-Identifier: Apache-2.0
// Reads post-training: trainer and rollout are each checked as a scenario of their own, on their
// part of the cluster.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../jobs/placed_jobs.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/report.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/post_training/post_training.hpp"
#include "railwright/workloads/post_training/post_training_scenario.hpp"
#include "railwright/workloads/post_training/post_training_scenario_fields.hpp"

namespace railwright::simulation {

namespace {

constexpr std::int64_t kMaxRolloutSamples = 10'000'000;

/// Keys of `inference` that the rollout has no use for: its samples come all at once, and nobody
/// waits for the first token of one.
constexpr auto kIdleInferenceKeys = std::to_array<std::string_view>(
    {"load", "requests_per_s", "tokens_per_s", "time_to_first_token", "time_per_output_token",
     "redundant_nodes", "disaggregated", "offload", "prefix_on_storage", "prefix_on_host",
     "prefix_cache", "others_read", "others_write", "start_up"});

using core::Report;

/// Reports what leaves no nodes to one part, or no time to simulate the other.
void check_size(const PostTrainingScenario& scenario, const Report& report) {
  const PostTraining& asked = scenario.post_training;
  const int num_nodes = scenario.cluster.num_nodes;
  if (asked.is_split() && *asked.rollout_nodes >= num_nodes) {
    report("post_training.rollout_nodes",
           fmt::format("{} of {} nodes leave none to train", *asked.rollout_nodes, num_nodes));
  }
  const std::int64_t samples = asked.samples() * asked.batches_under_way();
  if (samples > kMaxRolloutSamples) {
    report("post_training.prompts",
           fmt::format("{} samples under way are more than the {} that can be simulated", samples,
                       kMaxRolloutSamples));
  }
}

void check_order(const PostTraining& asked, const Report& report) {
  if (!asked.is_split() && asked.max_staleness > 0) {
    report("post_training.max_staleness",
           "needs rollout_nodes: the same nodes cannot generate and train at a time");
  }
  if (!asked.is_split() && asked.whole_trainer_sends) {
    report("post_training.whole_trainer_sends", "has no effect without rollout_nodes");
  }
  if (asked.is_split() && asked.offload_trainer) {
    report("post_training.offload_trainer",
           "has no effect with rollout_nodes: the trainer keeps its accelerators");
  }
}

void check_batch(const PostTrainingScenario& scenario, const Report& report) {
  const PostTraining& asked = scenario.post_training;
  const std::int64_t samples = asked.samples();
  const std::int64_t batch = scenario.workload.global_batch;
  if (samples % batch != 0) {
    report("workload.global_batch",
           fmt::format("{} samples of a step are no whole number of optimizer steps of {}", samples,
                       batch));
  }
  if (asked.max_output_tokens && *asked.max_output_tokens < scenario.inference.output_tokens) {
    report("post_training.max_output_tokens",
           fmt::format("less than the mean, inference.output_tokens {}",
                       scenario.inference.output_tokens));
  }
}

/// Checks that the nodes that generate hold a replica.
void check_replicas(const PostTrainingScenario& scenario, const Report& report) {
  if (scenario.inference.pp > 1) {
    report("inference.pp", "replicas of a rollout have no stages");
  }
  const int in_node = scenario.cluster.node.num_accelerators.value;
  const int num_nodes = scenario.post_training.rollout_nodes.value_or(scenario.cluster.num_nodes);
  const std::int64_t size = scenario.inference.tp.value_or(1);
  if (size > static_cast<std::int64_t>(num_nodes) * in_node) {
    report("inference.tp", fmt::format("a replica of {} accelerators is more than the {} nodes of "
                                       "{} that generate",
                                       size, num_nodes, in_node));
  }
}

void check_models(const PostTrainingScenario& scenario, const Report& report) {
  const auto* trained = std::get_if<models::Transformer>(&scenario.workload.model);
  if (trained == nullptr) {
    report("workload.model", "generates no tokens: post-training requires a language model");
  } else if (trained->name != scenario.inference.model.name) {
    report("inference.model",
           fmt::format("the rollout generates with the model that is trained: {}, got {}",
                       trained->name, scenario.inference.model.name));
  }
  if (scenario.cluster.storage) {
    report("cluster.storage", "has no effect: a step reads no samples and writes no checkpoints");
  }
  for (const std::string_view key : kIdleInferenceKeys) {
    const std::string path = core::join_path("inference", key);
    if (report.find(path) == nullptr) continue;
    report(path,
           "has no effect: the samples of a step come all at once, and the step waits for the last",
           key == "load" ? "post_training has prompt_spread, output_spread and seed" : "");
  }
}

/// Returns the tokens of a trained sequence: the mean of the samples, up to what the ranks that
/// divide a sequence can share.
int mean_length(const PostTrainingScenario& scenario, std::span<const models::Request> samples) {
  double tokens = 0.0;
  for (const models::Request& sample : samples) {
    tokens += static_cast<double>(sample.prompt_tokens) + sample.output_tokens;
  }
  const models::Parallelism& parallelism = scenario.parallelism;
  const double shares = 2.0 * parallelism.tp * parallelism.cp;
  const double mean = tokens / static_cast<double>(samples.size());
  return static_cast<int>(std::llround(std::ceil(mean / shares) * shares));
}

/// Draws the samples, and sets the length of trained sequences where none is given.
std::vector<models::Request> draw(PostTrainingScenario& scenario, const Report& report) {
  std::vector<models::Request> samples = draw_samples(scenario.post_training, scenario.inference);
  const int mean = mean_length(scenario, samples);
  int& length = scenario.workload.sequence_length;
  if (length > 0 && length < mean) {
    report("workload.sequence_length", fmt::format("less than the mean sample of {} tokens", mean));
  }
  if (length == 0) length = mean;
  return samples;
}

core::Node number_node(int number, const core::Location& where) {
  core::Node node = core::to_node(number);
  node.where = where;
  return node;
}

/// Returns the sections `names` of the scenario, with so many nodes of a cluster without faults;
/// these name devices of the whole cluster, which read_cluster() checks.
core::Node part_of(const core::Node& tree, std::span<const std::string_view> names, int num_nodes) {
  core::Node part = tree;
  std::erase_if(part.entries, [&](const core::Entry& entry) {
    return std::ranges::find(names, entry.key) == names.end();
  });
  for (core::Entry& entry : part.entries) {
    if (entry.key != "cluster") continue;
    std::erase_if(entry.value.entries, [](const core::Entry& key) { return key.key == "faults"; });
    for (core::Entry& key : entry.value.entries) {
      if (key.key == "nodes") key.value = number_node(num_nodes, key.value.where);
    }
  }
  return part;
}

core::Node trainer_of(const core::Node& tree, const PostTrainingScenario& scenario) {
  static constexpr auto kSections = std::to_array<std::string_view>(
      {"name", "workload", "parallelism", "software", "installation", "cluster", "power"});
  const int num_nodes =
      scenario.cluster.num_nodes - scenario.post_training.rollout_nodes.value_or(0);
  core::Node trainer = part_of(tree, kSections, num_nodes);
  for (core::Entry& entry : trainer.entries) {
    if (entry.key != "workload") continue;
    const core::Node* given = entry.value.find("sequence_length");
    const core::Location where = given == nullptr ? entry.value.where : given->where;
    std::erase_if(entry.value.entries,
                  [](const core::Entry& key) { return key.key == "sequence_length"; });
    core::Entry& length = entry.value.entries.emplace_back();
    length.key = "sequence_length";
    length.value = number_node(scenario.workload.sequence_length, where);
  }
  return trainer;
}

core::Node rollout_of(const core::Node& tree, const PostTrainingScenario& scenario) {
  static constexpr auto kSections =
      std::to_array<std::string_view>({"name", "inference", "cluster", "power"});
  core::Node rollout = part_of(
      tree, kSections, scenario.post_training.rollout_nodes.value_or(scenario.cluster.num_nodes));
  for (core::Entry& entry : rollout.entries) {
    if (entry.key != "inference") continue;
    std::erase_if(entry.value.entries, [](const core::Entry& key) {
      return std::ranges::find(kIdleInferenceKeys, key.key) != kIdleInferenceKeys.end();
    });
  }
  return rollout;
}

/// Reads a part of the scenario; reports its problems, but for those that are known: every part has
/// the same cluster.
template <class Read>
auto read_part(core::Reader& reader, const Read& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const core::ConfigError& error) {
    for (const core::Diagnostic& problem : error.diagnostics()) {
      const bool is_known =
          std::ranges::any_of(reader.diagnostics(), [&](const core::Diagnostic& one) {
            return one.path == problem.path && one.message == problem.message;
          });
      if (!is_known) reader.report(problem.where, problem.path, problem.message, problem.hint);
    }
    return std::nullopt;
  }
}

/// A scenario as it was written, and its parts.
struct ReadPostTraining {
  PostTrainingScenario scenario;
  CheckedPostTraining checked;
};

ReadPostTraining read_parts(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  PostTrainingScenario scenario;
  reader.read(tree, "", scenario);
  reader.throw_if_any();
  const Report report(tree, reader);
  check_order(scenario.post_training, report);
  check_batch(scenario, report);
  check_models(scenario, report);
  check_replicas(scenario, report);
  const std::size_t before = reader.diagnostics().size();
  check_size(scenario, report);
  if (reader.diagnostics().size() > before) reader.throw_if_any();  // there are no parts to read
  std::vector<models::Request> samples = draw(scenario, report);
  auto cluster = read_part(reader, [&] { return read_cluster(tree, catalogue); });
  auto trainer =
      read_part(reader, [&] { return read_scenario(trainer_of(tree, scenario), catalogue); });
  auto rollout =
      read_part(reader, [&] { return read_inference(rollout_of(tree, scenario), catalogue); });
  reader.throw_if_any();
  CheckedJobs jobs{
      .name = {},
      .pools = {{.name = {}, .cluster = cluster->cluster, .topology = cluster->topology}},
      .jobs = {},
      .run = {},
      .power = {}};
  jobs.jobs.push_back({.checked = std::move(*trainer), .start = {}});
  CheckedPostTraining checked{.post_training = scenario.post_training,
                              .cluster = std::move(*cluster),
                              .trainer = scenario_in_place(jobs, {}),
                              .rollout = std::move(*rollout),
                              .samples = std::move(samples)};
  return {.scenario = std::move(scenario), .checked = std::move(checked)};
}

/// Returns the mean of a lognormal distribution whose mean is `mean` when what is longer than
/// `most` ends there. The mean of the shorter of both grows with that of the distribution.
double mean_before_cut(double mean, double spread, double most) {
  if (spread <= 0.0) return mean;
  constexpr double kMostCut = 1e3;  // nearly all answers end at `most`
  const double sigma = std::sqrt(std::log1p(spread * spread));
  const auto below = [](double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); };
  const auto mean_when_cut = [&](double uncut) {
    const double z = (std::log(most / uncut) + 0.5 * sigma * sigma) / sigma;
    return uncut * below(z - sigma) + most * (1.0 - below(z));
  };
  double low = mean;
  double high = mean * kMostCut;
  while (high / low > 1.0 + 1e-9) {
    const double middle = std::sqrt(low * high);
    (mean_when_cut(middle) < mean ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::vector<models::Request> draw_samples(const PostTraining& post_training,
                                          const models::Inference& inference) {
  const models::RequestLoad load{
      .requests = static_cast<int>(post_training.samples() * post_training.batches_under_way()),
      .arrivals = models::Arrivals::kAtOnce,
      .prompt_spread = post_training.prompt_spread,
      .output_spread = post_training.output_spread,
      .seed = post_training.seed};
  const double mean = inference.output_tokens;
  const double output_tokens =
      post_training.max_output_tokens
          ? mean_before_cut(mean, post_training.output_spread, *post_training.max_output_tokens)
          : mean;
  std::vector<models::Request> samples =
      models::draw_requests(load, 0.0, inference.prompt_tokens, output_tokens);
  const auto group = static_cast<std::size_t>(post_training.samples_per_prompt);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i].prompt_tokens = samples[i - i % group].prompt_tokens;
    if (!post_training.max_output_tokens) continue;
    samples[i].output_tokens =
        std::min<std::int32_t>(samples[i].output_tokens, *post_training.max_output_tokens);
  }
  return samples;
}

CheckedPostTraining read_post_training(const core::Node& tree, const core::Catalogue& catalogue) {
  return read_parts(tree, catalogue).checked;
}

core::Node complete_post_training(const core::Node& tree, const core::Catalogue& catalogue) {
  auto [scenario, checked] = read_parts(tree, catalogue);
  scenario.workload = checked.trainer.scenario.workload;
  scenario.parallelism = checked.trainer.scenario.parallelism;
  scenario.software = checked.trainer.scenario.software;
  scenario.installation = checked.trainer.scenario.installation;
  scenario.inference = checked.rollout.inference;
  return core::to_node(scenario);
}

}  // namespace railwright::simulation
