// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/read_scenario.hpp"

#include <fmt/format.h>

#include <utility>

#include "group_checks.hpp"
#include "link_checks.hpp"
#include "power_checks.hpp"
#include "railwright/core/config/include.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/simulation/scenario/device_checks.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/topologies/assembly/apply_faults.hpp"
#include "railwright/topologies/assembly/nic_plan.hpp"
#include "railwright/topologies/wirings/create_topology.hpp"
#include "recipe_settings.hpp"
#include "step_traits.hpp"
#include "storage_checks.hpp"

namespace railwright::simulation {

namespace {

constexpr std::int64_t kMaxAccelerators = 1'000'000;

/// Returns the entry of a mapping by its key, or of a list by its index; null if there is none.
const core::Node* child_of(const core::Node& node, std::string_view key) {
  if (node.is_mapping()) return node.find(key);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (std::to_string(i) == key) return &node.items[i];
  }
  return nullptr;
}

/// Returns the place of the deepest key of `path` that exists.
core::Location place_of(const core::Node& tree, std::string_view path) {
  const core::Node* node = &tree;
  core::Location where = tree.where;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    node = child_of(*node, path.substr(0, dot));
    if (node == nullptr) break;
    where = node->where;
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  }
  return where;
}

void check_node(const core::Node& tree, const topologies::Cluster& cluster, core::Reader& reader) {
  const core::ComputeNode& node = cluster.node;
  const int cards = node.nics.count + node.front_end.count;
  if (cards > node.nic_slots.value) {
    reader.report(
        place_of(tree, "cluster.node.nics.count"), "cluster.node.nics.count",
        fmt::format("{} scale-out and {} front-end NICs do not fit the {} slots of {}",
                    node.nics.count, node.front_end.count, node.nic_slots.value, node.name));
  }
  for (const topologies::NodeProblem& problem : topologies::find_problems(node)) {
    const std::string key = "cluster.node." + problem.key;
    reader.report(place_of(tree, key), key, problem.message);
  }
  const std::int64_t accelerators =
      static_cast<std::int64_t>(cluster.num_nodes) * node.num_accelerators.value;
  if (accelerators > kMaxAccelerators) {
    reader.report(place_of(tree, "cluster.nodes"), "cluster.nodes",
                  fmt::format("{} nodes of {} accelerators are more than the {} that can be "
                              "simulated",
                              cluster.num_nodes, node.num_accelerators.value, kMaxAccelerators));
  }
  for (models::LayoutProblem& problem : idle_keys(tree)) {
    reader.report(place_of(tree, problem.key), problem.key, std::move(problem.message));
  }
  const int places = cluster.placement.of_nodes;
  if (places != 0 && places < cluster.num_nodes) {
    reader.report(
        place_of(tree, "cluster.placement.of_nodes"), "cluster.placement.of_nodes",
        fmt::format("the job alone has {} nodes, the fabric {}", cluster.num_nodes, places));
  }
  for (std::size_t i = 0; i < cluster.faults.nodes_slow.size(); ++i) {
    const topologies::SlowNode& slow = cluster.faults.nodes_slow[i];
    const std::string key = fmt::format("cluster.faults.nodes_slow[{}]", i);
    const core::Location where = place_of(tree, "cluster.faults.nodes_slow");
    if (slow.node >= cluster.num_nodes) {
      reader.report(where, key + ".node",
                    fmt::format("the cluster has nodes 0 to {}, no node {}", cluster.num_nodes - 1,
                                slow.node));
    }
    if (slow.speed <= 0.0) {
      reader.report(where, key + ".speed", "must be greater than 0");
    }
  }
  for (core::Diagnostic& problem : storage_problems(tree, cluster)) {
    reader.report(place_of(tree, problem.path), problem.path, std::move(problem.message),
                  std::move(problem.hint));
  }
}

void check_precision(const core::Node& tree, const Scenario& scenario, core::Reader& reader) {
  const core::Accelerator& accelerator = scenario.cluster.node.accelerator;
  const core::Precision precision = scenario.software.precision.value;
  if (accelerator.peak_rate(precision)) return;
  std::string known;
  for (const auto& [name, value] : core::EnumNames<core::Precision>::kNames) {
    if (accelerator.peak_rate(value)) known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  }
  reader.report(place_of(tree, "software.precision"), "software.precision",
                fmt::format("{} does not multiply {}, only {}", accelerator.name,
                            core::to_string(precision), known));
}

/// Checks parameters trained beside frozen weights, and state outside the accelerators.
void check_training(const core::Node& tree, const Scenario& scenario, core::Reader& reader) {
  const auto refuse = [&](std::string_view key, std::string what) {
    reader.report(place_of(tree, key), std::string(key), std::move(what));
  };
  const std::optional<models::PTuning>& tuning = scenario.workload.p_tuning;
  if (tuning && scenario.workload.lora) {
    refuse("workload.p_tuning", "a job trains adapters or virtual tokens, not both");
  }
  if (tuning && tuning->encoder == models::PromptEncoder::kMlp && tuning->num_layers < 2) {
    refuse("workload.p_tuning.num_layers", "an mlp has at least 2 layers");
  }
  const auto* model = std::get_if<models::Transformer>(&scenario.workload.model);
  if (model != nullptr && model->mtp_layers > 0 && models::is_frozen(scenario.workload)) {
    refuse("workload.model.mtp_layers", "adapters are trained without multi-token prediction");
  }
  const models::SoftwareProfile& software = scenario.software;
  if (software.offload.activations && models::vision_of(scenario.workload) != nullptr) {
    refuse("software.offload.activations", "only layers of transformers are offloaded");
  }
  if (software.offload.activation_share != 1.0 && !software.offload.activations) {
    refuse("software.offload.activation_share", "needs software.offload.activations");
  }
  if (!software.offload.parameters) return;
  if (software.zero_stage.value < 3 || !software.reshard_after_forward.value) {
    refuse("software.offload.parameters",
           fmt::format("parameters come from a tier layer by layer with zero_stage 3 and "
                       "reshard_after_forward, got zero_stage {}{}",
                       software.zero_stage.value,
                       software.reshard_after_forward.value ? "" : " without"));
  }
}

/// Reports keys of data loading in a scenario without storage.
template <class Refuse>
void check_data_loading(const DataPlan& data, const Refuse& refuse) {
  constexpr const char* kMissing = "needs cluster.storage, which is missing";
  if (data.decode.base() > 0.0) refuse("data.decode", kMissing);
  if (data.hand_over.base() > 0.0) refuse("data.hand_over", kMissing);
  if (data.jitter > 0.0) refuse("data.jitter", kMissing);
  if (data.epoch_start_up) refuse("data.epoch_start_up", kMissing);
  if (data.staging_rate) refuse("data.staging_rate", kMissing);
}

/// Reports an archive that no checkpoint can reach.
template <class Refuse>
void check_archive(const Scenario& scenario, const Refuse& refuse) {
  const CheckpointPlan& plan = scenario.checkpoint;
  if (plan.archive_after == 0) return;
  if (!scenario.cluster.storage || !scenario.cluster.storage->archive) {
    refuse("checkpoint.archive_after", "needs cluster.storage.archive, where they go");
  }
  if (plan.retention > 0 && plan.retention <= plan.archive_after) {
    refuse("checkpoint.archive_after",
           "leaves no checkpoint to move: checkpoint.retention has to be larger, or 0 for all");
  }
}

void check_run(const core::Node& tree, const Scenario& scenario, core::Reader& reader) {
  const auto refuse = [&](std::string_view key, const char* what) {
    reader.report(place_of(tree, key), std::string(key), what);
  };
  if (scenario.checkpoint.interval && scenario.checkpoint.interval_steps > 0) {
    refuse("checkpoint.interval", "give either interval or interval_steps, not both");
  }
  if (scenario.data.page_cache.base() > 0.0 && !scenario.data.size) {
    refuse("data.page_cache", "needs data.size: what of the dataset a node keeps");
  }
  if (scenario.data.fixed_shards && scenario.data.page_cache.base() == 0.0) {
    refuse("data.fixed_shards", "needs data.page_cache: what a node keeps of its part");
  }
  if (scenario.data.epoch_start_up && !scenario.data.size) {
    refuse("data.epoch_start_up", "needs data.size: how many samples an epoch has");
  }
  if (scenario.data.data_reduction && !scenario.data.size) {
    refuse("data.data_reduction", "needs data.size: what of the dataset takes room");
  }
  if (scenario.data.staging_rate && !scenario.data.size) {
    refuse("data.staging_rate", "needs data.size: what is brought to storage");
  }
  check_archive(scenario, refuse);
  if (const auto& local = scenario.checkpoint.local;
      local && local->tier.medium == models::OffloadMedium::kFileSystem) {
    refuse("checkpoint.local.tier", "is of a node itself: drives or memory, got file_system");
  }
  if (const auto& local = scenario.checkpoint.local;
      local && local->copies > scenario.cluster.num_nodes) {
    refuse("checkpoint.local.copies", "are on nodes of their own: the job has fewer nodes");
  }
  if (const auto& local = scenario.checkpoint.local;
      local && local->copies > 1 && scenario.cluster.node.nics.count == 0) {
    refuse("checkpoint.local.copies", "go over scale-out NICs: these nodes have none");
  }
  if (scenario.run.optimize_interval && !scenario.reliability) {
    refuse("run.optimize_interval",
           "needs `reliability`: without failures there is no optimal checkpoint interval");
  }
  for (std::size_t i = 0; i < scenario.run.incidents.size(); ++i) {
    if (scenario.run.incidents[i].job.empty()) continue;
    reader.report(place_of(tree, "run.incidents"), fmt::format("run.incidents[{}].job", i),
                  "has no effect: there is one job");
  }
  if (scenario.cluster.storage) return;
  if (scenario.run.targets) refuse("run.targets", "needs cluster.storage, which is missing");
  if (!scenario.run.other_loads.empty()) {
    refuse("run.other_loads", "needs cluster.storage, which is missing");
  }
  if (scenario.checkpoint.data_reduction) {
    refuse("checkpoint.data_reduction", "needs cluster.storage, which is missing");
  }
  if (scenario.data.data_reduction) {
    refuse("data.data_reduction", "needs cluster.storage, which is missing");
  }
  check_data_loading(scenario.data, refuse);
}

/// Checks that the stack fits the parallelism of the job and the devices.
void check_software(const core::Node& tree, const Scenario& scenario, core::Reader& reader) {
  const models::SoftwareProfile& software = scenario.software;
  for (models::LayoutProblem& problem :
       software_problems(software, software.zero_stage.value, software.recompute.value,
                         scenario.parallelism.pp)) {
    reader.report(place_of(tree, problem.key), problem.key, std::move(problem.message));
  }
  for (models::LayoutProblem& problem : device_problems(tree, scenario)) {
    reader.report(place_of(tree, problem.key), problem.key, std::move(problem.message));
  }
}

/// Checks the groups of a valid layout.
void check_groups(const core::Node& tree, const CheckedScenario& checked, core::Reader& reader) {
  for (models::LayoutProblem& problem : group_problems(checked.scenario, checked.layout)) {
    reader.report(place_of(tree, problem.key), problem.key, std::move(problem.message));
  }
}

std::shared_ptr<const topologies::Topology> topology_of(const core::Node& tree,
                                                        topologies::Cluster& cluster,
                                                        core::Reader& reader) {
  const core::Node* keys = tree.find("cluster");
  if (keys == nullptr || keys->find("fabric") == nullptr) return nullptr;
  static constexpr auto kPath = "cluster.fabric";
  auto made = topologies::create_topology(cluster.fabric, reader, kPath);
  if (made) cluster.fabric = topologies::resolve_fabric(cluster.fabric, reader, kPath);
  return made;
}

void check_links(const core::Node& tree, const topologies::Cluster& cluster,
                 const core::Catalogue& catalogue, core::Reader& reader) {
  for (models::LayoutProblem& problem : link_problems(cluster, catalogue)) {
    reader.report(place_of(tree, problem.key), problem.key, std::move(problem.message));
  }
}

/// Checks the faults against the built fabric: only it knows the names of switches and which nodes
/// have no route left.
void check_faults(const core::Node& tree, const topologies::Cluster& cluster,
                  const topologies::Topology& topology, core::Reader& reader) {
  if (cluster.faults.empty()) return;
  topologies::Cluster sound = cluster;
  sound.faults = {};
  topologies::BuiltCluster built = topology.build(sound);
  for (topologies::FaultProblem& problem : topologies::apply_faults(built.fabric, cluster.faults)) {
    const std::string key = problem.key.empty() ? std::string("cluster.faults")
                                                : core::join_path("cluster.faults", problem.key);
    reader.report(place_of(tree, key), key, std::move(problem.message), std::move(problem.hint));
  }
}

constexpr std::string_view kNeutral = "neutral";  ///< the site that nobody has measured

/// Gives the neutral site the interval of published families like the step, unless the scenario
/// says one.
void set_interval(const Basis& basis, models::Installation& site) {
  const bool has_own = site.step_time_low.value < site.step_time_high.value;
  if (site.name != kNeutral || has_own) return;
  const std::string source = "published families left out of the fit, of this kind of step";
  site.step_time_low = {.value = basis.low, .source = source, .estimate = true};
  site.step_time_high = {.value = basis.high, .source = source, .estimate = true};
}

/// Reads the neutral site if the scenario names none.
void read_unmeasured_site(const core::Node& tree, const core::Catalogue& catalogue,
                          core::Reader& reader, models::Installation& site) {
  if (!tree.is_mapping() || tree.find("installation") != nullptr ||
      !catalogue.contains(models::Installation::kKind, kNeutral)) {
    return;
  }
  core::Node name = core::text_node(kNeutral);
  name.where = tree.where;
  reader.read(name, "installation", site);
}

}  // namespace

core::Node load_scenario_tree(const std::string& path, const std::vector<std::string>& settings) {
  return load_scenario_tree(path, settings, {});
}

core::Node load_scenario_tree(const std::string& path, const std::vector<std::string>& settings,
                              const std::vector<std::string>& include_folders) {
  core::Node tree = with_settings(core::load_yaml_with(include_folders, path), settings);
  name_settings(tree, settings);
  return tree;
}

std::string_view other_kind(const core::Node& tree) {
  if (tree.find("post_training") != nullptr) return "post-training";
  if (tree.find("jobs") != nullptr) return "several jobs";
  if (tree.find("queue") != nullptr) return "a queue of jobs";
  if (tree.find("inference") != nullptr) return "nodes that answer requests";
  if (tree.find("benchmark") != nullptr) return "a collective";
  return {};
}

CheckedScenario read_step(const core::Node& tree, const core::Catalogue& catalogue) {
  const bool is_one_job = tree.find("workload") != nullptr && tree.find("post_training") == nullptr;
  if (const std::string_view kind = other_kind(tree); !kind.empty() && !is_one_job) {
    throw core::ConfigError(
        {{tree.where, "", fmt::format("describes {}, not one training job", kind),
          "`railwright simulate` answers it"}});
  }
  core::Reader reader(&catalogue);
  CheckedScenario checked;
  reader.read(tree, "", checked.scenario);
  read_unmeasured_site(tree, catalogue, reader, checked.scenario.installation);
  const bool fields_are_sound = reader.diagnostics().empty();
  checked.topology = topology_of(tree, checked.scenario.cluster, reader);
  // Relations between fields mean little where the fields themselves are wrong.
  if (fields_are_sound) {
    tell_accelerator(checked.scenario.cluster.node.accelerator, checked.scenario.software);
    check_node(tree, checked.scenario.cluster, reader);
    check_links(tree, checked.scenario.cluster, catalogue, reader);
    check_precision(tree, checked.scenario, reader);
    check_software(tree, checked.scenario, reader);
    check_training(tree, checked.scenario, reader);
    check_run(tree, checked.scenario, reader);
    check_power(tree, checked.scenario.cluster.node, checked.scenario.power, reader);
    if (checked.scenario.prices) check_prices(tree, catalogue, reader);
    if (checked.topology && reader.diagnostics().empty()) {
      check_faults(tree, checked.scenario.cluster, *checked.topology, reader);
    }
    for (const auto& problem :
         models::make_layout(checked.scenario.workload, checked.scenario.parallelism,
                             checked.scenario.num_accelerators(), checked.layout)) {
      reader.report(place_of(tree, problem.key), problem.key, problem.message);
    }
    if (reader.diagnostics().empty()) check_groups(tree, checked, reader);
  }
  reader.throw_if_any();
  return checked;
}

CheckedScenario read_scenario(const core::Node& tree, const core::Catalogue& catalogue) {
  CheckedScenario checked = read_step(tree, catalogue);
  checked.traits = step_traits(checked.scenario, checked.layout, catalogue);
  RecipeSettings recipe = recipe_settings(tree, checked.scenario, checked.layout);
  checked.traits.stated = std::move(recipe.stated);
  checked.traits.assumed = std::move(recipe.assumed);
  checked.basis = basis_of(checked.traits, checked.scenario.installation, catalogue);
  if (checked.basis) set_interval(*checked.basis, checked.scenario.installation);
  return checked;
}

CheckedCluster read_cluster(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Node part = tree;
  std::erase_if(part.entries, [](const core::Entry& entry) {
    return entry.key != "name" && entry.key != "cluster";
  });
  core::Reader reader(&catalogue);
  CheckedCluster checked;
  reader.read(part, "", checked);
  const bool fields_are_sound = reader.diagnostics().empty();
  checked.topology = topology_of(part, checked.cluster, reader);
  if (fields_are_sound) {
    check_node(part, checked.cluster, reader);
    check_links(part, checked.cluster, catalogue, reader);
  }
  if (checked.topology && reader.diagnostics().empty()) {
    check_faults(part, checked.cluster, *checked.topology, reader);
  }
  reader.throw_if_any();
  return checked;
}

}  // namespace railwright::simulation
