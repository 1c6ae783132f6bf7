// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/measurements/training_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "../suites/series.hpp"
#include "railwright/core/arithmetic.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/error.hpp"

namespace railwright::validation {

namespace {

constexpr std::size_t kMin = 3;
constexpr double kMeansOfBar = 10.0;  ///< lines of a bar that count as one measurement; an estimate

struct LogFormat {
  const char* name;
  std::string_view mark;  ///< text before the number (after it for a bar)
  double seconds;         ///< seconds per unit
};

constexpr std::array<LogFormat, 3> kLogFormats{{
    {"Megatron-LM", "elapsed time per iteration (ms)", 1e-3},
    {"NeMo", "train_step_timing in s", 1.0},
    {"progress bar", "s/it", 1.0},
}};
constexpr std::size_t kBar = 2;

/// Reads the number after the mark and `:` or `=`.
std::optional<double> behind(std::string_view line, std::string_view mark) {
  std::size_t at = line.find(mark);
  if (at == std::string_view::npos) return {};
  at = line.find_first_not_of(" :=", at + mark.size());
  if (at == std::string_view::npos) return {};
  const std::size_t end = std::min(line.find_first_not_of("0123456789.eE+-", at), line.size());
  return core::number_of(line.substr(at, end - at));
}

/// Reads the number that ends where the mark begins.
std::optional<double> before(std::string_view line, std::string_view mark) {
  const std::size_t end = line.find(mark);
  if (end == std::string_view::npos || end == 0) return {};
  std::size_t from = line.find_last_not_of("0123456789.", end - 1);
  from = from == std::string_view::npos ? 0 : from + 1;
  return core::number_of(line.substr(from, end - from));
}

/// Returns the step of a line: NeMo's bar prints a step again whenever it is drawn.
std::string_view step_of(std::string_view line) {
  const std::size_t at = line.find("global_step");
  if (at == std::string_view::npos) return {};
  return line.substr(at, line.find_first_of(",|]", at) - at);
}

std::vector<double> times_of(std::string_view text, std::size_t format) {
  const LogFormat& how = kLogFormats[format];
  std::vector<double> times;
  std::string_view last;
  for (const std::string_view line : core::lines_of(text)) {
    const auto value = format == kBar ? before(line, how.mark) : behind(line, how.mark);
    if (!value || !(*value > 0.0) || !std::isfinite(*value)) continue;
    const std::string_view step = step_of(line);
    if (!step.empty() && step == last) continue;
    last = step;
    times.push_back(*value * how.seconds);
  }
  return times;
}

}  // namespace

bool is_training_log(std::string_view text) {
  return std::ranges::any_of(
      kLogFormats, [&](const LogFormat& f) { return text.find(f.mark) != std::string_view::npos; });
}

LoggedSteps read_training_log(std::string_view text, const std::string& file) {
  for (std::size_t format = 0; format < kLogFormats.size(); ++format) {
    std::vector<double> times = times_of(text, format);
    if (times.empty()) continue;
    const std::size_t num_lines = times.size();
    const std::size_t warm_up = std::max<std::size_t>(1, num_lines / 10);
    times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(warm_up));
    if (times.size() < kMin) {
      throw core::ConfigError(
          {{{file},
            "",
            fmt::format("{} lines of {} tell a step time, of which the first {} warms up; at least "
                        "{} more are needed",
                        num_lines, kLogFormats[format].name, warm_up, kMin),
            ""}});
    }
    const double middle = core::median(times);
    std::vector<double> distances;
    distances.reserve(times.size());
    for (const double time : times) distances.push_back(std::abs(time - middle));
    const double spread = 1.4826 * core::median(distances);
    const double measurements =
        static_cast<double>(times.size()) / (format == kBar ? kMeansOfBar : 1.0);
    return {.format = kLogFormats[format].name,
            .step_time = core::Duration::from_base(middle),
            .standard_error = core::Duration::from_base(std::sqrt(std::numbers::pi / 2.0) * spread /
                                                        std::sqrt(std::max(1.0, measurements))),
            .num_lines = static_cast<int>(num_lines),
            .num_used = static_cast<int>(times.size())};
  }
  throw core::ConfigError(
      {{{file},
        "",
        "no line tells a step time",
        "known: 'elapsed time per iteration (ms): ' of Megatron-LM, 'train_step_timing in s' of "
        "NeMo, 's/it' of a progress bar"}});
}

}  // namespace railwright::validation
