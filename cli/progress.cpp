// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace railwright::cli {

namespace {

constexpr std::chrono::milliseconds kBetweenLines{200};
constexpr std::string_view kToStartOfEmptyLine = "\r\033[K";

}  // namespace

Progress::Progress(std::ostream& err) : err_(err), is_shown_(isatty(STDERR_FILENO) == 1) {}

void Progress::tell(std::string_view what, std::int64_t done, std::int64_t all) {
  if (!is_shown_) return;
  const Clock::time_point now = Clock::now();
  if (what != what_) {
    what_ = what;
    start_ = now;
    first_done_ = done;
  }
  if (has_line_ && now - last_ < kBetweenLines) return;
  last_ = now;
  has_line_ = true;
  err_ << kToStartOfEmptyLine << fmt::format("{}: {} of {}", what, done, all);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const auto made = static_cast<double>(done - first_done_);
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
