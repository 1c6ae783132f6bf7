// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/provenance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/units/text.hpp"
#include "track_record.hpp"

namespace railwright::simulation {

namespace {

std::string steps(int count) {
  return fmt::format("{} published step{}", count, count == 1 ? "" : "s");
}

std::string percent(double share) { return fmt::format("{:.2g} %", 100.0 * share); }

std::string gigabits(core::Bandwidth rate) {
  return fmt::format("{:.3g} Gb/s", 8e-9 * rate.base());
}

/// Whether a published fabric covers a step's own: one switch equals any fabric that is not
/// oversubscribed.
bool fits(const std::string& own, const std::string& published) {
  return own == published || (own == "single_switch" && published.find(':') == std::string::npos);
}

/// One trait of a step and of a combination, in words, and whether they fit.
struct Trait {
  std::string own;
  std::string published;
  bool fits = false;
};

Trait trait(const char* format, const std::string& own, const std::string& published) {
  return {fmt::format(fmt::runtime(format), own), published, own == published};
}

/// Returns the traits of a step and of a combination; those of the network only if the step spans
/// nodes.
std::vector<Trait> traits_against(const StepTraits& own, const TrackCombination& one) {
  std::vector<Trait> traits = {trait("parallelism {}", own.layout, one.layout),
                               trait("nodes of {}", own.node, one.node)};
  if (own.transport.empty()) return traits;
  const bool is_apart = !one.transport.empty();
  const auto add = [&](const char* format, const std::string& text, std::string published) {
    traits.push_back(trait(format, text, is_apart ? std::move(published) : "one node alone"));
  };
  const auto number = [](double value) { return fmt::format("{:.3g}", value); };
  add("transport {}", own.transport, one.transport);
  if (!is_apart) return traits;
  add("{} NICs an accelerator", number(own.nics_per_accelerator), number(one.nics_per_accelerator));
  add("NICs of {}", gigabits(own.nic_rate), gigabits(one.nic_rate));
  add("fabric {}", own.fabric, one.fabric);
  traits.back().fits = fits(own.fabric, one.fabric);
  return traits;
}

/// Returns the traits that no combination has; if each occurs in some, those that the nearest one
/// lacks.
std::vector<std::string> combination_changes(const TrackRow& row, const StepTraits& own) {
  std::map<std::size_t, std::pair<std::string, std::vector<std::string>>> unknown;
  std::optional<std::vector<std::string>> nearest;
  std::set<std::size_t> known;
  for (const TrackCombination& one : row.combinations) {
    std::vector<std::string> lacks;
    const std::vector<Trait> traits = traits_against(own, one);
    for (std::size_t i = 0; i < traits.size(); ++i) {
      if (traits[i].fits) {
        known.insert(i);
        continue;
      }
      lacks.push_back(traits[i].own);
      auto& [text, published] = unknown[i];
      text = traits[i].own;
      if (std::ranges::find(published, traits[i].published) == published.end()) {
        published.push_back(traits[i].published);
      }
    }
    if (lacks.empty()) return {};
    if (!nearest || lacks.size() < nearest->size()) nearest = std::move(lacks);
  }
  std::vector<std::string> changes;
  for (auto& [i, change] : unknown) {
    if (known.contains(i)) continue;
    std::ranges::sort(change.second);
    changes.push_back(
        fmt::format("{} (published: {})", change.first, fmt::join(change.second, ", ")));
  }
  if (changes.empty() && nearest) {
    changes.push_back(
        fmt::format("{} (published, but not with all of the rest)", fmt::join(*nearest, " and ")));
  }
  return changes;
}

/// Returns, in words, the traits that the step has and none of the row's steps has.
std::vector<std::string> changes_from(const TrackRow& row, const StepTraits& traits) {
  std::vector<std::string> changes = combination_changes(row, traits);
  if (traits.sequence_length < row.shortest_sequence ||
      traits.sequence_length > row.longest_sequence) {
    changes.push_back(fmt::format("sequence length {} (published: {} to {})",
                                  traits.sequence_length, row.shortest_sequence,
                                  row.longest_sequence));
  }
  if (traits.num_accelerators > row.num_accelerators) {
    changes.push_back(fmt::format("{} accelerators (published: up to {})", traits.num_accelerators,
                                  row.num_accelerators));
  }
  for (const std::string& setting : traits.settings) {
    if (std::ranges::find(row.settings, setting) == row.settings.end()) changes.push_back(setting);
  }
  return changes;
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

Basis of_row(const TrackRow& row, const std::string& who) {
  Basis basis{.left_out = row.left_out,
              .fitted = row.fitted,
              .median_error = {},
              .says = {},
              .changes = {}};
  basis.kind = row.left_out > 0 ? BasisKind::kValidated : BasisKind::kCalibrated;
  basis.says = row.left_out > 0
                   ? fmt::format("{} of {} that nothing was fitted to", steps(row.left_out), who)
                   : fmt::format("fitted to {} of {}", steps(row.fitted), who);
  return basis;
}

/// Makes the basis an estimate: the row's steps say little about a step that differs from all of
/// them.
void set_changes(std::vector<std::string> changes, const std::string& who, Basis& basis) {
  basis.kind = BasisKind::kEstimated;
  basis.says = fmt::format("changed from the {} of {}: {}", steps(basis.left_out + basis.fitted),
                           who, fmt::join(changes, ", "));
  basis.changes = std::move(changes);
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
              .says = fmt::format("fitted to the site {}", site.name),
              .changes = std::move(changes)};
  if (basis.changes.empty()) return basis;
  basis.kind = BasisKind::kEstimated;
  basis.says += fmt::format(", with other settings: {}", fmt::join(basis.changes, ", "));
  return basis;
}

int num_steps(const std::vector<TrackRow>& rows, std::string TrackRow::* of,
              const std::string& name) {
  int sum = 0;
  for (const TrackRow& row : rows) {
    if (row.*of == name) sum += row.left_out + row.fitted;
  }
  return sum;
}

std::string of_others(const std::vector<TrackRow>& rows, const StepTraits& traits) {
  return fmt::format("{} published runs of {}, {} of {}, none of both in {}",
                     num_steps(rows, &TrackRow::accelerator, traits.accelerator),
                     traits.accelerator, num_steps(rows, &TrackRow::software, traits.software),
                     traits.software, core::to_string(traits.precision));
}

std::optional<FamilyErrors> errors_in(const TrackRecord& record, StepClass of) {
  const auto found = std::ranges::find(record.families_left_out, of, &FamilyErrors::of);
  if (found == record.families_left_out.end()) return {};
  return *found;
}

/// Adds what families like the step's tell of its error.
void add_family_errors(const TrackRecord& record, const StepTraits& traits, Basis& basis) {
  const bool knows_stack = num_steps(record.rows, &TrackRow::software, traits.software) > 0;
  const StepClass of = traits.has_experts ? StepClass::kExperts
                       : knows_stack      ? StepClass::kKnownStack
                                          : StepClass::kNewStack;
  const std::optional<FamilyErrors> errors = errors_in(record, of);
  if (!errors) return;
  const bool knows_device = num_steps(record.rows, &TrackRow::accelerator, traits.accelerator) > 0;
  const double of_device = knows_device ? 0.0 : kTenth * record.device_spread;
  basis.median_error = errors->median_error;
  basis.low = std::exp(-std::hypot(std::log(errors->low), of_device));
  basis.high = std::exp(std::hypot(std::log(errors->high), of_device));
  basis.says =
      fmt::format("half of its kind within {}; {}", percent(errors->median_error), basis.says);
}

Basis of_published(const TrackRecord& record, const StepTraits& traits,
                   const models::Installation& installation) {
  const std::string who = fmt::format("{} with {} in {}", traits.accelerator, traits.software,
                                      core::to_string(traits.precision));
  const auto row = std::ranges::find_if(record.rows, [&](const TrackRow& one) {
    return one.accelerator == traits.accelerator && one.software == traits.software &&
           one.precision == traits.precision;
  });
  if (row == record.rows.end()) {
    return {.median_error = {}, .says = of_others(record.rows, traits), .changes = {}};
  }
  Basis basis = of_row(*row, who);
  std::vector<std::string> changes = changes_from(*row, traits);
  add_installation(installation, {}, changes);
  if (!changes.empty()) set_changes(std::move(changes), who, basis);
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
  if (is_of_site(installation)) {
    return of_site(installation, changes_of_site(installation, traits, catalogue));
  }
  Basis basis = of_published(*record, traits, installation);
  add_family_errors(*record, traits, basis);
  return basis;
}

std::optional<FamilyErrors> family_errors(StepClass of, const core::Catalogue& catalogue) {
  const std::shared_ptr<const TrackRecord> record = track_record(catalogue);
  if (record == nullptr) return {};
  return errors_in(*record, of);
}

}  // namespace railwright::simulation
