// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/measurements/training_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "log_formats.hpp"
#include "railwright/core/arithmetic.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/error.hpp"

namespace railwright::validation {

namespace {

constexpr std::size_t kMin = 3;
/// Standard error of a median, not less than that of the digits that are printed.
double error_of(const std::vector<double>& times, double middle, const LogFormat& format) {
  std::vector<double> distances;
  distances.reserve(times.size());
  for (const double time : times) distances.push_back(std::abs(time - middle));
  const double spread = 1.4826 * core::median(distances);
  const double measurements = static_cast<double>(times.size()) / format.lines_per_measurement;
  const double error =
      std::sqrt(std::numbers::pi / 2.0) * spread / std::sqrt(std::max(1.0, measurements));
  const double last_digit = std::pow(10.0, std::floor(std::log10(middle)) + 1.0 - format.digits);
  return std::max(error, last_digit / std::sqrt(12.0));
}

}  // namespace

bool is_training_log(std::string_view text) {
  const std::string plain = core::without_escapes(text);
  return std::ranges::any_of(log_formats(), [&](const LogFormat& format) {
    return plain.find(format.mark) != std::string::npos;
  });
}

LoggedSteps read_training_log(std::string_view text, const std::string& file) {
  const std::string plain = core::without_escapes(text);
  for (const LogFormat& format : log_formats()) {
    std::vector<double> times = format.times(plain);
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
                        num_lines, format.name, warm_up, kMin),
            ""}});
    }
    const double middle = core::median(times);
    return {.format = std::string(format.name),
            .step_time = core::Duration::from_base(middle),
            .standard_error = core::Duration::from_base(error_of(times, middle, format)),
            .num_lines = static_cast<int>(num_lines),
            .num_used = static_cast<int>(times.size())};
  }
  throw core::ConfigError(
      {{{file},
        "",
        "no line tells a step time",
        "known: 'elapsed time per iteration (ms): ' of Megatron-LM, 'train_step_timing in s' of "
        "NeMo, 'elapsed_time_per_iteration_ms' of nanotron, 'tps: ' of torchtitan and "
        "'CurrSamplesPerSec=' of DeepSpeed (with the batch in the log's head, or times of day), "
        "'s/it' of a progress bar"}});
}

}  // namespace railwright::validation
