// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/scenario/basis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "track_record.hpp"

namespace railwright::planner {

namespace {

std::string steps(int count) {
  return fmt::format("{} published step{}", count, count == 1 ? "" : "s");
}

std::string percent(double share) { return fmt::format("{:.2g} %", 100.0 * share); }

/// What the step has and none of the row's, each in words.
std::vector<std::string> changes_from(const TrackRow& row, const StepTraits& traits) {
  std::vector<std::string> changes;
  const auto is_among = [](const auto& all, const auto& one) {
    return std::ranges::find(all, one) != all.end();
  };
  if (!is_among(row.layouts, traits.layout)) {
    changes.push_back(
        fmt::format("parallelism {} (published: {})", traits.layout, fmt::join(row.layouts, ", ")));
  }
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
  if (!traits.transport.empty() && !is_among(row.transports, traits.transport)) {
    changes.push_back(fmt::format("transport {} (published: {})", traits.transport,
                                  row.transports.empty()
                                      ? "one node alone"
                                      : fmt::format("{}", fmt::join(row.transports, ", "))));
  }
  if (!traits.transport.empty() && !row.transports.empty() &&
      !is_among(row.nics_per_accelerator, traits.nics_per_accelerator)) {
    changes.push_back(fmt::format("{:.3g} NICs an accelerator (published: {:.3g})",
                                  traits.nics_per_accelerator,
                                  fmt::join(row.nics_per_accelerator, ", ")));
  }
  for (const std::string& setting : traits.settings) {
    if (!is_among(row.settings, setting)) changes.push_back(setting);
  }
  return changes;
}

/// What a site's factors are, where they were not fitted to it.
void add_installation(const models::Installation& site, std::vector<std::string>& changes) {
  const auto add = [&](const char* key, double value) {
    if (value != 1.0) changes.push_back(fmt::format("installation.{}={:.3g}", key, value));
  };
  add("compute_efficiency", site.compute_efficiency.value);
  add("nic_efficiency", site.nic_efficiency.value);
}

bool is_of_site(const models::Installation& site) {
  return site.compute_efficiency.estimate || site.nic_efficiency.estimate;
}

std::string of_site(const models::Installation& site, const StepTraits& traits) {
  std::string says = fmt::format("fitted to the site {}", site.name);
  if (traits.settings.empty()) return says;
  return says + fmt::format("; the scenario changes {}", fmt::join(traits.settings, ", "));
}

Basis of_row(const TrackRow& row, const std::string& who) {
  Basis basis{.left_out = row.left_out,
              .fitted = row.fitted,
              .median_error = row.median_error,
              .says = {},
              .changes = {}};
  basis.kind = row.left_out > 0 ? BasisKind::kValidated : BasisKind::kCalibrated;
  basis.says = row.left_out > 0
                   ? fmt::format("{} of {} that nothing was fitted to, half of them within {}",
                                 steps(row.left_out), who, percent(row.median_error))
                   : fmt::format("fitted to {} of {}, half of them within {}", steps(row.fitted),
                                 who, percent(row.median_error));
  return basis;
}

/// The row's steps say little of a step that differs from all of them.
void set_changes(std::vector<std::string> changes, const std::string& who, Basis& basis) {
  basis.kind = BasisKind::kEstimated;
  basis.median_error.reset();
  basis.says = fmt::format("changed from the {} of {}: {}", steps(basis.left_out + basis.fitted),
                           who, fmt::join(changes, ", "));
  basis.changes = std::move(changes);
}

int num_steps(const std::vector<TrackRow>& rows, std::string TrackRow::* of,
              const std::string& name) {
  int sum = 0;
  for (const TrackRow& row : rows) {
    if (row.*of == name) sum += row.left_out + row.fitted;
  }
  return sum;
}

std::string of_others(const std::vector<TrackRow>& rows, const std::string& who,
                      const StepTraits& traits) {
  return fmt::format("no published step of {}; with others {} of {} and {} of {}", who,
                     num_steps(rows, &TrackRow::accelerator, traits.accelerator),
                     traits.accelerator, num_steps(rows, &TrackRow::software, traits.software),
                     traits.software);
}

}  // namespace

std::optional<Basis> basis_of(const StepTraits& traits, const models::Installation& installation,
                              const core::Catalogue& catalogue) {
  const std::shared_ptr<const TrackRecord> record = track_record(catalogue);
  if (record == nullptr) return {};
  const std::string who = fmt::format("{} with {} in {}", traits.accelerator, traits.software,
                                      core::to_string(traits.precision));
  if (is_of_site(installation)) {
    return Basis{.kind = BasisKind::kCalibrated,
                 .median_error = {},
                 .says = of_site(installation, traits),
                 .changes = {}};
  }
  const auto row = std::ranges::find_if(record->rows, [&](const TrackRow& one) {
    return one.accelerator == traits.accelerator && one.software == traits.software &&
           one.precision == traits.precision;
  });
  if (row == record->rows.end()) {
    return Basis{.median_error = {}, .says = of_others(record->rows, who, traits), .changes = {}};
  }
  Basis basis = of_row(*row, who);
  std::vector<std::string> changes = changes_from(*row, traits);
  add_installation(installation, changes);
  if (!changes.empty()) set_changes(std::move(changes), who, basis);
  return basis;
}

}  // namespace railwright::planner
