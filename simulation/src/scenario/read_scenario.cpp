// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/read_scenario.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "group_checks.hpp"
#include "link_checks.hpp"
#include "railwright/core/config/include.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/report.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/models/data_loading/data_reader_fields.hpp"
#include "railwright/models/software/installation_fields.hpp"
#include "railwright/simulation/scenario/checked_cluster_fields.hpp"
#include "railwright/simulation/scenario/device_checks.hpp"
#include "railwright/simulation/scenario/power_checks.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"
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

void check_node(const core::Node& tree, const topologies::Cluster& cluster,
                const core::Report& report) {
  const core::ComputeNode& node = cluster.node;
  const int cards = node.nics.count + node.front_end.count;
  if (cards > node.nic_slots.value) {
    report("cluster.node.nics.count",
           fmt::format("{} scale-out and {} front-end NICs do not fit the {} slots of {}",
                       node.nics.count, node.front_end.count, node.nic_slots.value, node.name));
  }
  report.under("cluster.node")(topologies::find_problems(node));
  const std::int64_t accelerators =
      static_cast<std::int64_t>(cluster.num_nodes) * node.num_accelerators.value;
  if (accelerators > kMaxAccelerators) {
    report("cluster.nodes",
           fmt::format("{} nodes of {} accelerators are more than the {} that can be simulated",
                       cluster.num_nodes, node.num_accelerators.value, kMaxAccelerators));
  }
  report(idle_keys(tree));
  const int places = cluster.placement.of_nodes;
  if (places != 0 && places < cluster.num_nodes) {
    report("cluster.placement.of_nodes",
           fmt::format("the job alone has {} nodes, the fabric {}", cluster.num_nodes, places));
  }
  constexpr std::string_view kSlow = "cluster.faults.nodes_slow";
  for (std::size_t i = 0; i < cluster.faults.nodes_slow.size(); ++i) {
    const topologies::SlowNode& slow = cluster.faults.nodes_slow[i];
    if (slow.node >= cluster.num_nodes) {
      report.item(kSlow, i, "node",
                  fmt::format("the cluster has nodes 0 to {}, no node {}", cluster.num_nodes - 1,
                              slow.node));
    }
    if (slow.speed <= 0.0) report.item(kSlow, i, "speed", "must be greater than 0");
  }
  report(storage_problems(tree, cluster));
}

void check_precision(const Scenario& scenario, const core::Report& report) {
  const core::Accelerator& accelerator = scenario.cluster.node.accelerator;
  const core::Precision precision = scenario.software.precision.value;
  if (accelerator.peak_rate(precision)) return;
  std::string known;
  for (const auto& [name, value] : core::kWordsOf<core::Precision>) {
    if (accelerator.peak_rate(value)) known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  }
  report("software.precision", fmt::format("{} does not multiply {}, only {}", accelerator.name,
                                           core::to_string(precision), known));
}

/// Checks what of a model is trained and on which documents.
void check_parts(const models::Training& workload, const models::Transformer* model,
                 const core::Report& report) {
  const bool is_decoder = model != nullptr && model->encoder_layers == 0;
  if (const int frozen = workload.frozen_layers; frozen > 0) {
    if (!is_decoder) {
      report("workload.frozen_layers", "only layers of a transformer without an encoder");
    } else if (frozen >= model->num_layers) {
      report("workload.frozen_layers", fmt::format("leaves none of the {} layers to train, got {}",
                                                   model->num_layers, frozen));
    }
    if (models::is_frozen(workload)) {
      report("workload.frozen_layers", "goes without lora and p_tuning, which freeze all layers");
    }
  }
  if (!workload.documents.empty() && !is_decoder) {
    report("workload.documents", "only of a transformer without an encoder");
  }
  for (std::size_t i = 0; i < workload.documents.size(); ++i) {
    const int tokens = workload.documents[i].tokens;
    if (tokens <= workload.sequence_length) continue;
    report.item(
        "workload.documents", i, "tokens",
        fmt::format("is more than the {} of a sequence, got {}", workload.sequence_length, tokens));
  }
}

/// Checks that the model can encode a job's images, and that a sequence has room for their tokens.
void check_images(const models::Training& workload, const models::Transformer* model,
                  const core::Report& report) {
  const bool has_encoder = model != nullptr && model->image_encoder;
  if (workload.frozen_image_encoder && !has_encoder) {
    report("workload.frozen_image_encoder", "the model has no image_encoder");
  }
  if (!workload.images) return;
  if (!has_encoder) {
    report("workload.images", "the model has no image_encoder");
    return;
  }
  const double tokens = models::num_image_tokens(*model->image_encoder, *workload.images);
  if (tokens <= workload.sequence_length) return;
  report("workload.images", fmt::format("give {:.0f} tokens, more than the {} of a sequence",
                                        tokens, workload.sequence_length));
}

/// Checks what Muon needs: whole matrices on a rank, and gradients that are not scaled.
/// [@megatron_muon]
void check_muon(const Scenario& scenario, const core::Report& report) {
  const models::SoftwareProfile& software = scenario.software;
  if (models::vision_of(scenario.workload) != nullptr || models::is_frozen(scenario.workload)) {
    report("software.optimizer", "muon is only known for a transformer's own weights");
  }
  if (software.precision.value == core::Precision::kFp16) {
    report("software.optimizer", "muon does not go with fp16: Megatron refuses it");
  }
  if (software.offload.optimizer) {
    report("software.offload.optimizer", "processors of a node step as adam does, not as muon");
  }
}

/// Checks parameters trained beside frozen weights, and state outside the accelerators.
void check_training(const Scenario& scenario, const core::Report& report) {
  const std::optional<models::PTuning>& tuning = scenario.workload.p_tuning;
  if (tuning && scenario.workload.lora) {
    report("workload.p_tuning", "a job trains adapters or virtual tokens, not both");
  }
  if (tuning && tuning->encoder == models::PromptEncoder::kMlp && tuning->num_layers < 2) {
    report("workload.p_tuning.num_layers", "an mlp has at least 2 layers");
  }
  const auto* model = std::get_if<models::Transformer>(&scenario.workload.model);
  check_parts(scenario.workload, model, report);
  check_images(scenario.workload, model, report);
  if (scenario.software.optimizer.value == models::Optimizer::kMuon) check_muon(scenario, report);
  if (model != nullptr && model->mtp_layers > 0 && models::is_frozen(scenario.workload)) {
    report("workload.model.mtp_layers", "adapters are trained without multi-token prediction");
  }
  const models::SoftwareProfile& software = scenario.software;
  if (software.offload.activations && models::vision_of(scenario.workload) != nullptr) {
    report("software.offload.activations", "only layers of transformers are offloaded");
  }
  if (software.offload.activation_share != 1.0 && !software.offload.activations) {
    report("software.offload.activation_share", "needs software.offload.activations");
  }
  if (!software.offload.parameters) return;
  if (software.zero_stage.value < 3 || !software.reshard_after_forward.value) {
    report("software.offload.parameters",
           fmt::format("parameters come from a tier layer by layer with zero_stage 3 and "
                       "reshard_after_forward, got zero_stage {}{}",
                       software.zero_stage.value,
                       software.reshard_after_forward.value ? "" : " without"));
  }
}

/// Reports keys of data loading in a scenario without storage.
void check_data_loading(const DataPlan& data, const core::Report& report) {
  constexpr const char* kMissing = "needs cluster.storage, which is missing";
  if (data.decode.base() > 0.0) report("data.decode", kMissing);
  if (data.reader) report("data.reader", kMissing);
  if (data.hand_over) report("data.hand_over", kMissing);
  if (data.jitter) report("data.jitter", kMissing);
  if (data.epoch_start_up) report("data.epoch_start_up", kMissing);
  if (data.staging_rate) report("data.staging_rate", kMissing);
}

/// Reports an archive that no checkpoint can reach.
void check_archive(const Scenario& scenario, const core::Report& report) {
  const CheckpointPlan& plan = scenario.checkpoint;
  if (plan.archive_after == 0) return;
  if (!scenario.cluster.storage || !scenario.cluster.storage->archive) {
    report("checkpoint.archive_after", "needs cluster.storage.archive, where they go");
  }
  if (plan.retention > 0 && plan.retention <= plan.archive_after) {
    report("checkpoint.archive_after",
           "leaves no checkpoint to move: checkpoint.retention has to be larger, or 0 for all");
  }
}

void check_run(const Scenario& scenario, const core::Report& report) {
  if (scenario.checkpoint.interval && scenario.checkpoint.interval_steps > 0) {
    report("checkpoint.interval", "give either interval or interval_steps, not both");
  }
  if (scenario.data.page_cache.base() > 0.0 && !scenario.data.size) {
    report("data.page_cache", "needs data.size: what of the dataset a node keeps");
  }
  if (scenario.data.fixed_shards && scenario.data.page_cache.base() == 0.0) {
    report("data.fixed_shards", "needs data.page_cache: what a node keeps of its part");
  }
  if (scenario.data.epoch_start_up && !scenario.data.size) {
    report("data.epoch_start_up", "needs data.size: how many samples an epoch has");
  }
  if (scenario.data.data_reduction && !scenario.data.size) {
    report("data.data_reduction", "needs data.size: what of the dataset takes room");
  }
  if (scenario.data.staging_rate && !scenario.data.size) {
    report("data.staging_rate", "needs data.size: what is brought to storage");
  }
  check_archive(scenario, report);
  if (const auto& local = scenario.checkpoint.local;
      local && local->tier.medium == models::OffloadMedium::kFileSystem) {
    report("checkpoint.local.tier", "is of a node itself: drives or memory, got file_system");
  }
  if (const auto& local = scenario.checkpoint.local;
      local && local->copies > scenario.cluster.num_nodes) {
    report("checkpoint.local.copies", "are on nodes of their own: the job has fewer nodes");
  }
  if (const auto& local = scenario.checkpoint.local;
      local && local->copies > 1 && scenario.cluster.node.nics.count == 0) {
    report("checkpoint.local.copies", "go over scale-out NICs: these nodes have none");
  }
  if (scenario.run.optimize_interval && !scenario.reliability) {
    report("run.optimize_interval",
           "needs `reliability`: without failures there is no optimal checkpoint interval");
  }
  for (std::size_t i = 0; i < scenario.run.incidents.size(); ++i) {
    if (scenario.run.incidents[i].job.empty()) continue;
    report.item("run.incidents", i, "job", "has no effect: there is one job");
  }
  if (scenario.cluster.storage) return;
  if (scenario.run.targets) report("run.targets", "needs cluster.storage, which is missing");
  if (!scenario.run.other_loads.empty()) {
    report("run.other_loads", "needs cluster.storage, which is missing");
  }
  if (scenario.checkpoint.data_reduction) {
    report("checkpoint.data_reduction", "needs cluster.storage, which is missing");
  }
  if (scenario.data.data_reduction) {
    report("data.data_reduction", "needs cluster.storage, which is missing");
  }
  check_data_loading(scenario.data, report);
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

/// Checks the faults against the built fabric: only it knows the names of switches and which nodes
/// have no route left.
void check_faults(const topologies::Cluster& cluster, const topologies::Topology& topology,
                  const core::Report& report) {
  if (cluster.faults.empty()) return;
  topologies::Cluster sound = cluster;
  sound.faults = {};
  topologies::BuiltCluster built = topology.build(sound);
  report.under("cluster.faults")(topologies::apply_faults(built.fabric, cluster.faults));
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

/// Reads the reader of published results where samples are images, the step is one by itself and
/// nobody said what it waits for. Predicted steps were published with the wait for their samples,
/// and tokens are too few bytes to wait for.
void read_assumed_reader(const core::Node& tree, const core::Catalogue& catalogue,
                         core::Reader& reader, Scenario& scenario) {
  constexpr std::string_view kAssumed = "any-reader";
  DataPlan& data = scenario.data;
  const bool is_stated = data.reader || data.hand_over || data.jitter;
  const bool loads_images = std::holds_alternative<models::VisionModel>(scenario.workload.model);
  if (is_stated || !loads_images || !scenario.run.step_time || !scenario.cluster.storage ||
      !catalogue.contains(models::DataReader::kKind, kAssumed)) {
    return;
  }
  core::Node name = core::text_node(std::string(kAssumed));
  name.where = tree.where;
  reader.read(name, "data.reader", data.reader.emplace());
  data.assumes_reader = true;
}

/// Checks the fields of a scenario against each other, and makes its layout.
void check_relations(const core::Node& tree, const core::Catalogue& catalogue, core::Reader& reader,
                     CheckedScenario& checked) {
  Scenario& scenario = checked.scenario;
  const models::SoftwareProfile& software = scenario.software;
  const core::Report report(tree, reader);
  tell_accelerator(scenario.cluster.node.accelerator, scenario.software);
  check_node(tree, scenario.cluster, report);
  report(link_problems(scenario.cluster, catalogue));
  check_precision(scenario, report);
  report(software_problems(software, software.zero_stage.value, software.recompute.value,
                           scenario.parallelism.pp));
  report(device_problems(tree, scenario));
  check_training(scenario, report);
  check_run(scenario, report);
  check_power(scenario.cluster.node, scenario.power, report);
  if (scenario.prices) check_prices(tree, catalogue, reader);
  if (checked.topology && report.is_clean()) {
    check_faults(scenario.cluster, *checked.topology, report);
  }
  report(models::make_layout(scenario.workload, scenario.parallelism, scenario.num_accelerators(),
                             checked.layout));
  if (report.is_clean()) report(group_problems(scenario, checked.layout));
}

void read_fields(const core::Node& tree, const core::Catalogue& catalogue, core::Reader& reader,
                 Scenario& scenario) {
  reader.read(tree, "", scenario);
  read_unmeasured_site(tree, catalogue, reader, scenario.installation);
}

/// Checks and completes the fields that `reader` read. Throws ConfigError with every problem.
void complete(const core::Node& tree, const core::Catalogue& catalogue, core::Reader& reader,
              CheckedScenario& checked) {
  const bool fields_are_sound = reader.diagnostics().empty();
  checked.topology = topology_of(tree, checked.scenario.cluster, reader);
  if (fields_are_sound) read_assumed_reader(tree, catalogue, reader, checked.scenario);
  // Relations between fields mean little where the fields themselves are wrong.
  if (fields_are_sound) check_relations(tree, catalogue, reader, checked);
  reader.throw_if_any();
}

/// Checks and completes a cluster alone. Throws ConfigError with every problem.
void check_cluster(const core::Node& tree, const core::Catalogue& catalogue, core::Reader& reader,
                   CheckedCluster& checked) {
  const bool fields_are_sound = reader.diagnostics().empty();
  checked.topology = topology_of(tree, checked.cluster, reader);
  const core::Report report(tree, reader);
  if (fields_are_sound) {
    check_node(tree, checked.cluster, report);
    report(link_problems(checked.cluster, catalogue));
  }
  if (checked.topology && report.is_clean()) {
    check_faults(checked.cluster, *checked.topology, report);
  }
  reader.throw_if_any();
}

/// Adds what is known of steps like this one, and the interval of the site.
void add_basis(const core::Node& tree, const core::Catalogue& catalogue, CheckedScenario& checked) {
  checked.traits = step_traits(checked.scenario, checked.layout, catalogue);
  RecipeSettings recipe = recipe_settings(tree, checked.scenario, checked.layout);
  checked.traits.stated = std::move(recipe.stated);
  checked.traits.assumed = std::move(recipe.assumed);
  checked.basis = basis_of(checked.traits, checked.scenario.installation, catalogue);
  if (checked.basis) set_interval(*checked.basis, checked.scenario.installation);
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

CheckedScenario read_scenario(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  CheckedScenario checked;
  read_fields(tree, catalogue, reader, checked.scenario);
  complete(tree, catalogue, reader, checked);
  add_basis(tree, catalogue, checked);
  return checked;
}

ScenarioSource::ScenarioSource(core::Node tree, const core::Catalogue& catalogue)
    : tree_(std::move(tree)), catalogue_(&catalogue) {
  core::Reader reader(catalogue_);
  read_fields(tree_, catalogue, reader, fields_);
  reader.throw_if_any();
}

ScenarioSource ScenarioSource::with(std::span<const Change> changes) const {
  ScenarioSource made = *this;
  for (const Change& change : changes) {
    core::set_path(made.tree_, change.setting);
    change.apply(made.fields_);
  }
  return made;
}

CheckedScenario ScenarioSource::checked() const {
  CheckedScenario checked = checked_without_basis();
  add_basis(tree_, *catalogue_, checked);
  return checked;
}

CheckedScenario ScenarioSource::checked_without_basis() const {
  core::Reader reader(catalogue_);
  CheckedScenario checked{
      .scenario = fields_, .layout = {}, .topology = {}, .traits = {}, .basis = {}};
  complete(tree_, *catalogue_, reader, checked);
  return checked;
}

CheckedCluster ScenarioSource::cluster() const {
  core::Reader reader(catalogue_);
  CheckedCluster checked{.name = fields_.name, .cluster = fields_.cluster, .topology = {}};
  check_cluster(tree_, *catalogue_, reader, checked);
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
  check_cluster(part, catalogue, reader, checked);
  return checked;
}

}  // namespace railwright::simulation
