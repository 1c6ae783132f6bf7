// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "railwright/output/text/text.hpp"

namespace railwright::output {

namespace {

std::string errors_text(const char* what, const validation::ErrorStatistics& errors) {
  return fmt::format("{}, {} rows: median {:.1f} %, mean {:.1f} %, 90th percentile {:.1f} %\n",
                     what, errors.num_rows, 100.0 * errors.median, 100.0 * errors.mean,
                     100.0 * errors.percentile_90);
}

}  // namespace

std::string to_text(const validation::SuiteFit& fit, const TextStyle& style) {
  std::string text = fmt::format("Suite {}: {} rows fitted", fit.suite, fit.num_rows);
  if (!fit.left_out.empty()) text += ", without " + fit.left_out;
  text += "\n\n";
  Table table({"number", "of", "rows", "start", "value", "standard error"});
  table.align_left(1);
  for (const validation::FittedNumber& number : fit.numbers) {
    table.add_row({number.path, number.owner, fmt::format("{}", number.num_rows),
                   fmt::format("{:.4g}", number.start), fmt::format("{:.4g}", number.value),
                   fmt::format("{:.1f} %", 100.0 * number.log_error)});
  }
  text += table.text(style) + "\n";
  text +=
      errors_text("fitted rows before", fit.before) + errors_text("fitted rows after", fit.after);
  text += errors_text(fit.left_out.empty() ? "rows left out" : "the family left out", fit.others);
  return text;
}

std::string to_text(const std::vector<validation::KernelFit>& fits, const TextStyle& style) {
  Table table({"kernels", "format", "rows", "median", "90 %", "held out", "median", "90 %"});
  table.align_left(1);
  for (const validation::KernelFit& fit : fits) {
    const auto share = [](double error) { return fmt::format("{:.1f} %", 100.0 * error); };
    table.add_row({fit.device + " " + fit.kind, fit.format, fmt::format("{}", fit.fitted.num_rows),
                   share(fit.fitted.median), share(fit.fitted.percentile_90),
                   fmt::format("{}", fit.others.num_rows), share(fit.others.median),
                   share(fit.others.percentile_90)});
  }
  return table.text(style);
}

}  // namespace railwright::output
