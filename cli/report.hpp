// SPDX-License-Identifier: Apache-2.0
// The option --report of the commands that have it.
#pragma once

#include <string>
#include <string_view>

#include "verb.hpp"

namespace railwright::cli {

OptionSpec report_option();
/// Whether a report is requested. Throws ConfigError if this program cannot make one.
bool wants_report(const Options& options);
/// Writes `json`, the result of report_json(), as the page of `verb`.
void write_report(const Options& options, std::string_view verb, const std::string& json);

}  // namespace railwright::cli
