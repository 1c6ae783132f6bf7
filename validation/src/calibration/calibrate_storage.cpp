// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/calibration/calibrate_storage.hpp"

#include <fmt/format.h>

#include <algorithm>

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
  return settings;
}

}  // namespace railwright::validation
