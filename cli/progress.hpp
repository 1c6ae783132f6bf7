// SPDX-License-Identifier: Apache-2.0
// One line that says how far a long piece of work is, on a terminal alone.
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
  /// Shown where standard error is a terminal.
  explicit Progress(std::ostream& err);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { end(); }

  /// "memory: 128 of 286, 1,200 a second, 0.1 s left"; a few times a second. A count never falls:
  /// where work of the same name begins again it is "memory, pass 2".
  void tell(std::string_view what, std::int64_t done, std::int64_t all);
  /// The same as a function, which lives no longer than this.
  planner::ProgressFunction function() {
    return [this](std::string_view what, std::int64_t done, std::int64_t all) {
      tell(what, done, all);
    };
  }
  /// Takes the line away.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  /// Work of one name.
  struct Work {
    int num_passes = 1;
    Clock::time_point start;
    std::int64_t first_done = 0;
    std::int64_t last_done = 0;
  };

  std::ostream& err_;
  bool is_shown_;
  bool has_line_ = false;
  std::string what_;  ///< is under way
  std::map<std::string, Work, std::less<>> works_;
  Clock::time_point last_;
};

}  // namespace railwright::cli
