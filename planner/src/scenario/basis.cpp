// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/scenario/basis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/config/writer.hpp"
#include "track_record.hpp"

namespace railwright::planner {

namespace {

core::Accelerator catalogued(std::string_view name, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  core::Accelerator entry;
  reader.read(core::text_node(name), "", entry);
  reader.throw_if_any();
  return entry;
}

template <class T>
std::string text_of(const T& value) {
  if constexpr (core::IsOptional<T>::value) {
    return value ? text_of(*value) : std::string();
  } else if constexpr (core::IsSourced<T>::value) {
    return core::to_yaml(core::to_node(value.value));
  } else {
    return core::to_yaml(core::to_node(value));
  }
}

/// Keys that a step takes longer or shorter by, with other values than the catalogue has.
std::vector<std::string> changed_keys(const core::Accelerator& used,
                                      const core::Catalogue& catalogue) {
  if (!catalogue.contains(core::Accelerator::kKind, used.name)) return {};
  const core::Accelerator known = catalogued(used.name, catalogue);
  std::vector<std::string> changed;
  core::for_each_field<core::Accelerator>([&](const auto& f) {
    const std::string_view key = f.name;
    if (key == "description" || key == "memory" || key == "power") return;
    if (text_of(used.*(f.member)) != text_of(known.*(f.member))) changed.emplace_back(key);
  });
  return changed;
}

std::string steps(int count) {
  return fmt::format("{} published step{}", count, count == 1 ? "" : "s");
}

std::string percent(double share) { return fmt::format("{:.2g} %", 100.0 * share); }

std::string beyond(const TrackRow& row, int num_accelerators) {
  if (num_accelerators <= row.num_accelerators) return {};
  return fmt::format(", the largest on {} accelerators", row.num_accelerators);
}

Basis of_row(const TrackRow& row, const std::string& who, int num_accelerators) {
  Basis basis{.left_out = row.left_out, .fitted = row.fitted, .median_error = row.median_error};
  if (row.left_out > 0) {
    basis.kind = BasisKind::kValidated;
    basis.says = fmt::format("{} of {} that nothing was fitted to, half of them within {}{}",
                             steps(row.left_out), who, percent(row.median_error),
                             beyond(row, num_accelerators));
  } else {
    basis.kind = BasisKind::kCalibrated;
    basis.says = fmt::format("fitted to {} of {}, half of them within {}{}", steps(row.fitted), who,
                             percent(row.median_error), beyond(row, num_accelerators));
  }
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

Basis of_others(const std::vector<TrackRow>& rows, const std::string& who,
                const core::Accelerator& accelerator, const models::SoftwareProfile& software) {
  Basis basis;
  basis.says =
      fmt::format("no published step of {}; with others {} of {} and {} of {}", who,
                  num_steps(rows, &TrackRow::accelerator, accelerator.name), accelerator.name,
                  num_steps(rows, &TrackRow::software, software.name), software.name);
  return basis;
}

}  // namespace

std::optional<Basis> basis_of(const core::Accelerator& accelerator,
                              const models::SoftwareProfile& software,
                              const models::Installation& installation, int num_accelerators,
                              const core::Catalogue& catalogue) {
  const std::shared_ptr<const TrackRecord> record = track_record(catalogue);
  if (record == nullptr) return {};
  const core::Precision precision = software.precision.value;
  const std::string who =
      fmt::format("{} with {} in {}", accelerator.name, software.name, core::to_string(precision));
  const std::vector<std::string> changed = changed_keys(accelerator, catalogue);
  const bool is_of_site =
      installation.compute_efficiency.estimate || installation.nic_efficiency.estimate;
  const auto row = std::ranges::find_if(record->rows, [&](const TrackRow& one) {
    return one.accelerator == accelerator.name && one.software == software.name &&
           one.precision == precision;
  });
  Basis basis = row != record->rows.end() ? of_row(*row, who, num_accelerators)
                                          : of_others(record->rows, who, accelerator, software);
  if (is_of_site) {
    basis = {.kind = BasisKind::kCalibrated,
             .median_error = {},
             .says = fmt::format("fitted to the site {}", installation.name)};
  }
  if (!changed.empty()) {
    if (!is_of_site) basis.kind = BasisKind::kEstimated;
    basis.says += fmt::format("; the scenario changes {}", fmt::join(changed, ", "));
  }
  return basis;
}

}  // namespace railwright::planner
