// SPDX-License-Identifier: Apache-2.0
// Runs something in a process of its own, so that its memory can be told from everybody else's.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <type_traits>

namespace railwright::workloads {

template <class Result>
struct Measured {
  Result result{};
  double peak_mib = 0.0;  ///< resident at the peak, above what the child began with
};

inline double peak_resident_mib(const rusage& usage) {
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// What `run()` returns; throws std::system_error when the child did not get that far.
template <class Run, class Result = std::invoke_result_t<Run>>
Measured<Result> in_child(Run run) {
  static_assert(std::is_trivially_copyable_v<Result>);
  struct Report {
    Result result{};
    double begin_mib = 0.0;
  };
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    Report report{.begin_mib = peak_resident_mib(usage)};
    report.result = run();
    const bool is_written = write(ends[1], &report, sizeof report) == sizeof report;
    _exit(is_written ? 0 : 1);
  }
  close(ends[1]);
  Report report;
  const bool is_whole = read(ends[0], &report, sizeof report) == sizeof report;
  close(ends[0]);
  rusage usage{};
  wait4(child, nullptr, 0, &usage);
  if (!is_whole) throw std::system_error(EIO, std::generic_category(), "a child process failed");
  return {report.result, peak_resident_mib(usage) - report.begin_mib};
}

}  // namespace railwright::workloads
