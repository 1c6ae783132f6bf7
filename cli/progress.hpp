// SPDX-License-Identifier: Apache-2.0
// One line with the progress of long work, shown only on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "railwright/planner/progress.hpp"

namespace railwright::cli {

class Progress {
 public:
  /// Shows progress only if standard error is a terminal.
  explicit Progress(std::ostream& err);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { end(); }

  /// Shows "memory: 128 of 286, 1200 a second, 0 s left" a few times a second. A count never falls:
  /// work of the same name that begins again is "memory, pass 2".
  void tell(std::string_view what, std::int64_t done, std::int64_t all);
  /// Returns tell() as a function, which must not outlive this object.
  planner::ProgressFunction function() {
    return [this](std::string_view what, std::int64_t done, std::int64_t all) {
      tell(what, done, all);
    };
  }
  /// Removes the line.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  /// Progress of the work of one name.
  struct Work {
    int num_passes = 1;
    Clock::time_point start;
    std::int64_t first_done = 0;
    std::int64_t last_done = 0;
  };

  std::ostream& err_;
  bool is_shown_;
  bool has_line_ = false;
  std::string what_;  ///< name of the current work
  std::map<std::string, Work, std::less<>> works_;
  Clock::time_point last_;
};

}  // namespace railwright::cli
