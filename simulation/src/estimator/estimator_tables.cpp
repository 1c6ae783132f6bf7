// SPDX-License-Identifier: Apache-2.0
#include "estimator_tables.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "../step/few_replicas.hpp"
#include "../step/flows.hpp"
#include "key.hpp"
#include "railwright/core/arithmetic.hpp"
#include "railwright/core/fabric/node_copies.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/simulation/closed_form/configuration_rules.hpp"
#include "railwright/topologies/topology.hpp"
#include "set_configuration.hpp"
#include "stage_parameters.hpp"

namespace railwright::simulation {

namespace {

using models::Layout;

/// Whether the places divide into chunks of equal size.
bool divides_layers(const Scenario& scenario, const Configuration& c) {
  const int places = models::num_places(scenario.workload.model, scenario.parallelism);
  const std::int64_t chunks = static_cast<std::int64_t>(c.pp) * c.virtual_stages;
  return places % chunks == 0 && (c.virtual_stages == 1 || c.pp > 1);
}

bool is_positive(int n) { return n > 0; }

bool has_one_kind(const models::Transformer& model) {
  return std::ranges::count_if(models::layers_by_kind(model), is_positive) == 1;
}

TablePass in_table(const LayerPass& pass) {
  return {.compute = pass.compute, .calls = pass.calls, .waiting_calls = pass.waiting_calls};
}

TablePasses in_table(const LayerPasses::PerPass& passes) {
  return {.forward = in_table(passes.forward), .backward = in_table(passes.backward)};
}

std::vector<LayersOfKind> layers_of_kinds(const Scenario& scenario,
                                          const core::Accelerator& accelerator,
                                          const Layout& layout, const LayerPasses& passes) {
  const models::Training& workload = scenario.workload;
  const models::SoftwareProfile& software = scenario.software;
  const models::Transformer& model = models::transformer_of(workload);
  const auto counts = models::layers_by_kind(model);
  std::vector<LayersOfKind> kinds;
  kinds.reserve(static_cast<std::size_t>(std::ranges::count_if(counts, is_positive)));
  for (std::size_t i = 0; i < models::kNumLayerKinds; ++i) {
    if (counts[i] == 0) continue;
    const auto kind = static_cast<models::LayerKind>(i);
    kinds.push_back(
        {.kind = kind,
         .passes = in_table(passes.layers[i]),
         .activations = models::activations_per_layer(workload, layout, software, kind).base(),
         .recomputed_activations =
             models::recomputed_activations_per_layer(workload, layout, software, kind).base(),
         .held = models::parameters_of_layer(model, kind, layout.slices()),
         .trained = models::trained_of_layer(workload, kind, layout.slices()),
         .matrices = models::matrices_of_layer(model, kind, layout.slices()),
         .orthogonalization = models::orthogonalization_of_layer(accelerator, software, model, kind,
                                                                 layout.slices())});
  }
  return kinds;
}

/// Puts stages that hold the same places and have identical network times into one class.
void add_terms(const StagePartition& division, const StepCosts& costs, NetworkEntry& entry) {
  std::vector<std::uint32_t>& stage_class = entry.stage_class;
  std::vector<StageNetwork> networks;
  std::vector<std::uint32_t> class_of_stage;
  for (int stage = 0; stage < costs.layout.pp; ++stage) {
    const StageNetwork network = stage_network(costs, stage);
    const std::uint32_t places = division.class_of_stage[static_cast<std::size_t>(stage)];
    std::size_t i = 0;
    while (i < networks.size() && (stage_class[i] != places || !(networks[i] == network))) ++i;
    if (i == networks.size()) {
      networks.push_back(network);
      stage_class.push_back(places);
    }
    class_of_stage.push_back(static_cast<std::uint32_t>(i));
  }
  entry.terms = network_terms(costs, std::move(networks), std::move(class_of_stage));
}

}  // namespace

bool is_in_tables(const Scenario& scenario) {
  return models::vision_of(scenario.workload) == nullptr &&
         models::has_like_layers(scenario.workload) && !scenario.software.offload.any() &&
         scenario.parallelism.layers_per_chunk.empty() && !scenario.software.recompute_layers;
}

const core::Fabric& Estimator::Tables::fabric() const {
  std::call_once(is_built_, [&] {
    built_.emplace(base.topology->build(base.scenario.cluster));
    capacity_ = link_capacities(base.scenario, built_->fabric);
  });
  return built_->fabric;
}

bool Estimator::Tables::has_like_groups() const {
  std::call_once(is_compared_, [&] {
    const topologies::Placement& placement = base.scenario.cluster.placement;
    bool are_alike =
        placement.order == topologies::PlacementOrder::kPacked && placement.first_node == 0 &&
        fabric().routing().routing != core::Routing::kEcmp && core::NodeCopies(fabric()).are_all();
    const auto num_links = static_cast<core::LinkId>(fabric().links().size());
    for (core::LinkId link = 0; are_alike && link < num_links; ++link) {
      are_alike = !fabric().is_failed(link);
    }
    has_like_groups_ = are_alike;
  });
  return has_like_groups_;
}

Estimator::Tables::Tables(CheckedScenario scenario) : base(std::move(scenario)) {
  const models::Training& workload = base.scenario.workload;
  const models::SoftwareProfile& software = base.scenario.software;
  const models::Parallelism& p = base.scenario.parallelism;
  is_regular = models::vision_of(workload) == nullptr &&
               has_one_kind(models::transformer_of(workload)) && !p.embedding_as_layer &&
               !p.loss_as_layer;
  accelerator = base.scenario.running_accelerator();
  memory_rules = models::memory_rules(workload, software);
  accelerators_of_node = base.scenario.cluster.node.num_accelerators.value;
  memory_capacity = base.scenario.cluster.node.accelerator.memory.value.base();
  buckets = {.by_layer = false,
             .gathers_held = false,
             .gradient_bytes = static_cast<double>(software.gradient_reduce_bytes.value),
             .parameter_bytes = static_cast<double>(software.parameter_gather_bytes.value)};
}

std::uint64_t Estimator::Tables::layer_key(const Configuration& c) const {
  return key_of<&InKeys::layers>(c, is_regular);
}

std::uint64_t Estimator::Tables::network_key(const Configuration& c) const {
  return key_of<&InKeys::networks>(c, is_regular);
}

std::uint64_t Estimator::Tables::calls_key(const Configuration& c) const {
  return key_of<&InKeys::calls>(c, is_regular);
}

std::uint64_t Estimator::Tables::layout_key(const Configuration& c) const {
  return key_of<&InKeys::layouts>(c, is_regular);
}

std::uint64_t Estimator::Tables::division_key(const Configuration& c) const {
  return key_of<&InKeys::divisions>(c, is_regular);
}

EstimateStatus Estimator::Tables::status(const Configuration& c) const {
  bool in_range = c.etp == 1 || c.etp == c.tp;
  for_each_knob([&](const auto& knob) {
    const std::int64_t number = knob.number(c);
    in_range = in_range && number >= knob.least && number <= knob.most;
  });
  if (!in_range) return EstimateStatus::kDoesNotDivide;
  const bool by_layer = goes_by_layer(base.scenario.software, c.zero_stage);
  if (c.pp > 1 ? by_layer : !c.schedule->runs_on_one_stage) {
    return EstimateStatus::kNotTogether;
  }
  if (base.scenario.software.cuts_matrices(c.zero_stage)) {
    return EstimateStatus::kNotTogether;
  }
  const bool is_known = c.schedule->num_warmup_passes != nullptr && is_in_tables(base.scenario);
  return is_known ? EstimateStatus::kOk : EstimateStatus::kNotInTables;
}

std::variant<MemoryEntries, EstimateStatus> Estimator::Tables::find(const Configuration& c) const {
  if (const EstimateStatus refused = status(c); refused != EstimateStatus::kOk) return refused;
  const DivisionEntry* division = divisions.find(division_key(c));
  const LayoutEntry* layout = layouts.find(layout_key(c));
  if ((division != nullptr && !division->is_valid) || (layout != nullptr && !layout->is_valid)) {
    return EstimateStatus::kDoesNotDivide;
  }
  if (division == nullptr || layout == nullptr) return EstimateStatus::kNotPrepared;
  const std::int64_t samples = static_cast<std::int64_t>(layout->layout.dp) * c.micro_batch;
  const std::int64_t num_microbatches = c.global_batch / samples;
  if (num_microbatches * samples != c.global_batch ||
      num_microbatches * c.pp * c.virtual_stages > models::kMaxPasses ||
      (c.virtual_stages > 1 && (!c.schedule->interleaves || num_microbatches % c.pp != 0))) {
    return EstimateStatus::kDoesNotDivide;
  }
  const LayerEntry* entry = layers.find(layer_key(c));
  if (entry == nullptr) return EstimateStatus::kNotPrepared;
  static const CallsEntry kFreeCalls;
  const CallsEntry* of_calls = calls.find(calls_key(c));
  if (division->division.kinds.size() > kMaxKinds ||
      division->division.classes.size() > kMaxClasses) {
    return EstimateStatus::kNotInTables;
  }
  return MemoryEntries{.layers = *entry,
                       .layout = layout->layout,
                       .division = division->division,
                       .calls = of_calls == nullptr ? kFreeCalls : *of_calls,
                       .num_microbatches = num_microbatches};
}

std::unique_ptr<LayerEntry> Estimator::Tables::make_layers(const Configuration& c,
                                                           CheckedScenario& checked) const {
  set_configuration(with_any_batch_of(c), checked);
  const Scenario& scenario = checked.scenario;
  const models::Training& workload = scenario.workload;
  const models::Transformer& model = models::transformer_of(workload);
  const Layout& layout = checked.layout;
  const models::ComputeModel compute(accelerator, workload, layout, scenario.software,
                                     compute_efficiency(scenario));
  const LayerPasses passes = layer_passes(scenario, layout, compute);
  auto entry = std::make_unique<LayerEntry>(
      LayerEntry{.kinds = layers_of_kinds(scenario, accelerator, layout, passes),
                 .embedding = in_table(passes.embedding),
                 .head = in_table(passes.head),
                 .mtp = in_table(passes.mtp),
                 .share_gather = in_table(passes.share_gather),
                 .overlaps = Overlaps(scenario.software, layout)});
  for (std::size_t i = 0; i < entry->kinds.size(); ++i) {
    entry->place_of_kind[core::index(entry->kinds[i].kind)] = static_cast<std::uint8_t>(i);
  }
  entry->held_by_embedding = models::parameters_before_layers(model, layout);
  entry->held_by_head = models::parameters_behind_layers(model, layout);
  entry->behind_layers =
      models::parameters_of_layer(model, models::last_kind(model), layout.slices()) *
      model.mtp_layers;
  entry->compute_efficiency = compute_efficiency(scenario);
  entry->kind_behind = models::last_kind(model);
  entry->num_behind = model.mtp_layers;
  entry->activations_behind =
      models::activations_behind_layers(workload, layout, scenario.software).base();
  if (!workload.lora) {
    entry->trained_by_embedding = entry->held_by_embedding;
    entry->trained_by_head = entry->held_by_head;
  }
  entry->logits = models::logits_memory(workload, layout, scenario.software).base();
  entry->optimizer_per_parameter = compute.optimizer_time(1.0);
  entry->cast_per_parameter = compute.weight_cast_time(1.0);
  return entry;
}

std::unique_ptr<NetworkEntry> Estimator::Tables::make_network(const Configuration& c) const {
  return network_of(c, step_costs(with_any_batch(c), fabric()));
}

std::unique_ptr<NetworkEntry> Estimator::Tables::make_least_network(Transfers transfers,
                                                                    const Configuration& c) const {
  const CheckedScenario checked = with_any_batch(c);
  const bool is_of_syncs = transfers == Transfers::kSyncs;
  const core::Fabric& built = fabric();
  const StepCosts costs = is_of_syncs ? costs_of_syncs(checked, built, capacity_, known_syncs_)
                                      : least_costs(checked, built, capacity_, known_syncs_);
  auto entry = network_of(c, costs);
  entry->longest_calls = longest_least_calls(costs);
  entry->calls_are_free = is_of_syncs;
  return entry;
}

std::unique_ptr<NetworkEntry> Estimator::Tables::network_of(const Configuration& c,
                                                            const StepCosts& costs) const {
  const StagePartition& division = divisions.find(division_key(c))->division;
  auto entry = std::make_unique<NetworkEntry>();
  add_terms(division, costs, *entry);
  entry->longest_calls = longest_calls(costs);
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    entry->call_bytes[call] = static_cast<double>(costs.calls[call].bytes);
  }
  entry->send_bytes = static_cast<double>(costs.send_bytes);
  entry->rules = step_rules(costs);
  entry->sharing = link_sharing(costs);
  for (const StageCosts& stage : costs.stages) {
    for (const ParameterSync& sync : stage.syncs) entry->has_sync[sync.of_experts ? 1 : 0] = true;
  }
  return entry;
}

std::unique_ptr<CallsEntry> Estimator::Tables::make_calls(const Configuration& c) const {
  auto entry = std::make_unique<CallsEntry>();
  // With tp and cp innermost, a pipeline has the same groups as a layout without one.
  if (!base.scenario.parallelism.rank_order.starts_with("tp-cp")) return entry;
  Configuration flat = c;
  flat.pp = 1;
  flat.virtual_stages = 1;
  const CheckedScenario checked = with_any_batch(flat);
  const core::Fabric& built = fabric();
  entry->fastest = fastest_calls(checked.scenario, checked.layout, built, capacity_,
                                 has_like_groups() ? AmongGroups::kFirst : AmongGroups::kAll);
  return entry;
}

Configuration Estimator::Tables::with_any_batch_of(Configuration c) const {
  const std::int64_t dp = std::max(1, base.scenario.num_accelerators() / ranks_of_replica(c));
  c.global_batch = dp * c.micro_batch * c.pp;
  c.schedule = {};
  return c;
}

CheckedScenario Estimator::Tables::with_any_batch(const Configuration& c) const {
  return with_configuration(base, with_any_batch_of(c));
}

std::unique_ptr<LayoutEntry> Estimator::Tables::make_layout(const Configuration& c) const {
  Configuration plain = c;
  plain.virtual_stages = 1;
  CheckedScenario checked = with_any_batch(plain);
  auto entry = std::make_unique<LayoutEntry>();
  const Scenario& scenario = checked.scenario;
  entry->is_valid = models::make_layout(scenario.workload, scenario.parallelism,
                                        scenario.num_accelerators(), entry->layout)
                        .empty();
  return entry;
}

std::unique_ptr<DivisionEntry> Estimator::Tables::make_division(const Configuration& c) const {
  auto entry = std::make_unique<DivisionEntry>();
  if (!divides_layers(base.scenario, c)) return entry;
  entry->is_valid = true;
  entry->division = divide(models::transformer_of(base.scenario.workload), with_any_batch(c).layout,
                           base.scenario.software.scatter_pipeline.value);
  return entry;
}

namespace {

using Missing = std::vector<std::pair<std::uint64_t, const Configuration*>>;

/// Returns the keys that a table lacks, each once, with the first configuration that has it.
template <class Entry, class KeyOf>
Missing missing_in(const core::SharedTable<Entry>& table,
                   std::span<const Configuration> configurations, const KeyOf& key_of) {
  Missing missing;
  for (const Configuration& c : configurations) {
    const std::uint64_t key = key_of(c);
    if (table.find(key) == nullptr) missing.emplace_back(key, &c);
  }
  const auto key = [](const auto& one) { return one.first; };
  std::ranges::stable_sort(missing, {}, key);
  const auto [first, last] = std::ranges::unique(missing, {}, key);
  missing.erase(first, last);
  return missing;
}

/// Makes the entries that a table lacks.
template <class Entry, class KeyOf, class Make>
void fill(core::SharedTable<Entry>& table, std::span<const Configuration> configurations,
          int num_threads, Others others, const KeyOf& key_of, const Make& make) {
  const Missing missing = missing_in(table, configurations, key_of);
  const auto made = [&](std::size_t i) { return make(*missing[i].second); };
  core::parallel_for(
      missing.size(),
      [&](std::size_t i) { table.put_unless_claimed(missing[i].first, [&] { return made(i); }); },
      num_threads);
  if (others == Others::kLeft) return;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    table.put(missing[i].first, [&] { return made(i); });
  }
}

}  // namespace

void Estimator::Tables::prepare_memory(std::span<const Configuration> configurations,
                                       int num_threads) {
  std::vector<Configuration> sound;
  std::ranges::copy_if(configurations, std::back_inserter(sound),
                       [&](const Configuration& c) { return status(c) == EstimateStatus::kOk; });
  fill(
      layouts, sound, num_threads, Others::kAwaited,
      [&](const Configuration& c) { return layout_key(c); },
      [&](const Configuration& c) { return make_layout(c); });
  std::erase_if(sound,
                [&](const Configuration& c) { return !layouts.find(layout_key(c))->is_valid; });
  fill(
      divisions, sound, num_threads, Others::kAwaited,
      [&](const Configuration& c) { return division_key(c); },
      [&](const Configuration& c) { return make_division(c); });
  std::erase_if(sound,
                [&](const Configuration& c) { return !divisions.find(division_key(c))->is_valid; });
  fill_layers(sound, num_threads);
}

/// Each takes microseconds: a thread changes one copy of the scenario for many of them.
void Estimator::Tables::fill_layers(std::span<const Configuration> configurations,
                                    int num_threads) {
  constexpr std::size_t kAtOnce = 256;
  const Missing missing =
      missing_in(layers, configurations, [&](const Configuration& c) { return layer_key(c); });
  core::parallel_for(
      core::ceil_div(missing.size(), kAtOnce),
      [&](std::size_t part) {
        CheckedScenario scratch = base;
        const std::size_t end = std::min(missing.size(), (part + 1) * kAtOnce);
        for (std::size_t i = part * kAtOnce; i < end; ++i) {
          layers.put(missing[i].first, [&] { return make_layers(*missing[i].second, scratch); });
        }
      },
      num_threads);
}

std::vector<Configuration> Estimator::Tables::with_memory(
    std::span<const Configuration> configurations) const {
  std::vector<Configuration> sound;
  std::ranges::copy_if(configurations, std::back_inserter(sound), [&](const Configuration& c) {
    return std::holds_alternative<MemoryEntries>(find(c));
  });
  return sound;
}

void Estimator::Tables::prepare_calls(std::span<const Configuration> configurations,
                                      int num_threads) {
  fill(
      calls, with_memory(configurations), num_threads, Others::kAwaited,
      [&](const Configuration& c) { return calls_key(c); },
      [&](const Configuration& c) { return make_calls(c); });
}

void Estimator::Tables::prepare_networks(std::span<const Configuration> configurations,
                                         int num_threads, Others others) {
  const std::vector<Configuration> sound = with_memory(configurations);
  fill(
      networks, sound, num_threads, others, [&](const Configuration& c) { return network_key(c); },
      [&](const Configuration& c) { return make_network(c); });
}

void Estimator::Tables::prepare_least_networks(Transfers transfers,
                                               std::span<const Configuration> configurations,
                                               int num_threads) {
  const std::vector<Configuration> sound = with_memory(configurations);
  fill(
      transfers == Transfers::kSyncs ? syncs : few_replicas, sound, num_threads, Others::kAwaited,
      [&](const Configuration& c) { return least_key(transfers, c); },
      [&](const Configuration& c) { return make_least_network(transfers, c); });
}

const NetworkEntry* Estimator::Tables::find_least(Transfers transfers,
                                                  const Configuration& c) const {
  return (transfers == Transfers::kSyncs ? syncs : few_replicas).find(least_key(transfers, c));
}

/// Parameters are the same for every micro-batch. Where stages follow one another, or where there
/// is one alone, the ranks of a stage are the same however many of them share a sequence.
std::uint64_t Estimator::Tables::least_key(Transfers transfers, const Configuration& c) const {
  if (transfers == Transfers::kFewReplicas) return network_key(c);
  Configuration same = c;
  same.micro_batch = 1;
  same.sequence_parallel = false;
  if (c.pp == 1 || base.scenario.parallelism.rank_order.ends_with("-pp")) same.cp = 1;
  return network_key(same);
}

}  // namespace railwright::simulation
