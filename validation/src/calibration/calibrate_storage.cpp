// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/calibration/calibrate_storage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "railwright/core/config/reader.hpp"
#include "railwright/simulation/scenario/ranged_number.hpp"

namespace railwright::validation {

namespace {

/// Returns the rate of one client. fio runs its jobs together, other tools run one after another.
core::Bandwidth of_a_client(const StorageReport& report, StorageDirection StorageJob::* direction) {
  core::Bandwidth sum;
  core::Bandwidth most;
  for (const StorageJob& job : report.jobs) {
    if (job.num_clients == 0) continue;
    const core::Bandwidth each = (job.*direction).rate / static_cast<double>(job.num_clients);
    sum += each;
    most = std::max(most, each);
  }
  return report.tool == "fio" ? sum : most;
}

/// Returns the rate of all clients together.
core::Bandwidth of_all_clients(const StorageReport& report,
                               StorageDirection StorageJob::* direction) {
  core::Bandwidth sum;
  core::Bandwidth most;
  for (const StorageJob& job : report.jobs) {
    sum += (job.*direction).rate;
    most = std::max(most, (job.*direction).rate);
  }
  return report.tool == "fio" ? sum : most;
}

std::string rate_text(core::Bandwidth rate) {
  return fmt::format("{:.4g} GB/s", rate.base() * 1e-9);
}

}  // namespace

std::vector<std::string> settings_of(const StorageReport& report) {
  std::vector<std::string> settings;
  const auto add = [&](const char* path, core::Bandwidth rate) {
    if (rate.base() > 0.0) settings.push_back(fmt::format("{}={}", path, rate_text(rate)));
  };
  add("cluster.storage.mount.client_read_rate", of_a_client(report, &StorageJob::read));
  add("cluster.storage.mount.client_write_rate", of_a_client(report, &StorageJob::write));
  core::Bandwidth reader;
  core::Bandwidth writer;
  for (const StorageJob& job : report.jobs) {
    if (job.num_streams != 1) continue;
    reader = std::max(reader, job.read.rate);
    writer = std::max(writer, job.write.rate);
  }
  add("software.checkpoint.writer_rate", writer);
  add("software.checkpoint.reader_rate", reader);
  settings.insert(settings.end(), report.narrowed.begin(), report.narrowed.end());
  return settings;
}

void narrow_rates(StorageReport& report, const core::Node& scenario,
                  const core::Catalogue& catalogue) {
  const core::Node* count = core::find_path(scenario, "cluster.storage.count");
  if (count == nullptr) return;
  core::Reader reader;
  double num_nodes = 0.0;
  reader.read(*count, "cluster.storage.count", num_nodes);
  if (!(num_nodes >= 1.0)) return;
  for (const simulation::RangedNumber& number : simulation::ranged_numbers(scenario, catalogue)) {
    const bool is_read = number.path == "cluster.storage.node.read_rate";
    if (!is_read && number.path != "cluster.storage.node.write_rate") continue;
    core::Bandwidth low;
    core::Bandwidth high;
    reader.read(number.low, number.path, low);
    reader.read(number.high, number.path, high);
    const core::Bandwidth measured =
        of_all_clients(report, is_read ? &StorageJob::read : &StorageJob::write) / num_nodes;
    if (!reader.diagnostics().empty() || measured <= low) continue;
    report.narrowed.push_back(
        fmt::format("{}={{value: {}, range: [{}, {}], source: measured by {}}}", number.path,
                    rate_text(measured), rate_text(measured), rate_text(std::max(measured, high)),
                    report.tool));
  }
  if (report.narrowed.empty()) return;
  report.notes.push_back(fmt::format(
      "the rates of {} storage nodes are what these clients got of them, a node: with more clients "
      "it may be more",
      num_nodes));
}

}  // namespace railwright::validation
