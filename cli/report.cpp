// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include "output_file.hpp"
#include "railwright/output/html/html_report.hpp"

namespace railwright::cli {

OptionSpec report_option() {
  return {.name = "--report",
          .kind = OptionKind::kValue,
          .value = "FILE",
          .help =
              "Writes a page with the answer, what it rests on and what would change it; it "
              "opens without a network"};
}

bool wants_report(const Options& options) {
  const std::string file = options.text("--report");
  if (file.empty()) return false;
  output::require_chart_library("--report " + file);
  return true;
}

void write_report(const Options& options, std::string_view verb, const std::string& json) {
  const std::string version = program_version();
  const std::string date = output::today();
  const std::string page = output::html_report(
      {.verb = verb, .version = version, .date = date, .command = options.command()}, json);
  write_file("--report", options.text("--report"), [&](std::ostream& out) { out << page; });
}

}  // namespace railwright::cli
