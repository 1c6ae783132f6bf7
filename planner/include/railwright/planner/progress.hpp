// SPDX-License-Identifier: Apache-2.0
// Reports the progress of long work.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>

namespace railwright::planner {

/// Receives what is being done, the pieces done and the pieces in all. Calls never overlap.
using ProgressFunction =
    std::function<void(std::string_view what, std::int64_t done, std::int64_t all)>;

/// Counts pieces that any number of threads finish.
class PiecesDone {
 public:
  PiecesDone(const ProgressFunction& tell, std::string_view what, std::size_t all)
      : tell_(tell), what_(what), all_(static_cast<std::int64_t>(all)) {
    if (tell_) tell_(what_, 0, all_);
  }
  void one_more() {
    if (!tell_) return;
    const std::scoped_lock lock(mutex_);
    tell_(what_, ++done_, all_);
  }

 private:
  const ProgressFunction& tell_;
  std::string_view what_;
  std::int64_t all_;
  std::int64_t done_ = 0;
  std::mutex mutex_;
};

}  // namespace railwright::planner
