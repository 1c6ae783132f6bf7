// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

namespace railwright::cli {

namespace {

constexpr std::chrono::milliseconds kBetweenLines{200};
constexpr std::string_view kToStartOfEmptyLine = "\r\033[K";

}  // namespace

Progress::Progress(std::ostream& err) : err_(err), is_shown_(isatty(STDERR_FILENO) == 1) {}

void Progress::tell(std::string_view what, std::int64_t done, std::int64_t all) {
  if (!is_shown_) return;
  const Clock::time_point now = Clock::now();
  Work& work = works_[std::string(what)];
  if (done < work.last_done) ++work.num_passes;
  if (what != what_ || done < work.last_done) {
    what_ = what;
    work.start = now;
    work.first_done = done;
  }
  work.last_done = done;
  if (has_line_ && now - last_ < kBetweenLines) return;
  last_ = now;
  has_line_ = true;
  const std::string pass = work.num_passes > 1 ? fmt::format(", pass {}", work.num_passes) : "";
  err_ << kToStartOfEmptyLine << fmt::format("{}{}: {} of {}", what, pass, done, all);
  const double seconds = std::chrono::duration<double>(now - work.start).count();
  const auto made = static_cast<double>(done - work.first_done);
  if (seconds > 0.0 && made > 0.0) {
    const double rate = made / seconds;
    err_ << fmt::format(", {:.0f} a second, {:.0f} s left", rate,
                        static_cast<double>(all - done) / rate);
  }
  err_ << std::flush;
}

void Progress::end() {
  if (has_line_) err_ << kToStartOfEmptyLine << std::flush;
  has_line_ = false;
}

}  // namespace railwright::cli
