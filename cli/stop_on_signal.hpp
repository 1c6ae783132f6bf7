// SPDX-License-Identifier: Apache-2.0
// Ctrl-C as a flag that long work checks.
#pragma once

#include <array>
#include <atomic>
#include <csignal>

namespace railwright::cli {

/// During its lifetime the first Ctrl-C, SIGTERM or hangup sets the flag; a second one ends the
/// program.
class StopOnSignal {
 public:
  StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  ~StopOnSignal();

  static const std::atomic<bool>& flag();

 private:
  static constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace railwright::cli
