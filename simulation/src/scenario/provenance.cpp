// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "differences.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/models/software/installation_fields.hpp"
#include "railwright/simulation/scenario/recipe_keys.hpp"

namespace railwright::simulation {

namespace {

std::string percent(double share) { return fmt::format("{:.2g} %", 100.0 * share); }

std::string runs(int count) {
  return fmt::format("{} published run{}", count, count == 1 ? "" : "s");
}

/// Names the first changes, those with long values by their keys; JSON has them all.
std::string named(const std::vector<std::string>& changes) {
  constexpr std::size_t kMaxNamed = 5;
  constexpr std::size_t kMaxLength = 60;
  std::string text;
  for (std::size_t i = 0; i < std::min(changes.size(), kMaxNamed); ++i) {
    const std::string& change = changes[i];
    text += i == 0 ? "" : ", ";
    text += change.size() <= kMaxLength ? change : change.substr(0, change.find('='));
  }
  if (changes.size() > kMaxNamed) text += fmt::format(" and {} more", changes.size() - kMaxNamed);
  return text;
}

std::string differences(std::size_t count) {
  return fmt::format("{} difference{}", count, count == 1 ? "" : "s");
}

/// Adds the site's factors that somebody set, rather than a fit, and that differ from `known`.
void add_installation(const models::Installation& site, const models::Installation& known,
                      std::vector<std::string>& changes) {
  const auto add = [&](const char* key, core::Sourced<double> models::Installation::* factor) {
    const core::Sourced<double>& own = site.*factor;
    if (own.estimate || own.value == (known.*factor).value) return;
    changes.push_back(fmt::format("installation.{}={:.3g}", key, own.value));
  };
  add("compute_efficiency", &models::Installation::compute_efficiency);
  add("nic_efficiency", &models::Installation::nic_efficiency);
}

/// The catalogue's entry of the site's name; a neutral one where there is none.
models::Installation known_site(const models::Installation& site,
                                const core::Catalogue& catalogue) {
  models::Installation known;
  if (!catalogue.contains(models::Installation::kKind, site.name)) return known;
  core::Reader reader(&catalogue);
  reader.read(core::text_node(site.name), "", known);
  reader.throw_if_any();
  return known;
}

bool is_of_site(const models::Installation& site) {
  return site.compute_efficiency.estimate || site.nic_efficiency.estimate;
}

/// Lists the changes of a step against its site: factors, and settings of devices and software that
/// the factors were fitted with.
std::vector<std::string> changes_of_site(const models::Installation& site, const StepTraits& traits,
                                         const core::Catalogue& catalogue) {
  const auto lacks = [](const std::vector<std::string>& list, const std::string& one) {
    return std::ranges::find(list, one) == list.end();
  };
  std::vector<std::string> changes;
  add_installation(site, known_site(site, catalogue), changes);
  const std::vector<std::string> own = site_settings(traits);
  for (const std::string& setting : own) {
    if (lacks(site.fitted_with, setting)) changes.push_back(setting);
  }
  for (const std::string& setting : site.fitted_with) {
    if (lacks(own, setting)) changes.push_back("no " + setting);
  }
  return changes;
}

Basis of_site(const models::Installation& site, std::vector<std::string> changes) {
  Basis basis{.kind = BasisKind::kCalibrated,
              .median_error = {},
              .percentile_90 = {},
              .says = fmt::format("fitted to the site {}", site.name),
              .changes = std::move(changes)};
  if (basis.changes.empty()) return basis;
  basis.kind = BasisKind::kEstimated;
  basis.says += ", with other settings: " + named(basis.changes);
  return basis;
}

/// Names what was published of the step's device, stack and precision.
std::string combination_of(const StepTraits& traits) {
  return fmt::format("{} with {} in {}", traits.accelerator, traits.software,
                     core::to_string(traits.precision));
}

/// Knowledge that the record has of a step.
struct Known {
  StepClass of{};
  const TrackRow* row = nullptr;  ///< published steps of its device, stack and precision
  std::vector<std::string> changes;
};

Known known_of(const TrackRecord& record, const StepTraits& traits,
               const models::Installation& installation) {
  Known known;
  const auto row = std::ranges::find_if(record.rows, [&](const TrackRow& one) {
    return one.accelerator == traits.accelerator && one.software == traits.software &&
           one.precision == traits.precision;
  });
  if (row != record.rows.end()) {
    known.row = &*row;
    known.changes = differences_from(*row, traits);
  } else {
    known.changes = differences_apart(record.rows, traits);
  }
  add_installation(installation, {}, known.changes);
  if (num_steps(record.rows, &TrackRow::accelerator, traits.accelerator) == 0) {
    known.of = StepClass::kNewDevice;
  } else if (traits.has_experts) {
    known.of = StepClass::kExperts;
  } else if (num_steps(record.rows, &TrackRow::software, traits.software) == 0) {
    known.of = StepClass::kNewStack;
  } else {
    const bool is_like = known.row != nullptr && known.changes.size() <= kMaxLike;
    known.of = is_like ? StepClass::kLikePublished : StepClass::kChanged;
  }
  return known;
}

/// Names the class in the middle of a sentence about its errors.
std::string_view words_of(StepClass of) {
  switch (of) {
    case StepClass::kLikePublished:
      return "for runs like it";
    case StepClass::kChanged:
      return "for runs as far from published ones";
    case StepClass::kNewStack:
      return "for stacks like it";
    case StepClass::kExperts:
      return "for models with experts";
    case StepClass::kNewDevice:
      return "on such devices";
  }
  return {};
}

/// Says which published steps there are for the step.
std::string evidence(const TrackRecord& record, const StepTraits& traits, const Known& known,
                     const Basis& basis) {
  if (num_steps(record.rows, &TrackRow::accelerator, traits.accelerator) == 0) {
    return fmt::format("no published run on {}", traits.accelerator);
  }
  if (num_steps(record.rows, &TrackRow::software, traits.software) == 0) {
    return fmt::format("no published run of {}", traits.software);
  }
  if (known.row == nullptr) return "no published run of " + combination_of(traits);
  const std::string of_row =
      fmt::format("{} of {}", runs(basis.left_out + basis.fitted), combination_of(traits));
  if (!known.changes.empty()) {
    return fmt::format("{} from {}", differences(known.changes.size()), of_row);
  }
  if (!basis.assumed.empty()) {
    return fmt::format("like {}, {} of {} recipe settings assumed", of_row, basis.assumed.size(),
                       basis.assumed.size() + traits.stated.size());
  }
  if (basis.left_out == 0) return "fitted to all " + of_row;
  return fmt::format("{} of {} that nothing was fitted to", runs(basis.left_out),
                     combination_of(traits));
}

/// Counts the published steps next to which nothing more than device or stack is known.
std::string others(const TrackRecord& record, const StepTraits& traits, const Known& known) {
  if (known.row != nullptr) return {};
  const int of_device = num_steps(record.rows, &TrackRow::accelerator, traits.accelerator);
  const int of_stack = num_steps(record.rows, &TrackRow::software, traits.software);
  return fmt::format("; {} on {}, {} of {}", runs(of_device), traits.accelerator, of_stack,
                     traits.software);
}

/// Takes the errors of families of which as much was known; their interval widens with each
/// difference but those of a stated recipe.
void take_errors(const TrackRecord& record, const Known& known, Basis& basis) {
  const auto errors = std::ranges::find(record.families_left_out, known.of, &FamilyErrors::of);
  if (errors == record.families_left_out.end()) return;
  const double widening = std::sqrt(1.0 + record.difference_growth * num_widening(known.changes));
  basis.of = known.of;
  basis.median_error = errors->median_error;
  basis.percentile_90 = errors->percentile_90;
  basis.low = std::pow(errors->low, widening);
  basis.high = std::pow(errors->high, widening);
  basis.stated_low = std::pow(errors->stated_low, widening);
  basis.stated_high = std::pow(errors->stated_high, widening);
  basis.unstated_weight = record.unstated_weight;
}

Basis of_published(const TrackRecord& record, const StepTraits& traits,
                   const models::Installation& installation) {
  Known known = known_of(record, traits, installation);
  Basis basis{.median_error = {},
              .percentile_90 = {},
              .says = {},
              .changes = {},
              .assumed = traits.assumed};
  if (known.row != nullptr) {
    basis.left_out = known.row->left_out;
    basis.fitted = known.row->fitted;
  }
  if (known.row != nullptr && known.changes.empty() && traits.assumed.empty()) {
    basis.kind = basis.left_out > 0 ? BasisKind::kValidated : BasisKind::kCalibrated;
  }
  take_errors(record, known, basis);
  if (basis.median_error) {
    basis.says = fmt::format("{} half of the errors are below {}, nine in ten below {}; ",
                             words_of(known.of), percent(*basis.median_error),
                             percent(*basis.percentile_90));
  }
  basis.says += evidence(record, traits, known, basis);
  basis.says += others(record, traits, known);
  if (!known.changes.empty()) {
    basis.says += "; differences: " + named(known.changes);
  }
  basis.changes = std::move(known.changes);
  return basis;
}

}  // namespace

std::vector<std::string> site_settings(const StepTraits& traits) {
  std::vector<std::string> settings = traits.settings;
  const bool is_oversubscribed = traits.fabric.find(':') != std::string::npos;
  if (is_oversubscribed) settings.push_back("fabric " + traits.fabric);
  return settings;
}

std::optional<Basis> basis_of(const StepTraits& traits, const models::Installation& installation,
                              const core::Catalogue& catalogue) {
  const std::shared_ptr<const TrackRecord> record = track_record(catalogue);
  if (record == nullptr) return {};
  Basis basis = is_of_site(installation)
                    ? of_site(installation, changes_of_site(installation, traits, catalogue))
                    : of_published(*record, traits, installation);
  if (record->memory) basis.memory_median = record->memory->median;
  return basis;
}

}  // namespace railwright::simulation
