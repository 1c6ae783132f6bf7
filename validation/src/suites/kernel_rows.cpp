// SPDX-License-Identifier: Apache-2.0
#include "kernel_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "csv.hpp"
#include "kernel_kinds.hpp"
#include "kineto_products.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::validation {

namespace {

using core::Duration;

/// Reads a number, or the distribution of tokens over experts: the exponent of its power law, 0 if
/// balanced.
std::optional<double> cell_number(std::string_view text) {
  constexpr std::string_view kPowerLaw = "power_law_";
  if (text == "balanced") return 0.0;
  if (text.starts_with(kPowerLaw)) text.remove_prefix(kPowerLaw.size());
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  if (!std::isfinite(value) || value < 0.0) return {};
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
    KernelLine line{.format = cells.front().text, .numbers = {}};
    for (const Cell& cell : std::span(cells).subspan(1)) {
      const auto number = cell_number(cell.text);
      if (!number || (&cell == &cells.back() && *number == 0.0)) {
        reader_.report(cell.where, "", "expected a number greater than 0");
        return;
      }
      line.numbers.push_back(*number);
    }
    KernelRow row{.shape = {},
                  .format = line.format,
                  .shape_class = kind_.shape_class(line),
                  .coordinates = {},
                  .measured = Duration::from_base(line.numbers.back() * 1e-6),
                  .predict = kind_.predict(line)};
    if (!row.predict) {
      reader_.report(cells.front().where, "", fmt::format("no format '{}'", line.format));
      return;
    }
    for (std::size_t i = 0; i + 1 < line.numbers.size(); ++i) {
      row.shape += (i == 0 ? "" : ",") + cells[i + 1].text;
      row.coordinates.push_back(std::log(1.0 + line.numbers[i]));
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
  const KernelKind* kind = find_kernel_kind(table.kind);
  if (kind == nullptr) {
    reader.report(
        base, "kernels",
        fmt::format("no kind of kernels '{}'; known: {}", table.kind, kernel_kind_names()));
    return {};
  }
  const std::string file = std::filesystem::path(base.file).parent_path() / table.file;
  if (table.file.ends_with(".json")) {
    if (table.kind != "gemm") {
      reader.report(base, "kernels", "a trace has products alone: its kind is gemm");
      return {};
    }
    std::vector<KernelRow> rows =
        KernelTableReader(*kind, reader)
            .read(kineto_products(core::read_text_file(file), file), file);
    for (KernelRow& row : rows) row.predict = without_launch(std::move(row.predict), row.format);
    return rows;
  }
  return KernelTableReader(*kind, reader).read(parse_csv(core::read_text_file(file), file), file);
}

}  // namespace railwright::validation
