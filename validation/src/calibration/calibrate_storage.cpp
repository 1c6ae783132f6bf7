// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/calibration/calibrate_storage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace railwright::validation {

namespace {

core::Bandwidth total(const FioReport& report, FioDirection FioJob::* direction) {
  core::Bandwidth sum;
  for (const FioJob& job : report.jobs) sum += (job.*direction).rate;
  return sum;
}

std::string rate_text(core::Bandwidth rate) {
  return fmt::format("{:.4g} GB/s", rate.base() * 1e-9);
}

}  // namespace

std::vector<std::string> settings_of(const FioReport& report) {
  std::vector<std::string> settings;
  const auto add = [&](const char* path, core::Bandwidth rate) {
    if (rate.base() > 0.0) settings.push_back(fmt::format("{}={}", path, rate_text(rate)));
  };
  add("cluster.storage.mount.client_read_rate", total(report, &FioJob::read));
  add("cluster.storage.mount.client_write_rate", total(report, &FioJob::write));
  core::Bandwidth reader;
  core::Bandwidth writer;
  for (const FioJob& job : report.jobs) {
    if (job.num_streams != 1) continue;
    reader = std::max(reader, job.read.rate);
    writer = std::max(writer, job.write.rate);
  }
  add("software.checkpoint.writer_rate", writer);
  add("software.checkpoint.reader_rate", reader);
  return settings;
}

}  // namespace railwright::validation
