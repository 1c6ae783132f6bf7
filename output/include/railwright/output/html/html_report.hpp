// SPDX-License-Identifier: Apache-2.0
// A result as one HTML file that opens without a network.
#pragma once

#include <string>
#include <string_view>

namespace railwright::output {

struct ReportHeading {
  std::string_view verb;     ///< "simulate": decides what the page is made of
  std::string_view version;  ///< of railwright
};

/// The page with `json` inside, from which its scripts draw everything: what report_json() gives.
/// Its policy forbids every request. Throws ConfigError where railwright was built without a chart
/// library.
std::string html_report(const ReportHeading& heading, std::string_view json);

/// Throws the same ConfigError early; `option` is what asked for the report.
void require_chart_library(const std::string& option);

}  // namespace railwright::output
