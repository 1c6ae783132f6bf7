// SPDX-License-Identifier: Apache-2.0
// Runs independent pieces of work on all cores, or on as many as it is told.
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

/// During its lifetime, work of this thread, and of threads that parallel_for starts for it, uses
/// this many threads by default. 0: as many as there are cores.
class ThreadsScope {
 public:
  explicit ThreadsScope(int num_threads);
  ThreadsScope(const ThreadsScope&) = delete;
  ThreadsScope& operator=(const ThreadsScope&) = delete;
  ~ThreadsScope();

 private:
  int before_;
};

/// Returns the number of this thread's innermost scope, or the number of cores; at least 1.
[[nodiscard]] int default_num_threads();

}  // namespace railwright::core
