// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "railwright/planner/so_far.hpp"

namespace railwright::cli {

namespace {

constexpr std::chrono::milliseconds kBetweenChanges{200};
constexpr std::chrono::milliseconds kBetweenLines{2000};
constexpr std::string_view kToStartOfEmptyLine = "\r\033[K";

ProgressStyle style_of_terminal() {
  return isatty(STDERR_FILENO) == 1 ? ProgressStyle::kLine : ProgressStyle::kNone;
}

}  // namespace

OptionSpec progress_option() {
  return {.name = "--progress",
          .kind = OptionKind::kValue,
          .value = "STYLE",
          .help =
              "How far the work is, on standard error: auto (on a terminal alone), plain (a "
              "line every two seconds, with the best answer so far) or none",
          .fallback = "auto",
          .choices = {"auto", "plain", "none"}};
}

ProgressStyle progress_style(const Options& options) {
  const std::string style = options.text("--progress");
  if (style == "plain") return ProgressStyle::kPlain;
  return style == "none" ? ProgressStyle::kNone : style_of_terminal();
}

Progress::Progress(std::ostream& err) : Progress(err, style_of_terminal()) {}

/// The first plain line comes after as long as the others: short work writes none.
Progress::Progress(std::ostream& err, ProgressStyle style)
    : err_(err), style_(style), last_(Clock::now()) {}

void Progress::tell(std::string_view what, std::int64_t done, std::int64_t all) {
  if (done == planner::kSoFar) {
    so_far_ = what;
    return;
  }
  if (style_ == ProgressStyle::kNone) return;
  const Clock::time_point now = Clock::now();
  Work& work = works_[std::string(what)];
  if (done < work.last_done) ++work.num_passes;
  if (what != what_ || done < work.last_done) {
    what_ = what;
    work.start = now;
    work.first_done = done;
  }
  work.last_done = done;
  if (style_ == ProgressStyle::kPlain) {
    if (now - last_ < kBetweenLines) return;
    err_ << text_of(work, now, all) << (so_far_.empty() ? "; nothing yet" : "; so far: " + so_far_)
         << '\n';
  } else {
    if (has_line_ && now - last_ < kBetweenChanges) return;
    has_line_ = true;
    err_ << kToStartOfEmptyLine << text_of(work, now, all);
  }
  last_ = now;
  err_ << std::flush;
}

std::string Progress::text_of(const Work& work, Clock::time_point now, std::int64_t all) const {
  const std::string pass = work.num_passes > 1 ? fmt::format(", pass {}", work.num_passes) : "";
  std::string text = fmt::format("{}{}: {} of {}", what_, pass, work.last_done, all);
  const double seconds = std::chrono::duration<double>(now - work.start).count();
  const auto made = static_cast<double>(work.last_done - work.first_done);
  if (seconds > 0.0 && made > 0.0) {
    const double rate = made / seconds;
    text += fmt::format(", {:.0f} a second", rate);
    // Before a hundredth is done, what bounds rule out is mostly still to come.
    if (work.last_done >= all / 100) {
      text +=
          fmt::format(", up to {:.0f} s left", static_cast<double>(all - work.last_done) / rate);
    }
  }
  return text;
}

void Progress::end() {
  if (has_line_) err_ << kToStartOfEmptyLine << std::flush;
  has_line_ = false;
}

}  // namespace railwright::cli
