// SPDX-License-Identifier: Apache-2.0
// Runs independent pieces of work on all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace railwright::core {

/// Calls work(0) ... work(count - 1), each once, on `num_threads` threads; 0 uses
/// default_num_threads(). The calls must not touch one another's data, so results do not depend on
/// the number of threads. Rethrows the exception of the lowest failed call after all are done.
/// Calls that have not begun when the thread's work is told to stop do not run (see stop.hpp).
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work,
                  int num_threads = 0);

}  // namespace railwright::core
