// SPDX-License-Identifier: Apache-2.0
// Stops long work early, from another thread.
#pragma once

#include <atomic>
#include <exception>

namespace railwright::core {

/// Thrown by work that was told to stop, which leaves no result. It is no Error, so that no handler
/// takes it for one and continues.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// During its lifetime, work of this thread, and of threads that parallel_for starts for it, throws
/// Interrupted soon after `flag` is set. A null flag never stops it.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* flag);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

 private:
  const std::atomic<bool>* before_;
};

/// Returns the flag of this thread's innermost scope; null without one.
[[nodiscard]] const std::atomic<bool>* stop_flag();

/// Throws Interrupted if the flag is set.
void check_stop();

}  // namespace railwright::core
