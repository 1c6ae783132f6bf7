// SPDX-License-Identifier: Apache-2.0
#include "kernel_suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "error_groups.hpp"
#include "railwright/core/hardware/devices_fields.hpp"

namespace railwright::validation {

namespace {

/// Number of rows to interpolate between.
constexpr std::size_t kNeighbours = 8;

double distance_of(const KernelRow& a, const KernelRow& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.coordinates.size(); ++i) {
    const double difference = a.coordinates[i] - b.coordinates[i];
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

/// Returns the error of an interpolation: the mean logarithm of the nearest fitted rows, weighted
/// by inverse distance.
std::optional<double> interpolated_error(const KernelRow& row, const std::vector<KernelRow>& rows) {
  std::vector<std::pair<double, const KernelRow*>> near;
  for (const KernelRow& other : rows) {
    if (&other == &row || other.format != row.format || !other.is_for_fitting()) continue;
    near.emplace_back(distance_of(row, other), &other);
  }
  if (near.size() < kNeighbours) return {};
  std::ranges::nth_element(near, near.begin() + kNeighbours, {},
                           &std::pair<double, const KernelRow*>::first);
  double weights = 0.0;
  double sum = 0.0;
  for (const auto& [distance, other] : std::span(near).first(kNeighbours)) {
    const double weight = 1.0 / (distance + 1e-6);
    weights += weight;
    sum += weight * std::log(other->measured.base());
  }
  return std::exp(sum / weights) / row.measured.base() - 1.0;
}

ValidationCase case_of(const KernelTable& table, const KernelRow& row) {
  ValidationCase c;
  c.id = fmt::format("{}/{}/{}/{}", table.device, table.kind, row.format, row.shape);
  c.group = fmt::format("{} {} {}, {}", table.device, table.kind, row.format, row.shape_class);
  c.quantity = "kernel_time";
  c.unit = "s";
  c.source = table.source;
  const bool is_fitted = table.fits && row.is_for_fitting();
  c.role = is_fitted ? ClaimRole::kCalibrate : ClaimRole::kValidate;
  c.kind = is_fitted ? RowKind::kCalibrated : RowKind::kPrediction;
  c.published = row.measured.base();
  return c;
}

/// Accelerators of the catalogue, each read once.
class KernelDevices {
 public:
  KernelDevices(const core::Catalogue& catalogue, const core::Location& where, core::Reader& reader)
      : catalogue_(catalogue), where_(where), reader_(reader) {}

  const core::Accelerator& named(const std::string& name) {
    const auto found = devices_.find(name);
    if (found != devices_.end()) return found->second;
    return devices_.emplace(name, read_accelerator(name, catalogue_, where_, reader_))
        .first->second;
  }

 private:
  const core::Catalogue& catalogue_;
  const core::Location& where_;
  core::Reader& reader_;
  std::map<std::string, core::Accelerator> devices_;
};

void add_cases(const KernelTable& table, const std::vector<KernelRow>& rows, KernelDevices& devices,
               std::vector<ValidationCase>& cases) {
  const core::Accelerator& device = devices.named(table.device);
  const core::Accelerator unmeasured = with_kernels_of(device, devices.named(table.stand_in));
  for (const KernelRow& row : rows) {
    ValidationCase c = case_of(table, row);
    if (const auto predicted = row.predict(device)) {
      c.predicted = predicted->base();
      c.relative_error = *c.predicted / c.published - 1.0;
    }
    if (c.role == ClaimRole::kValidate) {
      c.same_baseline = interpolated_error(row, rows);
      if (const auto other = row.predict(unmeasured)) {
        c.constant_baseline = other->base() / c.published - 1.0;
      }
    }
    cases.push_back(std::move(c));
  }
}

}  // namespace

core::Accelerator read_accelerator(const std::string& name, const core::Catalogue& catalogue,
                                   const core::Location& where, core::Reader& reader) {
  core::Accelerator device;
  if (!catalogue.contains(core::Accelerator::kKind, name)) {
    core::Diagnostic problem = catalogue.not_found(core::Accelerator::kKind, name);
    reader.report(where, "kernels", problem.message, problem.hint);
    return device;
  }
  reader.read(catalogue.load(core::Accelerator::kKind, name), "accelerator", device);
  return device;
}

core::Accelerator with_kernels_of(core::Accelerator device, const core::Accelerator& other) {
  device.memory_efficiency = other.memory_efficiency;
  device.elementwise_efficiency = other.elementwise_efficiency;
  device.kernels = other.kernels;
  return device;
}

std::vector<ValidationCase> kernel_cases(const std::vector<KernelTable>& tables,
                                         const core::Catalogue& catalogue,
                                         const core::Location& where, core::Reader& reader) {
  KernelDevices devices(catalogue, where, reader);
  std::vector<ValidationCase> cases;
  for (const KernelTable& table : tables) {
    const std::vector<KernelRow> rows = read_kernel_rows(table, where, reader);
    devices.named(table.device);
    devices.named(table.stand_in);
    if (reader.diagnostics().empty()) add_cases(table, rows, devices, cases);
  }
  return cases;
}

std::vector<ErrorGroup> kernel_groups(const std::vector<ValidationCase>& cases) {
  struct Errors {
    std::vector<double> own, interpolated, stand_in;
  };
  std::map<std::string, Errors> groups;
  for (const ValidationCase& c : cases) {
    if (c.quantity != "kernel_time" || c.role != ClaimRole::kValidate || !c.relative_error)
      continue;
    Errors& errors = groups[c.group];
    errors.own.push_back(*c.relative_error);
    if (c.same_baseline) errors.interpolated.push_back(*c.same_baseline);
    if (c.constant_baseline) errors.stand_in.push_back(*c.constant_baseline);
  }
  std::vector<ErrorGroup> result;
  for (auto& [name, errors] : groups) {
    result.push_back({.by = "kernel",
                      .name = name,
                      .errors = statistics_of(std::move(errors.own)),
                      .same_baseline = statistics_of(std::move(errors.interpolated)),
                      .constant_baseline = statistics_of(std::move(errors.stand_in))});
  }
  return result;
}

}  // namespace railwright::validation
