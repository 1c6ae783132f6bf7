// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/measurements/nccl_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "railwright/core/config/text_file.hpp"
#include "railwright/core/error.hpp"

namespace railwright::validation {

namespace {

constexpr double kAgrees = 0.03;   ///< relative tolerance of a printed bus bandwidth
constexpr double kCoarse = 0.005;  ///< half of the last printed digit, GB/s

struct Columns {
  std::size_t time = 0;
  std::size_t bus_bandwidth = 0;

  [[nodiscard]] std::size_t last() const { return std::max(time, bus_bandwidth); }
};

std::optional<Columns> columns_of(std::vector<std::string_view> words) {
  if (!words.empty() && words.front() == "#") words.erase(words.begin());
  const auto place = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(words, name) - words.begin());
  };
  const Columns columns{place("time"), place("busbw")};
  if (words.empty() || words.front() != "size" || columns.last() >= words.size()) return {};
  return columns;
}

int num_ranks(const simulation::CheckedBenchmark& checked) {
  const topologies::Cluster& cluster = checked.cluster.cluster;
  return checked.benchmark.ranks.value_or(cluster.num_nodes * cluster.node.num_accelerators.value);
}

class NcclTestsReading {
 public:
  NcclTestsReading(const std::string& file, const simulation::CheckedBenchmark& checked)
      : file_(file),
        factor_(models::bus_factor(checked.benchmark.op, num_ranks(checked))),
        what_(fmt::format("{} of {} ranks", core::to_string(checked.benchmark.op),
                          num_ranks(checked))) {}

  void take(std::string_view line, int number) {
    const auto words = core::words_of(line);
    if (const auto columns = columns_of(words)) columns_ = columns;
    if (!columns_ || words.empty() || !(core::number_of(words.front()) >= 0.0)) return;
    const core::Location where{file_, number, static_cast<int>(line.find(words.front())) + 1};
    if (words.size() <= columns_->last()) {
      problems_.push_back({where, "", "a line that ends before its time or bus bandwidth", ""});
      return;
    }
    const double size = core::number_of(words.front());
    const double time = core::number_of(words[columns_->time]) * 1e-6;
    const double printed = core::number_of(words[columns_->bus_bandwidth]);
    if (!(time > 0.0) || !(printed >= 0.0) || !std::isfinite(time + printed)) {
      problems_.push_back({where, "", "time and bus bandwidth have to be numbers", ""});
      return;
    }
    if (size < 1.0) return;
    const double expected = size / time * factor_ * 1e-9;
    if (std::abs(expected - printed) > kAgrees * printed + kCoarse) {
      problems_.push_back(
          {where, "",
           fmt::format("{} GB/s are printed, {:.2f} of the scenario's {}", printed, expected,
                       what_),
           "another operation (benchmark.op) or number of ranks (cluster.nodes, benchmark.ranks)"});
      return;
    }
    calls_.push_back({core::DataSize::from_base(size), core::Duration::from_base(time)});
  }

  std::vector<MeasuredCall> calls() {
    if (calls_.empty() && problems_.empty()) {
      problems_.push_back({{file_}, "", "no line with a size, a time and a bus bandwidth", ""});
    }
    if (!problems_.empty()) throw core::ConfigError(std::move(problems_));
    return std::move(calls_);
  }

 private:
  std::string file_;
  double factor_;
  std::string what_;
  std::optional<Columns> columns_;
  std::vector<MeasuredCall> calls_;
  std::vector<core::Diagnostic> problems_;
};

}  // namespace

std::vector<MeasuredCall> read_nccl_tests(std::string_view text, const std::string& file,
                                          const simulation::CheckedBenchmark& checked) {
  NcclTestsReading reading(file, checked);
  int number = 0;
  for (const std::string_view line : core::lines_of(text)) reading.take(line, ++number);
  return reading.calls();
}

}  // namespace railwright::validation
