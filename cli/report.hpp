// SPDX-License-Identifier: Apache-2.0
// The option --report of the commands that have it.
#pragma once

#include <string>
#include <string_view>

#include "answer.hpp"
#include "common.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/report_json.hpp"
#include "verb.hpp"

namespace railwright::cli {

OptionSpec report_option();
/// Whether a report is requested. Throws ConfigError if this program cannot make one.
bool wants_report(const Options& options);
/// Writes `json`, the result of report_json(), as the page of `verb`.
void write_report(const Options& options, std::string_view verb, const std::string& json);

/// Writes the report if one is requested, whose page is that of `verb`, and the result as JSON,
/// which is then that of the page, or as an answer. Returns the exit code.
template <class Result>
int put_with_report(const Result& result, std::string_view verb, const output::ReportSource& source,
                    const Options& options, Streams& streams) {
  if (!wants_report(options)) return put_result(result, options, streams);
  const std::string json =
      output::with_verdict(output::report_json(result, source), output::verdict(result));
  write_report(options, verb, json);
  if (wants_json(options)) {
    streams.out << json;
  } else {
    put_answer(result, options, streams);
  }
  return result.feasible() ? kOk : kInfeasible;
}

}  // namespace railwright::cli
