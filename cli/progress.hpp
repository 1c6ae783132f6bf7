// SPDX-License-Identifier: Apache-2.0
// The progress of long work on standard error: one line that changes on a terminal, or plain lines.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "railwright/planner/progress.hpp"
#include "verb.hpp"

namespace railwright::cli {

enum class ProgressStyle : std::uint8_t {
  kNone,
  kLine,   ///< replaces itself
  kPlain,  ///< a line every two seconds
};

/// Option --progress of verbs that take long, and the style that it asks for.
OptionSpec progress_option();
ProgressStyle progress_style(const Options& options);

class Progress {
 public:
  /// Shows progress only if standard error is a terminal.
  explicit Progress(std::ostream& err);
  Progress(std::ostream& err, ProgressStyle style);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { end(); }

  /// Shows "memory: 128 of 286, 1200 a second, up to 0 s left" a few times a second. A count never
  /// falls: work of the same name that begins again is "memory, pass 2". Planner's kSoFar in place
  /// of the pieces done: `what` is the best answer so far.
  void tell(std::string_view what, std::int64_t done, std::int64_t all);
  /// Returns tell() as a function, which must not outlive this object.
  planner::ProgressFunction function() {
    return [this](std::string_view what, std::int64_t done, std::int64_t all) {
      tell(what, done, all);
    };
  }
  /// Removes the line.
  void end();
  /// Returns the best answer so far in words; empty if there is none.
  [[nodiscard]] const std::string& so_far() const { return so_far_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// Progress of the work of one name.
  struct Work {
    int num_passes = 1;
    Clock::time_point start;
    std::int64_t first_done = 0;
    std::int64_t last_done = 0;
  };

  /// Returns the line's text without the best answer.
  [[nodiscard]] std::string text_of(const Work& work, Clock::time_point now,
                                    std::int64_t all) const;

  std::ostream& err_;
  ProgressStyle style_;
  bool has_line_ = false;
  std::string what_;  ///< name of the current work
  std::string so_far_;
  std::map<std::string, Work, std::less<>> works_;
  Clock::time_point last_;
};

}  // namespace railwright::cli
