// SPDX-License-Identifier: Apache-2.0
// Time that this process had a processor: what others do on the machine counts less.
#pragma once

#include <ctime>

namespace railwright::workloads {

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace railwright::workloads
