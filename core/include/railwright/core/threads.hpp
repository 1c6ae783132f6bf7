// SPDX-License-Identifier: Apache-2.0
// The number of threads for work that is not given one.
#pragma once

namespace railwright::core {

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
