// SPDX-License-Identifier: Apache-2.0
#include "kernel_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/crc.hpp>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "../measurements/csv.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/models/kernel/gemm.hpp"

namespace railwright::validation {

namespace {

using core::Accelerator;
using core::Duration;

/// A line of a table, as far as it could be read.
struct Line {
  std::string text;             ///< the first column
  std::vector<double> numbers;  ///< the others
};

/// Kernels of one kind: the columns between the format and the measured microseconds.
struct KernelKind {
  std::string_view name;
  std::span<const std::string_view> columns;
  std::function<Duration(const Accelerator&)> (*predict)(const Line&);
  std::string (*shape_class)(const Line&);
};

std::optional<core::ProductFormat> product_format(std::string_view name) {
  for (const auto& [known, format] : core::EnumNames<core::ProductFormat>::kNames) {
    if (known == name) return format;
  }
  return {};
}

std::int64_t whole(double number) { return static_cast<std::int64_t>(number); }

constexpr auto kGemmColumns = std::to_array<std::string_view>({"m", "n", "k"});

/// The products alone; where formats have blocks their cast is in the time.
std::function<Duration(const Accelerator&)> predict_gemm(const Line& line) {
  const auto format = product_format(line.text);
  if (!format) return {};
  const models::GemmShape shape = models::gemm_of(whole(line.numbers[0]), whole(line.numbers[1]),
                                                  whole(line.numbers[2]), *format);
  return [shape](const Accelerator& device) {
    return device.kernels.gemm.of(shape.format).launch_time + gemm_time(device, shape) +
           block_cast_time(device, shape);
  };
}

std::string class_of_gemm(const Line& line) {
  constexpr double kRowsOfTraining = 256.0;
  constexpr double kWidthOfTraining = 1024.0;
  if (line.numbers[0] < kRowsOfTraining) return "m < 256";
  const bool wide = std::min(line.numbers[1], line.numbers[2]) >= kWidthOfTraining;
  return wide ? "m >= 256, n and k >= 1,024" : "m >= 256, n or k < 1,024";
}

constexpr auto kKinds = std::to_array<KernelKind>({
    {"gemm", kGemmColumns, predict_gemm, class_of_gemm},
});

std::optional<double> positive_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  if (!std::isfinite(value) || value <= 0.0) return {};
  return value;
}

/// Reads the lines of one table.
class KernelTableReader {
 public:
  KernelTableReader(const KernelKind& kind, core::Reader& reader) : kind_(kind), reader_(reader) {}

  std::vector<KernelRow> read(const std::vector<std::vector<Cell>>& lines,
                              const std::string& file) {
    std::vector<std::string_view> expected{"format"};
    expected.insert(expected.end(), kind_.columns.begin(), kind_.columns.end());
    expected.emplace_back("us");
    if (lines.empty() || !std::ranges::equal(lines.front(), expected, {}, &Cell::text)) {
      reader_.report({file}, "",
                     fmt::format("a table of {} starts with the columns {}", kind_.name,
                                 fmt::join(expected, ",")));
      return {};
    }
    std::vector<KernelRow> rows;
    for (const auto& cells : std::span(lines).subspan(1)) read_line(cells, expected.size(), rows);
    return rows;
  }

 private:
  void read_line(const std::vector<Cell>& cells, std::size_t width, std::vector<KernelRow>& rows) {
    if (cells.size() != width) {
      reader_.report(cells.front().where, "",
                     fmt::format("expected {} cells, found {}", width, cells.size()));
      return;
    }
    Line line{.text = cells.front().text, .numbers = {}};
    for (const Cell& cell : std::span(cells).subspan(1)) {
      const auto number = positive_number(cell.text);
      if (!number) {
        reader_.report(cell.where, "", "expected a number greater than 0");
        return;
      }
      line.numbers.push_back(*number);
    }
    KernelRow row{.shape = {},
                  .format = line.text,
                  .shape_class = kind_.shape_class(line),
                  .coordinates = {},
                  .measured = Duration::from_base(line.numbers.back() * 1e-6),
                  .predict = kind_.predict(line)};
    if (!row.predict) {
      reader_.report(cells.front().where, "", fmt::format("no format '{}'", line.text));
      return;
    }
    for (std::size_t i = 0; i + 1 < line.numbers.size(); ++i) {
      row.shape += (i == 0 ? "" : ",") + cells[i + 1].text;
      row.coordinates.push_back(std::log(line.numbers[i]));
    }
    rows.push_back(std::move(row));
  }

  const KernelKind& kind_;
  core::Reader& reader_;
};

}  // namespace

bool KernelRow::is_for_fitting() const {
  boost::crc_32_type crc;
  crc.process_bytes(shape.data(), shape.size());
  return crc.checksum() % 2 == 0;
}

std::vector<KernelRow> read_kernel_rows(const KernelTable& table, const core::Location& base,
                                        core::Reader& reader) {
  const auto kind = std::ranges::find(kKinds, table.kind, &KernelKind::name);
  if (kind == kKinds.end()) {
    reader.report(base, "kernels", fmt::format("no kind of kernels '{}'", table.kind));
    return {};
  }
  const std::string file = std::filesystem::path(base.file).parent_path() / table.file;
  return KernelTableReader(*kind, reader).read(parse_csv(core::read_text_file(file), file), file);
}

}  // namespace railwright::validation
