// SPDX-License-Identifier: Apache-2.0
// How many threads work takes that is not told so.
#pragma once

namespace railwright::core {

/// While it lives, work of this thread, and of those that parallel_for makes for it, takes so many
/// threads where it is not given another number. 0: as many as there are cores.
class ThreadsScope {
 public:
  explicit ThreadsScope(int num_threads);
  ThreadsScope(const ThreadsScope&) = delete;
  ThreadsScope& operator=(const ThreadsScope&) = delete;
  ~ThreadsScope();

 private:
  int before_;
};

/// Of the innermost scope of this thread, or as many as there are cores: at least 1.
[[nodiscard]] int default_num_threads();

}  // namespace railwright::core
