// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/software/profile_fields.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/device_checks.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/scenario/track_record.hpp"
#include "railwright/simulation/step/fold.hpp"
#include "railwright/simulation/step/step_structure.hpp"
#include "railwright/workloads/training/fit_checks.hpp"
#include "railwright/workloads/training/simulate.hpp"
#include "railwright/workloads/training/unstated.hpp"

namespace railwright::simulation {

namespace {

using models::SoftwareProfile;

/// Whether nobody published a step of the stack, or somebody did on this accelerator.
bool is_in_use(const std::string& stack, const std::string& accelerator,
               const std::vector<TrackRow>& rows) {
  bool is_published = false;
  for (const TrackRow& row : rows) {
    if (row.software != stack) continue;
    if (row.accelerator == accelerator) return true;
    is_published = true;
  }
  return !is_published;
}

/// Reads the stacks in use on the accelerator, all if nobody published a step of it. A stack with
/// another optimizer trains other models.
std::vector<SoftwareProfile> stacks_in_use(const std::string& accelerator,
                                           models::Optimizer optimizer,
                                           const core::Catalogue& catalogue) {
  const std::shared_ptr<const TrackRecord> record = track_record(catalogue);
  const std::vector<TrackRow> rows = record == nullptr ? std::vector<TrackRow>{} : record->rows;
  const bool is_known = std::ranges::find(rows, accelerator, &TrackRow::accelerator) != rows.end();
  std::vector<SoftwareProfile> stacks;
  for (const std::string& name : catalogue.names(SoftwareProfile::kKind)) {
    if (is_known && !is_in_use(name, accelerator, rows)) continue;
    core::Reader reader(&catalogue);
    SoftwareProfile stack;
    reader.read(core::text_node(name), "", stack);
    reader.throw_if_any();
    if (stack.optimizer.value == optimizer) stacks.push_back(std::move(stack));
  }
  return stacks;
}

/// Returns a value without its source, as YAML.
template <class T>
std::string text_of(const T& value) {
  const core::Node node = core::to_node(value);
  const core::Node* const plain = node.find("value");
  return core::to_yaml(plain == nullptr ? node : *plain);
}

/// Copies a setting as `--set` gives it. A bucket that grows with the replicas has its size here.
void copy_setting(const SoftwareProfile& from, std::string_view key, int num_replicas,
                  SoftwareProfile& to) {
  core::for_each_field<SoftwareProfile>([&](const auto& field) {
    if (field.name == key) to.*(field.member) = from.*(field.member);
  });
  if (key == "bucket") to.bucket.value = from.bucket_among(num_replicas);
}

std::string value_of(const SoftwareProfile& stack, std::string_view key, int num_replicas) {
  if (key == "bucket") return text_of(stack.bucket_among(num_replicas));
  std::string text;
  core::for_each_field<SoftwareProfile>([&](const auto& field) {
    if (field.name == key) text = text_of(stack.*(field.member));
  });
  return text;
}

/// Whether the ranks that swap tokens for heads have whole heads.
bool has_heads_to_swap(const CheckedScenario& checked) {
  const auto* model = std::get_if<models::Transformer>(&checked.scenario.workload.model);
  if (model == nullptr) return true;
  const models::Layout& layout = checked.layout;
  const int swapping = checked.scenario.software.context_ranks(layout.cp).heads;
  return model->num_heads / layout.tp % swapping == 0;
}

bool can_run(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
  const SoftwareProfile& software = scenario.software;
  if (!has_heads_to_swap(checked)) return false;
  if (!software_problems(software, software.zero_stage.value, software.recompute.value,
                         scenario.parallelism.pp)
           .empty() ||
      !device_problems({}, scenario).empty()) {
    return false;
  }
  std::vector<Infeasibility> reasons;
  check_memory(models::largest_memory_use(scenario.workload, checked.layout, software),
               scenario.cluster.node.accelerator.memory.value, reasons);
  check_tiers(models::node_tier_uses(scenario.workload, checked.layout, software,
                                     scenario.cluster.node.num_accelerators.value),
              reasons);
  return reasons.empty();
}

/// Settings that change what is sent, and so the transfers of a step.
constexpr auto kOfTransfers = std::to_array<std::string_view>(
    {"zero_stage", "bucket", "gradient_reduce_bytes", "expert_dispatcher", "context_exchange"});

/// Beyond so many accelerators settings of transfers are not tried: each makes all of them anew,
/// which takes as long as the answer itself.
constexpr std::int64_t kMaxWithTransfers = 1024;

bool is_of_transfers(std::string_view key) {
  return std::ranges::find(kOfTransfers, key) != kOfTransfers.end();
}

/// Steps of one scenario with other settings, in closed form.
class Steps {
 public:
  Steps(const CheckedScenario& checked, const core::Fabric& fabric, const StepStructure& structure)
      : fabric_(fabric), structure_(structure), now_(with_same_transfers(checked)) {}

  /// Returns the step with a setting changed, over that without.
  [[nodiscard]] double factor(const CheckedScenario& changed, std::string_view key) const {
    return (is_of_transfers(key) ? estimate_step(fold(step_costs(changed, fabric_)).costs).total()
                                 : with_same_transfers(changed)) /
           now_;
  }

 private:
  [[nodiscard]] core::Duration with_same_transfers(const CheckedScenario& checked) const {
    return estimate_step(structure_.costs(checked, fabric_)).total();
  }

  const core::Fabric& fabric_;
  const StepStructure& structure_;
  core::Duration now_;
};

/// Change of a step that rounding may make.
constexpr double kRounding = 1e-9;

/// Returns "bucket" for "software.bucket".
std::string_view key_of(const UnstatedSetting& setting) {
  return std::string_view(setting.key).substr(sizeof("software"));
}

/// A setting at another value, before its step is known.
struct Trial {
  std::size_t setting = 0;
  const SoftwareProfile* stack = nullptr;  ///< one that has the value
  OtherValue other;
};

/// Lists each value of the stacks once.
std::vector<Trial> trials_of(const std::vector<UnstatedSetting>& settings,
                             const std::vector<SoftwareProfile>& stacks, const SoftwareProfile& own,
                             int num_replicas) {
  std::vector<Trial> trials;
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(stacks.size(), 1));
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const std::string_view key = key_of(settings[s]);
    const std::size_t first = trials.size();
    for (const SoftwareProfile& stack : stacks) {
      if (stack.name == own.name) continue;
      const std::string value = value_of(stack, key, num_replicas);
      if (value == settings[s].value) continue;
      auto known = std::find_if(trials.begin() + static_cast<std::ptrdiff_t>(first), trials.end(),
                                [&](const Trial& one) { return one.other.value == value; });
      if (known == trials.end()) {
        trials.push_back({.setting = s, .stack = &stack, .other = {.value = value, .stacks = {}}});
        known = trials.end() - 1;
      }
      known->other.stacks.push_back(stack.name);
      known->other.share += share;
    }
  }
  return trials;
}

/// Whether the site's interval is that of published families, and none of its own.
bool has_interval_of(const Basis& basis, const models::Installation& site) {
  return basis.unstated_weight > 0.0 && site.step_time_low.value == basis.low &&
         site.step_time_high.value == basis.high;
}

double size_of(const OtherValue& other) { return std::abs(std::log(other.factor)); }

bool is_measured(const CheckedScenario& checked) {
  const models::Installation& site = checked.scenario.installation;
  return checked.scenario.run.step_time || site.compute_efficiency.estimate ||
         site.nic_efficiency.estimate;
}

}  // namespace

std::vector<UnstatedSetting> unstated_settings(const CheckedScenario& checked,
                                               const core::Fabric& fabric,
                                               const core::Catalogue& catalogue) {
  if (checked.traits.assumed.empty()) return {};
  return unstated_settings(checked, fabric, StepStructure(checked, fabric), catalogue);
}

std::vector<UnstatedSetting> unstated_settings(const CheckedScenario& checked,
                                               const core::Fabric& fabric,
                                               const StepStructure& structure,
                                               const core::Catalogue& catalogue) {
  const Scenario& scenario = checked.scenario;
  const SoftwareProfile& own = scenario.software;
  const int num_replicas = checked.layout.num_parameter_replicas();
  std::vector<UnstatedSetting> settings;
  for (const std::string& key : checked.traits.assumed) {
    settings.push_back(
        {.key = "software." + key, .value = value_of(own, key, num_replicas), .others = {}});
  }
  if (settings.empty()) return settings;
  if (scenario.num_accelerators() > kMaxWithTransfers) {
    std::erase_if(settings,
                  [](const UnstatedSetting& one) { return is_of_transfers(key_of(one)); });
  }
  const auto stacks =
      stacks_in_use(scenario.cluster.node.accelerator.name, own.optimizer.value, catalogue);
  std::vector<Trial> trials = trials_of(settings, stacks, own, num_replicas);
  const Steps steps(checked, fabric, structure);
  core::parallel_for(trials.size(), [&](std::size_t i) {
    Trial& trial = trials[i];
    CheckedScenario changed = checked;
    const std::string_view key = key_of(settings[trial.setting]);
    copy_setting(*trial.stack, key, num_replicas, changed.scenario.software);
    if (!can_run(changed)) return;
    try {
      trial.other.factor = steps.factor(changed, key);
    } catch (const core::Error&) {
      return;  // a rule of the step forbids it
    }
  });
  for (Trial& trial : trials) {
    if (trial.other.factor != 1.0) settings[trial.setting].others.push_back(std::move(trial.other));
  }
  std::erase_if(settings, [](const UnstatedSetting& one) { return one.others.empty(); });
  for (UnstatedSetting& one : settings) {
    std::ranges::stable_sort(one.others, std::ranges::greater{}, size_of);
  }
  std::ranges::stable_sort(settings, std::ranges::greater{}, &UnstatedSetting::effect);
  return settings;
}

StatedInterval stated_interval(const CheckedScenario& checked) {
  const models::Installation& site = checked.scenario.installation;
  if (checked.basis && has_interval_of(*checked.basis, site)) {
    return {.low = checked.basis->stated_low, .high = checked.basis->stated_high};
  }
  return {.low = site.step_time_low.value, .high = site.step_time_high.value};
}

bool leaves_unstated(const CheckedScenario& checked) {
  return !checked.traits.assumed.empty() && !is_measured(checked);
}

void add_settings(const CheckedScenario& checked, std::vector<UnstatedSetting> settings,
                  SimulationResult& result) {
  if (!result.feasible() || is_measured(checked)) return;
  result.unstated = std::move(settings);
  const models::Installation& site = checked.scenario.installation;
  if (!checked.basis || !has_interval_of(*checked.basis, site)) return;
  const UnstatedSpread spread = spread_of(result.unstated);
  const StatedInterval stated = stated_interval(checked);
  const double weight = checked.basis->unstated_weight;
  const double faster = std::hypot(std::log(stated.low), weight * spread.faster);
  const double slower = std::hypot(std::log(stated.high), weight * spread.slower);
  result.step_time_low = result.step_time * std::exp(-faster);
  result.step_time_high = result.step_time * std::exp(slower);
}

}  // namespace railwright::simulation
