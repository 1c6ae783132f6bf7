// SPDX-License-Identifier: Apache-2.0
// Ending long work early, from another thread.
#pragma once

#include <atomic>
#include <exception>

namespace railwright::core {

/// Work that was told to stop; nothing of its result is there. No Error: nobody may take it for one
/// and go on.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// While it lives, work of this thread, and of those that parallel_for makes for it, throws
/// Interrupted soon after `flag` is set. Null: it does not stop.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* flag);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

 private:
  const std::atomic<bool>* before_;
};

/// Of the innermost scope of this thread; null without one.
[[nodiscard]] const std::atomic<bool>* stop_flag();

/// Throws Interrupted where the flag is set.
void check_stop();

}  // namespace railwright::core
