// SPDX-License-Identifier: Apache-2.0
// A result as one HTML file that opens without a network.
#pragma once

#include <string>
#include <string_view>

namespace railwright::output {

struct ReportHeading {
  std::string_view verb;       ///< "simulate"; selects the parts of the page
  std::string_view version;    ///< version of railwright
  std::string_view date{};     ///< day in UTC; "" leaves it out
  std::string_view command{};  ///< what made it; "" leaves it out
};

/// Returns the day in UTC: "2026-11-28".
std::string today();

/// Returns a page that embeds `json`, the result of report_json(); its scripts draw everything from
/// it. Its policy forbids every request. Throws ConfigError if railwright was built without a chart
/// library.
std::string html_report(const ReportHeading& heading, std::string_view json);

/// Throws that ConfigError before any work is done; `option` is the option that asked for a report.
void require_chart_library(const std::string& option);

}  // namespace railwright::output
