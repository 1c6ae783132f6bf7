// SPDX-License-Identifier: Apache-2.0
// --report FILE of the verbs that have one.
#pragma once

#include <string>
#include <string_view>

#include "verb.hpp"

namespace railwright::cli {

OptionSpec report_option();
/// Whether a report is asked for. Throws ConfigError where this program cannot make any.
bool wants_report(const Options& options);
/// Writes `json`, what report_json() gives, as the page of `verb`.
void write_report(const Options& options, std::string_view verb, const std::string& json);

}  // namespace railwright::cli
