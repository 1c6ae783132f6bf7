// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "railwright/output/text/text.hpp"

namespace railwright::output {

namespace {

std::string share(double value) { return fmt::format("{:.1f} %", 100.0 * value); }

/// Returns nothing for a statistic of no rows.
std::string share(const validation::ErrorStatistics& errors, double value) {
  return errors.num_rows > 0 ? share(value) : "";
}

std::string errors_text(const char* what, const validation::ErrorStatistics& errors) {
  if (errors.num_rows == 0) return fmt::format("{}: none\n", what);
  return fmt::format("{}, {} rows: median {}, mean {}, 90th percentile {}\n", what, errors.num_rows,
                     share(errors.median), share(errors.mean), share(errors.percentile_90));
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
                   share(number.log_error)});
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
    table.add_row({fit.device + " " + fit.kind, fit.format, fmt::format("{}", fit.fitted.num_rows),
                   share(fit.fitted, fit.fitted.median),
                   share(fit.fitted, fit.fitted.percentile_90),
                   fmt::format("{}", fit.others.num_rows), share(fit.others, fit.others.median),
                   share(fit.others, fit.others.percentile_90)});
  }
  return table.text(style);
}

std::string to_text(const validation::LeftOutFamilies& result, const TextStyle& style) {
  Table families({"family left out", "rows", "median", "mean", "90 %"});
  const auto add = [&](const std::string& name, const validation::ErrorStatistics& errors) {
    families.add_row({name, fmt::format("{}", errors.num_rows), share(errors, errors.median),
                      share(errors, errors.mean), share(errors, errors.percentile_90)});
  };
  for (const validation::LeftOutFamily& family : result.families) {
    add(family.family, family.errors);
  }
  add("all", result.all);
  return fmt::format("Suite {}: each family predicted by a fit to the others\n\n{}", result.suite,
                     families.text(style));
}

}  // namespace railwright::output
