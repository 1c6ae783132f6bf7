// SPDX-License-Identifier: Apache-2.0
#include "log_formats.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "railwright/core/config/date_time.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::validation {

namespace {

constexpr std::string_view kMegatron = "elapsed time per iteration (ms)";
constexpr std::string_view kNemo = "train_step_timing in s";
constexpr std::string_view kNanotron = "elapsed_time_per_iteration_ms";
constexpr std::string_view kTorchtitan = " tps: ";
constexpr std::string_view kDeepSpeed = "CurrSamplesPerSec=";
constexpr std::string_view kBar = "s/it";

/// Reads the number after the mark and `:`, `=` or dots. Thousands may have commas, and "K" or "M"
/// may stand behind.
std::optional<double> behind(std::string_view line, std::string_view mark) {
  std::size_t at = line.find(mark);
  if (at == std::string_view::npos) return {};
  at = line.find_first_not_of(" :=.\"", at + mark.size());
  if (at == std::string_view::npos) return {};
  std::string digits;
  for (; at < line.size(); ++at) {
    const bool is_group =
        line[at] == ',' && at + 1 < line.size() && line[at + 1] >= '0' && line[at + 1] <= '9';
    if (is_group) continue;
    if (std::string_view("0123456789.eE+-").find(line[at]) == std::string_view::npos) break;
    digits += line[at];
  }
  const double value = core::number_of(digits);
  if (at < line.size() && line[at] == 'K') return value * 1e3;
  if (at < line.size() && line[at] == 'M') return value * 1e6;
  return value;
}

/// Reads the number that ends where the mark begins.
std::optional<double> before(std::string_view line, std::string_view mark) {
  const std::size_t end = line.find(mark);
  if (end == std::string_view::npos || end == 0) return {};
  std::size_t from = line.find_last_not_of("0123456789.", end - 1);
  from = from == std::string_view::npos ? 0 : from + 1;
  return core::number_of(line.substr(from, end - from));
}

/// Returns the step of a line: a bar prints a step again whenever it is drawn.
std::string_view step_of(std::string_view line) {
  const std::size_t at = line.find("global_step");
  if (at == std::string_view::npos) return {};
  return line.substr(at, line.find_first_of(",|]", at) - at);
}

bool is_time(const std::optional<double>& value) {
  return value && *value > 0.0 && std::isfinite(*value);
}

template <class Read>
std::vector<double> times_by_line(std::string_view text, Read&& read) {
  std::vector<double> times;
  std::string_view last;
  for (const std::string_view line : core::lines_of(text)) {
    const std::optional<double> value = read(line);
    if (!is_time(value)) continue;
    const std::string_view step = step_of(line);
    if (!step.empty() && step == last) continue;
    last = step;
    times.push_back(*value);
  }
  return times;
}

std::vector<double> megatron_times(std::string_view text) {
  return times_by_line(text, [](std::string_view line) -> std::optional<double> {
    const auto value = behind(line, kMegatron);
    return value ? std::optional(*value * 1e-3) : value;
  });
}

std::vector<double> nemo_times(std::string_view text) {
  return times_by_line(text, [](std::string_view line) { return behind(line, kNemo); });
}

std::vector<double> nanotron_times(std::string_view text) {
  return times_by_line(text, [](std::string_view line) -> std::optional<double> {
    const auto value = behind(line, kNanotron);
    return value ? std::optional(*value * 1e-3) : value;
  });
}

std::vector<double> bar_times(std::string_view text) {
  return times_by_line(text, [](std::string_view line) { return before(line, kBar); });
}

/// A line that was printed with its step and, maybe, the time of day.
struct StampedLine {
  double step = 0.0;
  std::optional<double> time;
  std::string_view line;
};

/// Returns the date and time of "... 2025-11-25 19:45:01,441 ...".
std::optional<double> stamp_of(std::string_view line) {
  constexpr std::size_t kLength = 23;
  for (std::size_t at = line.find("20"); at != std::string_view::npos;
       at = line.find("20", at + 1)) {
    if (at + kLength > line.size() || line[at + 4] != '-') continue;
    std::string stamp(line.substr(at, kLength));
    if (stamp[19] == ',') stamp[19] = '.';
    if (const auto time = core::date_time_of(stamp)) return time;
  }
  return {};
}

/// Returns the lines with a mark, each step once: other ranks may print it again.
template <class Step>
std::vector<StampedLine> stamped_lines(std::string_view text, std::string_view mark, Step&& step) {
  std::vector<StampedLine> lines;
  for (const std::string_view line : core::lines_of(text)) {
    if (line.find(mark) == std::string_view::npos) continue;
    const std::optional<double> number = step(line);
    if (!number || !std::isfinite(*number)) continue;
    if (!lines.empty() && lines.back().step == *number) continue;
    lines.push_back({*number, stamp_of(line), line});
  }
  return lines;
}

/// Returns the time between lines over the steps between them.
std::vector<double> times_between(const std::vector<StampedLine>& lines) {
  std::vector<double> times;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const double steps = lines[i].step - lines[i - 1].step;
    if (!lines[i].time || !lines[i - 1].time || steps <= 0.0) continue;
    const double time = (*lines[i].time - *lines[i - 1].time) / steps;
    if (is_time(time)) times.push_back(time);
  }
  return times;
}

/// Returns the product of the degrees of torchtitan's mesh: "pp=1, dp_shard=8, tp=2, ep=4", in
/// which ep is of the others, or "['dp_shard', 'tp'], [8, 2]".
std::optional<double> mesh_size(std::string_view line) {
  const std::size_t at = line.find("device mesh with");
  if (at == std::string_view::npos) return {};
  double size = 1.0;
  bool has_any = false;
  const std::size_t list = line.rfind('[');
  if (list != std::string_view::npos && list > at) {
    const std::size_t end = line.find(']', list);
    if (end == std::string_view::npos) return {};
    for (const std::string_view cell : core::cells_of(line.substr(list + 1, end - list - 1), ',')) {
      size *= core::number_of(cell);
      has_any = true;
    }
  } else {
    for (const std::string_view key : {"pp=", "dp_replicate=", "dp_shard=", "cp=", "tp="}) {
      const std::size_t start = line.find(key, at);
      if (start == std::string_view::npos || (line[start - 1] != ' ' && line[start - 1] != ','))
        continue;
      const auto degree = behind(line.substr(start), key.substr(0, key.size() - 1));
      if (!degree) return {};
      size *= *degree;
      has_any = true;
    }
  }
  return has_any && size >= 1.0 ? std::optional(size) : std::nullopt;
}

/// The rate is of tokens a second and device, so that the head of the log must tell the batch and
/// the mesh; else the time of day must do.
std::vector<double> torchtitan_times(std::string_view text) {
  std::optional<double> devices;
  std::optional<double> tokens;
  for (const std::string_view line : core::lines_of(text)) {
    if (const auto size = mesh_size(line)) devices = size;
    const auto batch = behind(line, "global batch size");
    const auto length = behind(line, "sequence length");
    if (batch && length) tokens = *batch * *length;
  }
  const auto lines =
      stamped_lines(text, kTorchtitan, [](std::string_view line) { return behind(line, "step:"); });
  if (!devices || !tokens) return times_between(lines);
  std::vector<double> times;
  for (const StampedLine& one : lines) {
    const auto rate = behind(one.line, kTorchtitan);
    const auto time = rate ? std::optional(*tokens / (*rate * *devices)) : rate;
    if (is_time(time)) times.push_back(*time);
  }
  return times;
}

/// Returns DeepSpeed's step: "global_step=20," or, of older releases, "0/20,".
std::optional<double> deepspeed_step(std::string_view line) {
  if (const auto step = behind(line, "global_step=")) return step;
  return before(line, ", RunningAvg");
}

/// The rate is of samples a second of all devices; without the batch the time of day must do.
std::vector<double> deepspeed_times(std::string_view text) {
  std::optional<double> batch;
  for (const std::string_view line : core::lines_of(text)) {
    if (batch) break;
    if (line.find("train_batch_size") != std::string_view::npos) {
      batch = behind(line, "train_batch_size");
      if (!is_time(batch)) batch.reset();
    }
  }
  const auto lines = stamped_lines(text, kDeepSpeed, deepspeed_step);
  if (!batch) return times_between(lines);
  std::vector<double> times;
  for (const StampedLine& one : lines) {
    const auto rate = behind(one.line, kDeepSpeed);
    const auto time = rate ? std::optional(*batch / *rate) : rate;
    if (is_time(time)) times.push_back(*time);
  }
  return times;
}

constexpr double kBarLines = 10.0;       ///< lines of a running mean; an estimate
constexpr double kNanotronDigits = 3.0;  ///< nanotron prints "4.71K" [@nanotron_config]

constexpr std::array<LogFormat, 6> kLogFormats{{
    {.name = "Megatron-LM", .mark = kMegatron, .times = megatron_times},
    {.name = "NeMo", .mark = kNemo, .times = nemo_times},
    {.name = "nanotron", .mark = kNanotron, .times = nanotron_times, .digits = kNanotronDigits},
    {.name = "torchtitan", .mark = kTorchtitan, .times = torchtitan_times},
    {.name = "DeepSpeed", .mark = kDeepSpeed, .times = deepspeed_times},
    {.name = "progress bar", .mark = kBar, .times = bar_times, .lines_per_measurement = kBarLines},
}};

}  // namespace

std::span<const LogFormat> log_formats() { return kLogFormats; }

}  // namespace railwright::validation
