// SPDX-License-Identifier: Apache-2.0
// Ctrl-C as a flag that long work looks at.
#pragma once

#include <atomic>
#include <csignal>

namespace railwright::cli {

/// While it lives the first Ctrl-C, or SIGTERM, sets the flag, the second one ends the program.
class StopOnSignal {
 public:
  StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  ~StopOnSignal();

  static const std::atomic<bool>& flag();

 private:
  struct sigaction before_int_{};
  struct sigaction before_term_{};
};

}  // namespace railwright::cli
